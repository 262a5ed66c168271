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

from rankdiff import _kernel
from rankdiff._kernel.results import Ints, Longs

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
    def size(self) -> Longs:
        """How many documents each group holds: ``m``."""
        return np.diff(self.start).astype(np.int64, copy=False)

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

    A *ranking* is what one system returned for one group (mostly: one query), and has ``count`` hits (system × group):
    ``k``. The two other arrays run in parallel, an entry a hit; they are of 32 bits, so whoever multiplies ranks takes
    ``rank.astype(np.int64)``.
    """

    count: Longs
    rank: Ints
    column: Ints

    @property
    def shape(self) -> tuple[int, int]:
        """How many systems and groups there are."""
        systems, groups = self.count.shape
        return systems, groups

    @cached_property
    def ranking(self) -> IntArray:
        """The ranking of each hit: ``system * groups + group``."""
        return np.repeat(np.arange(self.count.size), self.count.ravel())

    @cached_property
    def _first(self) -> IntArray:
        ends = np.cumsum(self.count.ravel())
        return ends - self.count.ravel()

    @cached_property
    def level(self) -> Ints:
        """1, 2, …: how many hits of its ranking stand at or above each hit."""
        return _kernel.number_hits(self.count, len(self.rank))

    def of_group(self, values: NDArray[Any]) -> NDArray[Any]:
        """For each hit the value of its group (mostly: its query)."""
        return np.repeat(np.tile(values, self.shape[0]), self.count.ravel())

    @cached_property
    def group(self) -> IntArray:
        """The group (mostly: the query) of each hit."""
        return self.of_group(np.arange(self.shape[1]))

    def sum(self, values: ArrayLike) -> FloatArray:
        """Add up a value per hit within each ranking, from the top down, as a loop would: system × group."""
        each = np.asarray(values, np.float64)
        return _kernel.sum_hits(self.count, each if each.ndim else np.full(len(self.rank), each))

    def sum_gains(self, gain: FloatArray, discount: FloatArray) -> FloatArray:
        """Add up what each hit gains (a value per document) over a discount (per rank), as ``sum`` does."""
        self._check(gain, self._documents)
        self._check(discount, self.deepest + 1)
        return _kernel.sum_gains(self.count, self.rank, self.column, gain, discount)

    def max(self, values: ArrayLike) -> FloatArray:
        """The largest value of the hits of each ranking, 0 without hits: system × group."""
        most = np.zeros(self.shape)
        found = self.count > 0
        if found.any():
            most[found] = np.maximum.reduceat(np.asarray(values, np.float64), self._first[found.ravel()]).clip(0)
        return most

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

    def first(self) -> Hits:
        """Only the topmost hit of each ranking."""
        found = self.count > 0
        top = self._first[found.ravel()]
        return Hits(found.astype(np.int64), self.rank[top], self.column[top])

    def where(self, keep: BoolArray) -> Hits:
        """Only the hits that are marked."""
        kept = np.flatnonzero(keep)
        count = np.bincount(self.ranking.take(kept), minlength=self.count.size).reshape(self.shape)
        return Hits(count, self.rank.take(kept), self.column.take(kept))

    def among(self, marked: BoolArray) -> Hits:
        """Only the hits whose documents (columns) are marked."""
        self._check(marked, self._documents)
        return Hits(*_kernel.pick_hits(self.count, self.rank, self.column, marked))

    def down_to(self, last: Longs) -> Hits:
        """Only the hits at ranks 1 to ``last`` of their groups."""
        return Hits(*_kernel.top_hits(self.count, self.rank, self.column, last))

    def top(self, cutoff: int | None) -> Hits:
        """Only the hits at ranks 1 to ``cutoff``; all of them without one."""
        if cutoff is None or cutoff >= self.deepest:
            return self
        if cutoff not in self._tops:
            self._tops[cutoff] = self.down_to(np.full(self.shape[1], cutoff, np.int64))
        return self._tops[cutoff]

    @cached_property
    def _tops(self) -> dict[int, Hits]:
        return {}

    @staticmethod
    def _check(values: NDArray[Any], least: int) -> None:
        if len(values) < least:  # the native kernel would read beyond their end
            raise IndexError(f"{len(values)} values for what is numbered up to {least - 1}")

    @cached_property
    def _documents(self) -> int:
        return int(self.column.max(initial=-1)) + 1

    @cached_property
    def deepest(self) -> int:
        """The largest rank of all; 0 without hits."""
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
    count = np.bincount(ranking, minlength=len(rank) * groups).reshape(len(rank), groups)
    return Hits(count, found[order].astype(np.int32), population.column[position[order]].astype(np.int32))


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
