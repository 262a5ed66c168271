"""What a test is asked, and what it answers, for one pair of runs or for many at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankdiff.errors import UsageError
from rankdiff.hits import BoolArray, FloatArray
from rankdiff.statistics.inputs import ALTERNATIVES, between, one_of
from rankdiff.statistics.integers import Integers

Alternative = Literal["two-sided", "greater", "less"]
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Differences:
    """Per-topic differences, pair × topic, as they are and as integers; every topic counts for every pair."""

    numbers: FloatArray
    integers: Integers

    @property
    def topics(self) -> int:
        """How many topics count."""
        return int(self.numbers.shape[1])

    @property
    def constant(self) -> BoolArray:
        """The pairs whose differences are all equal."""
        values = self.integers.values
        return np.asarray(np.all(values == values[:, :1], axis=1))


@dataclass(frozen=True)
class Question:
    """What is asked of a test."""

    alternative: Alternative = "two-sided"
    confidence: float = 0.95
    seed: int = 0
    samples: int | None = None
    zeros: Literal["wilcox", "pratt"] = "wilcox"
    exact: bool | None = None
    continuity: bool = False
    studentize: bool = True
    ties_within: float = 0.0
    progress: Progress | None = None

    def __post_init__(self) -> None:
        one_of("alternative", self.alternative, ALTERNATIVES)
        one_of("zeros", self.zeros, ("wilcox", "pratt"))
        between("confidence", self.confidence, 0, 1)
        if self.samples is not None and self.samples < 1:
            raise UsageError(f"samples={self.samples}: expected at least 1")

    def report(self, done: float) -> None:
        """Say what share of the work is done, where someone listens."""
        if self.progress is not None:
            self.progress(done)

    @property
    def tails(self) -> tuple[float, float]:
        """The error allowed below and above the interval; 0 leaves that side open."""
        error = 1 - self.confidence
        return {"two-sided": (error / 2, error / 2), "greater": (error, 0.0), "less": (0.0, error)}[self.alternative]


@dataclass(frozen=True)
class Outcome:
    """p and the limits of an interval for each pair; how both were found, and what the interval is of.

    ``statistic`` is what the test is named after: t, Wilcoxon's smaller sum of ranks, the wins of the sign test.
    """

    p: FloatArray
    low: FloatArray
    high: FloatArray
    method: str
    interval_method: str
    estimand: str
    samples: int | None = None
    statistic: FloatArray | None = None
