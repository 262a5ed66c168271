"""Judgments and runs brought together, once, at the door: every rule about which rankings count is applied here."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from rankdiff.collection import Collection
from rankdiff.declaration import condensed
from rankdiff.errors import InputError, NoOverlapError, UsageError
from rankdiff.hits import IntArray
from rankdiff.peers import with_groups, with_reference
from rankdiff.read import Judgments, Placement, Runs, place, read_qrels, read_runs
from rankdiff.read.files import STANDARD_INPUT
from rankdiff.read.placement import OnBadRun
from rankdiff.rules import Duplicates, Missing, NoRelevant, Precision, Rules, Ties, check_choice
from rankdiff.tied import find_ties

Progress = Callable[[int, int], None]


def align(
    qrels: Any,
    runs: Any,
    *,
    ties: Ties = "docid-desc",
    precision: Precision = "double",
    missing: Missing = "zero",
    no_relevant: NoRelevant = "zero",
    duplicates: Duplicates = "error",
    on_bad_run: OnBadRun = "error",
    depth: int | Literal["common"] | None = None,
    judged_only: bool = False,
    subtopics: bool | None = None,
    pool: bool = False,
    corpus_size: int | Mapping[str, int] | None = None,
    rel: float = 1,
    reference: Any = None,
    groups: Mapping[str, str] | str | os.PathLike[str] | None = None,
    lenient: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Collection:
    """Find the rank at which each run placed each judged document.

    ``qrels`` and ``runs`` are what `read_qrels` and `read_runs` return, or anything those take: a path, a folder,
    a glob, nested dicts.

    - ``ties``: order of equal scores: document id descending (as trec_eval), the file's rank column (``rank``), or
      the order of its lines (``file``), or the mean over all their orders (``average``, which reads the runs twice);
      ``precision="single"`` rounds scores as trec_eval 9 does.
    - ``missing``: a query that a run lacks counts as an empty ranking (``zero``), does not count for that run
      (``skip``), or is refused (``error``).
    - ``no_relevant``: a query without a relevant document scores 0, or is dropped.
    - ``depth`` cuts rankings, ``"common"`` at the depth of the shallowest run; ``judged_only`` ranks among judged
      documents.
    - ``pool=True`` counts the distinct documents of all runs, ``corpus_size`` gives the number instead; both serve
      the measures that need to know how many documents there are.
    - ``rel``: the lowest grade that counts as relevant.
    - ``reference``: the runs compared (for rarity, padded search lengths), as in `with_reference`: a collection, or
      the saved counts of one; ``groups``: their teams, as in `with_groups`.
    - ``lenient`` passes over what stands behind a run's tag; ``jobs`` is the number of threads that read.

    >>> c = align({"q1": {"d1": 1, "d2": 0}}, {"bm25": {"q1": {"d2": 2.0, "d1": 1.0}}})
    >>> c.systems, c.queries, c.rank.tolist(), c.grade.tolist()
    (('bm25',), ('q1',), [[2, 1]], [1.0, 0.0])
    """
    rules = Rules(ties, precision, duplicates, missing, no_relevant, rel, None if depth == "common" else depth)
    check_choice("on_bad_run", on_bad_run, get_args(OnBadRun))
    judgments = qrels if isinstance(qrels, Judgments) else read_qrels(qrels, subtopics=subtopics)
    _check_judgments(judgments, rel)
    sources = runs if isinstance(runs, Runs) else read_runs(runs)
    if judgments.source == STANDARD_INPUT and any(run.origin == "-" for run in sources.runs):
        raise UsageError("standard input holds the judgments or a run, not both: name a file for one of them")
    placed = place(
        judgments,
        sources,
        ties="docid-desc" if ties == "average" else ties,
        precision=precision,
        duplicates=duplicates,
        on_bad_run=on_bad_run,
        pool=pool,
        lenient=lenient,
        jobs=jobs,
        progress=progress,
    )
    if not placed.answered.any():
        raise NoOverlapError(
            "the judgments and the runs have no topic in common",
            found=f"topics such as {judgments.queries[0]!r} in {judgments.source or 'the judgments'} and such as "
            f"{placed.unknown!r} in the runs",
            expected="the same topics in both",
        )
    if missing == "error":
        _refuse_missing(judgments, placed)
    c = Collection(
        systems=placed.systems,
        queries=tuple(judgments.queries),
        documents=judgments.documents,
        start=judgments.start,
        grade=judgments.grade,
        rank=placed.rank,
        depth=placed.depth,
        answered=placed.answered,
        rules=replace(rules, depth=None),
        subtopics=judgments.subtopics,
        corpus_size=corpus_sizes(corpus_size, judgments),
        pool=placed.pool,
        pooled=placed.pooled,
        tags=placed.tags,
        notices=(*judgments.notices, *sources.notices, *placed.notices),
    )
    c = replace(c, notices=c.notices + _counted(c))
    if ties == "average":
        reading = {"precision": precision, "duplicates": duplicates, "lenient": lenient, "jobs": jobs}
        c = replace(c, tied=find_ties(judgments, sources, placed.systems, **reading))
    if reference is not None:
        c = with_reference(c, reference)
    if judged_only:
        c = condensed(c)
    if depth is not None:
        c = c.cut(_common_depth(c) if depth == "common" else depth)
    return c if groups is None else with_groups(c, groups)


def load(qrels: Any, *runs: Any, **rules: Any) -> Collection:
    """Read judgments and runs and align them: ``rd.load("qrels.txt", "runs/")``. Keywords as in `align`."""
    return align(qrels, runs[0] if len(runs) == 1 else list(runs), **rules)


def _check_judgments(judgments: Judgments, rel: float) -> None:
    highest = float(judgments.grade.max(initial=-np.inf))
    if highest < 0:
        raise InputError(
            "every judgment is negative, so nothing was judged",
            source=judgments.source,
            found=f"grades up to {highest:g}",
            expected="some grade of 0 or more",
        )
    if not highest >= rel:  # nor where rel is NaN
        raise InputError(
            "no document is relevant for any topic",
            source=judgments.source,
            found=f"grades up to {highest:g}",
            expected=f"some grade of {rel:g} or more",
            advice="rel (--rel, trec_eval's -l) sets the lowest grade that counts as relevant",
        )


def _refuse_missing(judgments: Judgments, placed: Placement) -> None:
    lacking = np.argwhere(~placed.answered)
    if len(lacking):
        system, query = lacking[0]
        raise InputError(
            f"run {placed.systems[system]} lacks topic {judgments.queries[int(query)]}",
            found=f"{len(lacking)} missing rankings in all",
            expected="every run to answer every topic",
            advice="missing='zero' counts them as empty rankings, missing='skip' leaves them out",
        )


def _common_depth(c: Collection) -> int:
    depths = c.depth.max(axis=1)
    if not depths.min():
        empty = c.systems[int(depths.argmin())]
        raise UsageError(f"run {empty} returned nothing for any judged topic, so the runs have no depth in common")
    return int(depths.min())


def corpus_sizes(given: int | Mapping[str, int] | None, judgments: Judgments) -> IntArray | None:
    """The number of documents for each topic, from one number for all or from a dict by topic."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        sizes = {str(query): size for query, size in given.items()}
        if lacking := [query for query in judgments.queries if query not in sizes]:
            raise UsageError(f"corpus_size has no entry for topic {lacking[0]} ({len(lacking)} lacking in all)")
        return np.array([sizes[query] for query in judgments.queries], np.int64)
    if given < 1:
        raise UsageError(f"corpus_size={given}: expected how many documents there are, at least 1")
    return np.full(len(judgments.queries), given, np.int64)


def _counted(c: Collection) -> tuple[str, ...]:
    """What the rules changed, in sentences: nothing is dropped in silence."""
    notices = []
    lacking = (~c.answered).sum(axis=1)
    if lacking.any():
        worst = int(lacking.argmax())
        effect = "left out for that run" if c.rules.missing == "skip" else "counted as empty rankings"
        notices.append(
            f"{np.count_nonzero(lacking)} of {len(c.systems)} runs lack topics ({c.systems[worst]}: "
            f"{lacking[worst]} of {len(c.queries)}): {effect}"
        )
    if barren := int(np.count_nonzero(c.relevant(c.rules.rel).size == 0)):
        effect = "dropped" if c.rules.no_relevant == "drop" else "they score 0 and count"
        notices.append(f"{barren} of {len(c.queries)} topics have no relevant document: {effect}")
    return tuple(notices)
