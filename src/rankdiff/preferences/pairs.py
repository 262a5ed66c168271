"""Pairs of runs: what a preference gives for a collection, computed when it is asked for.

A preference between all pairs of runs for all queries would fill a cube; so what is kept are the positions that are
compared, and each row of the cube is computed on demand.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankdiff import _kernel
from rankdiff._kernel.results import Levels
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import BoolArray, FloatArray, IntArray, Population, find_levels
from rankdiff.preferences.comparisons import Comparison, as_ranks, reciprocal, sign
from rankdiff.preferences.standing import balance, without_noise
from rankdiff.preferences.tied import TiedLevels
from rankdiff.threads import share_out
from rankdiff.weights import Weights, find_weight, uniform, weigh_levels

BLOCK_CELLS = 1 << 20
"""Cells of a temporary array, so that it stays in the cache."""

BLOCK_ROWS = 16
"""Rankings that a thread takes at a time."""


class Pairs(ABC):
    """All pairs of some runs, compared query by query."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """How many systems and queries there are."""

    @abstractmethod
    def against(self, system: int, others: IntArray) -> FloatArray:
        """One run against others, other × query: positive where the one is better."""

    def defined(self) -> BoolArray:
        """Where a run can be compared at all, system × query."""
        return np.ones(self.shape, bool)

    def sums(self, rivals: BoolArray) -> FloatArray:
        """Each run's values against all rivals added up, system × query; to the run itself it is 0."""
        everyone, total = np.arange(self.shape[0]), np.zeros(self.shape)
        for rival in np.flatnonzero(rivals):
            total -= self.against(int(rival), everyone)
        return total

    def standing(self) -> IntArray:
        """How many runs stand below, less how many above, in the order of the runs for each query: system × query.

        The order is that by win rate; where a preference is transitive, it is the preference's own.
        """
        everyone = np.ones(self.shape[0], bool)
        return balance(-np.round(self.sums(everyone), 9))


@dataclass(frozen=True, eq=False)
class Expectation(Pairs):
    """The expected comparison of two rankings over recall levels: ``Σ_i w(i) · compare(p_i, p'_i)``.

    ``levels`` are the positions compared, system × entry (smaller is better), those of query ``q`` from ``start[q]``
    to ``start[q + 1]``; ``weight`` gives each entry's share of its query, None an equal share. Signs of equal share
    are counted as integers, so that the counts are exact.
    """

    levels: Levels
    start: IntArray
    weight: FloatArray | None = None
    compare: Comparison = sign

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.levels), len(self.start) - 1

    def against(self, system: int, others: IntArray) -> FloatArray:
        if self.compare is sign and self.weight is None:
            return np.asarray(self._counts(system, others) / np.maximum(np.diff(self.start), 1))
        values = np.zeros((len(others), self.shape[1]))
        height = max(1, BLOCK_CELLS // max(self.levels.shape[1], 1))
        for first in range(0, len(others), height):
            block = slice(first, first + height)
            values[block] = self._expected(self._compared(system, _rows(others[block])))
        # Weights that sum to 1 but for rounding must not carry an expected sign past 1.
        return np.clip(values, -1, 1, out=values) if self.compare is sign else values

    def _counts(self, system: int, others: IntArray) -> IntArray:
        start, places = np.ascontiguousarray(self.start, np.int64), np.ascontiguousarray(others, np.int64)
        return _kernel.count_signs(self.levels, start, system, places)

    def _compared(self, system: int, others: IntArray | slice) -> IntArray | FloatArray:
        if self.compare is sign:
            return sign(self.levels[system], self.levels[others])
        theirs = as_ranks(self.levels[others])
        return np.broadcast_to(self.compare(as_ranks(self.levels[system]), theirs), theirs.shape)

    def _expected(self, compared: IntArray | FloatArray) -> FloatArray:
        if self.weight is None:
            return np.asarray(self._add_up(compared) / np.maximum(np.diff(self.start), 1))
        return np.asarray(self._add_up(compared * self.weight), np.float64)

    def _add_up(self, values: IntArray | FloatArray) -> IntArray | FloatArray:
        filled = np.diff(self.start) > 0
        kind = np.int32 if values.dtype.kind == "i" else np.float64
        total = np.zeros((len(values), len(filled)), kind)
        if filled.any():
            total[:, filled] = np.add.reduceat(values, self.start[:-1][filled], axis=1, dtype=kind)
        return total

    def sums(self, rivals: BoolArray) -> FloatArray:
        if self.compare is not sign:
            return super().sums(rivals)
        return self._expected(balance(self.levels, rivals))

    def standing(self) -> IntArray:
        if self.compare is sign and self.weight is None:
            return balance(-self._add_up(balance(self.levels)))
        return super().standing()


@dataclass(frozen=True, eq=False)
class OverTies(Pairs):
    """`Expectation` of signs, on average over the orders within ties."""

    levels: TiedLevels
    start: IntArray
    weight: FloatArray

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.levels.first), len(self.start) - 1

    def against(self, system: int, others: IntArray) -> FloatArray:
        weighted = self.levels.signs(system, others) * self.weight
        total = np.append(np.zeros((len(others), 1)), np.cumsum(weighted, axis=1), axis=1)
        return np.clip(total[:, self.start[1:]] - total[:, self.start[:-1]], -1, 1)


@dataclass(frozen=True, eq=False)
class Differences(Pairs):
    """Differences of a value that each ranking has by itself, system × query; NaN where it has none."""

    values: FloatArray
    higher_is_better: bool = True

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape[0], self.values.shape[1]

    @property
    def _goodness(self) -> FloatArray:
        return self.values if self.higher_is_better else -self.values

    def against(self, system: int, others: IntArray) -> FloatArray:
        return np.asarray(self._goodness[system] - self._goodness[others])

    def defined(self) -> BoolArray:
        return ~np.isnan(self.values)

    def sums(self, rivals: BoolArray) -> FloatArray:
        return np.asarray(rivals.sum() * self._goodness - self._goodness[rivals].sum(axis=0))

    def standing(self) -> IntArray:
        return balance(-without_noise(self._goodness))


@dataclass(frozen=True, eq=False)
class Signs(Pairs):
    """Only which of two runs another preference prefers: 1, 0 or −1; magnitudes of 1e-9 or less are ties."""

    pairs: Pairs

    @property
    def shape(self) -> tuple[int, int]:
        return self.pairs.shape

    def against(self, system: int, others: IntArray) -> FloatArray:
        return np.asarray(np.sign(np.round(self.pairs.against(system, others), 9)))

    def defined(self) -> BoolArray:
        return self.pairs.defined()


@dataclass(frozen=True, eq=False)
class TransitiveSigns(Signs):
    """Only which of two runs a transitive preference prefers: whichever stands higher in its order."""

    @cached_property
    def _standing(self) -> IntArray:
        return self.pairs.standing()

    def against(self, system: int, others: IntArray) -> FloatArray:
        return np.asarray(np.sign(self._standing[system] - self._standing[others]), np.float64)

    def sums(self, rivals: BoolArray) -> FloatArray:
        return balance(-self._standing, rivals).astype(np.float64)

    def standing(self) -> IntArray:
        return self._standing


@dataclass(frozen=True, eq=False)
class Computed(Pairs):
    """A function of two rankings, called for every pair and query: slow, and free to do anything.

    It takes the two rankings' ranks by recall level, ascending, infinite where not retrieved.
    """

    levels: IntArray
    start: IntArray
    function: Callable[[FloatArray, FloatArray], float]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.levels), len(self.start) - 1

    @cached_property
    def _queries(self) -> list[FloatArray]:
        return np.split(as_ranks(self.levels), self.start[1:-1], axis=1)

    def against(self, system: int, others: IntArray) -> FloatArray:
        return np.array(
            [
                [self.function(ranks[system], ranks[other]) if ranks.size else 0.0 for ranks in self._queries]
                for other in others
            ],
            np.float64,
        ).reshape(len(others), self.shape[1])


def antisymmetric(pairs: Pairs) -> Pairs:
    """Pairs that a user's function compares: it must turn its sign when two rankings change places, which is tried on
    the first two runs."""
    if pairs.shape[0] > 1:
        forth, back = (pairs.against(run, np.array([1 - run]))[0] for run in (0, 1))
        wrong = np.flatnonzero(~np.isclose(forth, -back, atol=1e-12, equal_nan=True))
        if len(wrong):
            raise UsageError(
                "a preference must turn its sign when two rankings change places; this function gives "
                f"{forth[wrong[0]]:g} one way and {back[wrong[0]]:g} the other"
            )
    return pairs


def _rows(places: IntArray) -> IntArray | slice:
    """Rows as a slice where they follow one another, so that nothing is copied."""
    first, last = int(places[0]), int(places[-1])
    return slice(first, last + 1) if np.array_equal(places, np.arange(first, last + 1)) else places


def expect(c: Collection, population: Population, weights: Weights = "uniform", compare: Comparison = sign) -> Pairs:
    """Compare rankings at every recall level of a population, and weigh the levels."""
    if c.tied is not None and compare is sign:
        levels = TiedLevels.of(c, population)
        return OverTies(levels, query_start(c, population), weigh_levels(weights, population))
    weight = None if find_weight(weights) is uniform else weigh_levels(weights, population)
    pairs = Expectation(find_narrow_ranks(c, population), query_start(c, population), weight, compare)
    return pairs if compare in (sign, reciprocal) else antisymmetric(pairs)


def query_start(c: Collection, population: Population) -> IntArray:
    """Where the entries of each query begin; the last entry is where they end."""
    return np.asarray(population.start[np.searchsorted(population.query, np.arange(len(c.queries) + 1))])


def level_signs(c: Collection, population: Population) -> IntArray | FloatArray:
    """The sign of each recall level of two runs, positive where the second is better; expected, where ties are
    averaged."""
    if c.tied is not None:
        return np.asarray(TiedLevels.of(c, population).signs(1, np.array([0]))[0])
    baseline, candidate = find_ranks(c, population)
    return sign(candidate, baseline).astype(np.int64)


def find_ranks(c: Collection, population: Population) -> IntArray:
    """Ranks by recall level, system × entry of the population: ``p_1 < … < p_k``, then ``NOT_RETRIEVED``.

    Found once for a collection, whichever of its preferences asks.
    """
    refuse_tied(c)
    return c._once(_key("levels", population), lambda: find_levels(c.rank, population))


def find_narrow_ranks(c: Collection, population: Population) -> Levels:
    """The same in half the bits, where those tell ranks apart: so much less to sort and to walk through. The largest
    integer stands for ``NOT_RETRIEVED``."""
    refuse_tied(c)
    return c._once(_key("narrow levels", population), lambda: _narrow(c, population))


def refuse_tied(c: Collection) -> None:
    """What compares ranks level by level has no mean over the orders within ties."""
    if c.tied is not None:
        raise UsageError(
            "of preferences only RPP and STRPP have a mean over the orders within ties; "
            "rankdiff.verdict.range_over_ties gives the range of others"
        )


def _narrow(c: Collection, population: Population) -> Levels:
    fits = c.depth.max(initial=0) < np.iinfo(np.int16).max
    levels = np.empty((len(c.rank), len(population.column)), np.int16 if fits else np.int32)

    def find(block: slice) -> None:
        levels[block] = find_levels(c.rank[block], population, levels.dtype.type)

    share_out([slice(first, first + BLOCK_ROWS) for first in range(0, len(levels), BLOCK_ROWS)], find)
    return levels


def _key(what: str, population: Population) -> tuple[str, bytes, bytes]:
    return what, population.column.tobytes(), population.start.tobytes()
