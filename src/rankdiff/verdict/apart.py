"""Outer bounds on what several reversals do, where only the ranks of the relevant documents matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rankdiff.hits import NOT_RETRIEVED, FloatArray, IntArray
from rankdiff.ids import Ids
from rankdiff.verdict.judged import TOGETHER, Judged
from rankdiff.verdict.pair import Duel

BY_RANKS_ALONE = frozenset({"AP", "RR", "Success", "Rprec", "TSE", "NCP", "sgnLP", "sgnLR", "RPP"})
"""What depends on the ranks of the relevant documents only, and for a given number of them never gets worse when one
moves up."""


def by_ranks_alone(duel: Duel) -> bool:
    """Whether the two runs are compared by such a measure or preference, and one of binary relevance."""
    named, c = duel.by.of, duel.runs
    given = named.parameters
    graded = named.definition.name == "RPP" and given.get("rel") is None and np.sum(c.grades >= duel.rel) > 1
    other = graded or given.get("judged_only") or given.get("exposure") == "linear"
    return named.definition.name in BY_RANKS_ALONE and not other


def moved_apart(judged: Judged) -> Iterator[tuple[int, int, int, float, float]]:
    """For each query, so many relevant documents taken and so many added: the least and the largest difference, if
    each run's documents could be chosen apart, those that hurt one and those that help the other."""
    c = judged.duel.runs
    rank = np.where(c.rank == 0, NOT_RETRIEVED, c.rank)
    relevant = c.grade >= judged.duel.rel
    wanted, against, query_of, which = [], [], [], []
    for query in range(len(c.queries)):
        columns = np.arange(c.start[query], c.start[query + 1])
        ours = np.sort(rank[:, columns[relevant[columns]]], axis=1)
        others = np.sort(rank[:, columns[judged.open[columns] & ~relevant[columns]]], axis=1)
        for removed in range(min(TOGETHER, ours.shape[1]) + 1):
            for added in range(max(0, 2 - removed), min(TOGETHER - removed, others.shape[1]) + 1):
                worst = np.hstack([ours[:, removed:], others[:, others.shape[1] - added :]])
                best = np.hstack([ours[:, : ours.shape[1] - removed], others[:, :added]])
                wanted.append(np.vstack([best[0], worst[1]]))
                against.append(np.vstack([worst[0], best[1]]))
                query_of.append(query)
                which.append((query, removed, added))
    if not which:
        return
    least = _differences(judged.duel, np.array(query_of), wanted)
    most = _differences(judged.duel, np.array(query_of), against)
    for (query, removed, added), low, high in zip(which, least.tolist(), most.tolist(), strict=True):
        yield query, removed, added, low, high


def _differences(duel: Duel, query: IntArray, ranks: list[IntArray]) -> FloatArray:
    """The differences between two made-up rankings of relevant documents, given by their ranks, run × document."""
    c = duel.runs
    size = np.array([part.shape[1] for part in ranks])
    rank = np.hstack(ranks)
    made = replace(
        c,
        queries=tuple(c.queries[q] for q in query.tolist()),
        documents=Ids.of(()),
        start=np.concatenate([[0], np.cumsum(size)]),
        grade=np.full(rank.shape[1], duel.rel),
        rank=np.where(rank == NOT_RETRIEVED, 0, rank).astype(np.int32),
        depth=c.depth[:, query],
        answered=c.answered[:, query],
        subtopics=None,
        corpus_size=None,
        pool=None,
        pooled=None,
        grade_as_read=None,
        reference=None,
        counts=None,
        _derived={},
        _judged={},
    )
    return np.nan_to_num(duel.by.differences(made))
