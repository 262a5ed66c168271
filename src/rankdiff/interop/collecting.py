"""Collections as other tools see them: judgments without a relevant document and runs without a row are no error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankdiff.alignment import corpus_sizes
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.read import Judgments, place, read_runs
from rankdiff.rules import Rules


def collect(
    judgments: Judgments,
    runs: Any,
    rules: Rules,
    *,
    systems: tuple[str, ...] = ("run",),
    corpus_size: int | Mapping[str, int] | None = None,
    reference: Collection | None = None,
) -> Collection:
    """All topics of the judgments and all systems; one that has no row, or ``runs=None``, answered nothing.

    >>> from rankdiff.read import read_qrels
    >>> collect(read_qrels({"q": {"d": 0}}), {"run": {"q": {"d": 1.0}}}, Rules()).measure("AP")["AP"]
    array([[0.]])
    """
    if rules.ties == "average":
        raise UsageError("ties='average' reads the runs twice: rd.align does, this door does not")
    topics = len(judgments.queries)
    rank = np.zeros((len(systems), len(judgments.documents)), np.int32)
    depth, answered = np.zeros((len(systems), topics), np.int32), np.zeros((len(systems), topics), np.bool_)
    if runs is not None:
        placed = place(
            judgments, read_runs(runs), ties=rules.ties, precision=rules.precision, duplicates=rules.duplicates
        )
        at = [systems.index(name) for name in placed.systems]
        rank[at], depth[at], answered[at] = placed.rank, placed.depth, placed.answered
    c = Collection(
        systems=systems,
        queries=tuple(judgments.queries),
        documents=judgments.documents,
        start=judgments.start,
        grade=judgments.grade,
        subtopics=judgments.subtopics,
        rank=rank,
        depth=depth,
        answered=answered,
        rules=rules,
        corpus_size=corpus_sizes(corpus_size, judgments),
        reference=reference,
    )
    if rules.judged_only:
        c = c.condense()
    return c if rules.depth is None else c.cut(rules.depth)
