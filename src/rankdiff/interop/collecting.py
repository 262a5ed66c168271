"""Collections as other tools see them: judgments without a relevant document and runs without a row are no error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankdiff.alignment import corpus_sizes
from rankdiff.collection import Collection, Rules
from rankdiff.read import Judgments, place, read_runs


def collect(
    judgments: Judgments,
    run: Any,
    rules: Rules,
    *,
    corpus_size: int | Mapping[str, int] | None = None,
    reference: Collection | None = None,
) -> Collection:
    """All topics of the judgments and one run, which may be None for an empty one.

    >>> from rankdiff.read import read_qrels
    >>> collect(read_qrels({"q": {"d": 0}}), {"q": {"d": 1.0}}, Rules()).measure("AP")["AP"]
    array([[0.]])
    """
    topics = len(judgments.queries)
    rank = np.zeros((1, len(judgments.documents)), np.int32)
    depth, answered = np.zeros((1, topics), np.int32), np.zeros((1, topics), np.bool_)
    if run is not None:
        placed = place(
            judgments,
            read_runs({"run": run}),
            ties=rules.ties,
            precision=rules.precision,
            duplicates=rules.duplicates,
        )
        rank, depth, answered = placed.rank, placed.depth, placed.answered
    return Collection(
        systems=("run",),
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
