"""Offline interleaving: which ranking would win if users clicked on the relevant documents of both, interleaved?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import NOT_RETRIEVED, FloatArray, IntArray
from rankdiff.preferences.definition import preference
from rankdiff.preferences.pairs import Pairs, find_ranks, query_start
from rankdiff.preferences.populations import everybody
from rankdiff.preferences.weights import Weight, weigh_levels


@preference("OI", citation="Joachims 2002; simulated as in Diaz & Ferraro 2022")
def offline_interleaving(c: Collection, browsing: str | Weight = "uniform", rel: float = 1) -> Pairs:
    """The expected winner of balanced interleaving, when a user clicks on every relevant document down to the i-th.

    For each of the two interleaved lists (either ranking may begin), a user stops after the ``i``-th relevant
    document shown, ``i`` drawn from the recall levels with the weights of ``browsing`` (those of RPP). ``k`` is the
    better of the ranks that the last clicked document has in the two rankings; the ranking with more clicked
    documents in its top ``k`` wins. The value is the expectation over lists and levels, exact; a level that neither
    ranking reaches gives 0.

    It resembles RPP but counts documents at a rank instead of comparing ranks at a level.
    """
    population = everybody(c, rel)
    return Interleaving(
        c.rank[:, population.column],
        find_ranks(c, population),
        query_start(c, population),
        weigh_levels(browsing, population),
    )


@dataclass(frozen=True, eq=False)
class Interleaving(Pairs):
    """Balanced interleaving of all pairs of rankings.

    ``rank`` holds the ranks of the relevant documents (0: not retrieved), ``levels`` the same in ascending order,
    ``weight`` the share of the users who stop at each level.
    """

    rank: IntArray
    levels: IntArray
    start: IntArray
    weight: FloatArray

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rank), len(self.start) - 1

    def against(self, system: int, others: IntArray) -> FloatArray:
        values = [self._first_shown(system, int(other)) - self._first_shown(int(other), system) for other in others]
        return np.array(values).reshape(len(others), self.shape[1]) / 2

    def _first_shown(self, first: int, second: int) -> FloatArray:
        """The first ranking over the second where the first one begins.

        Its document of rank ``r`` is shown at turn ``2r − 1``, the other's at turn ``2r``, unless shown before.
        """
        ours, theirs = self.rank[first].astype(np.int64), self.rank[second].astype(np.int64)
        query = np.repeat(np.arange(self.shape[1]), np.diff(self.start))
        begin = self.start[query]
        shown = np.flatnonzero((ours > 0) | (theirs > 0))
        ours, theirs, query, begin = ours[shown], theirs[shown], query[shown], begin[shown]
        ours[ours == 0] = theirs[theirs == 0] = NOT_RETRIEVED
        span = np.int64(2 * NOT_RETRIEVED + 1)
        turn = query * span + np.minimum(2 * ours - 1, 2 * theirs)
        turns = np.sort(turn)
        level = np.searchsorted(turns, turn) - np.searchsorted(turns, query * span)
        cutoff = np.minimum(ours, theirs)
        found = self._within(first, query, cutoff)
        clicked = self._within(second, query, cutoff) - self._not_yet_shown(ours, theirs, query)
        won = self.weight[begin + level] * np.sign(found - clicked)
        return np.asarray(np.bincount(query, won, self.shape[1]))

    def _within(self, system: int, query: IntArray, cutoff: IntArray) -> IntArray:
        """How many relevant documents of a query a ranking has down to a rank."""
        span = np.int64(NOT_RETRIEVED) + 1
        every = np.repeat(np.arange(self.shape[1]), np.diff(self.start))
        keys = every * span + self.levels[system]
        return np.asarray(np.searchsorted(keys, query * span + cutoff, side="right") - self.start[query])

    @staticmethod
    def _not_yet_shown(ours: IntArray, theirs: IntArray, query: IntArray) -> IntArray:
        """1 where the last click is on the first ranking's document of rank ``k`` and the second's document of that
        rank is relevant but comes a turn later."""
        span = np.int64(NOT_RETRIEVED) + 1
        later = (query * span + theirs)[theirs < ours]
        return ((ours <= theirs) & np.isin(query * span + ours, later)).astype(np.int64)
