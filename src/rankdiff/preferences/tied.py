"""Recall-paired preference on average over the orders within ties: the expected sign at each recall level.

The orders of the two rankings' ties are independent and all equally likely. Of a tie group that begins at rank f and
holds s documents, r of them relevant, the document at rank f + t − 1 is the j-th relevant one with the probability
``P(t, j)`` of `rankdiff.measures.tied`. So each level has a distribution over ranks in either ranking, and the
expected sign is the chance that the one is better less the chance that the other is: exact, as RPP is a sum over
levels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import NOT_RETRIEVED, BoolArray, FloatArray, IntArray, Population
from rankdiff.measures.tied import placing
from rankdiff.preferences.comparisons import sign


@dataclass(frozen=True, eq=False)
class TiedLevels:
    """Where the levels of a population could stand, system × entry: the first rank of a level's tie group, how many
    documents it holds, how many of them relevant, and the level's turn among these (from 1).

    ``best`` and ``worst`` are the ranks that a level has at best and at worst, ``NOT_RETRIEVED`` behind ``depth``.
    """

    first: IntArray
    size: IntArray
    held: IntArray
    turn: IntArray
    depth: IntArray

    @classmethod
    def of(cls, c: Collection, population: Population) -> TiedLevels:
        """Those of a collection that knows its ties."""
        assert c.tied is not None
        if c.rules.judged_only:
            raise UsageError("ties and judged_only exclude each other: unjudged documents tie with judged ones")
        found = c.tied.first[:, population.column]
        first = np.where(found > 0, found, NOT_RETRIEVED).astype(np.int64)
        size = np.maximum(c.tied.size[:, population.column].astype(np.int64), 1)
        held, turn = np.ones_like(first), np.ones_like(first)
        for begin, end in zip(population.start[:-1].tolist(), population.start[1:].tolist(), strict=True):
            group = slice(begin, end)
            order = np.argsort(first[:, group], axis=1, kind="stable")
            first[:, group] = np.take_along_axis(first[:, group], order, axis=1)
            size[:, group] = np.take_along_axis(size[:, group], order, axis=1)
            held[:, group], turn[:, group] = _runs(first[:, group])
        query = population.query[population.group]
        return cls(first, size, held, turn, c.depth[:, query])

    @property
    def best(self) -> IntArray:
        """The rank of each level at best."""
        return self._cut(self.first + self.turn - 1)

    @property
    def worst(self) -> IntArray:
        """The rank of each level at worst."""
        return self._cut(self.first + self.size - 1 - (self.held - self.turn))

    def _cut(self, rank: IntArray) -> IntArray:
        return np.where((self.first == NOT_RETRIEVED) | (rank > self.depth), NOT_RETRIEVED, rank)

    def signs(self, system: int, others: IntArray) -> FloatArray:
        """The expected sign of one system over others at each level, other × entry."""
        best, worst = self.best, self.worst
        found = sign(best[system], best[others]).astype(np.float64)
        apart = (worst[system] < best[others]) | (worst[others] < best[system])
        certain = (best == worst)[system] & (best == worst)[others]
        for row, entry in np.argwhere(~(apart | certain)).tolist():
            found[row, entry] = self._expected(system, int(others[row]), entry)
        return found

    def _expected(self, system: int, other: int, entry: int) -> float:
        ours, theirs = self._chances(system, entry), self._chances(other, entry)
        return _chance_of_better(*ours, *theirs) - _chance_of_better(*theirs, *ours)

    def _chances(self, system: int, entry: int) -> tuple[IntArray, FloatArray]:
        """The ranks that a level could have, and the chance of each."""
        first, size, held, turn = (
            int(values[system, entry]) for values in (self.first, self.size, self.held, self.turn)
        )
        if first == NOT_RETRIEVED:
            return np.array([NOT_RETRIEVED]), np.ones(1)
        rank = first + np.arange(size)
        return np.where(rank > self.depth[system, entry], NOT_RETRIEVED, rank), placing(size, held)[:, turn - 1]


def _chance_of_better(rank: IntArray, chance: FloatArray, other: IntArray, of_other: FloatArray) -> float:
    upto = np.append(0.0, np.cumsum(of_other))
    return float(np.sum(chance * (upto[-1] - upto[np.searchsorted(other, rank, "right")])))


def _runs(values: IntArray) -> tuple[IntArray, IntArray]:
    """For ascending rows: how many neighbors have the same value, and the turn of each among them.

    >>> [part.tolist() for part in _runs(np.array([[2, 2, 5]]))]
    [[[2, 2, 1]], [[1, 2, 1]]]
    """
    place = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    new: BoolArray = np.ones(values.shape, bool)
    new[:, 1:] = values[:, 1:] != values[:, :-1]
    begin = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    last: BoolArray = np.ones(values.shape, bool)
    last[:, :-1] = new[:, 1:]
    end = np.minimum.accumulate(np.where(last, place, values.shape[1])[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(end - begin + 1), np.asarray(place - begin + 1)
