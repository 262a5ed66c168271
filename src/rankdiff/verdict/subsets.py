"""Every set of reversals, where there are few judgments: what nothing else decides is decided by trying all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, groupby
from math import comb

import numpy as np

from rankdiff.hits import FloatArray, IntArray
from rankdiff.verdict.claims import Claim
from rankdiff.verdict.judged import TOGETHER, Documents, Judged
from rankdiff.verdict.pair import Changes

CELLS = 1 << 21
"""Ranks that are laid out at most to try sets of judgments: a fraction of a second."""

SETS = 20_000
"""Sets of judgments of all queries that are tried at most for one number of them."""


@dataclass(frozen=True, eq=False)
class EverySet:
    """The judgments of a query that can be reversed, and its difference under each set of them, 0 where it has none:
    the bits of a difference's place say which are in the set."""

    query: int
    column: IntArray
    value: FloatArray

    def extremes(self, sign: float) -> Iterator[tuple[int, float, Documents]]:
        """For each number of reversals the least difference (the largest for a sign of −1), and its documents."""
        members = np.arange(len(self.value))[:, None] >> np.arange(len(self.column)) & 1
        number = members.sum(axis=1)
        order = np.lexsort((sign * self.value, number))
        for place in order[np.flatnonzero(np.diff(number[order], prepend=-1))].tolist():
            chosen = self.column[members[place] == 1].tolist()
            yield int(number[place]), float(self.value[place]), tuple(chosen)


def every_set(judged: Judged) -> Iterator[EverySet]:
    """All sets of the judgments of the queries that have few, the smallest queries first, as far as `CELLS` go."""
    c = judged.duel.runs
    number = np.bincount(c.query_of[judged.open], minlength=len(c.queries))
    cells = np.where(number <= TOGETHER, np.diff(c.start) * len(c.peers.systems) * 2.0**number, np.inf)
    ordered = np.argsort(cells, kind="stable")
    few = ordered[np.cumsum(cells[ordered]) <= CELLS]
    if not len(few):
        return
    columns = [c.start[q] + np.flatnonzero(judged.open[c.start[q] : c.start[q + 1]]) for q in few.tolist()]
    sets = [mine[bits >> np.arange(len(mine)) & 1 == 1] for mine in columns for bits in range(1 << len(mine))]
    begins = np.cumsum([0, *(1 << len(mine) for mine in columns)])
    values = _under(judged, np.repeat(few, np.diff(begins)), sets)
    for query, mine, first, last in zip(few.tolist(), columns, begins[:-1], begins[1:], strict=True):
        yield EverySet(query, mine, np.nan_to_num(values[first:last]))


def _under(judged: Judged, query: IntArray, sets: list[IntArray]) -> FloatArray:
    """The difference of a query under each set of reversals in it."""
    column = np.concatenate([np.zeros(0, np.int64), *sets])
    copy = np.repeat(np.arange(len(sets)), [len(chosen) for chosen in sets])
    return judged.duel.changed(Changes(query, copy, column, judged.reversed_grade[column]))


def smallest_set(
    judged: Judged, side: float, claim: Claim, at_least: int, known: Documents | None
) -> tuple[int, Documents | None]:
    """The fewest reversals of all, at least so many and fewer than are ``known``, by trying all sets of each number.

    Returned is how many there must be, and a set that does it. Where there are too many sets to try, it is what was
    ``known``.
    """
    c = judged.duel.runs
    column = np.flatnonzero(judged.open).tolist()
    ranks = int(np.diff(c.start).max(initial=0)) * len(c.peers.systems)
    most = len(column) if known is None else len(known) - 1
    for number in range(at_least, most + 1):
        ways = comb(len(column), number)
        if ways > SETS or ways * ranks > CELLS:
            return number, known
        sets = list(combinations(column, number))
        failing = np.flatnonzero(_margins(judged, side, claim, sets) <= 0)
        if len(failing):
            return number, sets[failing[0]]
    return most + 1, known


def _margins(judged: Judged, side: float, claim: Claim, sets: list[Documents]) -> FloatArray:
    """The margin of the claim under each set of reversals, whose documents are in order."""
    query_of, values = judged.duel.runs.query_of.tolist(), side * judged.duel.differences
    parts: dict[Documents, int] = {}
    of, part = [], []
    for number, chosen in enumerate(sets):
        for _, documents in groupby(chosen, key=query_of.__getitem__):
            of.append(number)
            part.append(parts.setdefault(tuple(documents), len(parts)))
    query = np.array([query_of[documents[0]] for documents in parts])
    after = side * _under(judged, query, [np.array(documents) for documents in parts])

    def summed(term: Callable[[FloatArray], FloatArray]) -> FloatArray:
        change = term(after) - term(values[query])
        return np.asarray(term(values).sum() + np.bincount(of, change[part], len(sets)))

    total, squares = summed(np.nan_to_num), summed(lambda x: np.nan_to_num(x) ** 2)
    count = summed(lambda x: 1.0 - np.isnan(x)).astype(np.int64)
    return claim.margins(total, squares, count, float(np.nansum(np.abs(values))))
