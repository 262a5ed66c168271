"""What a test of many runs answers: matrices of p, differences, intervals, effects and counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.statistics.corrections import correct
from rankdiff.statistics.families import FamilyResult, Pairs
from rankdiff.statistics.largest import Plan
from rankdiff.statistics.outcome import Outcome, Question
from rankdiff.statistics.paired import Paired, few_topics, hedges_correction

UNCORRECTED = "uncorrected"
"""How a method is told whose p are those of each pair alone."""


@dataclass(frozen=True, eq=False)
class AllPairs:
    """p and what stands beside it for every pair of systems; positive = the row's system is better than the column's.

    All matrices are system × system. ``np.asarray`` gives ``p``; a pair that was not compared is NaN there. Intervals
    (``low``, ``high``) are simultaneous where the method has such: all hold together with the confidence. They are as
    wide as they must be to hold 0 wherever p is above 1 − confidence; but they do not step down, so that p can show a
    difference that they do not. ``contradicted`` marks, where win rates were tested, the pairs that they order against
    the mean preference.
    """

    systems: tuple[str, ...]
    p: FloatArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    effect: FloatArray
    wins: IntArray
    losses: IntArray
    topics: IntArray
    method: str
    interval_method: str
    estimand: str
    effect_name: str
    confidence: float
    samples: int | None
    seed: int | None
    step_down: bool
    correction: str | None
    contradicted: BoolArray | None = None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.p, dtype=dtype) if copy in (None, True) else np.asarray(self.p, dtype=dtype)

    def __repr__(self) -> str:
        return f"AllPairs({self.method}; {len(self.systems)} systems, {self.comparisons:,} pairs)"

    @property
    def ties(self) -> IntArray:
        """Topics without a difference."""
        return self.topics - self.wins - self.losses

    @property
    def comparisons(self) -> int:
        """How many pairs were compared."""
        return int(np.sum(~np.isnan(self.p[np.triu_indices(len(self.systems), 1)])))

    def significant(self, level: float = 0.05) -> BoolArray:
        """Pairs whose p is at most the level, system × system."""
        return np.asarray(self.p <= level) & ~np.eye(len(self.systems), dtype=bool)

    def __getitem__(self, pair: tuple[str, str]) -> Paired:
        """One pair by name: the first is the candidate, the second the baseline."""
        at = position(self.systems, pair[0]), position(self.systems, pair[1])
        return Paired(
            p=float(self.p[at]),
            difference=float(self.difference[at]),
            interval=(float(self.low[at]), float(self.high[at])),
            effect=float(self.effect[at]),
            wins=int(self.wins[at]),
            ties=int(self.ties[at]),
            losses=int(self.losses[at]),
            topics=int(self.topics[at]),
            test=self.method.split(",")[0],
            method=self.method,
            interval_method=self.interval_method,
            estimand=self.estimand,
            effect_name=self.effect_name,
            confidence=self.confidence,
            seed=self.seed,
            samples=self.samples,
            notices=few_topics(int(self.wins[at] + self.losses[at])),
        )


@dataclass(frozen=True, eq=False)
class AllRows:
    """p, mean difference and simultaneous interval of each row of a comparison; positive = the candidate is better."""

    p: FloatArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    method: str
    confidence: float
    samples: int | None
    seed: int | None


def holding_zero(
    p: FloatArray, difference: FloatArray, margin: FloatArray, confidence: float
) -> tuple[FloatArray, FloatArray]:
    """The limits ``difference ± margin``, drawn out to 0 where p does not rule it out.

    The margins come from centered resamples, which spread less than those behind p where true differences are large;
    an interval that leaves out 0 beside a p that does not would say two things at once.

    >>> holding_zero(np.array([0.06, 0.04]), np.array([0.3, 0.3]), np.array([0.2, 0.2]), 0.95)
    (array([0. , 0.1]), array([0.5, 0.5]))
    """
    open_to_zero = p > 1 - confidence
    low, high = difference - margin, difference + margin
    return np.where(open_to_zero, np.minimum(low, 0.0), low), np.where(open_to_zero, np.maximum(high, 0.0), high)


def position(systems: tuple[str, ...], system: str | int) -> int:
    """The place of a system, by name or by number."""
    if isinstance(system, int):
        if not -len(systems) <= system < len(systems):
            raise UsageError(f"there is no system number {system}: there are {len(systems)}")
        return system % len(systems)
    if system not in systems:
        raise UnknownNameError("system in these scores", system, systems)
    return systems.index(system)


def all_or_against(systems: tuple[str, ...], against: str | int | None) -> Pairs:
    """The pairs (first, second) to compare: all, or one system (as the second) with each other."""
    if len(systems) < 2:
        raise UsageError(f"there are no pairs among {len(systems)} systems: expected at least two")
    if against is None:
        return np.triu_indices(len(systems), 1)
    one = position(systems, against)
    others = np.delete(np.arange(len(systems)), one)
    return others, np.full(len(others), one)


@dataclass(frozen=True)
class Compared:
    """The pairs of systems that are compared, and what needs no test: per pair mean difference, standard deviation,
    wins, losses and the topics that count."""

    systems: tuple[str, ...]
    pairs: Pairs
    difference: FloatArray
    deviation: FloatArray
    wins: IntArray
    losses: IntArray
    topics: IntArray
    preferences: bool = False

    @property
    def effect(self) -> FloatArray:
        """g_z; for preferences the mean itself."""
        if self.preferences:
            return self.difference
        spread = np.where(self.deviation > 0, self.deviation, np.nan)
        return np.asarray(hedges_correction(self.topics) * self.difference / spread, np.float64)

    def matrix(self, values: NDArray[Any], mirrored: NDArray[Any], diagonal: float) -> NDArray[Any]:
        """System × system from one value for each pair, and what it is the other way round."""
        size = len(self.systems)
        full = np.full((size, size), np.nan if values.dtype.kind == "f" else 0, values.dtype)
        np.fill_diagonal(full, diagonal)
        full[self.pairs], full[self.pairs[1], self.pairs[0]] = values, mirrored
        return full

    def matrices(self, p: FloatArray, low: FloatArray, high: FloatArray) -> dict[str, Any]:
        """The matrices of ``AllPairs``."""
        return {
            "p": self.matrix(p, p, 1.0),
            "difference": self.matrix(self.difference, 0.0 - self.difference, 0.0),
            "low": self.matrix(low, 0.0 - high, 0.0),
            "high": self.matrix(high, 0.0 - low, 0.0),
            "effect": self.matrix(self.effect, 0.0 - self.effect, np.nan),
            "effect_name": "mean preference" if self.preferences else "g_z",
            "wins": self.matrix(self.wins, self.losses, 0),
            "losses": self.matrix(self.losses, self.wins, 0),
            "topics": self.matrix(self.topics, self.topics, 0),
        }

    def together(self, result: FamilyResult, plan: Plan, method: str) -> AllPairs:
        """The answer of a test that compares all pairs together."""
        sampled = plan.samples is not None and not method.startswith("tukey")
        limits = holding_zero(result.p, self.difference, result.margin, plan.confidence)
        return AllPairs(
            self.systems,
            **self.matrices(result.p, *limits),
            method=method,
            interval_method="simultaneous",
            estimand="mean preference" if self.preferences else "mean difference",
            confidence=plan.confidence,
            samples=plan.samples if sampled else None,
            seed=plan.seed if sampled else None,
            step_down=plan.step_down,
            correction=None,
        )

    def alone(self, outcome: Outcome, question: Question, correction: str) -> AllPairs:
        """The answer of a test of each pair alone, p corrected for their number; the intervals are each pair's own."""
        p = outcome.p if correction == "none" else correct(outcome.p, correction)
        return AllPairs(
            self.systems,
            **self.matrices(p, outcome.low, outcome.high),
            method=f"{outcome.method}, {UNCORRECTED if correction == 'none' else correction}",
            interval_method=outcome.interval_method,
            estimand=outcome.estimand,
            confidence=question.confidence,
            samples=outcome.samples,
            seed=None if outcome.samples is None else question.seed,
            step_down=False,
            correction=correction,
        )


def compared(
    systems: tuple[str, ...], pairs: Pairs, blocks: Iterable[FloatArray], tolerance: float, *, preferences: bool = False
) -> Compared:
    """Describe pairs by blocks of their differences (pair × topic, NaN where a topic does not count).

    Differences of at most the tolerance are ties.
    """
    columns = zip(*(_described(block, tolerance) for block in blocks), strict=True)
    difference, deviation, wins, losses, topics = (np.concatenate(column) for column in columns)
    return Compared(systems, pairs, difference, deviation, wins, losses, topics, preferences)


def _described(block: FloatArray, tolerance: float) -> tuple[NDArray[Any], ...]:
    counts = ~np.isnan(block)
    topics = counts.sum(axis=1)
    mean = np.divide(np.nansum(block, axis=1), topics, out=np.full(len(block), np.nan), where=topics > 0)
    squares = np.nansum((block - mean[:, None]) ** 2, axis=1)
    deviation = np.sqrt(np.divide(squares, topics - 1, out=np.zeros(len(block)), where=topics > 1))
    deviation[deviation <= tolerance] = 0.0
    return mean, deviation, (block > tolerance).sum(axis=1), (block < -tolerance).sum(axis=1), topics
