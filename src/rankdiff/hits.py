"""From the rank matrix to rankings: which documents of a kind a run retrieved, in the order of their ranks.

A *population* names documents of interest, in groups: the relevant documents of each query, those of each
grade, those of each subtopic. Its *hits* are the retrieved ones, its *levels* the ranks by recall level. Every
measure is a sum over hits, every preference a comparison of levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

IntArray = NDArray[np.integer[Any]]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

NOT_RETRIEVED = np.iinfo(np.int32).max
"""The rank that stands at a recall level which a run does not reach: behind every other."""


@dataclass(frozen=True, eq=False)
class Population:
    """Groups of judged documents; each group belongs to one query, a document may stand in several groups.

    ``column[start[g]:start[g + 1]]`` are the documents of group ``g`` (columns of the rank matrix) and
    ``query[g]`` is the query it belongs to.
    """

    column: IntArray
    start: IntArray
    query: IntArray

    @cached_property
    def size(self) -> IntArray:
        """How many documents each group holds: ``m``."""
        return np.diff(self.start)

    @cached_property
    def group(self) -> IntArray:
        """The group of each entry of ``column``."""
        return np.repeat(np.arange(len(self.size)), self.size)

    @cached_property
    def level(self) -> IntArray:
        """The recall level 1 … m of each entry of ``column``, group after group."""
        return np.arange(1, len(self.column) + 1) - self.start[self.group]


def gather(column: IntArray, query: IntArray, label: IntArray) -> tuple[Population, IntArray]:
    """The population whose groups are the documents (columns) of one query and label, and the order it puts them in.

    >>> population, order = gather(np.array([5, 3, 4]), np.array([1, 0, 1]), np.array([7, 7, 7]))
    >>> population.query, population.column, order
    (array([0, 1]), array([3, 4, 5]), array([1, 2, 0]))
    """
    order = np.lexsort((column, label, query))
    query, label = query[order], label[order]
    first = np.flatnonzero((np.diff(query, prepend=-1) != 0) | (np.diff(label, prepend=-1) != 0))
    return Population(column[order], np.append(first, len(column)), query[first]), order


@dataclass(frozen=True, eq=False)
class Hits:
    """The retrieved documents of a population: ranking after ranking, each in rank order.

    A *ranking* is what one system returned for one group (mostly: one query). The three arrays run in parallel,
    an entry a hit; ``ranking`` is ``system * groups + group``.
    """

    shape: tuple[int, int]
    ranking: IntArray
    rank: IntArray
    column: IntArray

    @cached_property
    def count(self) -> IntArray:
        """How many hits each ranking has, system × group: ``k``."""
        return np.bincount(self.ranking, minlength=self.shape[0] * self.shape[1]).reshape(self.shape)

    @cached_property
    def _first(self) -> IntArray:
        ends = np.cumsum(self.count.ravel())
        return ends - self.count.ravel()

    @cached_property
    def level(self) -> IntArray:
        """1, 2, …: how many hits of its ranking stand at or above each hit."""
        return np.arange(1, len(self.rank) + 1) - self._first[self.ranking]

    @cached_property
    def group(self) -> IntArray:
        """The group (mostly: the query) of each hit."""
        return self.ranking % self.shape[1] if self.shape[1] else self.ranking

    def sum(self, values: ArrayLike) -> FloatArray:
        """Add up a value per hit within each ranking, from the top down, as a loop would: system × group."""
        weights = np.broadcast_to(np.asarray(values, np.float64), self.rank.shape)
        totals = np.bincount(self.ranking, weights, self.shape[0] * self.shape[1])
        return totals.astype(np.float64, copy=False).reshape(self.shape)

    def max(self, values: ArrayLike) -> FloatArray:
        """The largest value of the hits of each ranking, 0 without hits: system × group."""
        most = np.zeros(self.shape[0] * self.shape[1])
        np.maximum.at(most, self.ranking, np.asarray(values, np.float64))
        return most.reshape(self.shape)

    def running(self, values: ArrayLike, combine: np.ufunc = np.add) -> NDArray[Any]:
        """The sum (or, with ``np.multiply``, the product) of a value per hit over the hits of the same ranking at
        or above each hit, in rank order, as a loop would.
        """
        values = np.array(values)
        if combine is np.add and values.dtype.kind in "iub":
            total = np.append(0, np.cumsum(values))
            above: IntArray = total[1:] - total[self._first[self.ranking]]
            return above
        deepest_first = np.argsort(-self.count.ravel(), kind="stable")
        longer_than = np.searchsorted(-self.count.ravel()[deepest_first], -np.arange(self.count.max(initial=0)), "left")
        for level, rankings in enumerate(longer_than[1:], start=1):
            hit = self._first[deepest_first[:rankings]] + level
            values[hit] = combine(values[hit - 1], values[hit])
        return values

    def where(self, keep: BoolArray) -> Hits:
        """Only the hits that are marked."""
        kept = np.flatnonzero(keep)
        return Hits(self.shape, self.ranking.take(kept), self.rank.take(kept), self.column.take(kept))

    def top(self, cutoff: int | None) -> Hits:
        """Only the hits at ranks 1 to ``cutoff``; all of them without one."""
        if cutoff is None or cutoff >= self._deepest:
            return self
        if cutoff not in self._tops:
            self._tops[cutoff] = self.where(self.rank <= cutoff)
        return self._tops[cutoff]

    @cached_property
    def _tops(self) -> dict[int, Hits]:
        return {}

    @cached_property
    def _deepest(self) -> int:
        return int(self.rank.max(initial=0))


def find_hits(rank: IntArray, population: Population) -> Hits:
    """The hits of a population in a rank matrix (system × judged document, 0 = not retrieved)."""
    placed = rank.take(population.column, axis=1)
    entry = np.flatnonzero(placed != 0)
    found = placed.ravel()[entry].astype(np.int64)
    groups, width = len(population.size), max(len(population.column), 1)
    system, position = np.divmod(entry, width)
    ranking = system * groups + population.group[position]
    # Rankings lie in order already, and only their ranks do not: what finds such stretches is three times as fast.
    order = np.argsort(ranking * (int(found.max(initial=0)) + 1) + found, kind="stable")
    return Hits((len(rank), groups), ranking, found[order], population.column[position[order]])


def find_levels(rank: IntArray, population: Population, kind: type[np.signedinteger[Any]] = np.int32) -> NDArray[Any]:
    """Ranks by recall level, system × entry of the population: ``p_1 < … < p_k``, then ``NOT_RETRIEVED``, which is the
    largest integer of its kind."""
    # As unsigned numbers, 0 less 1 is larger than any: no mask, which costs eight times as much.
    levels = rank.take(population.column, axis=1).astype(f"u{np.dtype(kind).itemsize}")
    levels -= 1
    np.minimum(levels, np.iinfo(kind).max - 1, out=levels)
    levels += 1
    levels = levels.view(kind)
    for group in np.flatnonzero(population.size > 1):
        levels[:, population.start[group] : population.start[group + 1]].sort(axis=1)
    return levels
