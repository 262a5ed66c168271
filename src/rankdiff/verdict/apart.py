"""Outer bounds on what several reversals do, where only the ranks of the relevant documents matter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankdiff.hits import NOT_RETRIEVED, FloatArray, IntArray
from rankdiff.verdict.judged import TOGETHER, Judged
from rankdiff.verdict.pair import Duel, made_up

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
    relevant_of = np.bincount(c.query_of[relevant], minlength=len(c.queries))
    moved: list[tuple[int, int, int]] = []
    worst: tuple[list[IntArray], list[IntArray]] = ([], [])
    best: tuple[list[IntArray], list[IntArray]] = ([], [])
    for query in range(len(c.queries)):
        columns = np.arange(c.start[query], c.start[query + 1])
        ours = np.sort(rank[:, columns[relevant[columns]]], axis=1)
        others = np.sort(rank[:, columns[judged.open[columns] & ~relevant[columns]]], axis=1)
        m, n = ours.shape[1], others.shape[1]
        for removed in range(min(TOGETHER, m) + 1):
            for added in range(max(0, 2 - removed), min(TOGETHER - removed, n) + 1):
                moved.append((query, removed, added))
                for run in (0, 1):
                    worst[run].extend((ours[run, removed:], others[run, n - added :]))
                    best[run].extend((ours[run, : m - removed], others[run, :added]))
    if not moved:
        return
    numbers = np.array(moved)
    queries, size = numbers[:, 0], relevant_of[numbers[:, 0]] - numbers[:, 1] + numbers[:, 2]
    least = _differences(judged.duel, queries, size, np.array([np.concatenate(best[0]), np.concatenate(worst[1])]))
    most = _differences(judged.duel, queries, size, np.array([np.concatenate(worst[0]), np.concatenate(best[1])]))
    for place, (low, high) in zip(moved, zip(least.tolist(), most.tolist(), strict=True), strict=True):
        yield *place, low, high


def _differences(duel: Duel, query: IntArray, size: IntArray, rank: IntArray) -> FloatArray:
    """The differences between made-up rankings of relevant documents, given by their ranks, run × document."""
    start = np.concatenate([[0], np.cumsum(size)])
    ranks = np.where(rank == NOT_RETRIEVED, 0, rank).astype(np.int32)
    made = made_up(duel.runs, query, start, np.full(rank.shape[1], duel.rel), ranks)
    return np.nan_to_num(duel.by.differences(made))
