"""Families of pairs that are compared together, and the statistic that each pair has in a resample.

A resample gives one sum for each row of ``terms``. Where the rows are runs, a pair's statistic is the difference of
two sums, and the largest of them is their range; where the rows are the pairs themselves, it is the sum in units of
the pair's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from rankdiff import _kernel
from rankdiff.hits import FloatArray, IntArray
from rankdiff.statistics.integers import Integers, without_means

Pairs = tuple[IntArray, IntArray]

CHUNK_VALUES = 2**17
"""How many doubles the statistics of some pairs may fill, so that they stay in the processor's cache: 1 MB."""

ROUNDING = 1e-12
"""Where sums are divided by a unit, quotients this close are equal."""


class Family(Protocol):
    """Pairs that are compared together."""

    @property
    def terms(self) -> FloatArray:
        """Integers, row × topic: what is resampled."""

    @property
    def observed(self) -> FloatArray:
        """Each pair's statistic in the data."""

    @property
    def slack(self) -> FloatArray:
        """For each pair, how far below the observed statistic a resampled one is still equal to it."""

    def largest(self, sums: FloatArray) -> FloatArray:
        """The largest statistic of any pair in each replicate, from sums (row × replicate)."""

    def count(self, sums: FloatArray, ascending: IntArray, thresholds: FloatArray) -> IntArray:
        """Step-down: for each pair in ascending order, how many replicates reach its threshold with a pair up to it."""

    def centered(self) -> Family:
        """The family with every row's own mean taken out."""

    def margins(self, critical: float) -> FloatArray:
        """Half-widths of the pairs' simultaneous intervals, from a quantile of the largest statistic."""


@dataclass(frozen=True)
class FamilyResult:
    """p of each pair, and the half-width of its simultaneous interval."""

    p: FloatArray
    margin: FloatArray


@dataclass(frozen=True)
class RunFamily:
    """Pairs of runs by their scores: all pairs, or those of one run (``against``) with each other.

    A pair's statistic is the difference of two runs' sums, studentized if it comes with a ``unit`` for each pair.
    """

    scores: Integers
    pairs: Pairs
    against: int | None = None
    unit: FloatArray | None = None

    def studentized(self) -> RunFamily:
        """The statistic becomes Student's t, or what grows with it: random signs leave Σ d² as it is, so t grows with
        ``|Σ ±d| / √(Σ d²)``."""
        first, second = self.pairs
        blocks = np.array_split(np.arange(len(first)), -(-len(first) * self.terms.shape[1] // 2**22))
        norms = [_norms(self.terms[first[block]] - self.terms[second[block]]) for block in blocks]
        return replace(self, unit=np.concatenate(norms))

    @property
    def terms(self) -> FloatArray:
        return self.scores.values

    @property
    def observed(self) -> FloatArray:
        totals = self.terms.sum(axis=1)
        differences = np.abs(totals[self.pairs[0]] - totals[self.pairs[1]])
        return np.asarray(differences if self.unit is None else differences / self.unit, np.float64)

    @property
    def slack(self) -> FloatArray:
        if self.unit is None:
            return np.full(len(self.pairs[0]), self.scores.slack)
        return self.scores.slack / self.unit + ROUNDING * self.observed

    def largest(self, sums: FloatArray) -> FloatArray:
        if self.unit is not None:
            return _largest(self._statistics(sums), sums.shape[1])
        if self.against is None:
            return np.asarray(sums.max(axis=0) - sums.min(axis=0), np.float64)
        return np.asarray(np.abs(sums - sums[self.against]).max(axis=0), np.float64)

    def count(self, sums: FloatArray, ascending: IntArray, thresholds: FloatArray) -> IntArray:
        first, second = (runs[ascending].astype(np.int64) for runs in self.pairs)
        unit = None if self.unit is None else self.unit[ascending]
        return _kernel.count_stepdown(sums, first, second, unit, thresholds)

    def _statistics(self, sums: FloatArray) -> Iterator[FloatArray]:
        """Of some pairs at a time, pair × replicate."""
        assert self.unit is not None
        for chunk in _chunks(len(self.unit), sums.shape[1]):
            first, second = (runs[chunk] for runs in self.pairs)
            rows = sums[first]
            rows -= sums[second]
            np.abs(rows, out=rows)
            rows /= self.unit[chunk, None]
            yield rows

    def centered(self) -> RunFamily:
        residual = replace(self, scores=without_means(self.scores))
        return residual if self.unit is None else residual.studentized()

    def margins(self, critical: float) -> FloatArray:
        widths = np.full(len(self.pairs[0]), critical) if self.unit is None else critical * self.unit
        return np.array([_half_width(width, self.terms.shape[1]) for width in widths * self.scores.step])


@dataclass(frozen=True)
class PairFamily:
    """Pairs by their own differences or preferences; a pair's statistic is its sum over its ``unit``.

    ``differences`` are integers, pair × topic; ``counts`` is 1 where a topic counts for a pair, else 0, as is the
    difference.
    """

    differences: Integers
    counts: FloatArray
    unit: FloatArray
    studentized: bool = False

    @classmethod
    def of_means(cls, differences: Integers, counts: FloatArray) -> PairFamily:
        """The statistic is the mean over the topics that count for the pair."""
        return cls(differences, counts, np.maximum(counts.sum(axis=1), 1.0))

    @classmethod
    def of_t(cls, differences: Integers, counts: FloatArray) -> PairFamily:
        """The statistic grows with Student's t, as that of ``RunFamily.studentized``."""
        return cls(differences, counts, _norms(differences.values), studentized=True)

    @property
    def terms(self) -> FloatArray:
        return self.differences.values

    @property
    def observed(self) -> FloatArray:
        return np.asarray(np.abs(self.terms.sum(axis=1)) / self.unit, np.float64)

    @property
    def slack(self) -> FloatArray:
        return self.differences.slack / self.unit + ROUNDING * self.observed

    def largest(self, sums: FloatArray) -> FloatArray:
        return _largest(self._statistics(sums), sums.shape[1])

    def count(self, sums: FloatArray, ascending: IntArray, thresholds: FloatArray) -> IntArray:
        return _kernel.count_stepdown(sums, ascending.astype(np.int64), None, self.unit[ascending], thresholds)

    def _statistics(self, sums: FloatArray) -> Iterator[FloatArray]:
        """Of some pairs at a time, pair × replicate."""
        for chunk in _chunks(len(sums), sums.shape[1]):
            yield np.abs(sums[chunk]) / self.unit[chunk, None]

    def centered(self) -> PairFamily:
        residual = without_means(self.differences, self.counts)
        unit = _norms(residual.values) if self.studentized else self.unit
        return replace(self, differences=residual, unit=unit)

    def margins(self, critical: float) -> FloatArray:
        widths = critical * self.unit * self.differences.step
        return np.array([_half_width(*pair) for pair in zip(widths, self.counts.sum(axis=1), strict=True)])


def _chunks(pairs: int, replicates: int) -> Iterator[slice]:
    size = max(1, CHUNK_VALUES // replicates)
    for first in range(0, pairs, size):
        yield slice(first, min(first + size, pairs))


def _largest(chunks: Iterable[FloatArray], replicates: int) -> FloatArray:
    largest = np.zeros(replicates)
    for rows in chunks:
        np.maximum(largest, rows.max(axis=0), out=largest)
    return largest


def _norms(rows: FloatArray) -> FloatArray:
    """√Σ d² of each row; 1 for rows of zeros, whose sums are zero in any unit."""
    norms = np.sqrt(np.sum(rows**2, axis=1))
    return np.where(norms > 0, norms, 1.0)


def _half_width(largest_sum: float, topics: float) -> float:
    """From the quantile of a centered sum to the half-width for a mean; n/(n − 1) makes up for the centering."""
    return largest_sum / topics * float(np.sqrt(topics / (topics - 1))) if topics > 1 else float("inf")
