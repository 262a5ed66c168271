"""Two runs: is the mean of their per-topic differences more than chance would make it?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.statistics.classical import sign_test, student_t, wilcoxon, wins_and_losses
from rankdiff.statistics.inputs import one_of, one_per_topic
from rankdiff.statistics.integers import to_integers
from rankdiff.statistics.intervals import safe_interval
from rankdiff.statistics.outcome import Alternative, Differences, Outcome, Question
from rankdiff.statistics.resampling import bootstrap, randomization

TESTS: dict[str, Callable[[Differences, Question], Outcome]] = {
    "t": student_t,
    "wilcoxon": wilcoxon,
    "sign": sign_test,
    "randomization": randomization,
    "bootstrap": bootstrap,
}

Test = Literal["t", "wilcoxon", "sign", "randomization", "bootstrap"]

ENOUGH_TOPICS = 15
"""With fewer topics that differ, every test rests on little and a notice says so."""


@dataclass(frozen=True)
class Paired:
    """What a test says about one pair; positive = the first (the candidate) is better.

    ``p``, ``interval`` and the counts of wins, ties and losses come from one method with one tie tolerance.
    ``estimand`` names what the interval is of. ``effect`` is g_z (mean over sd of the differences, corrected for
    small samples) for scores and the mean itself for preferences; NaN where it is undefined. ``statistic`` is what the
    test is named after: t, Wilcoxon's smaller sum of ranks, the wins of the sign test; None for those that resample.
    """

    p: float
    difference: float
    interval: tuple[float, float]
    effect: float
    wins: int
    ties: int
    losses: int
    topics: int
    test: str
    method: str
    interval_method: str
    estimand: str
    effect_name: str
    alternative: str = "two-sided"
    confidence: float = 0.95
    seed: int | None = None
    samples: int | None = None
    statistic: float | None = None
    notices: tuple[str, ...] = field(default=())

    @property
    def net_win_rate(self) -> float:
        """Wins less losses, over all topics."""
        return (self.wins - self.losses) / self.topics


def paired(
    a: Any,
    b: Any = None,
    *,
    test: Test = "t",
    alternative: Alternative = "two-sided",
    interval: Literal["default", "safe"] = "default",
    confidence: float = 0.95,
    seed: int = 0,
    samples: int | None = None,
    missing: Literal["refuse", "drop"] = "refuse",
    bounds: tuple[float, float] = (-1.0, 1.0),
    zeros: Literal["wilcox", "pratt"] = "wilcox",
    exact: bool | None = None,
    continuity: bool = False,
    studentize: bool = True,
    ties_within: float = 0.0,
) -> Paired:
    """Test whether candidate ``a`` differs from baseline ``b`` over the same topics, or ``a`` alone from zero.

    - ``test``: "t" (Student), "wilcoxon", "sign", "randomization" (of signs) or "bootstrap" (shift method).
    - ``b=None``: ``a`` holds per-topic preferences, positive where the candidate is preferred.
    - ``alternative``: "greater" asks whether a is better, "less" whether it is worse; the interval is one-sided then.
    - ``interval="safe"``: for the mean of values within ``bounds``, holds for skewed and tied values at any number
      of topics (see ``safe_interval``); the default is the test's own.
    - ``samples``, ``seed``: of the resampling tests (100,000 randomizations, 10,000 bootstrap samples by default).
    - ``exact``: True or False for randomization and Wilcoxon; by default exact where feasible.
    - ``missing="drop"``: NaN marks a topic that does not count; without it NaN is refused.
    - ``zeros``, ``continuity``: of Wilcoxon; ``studentize``: of the bootstrap; ``ties_within``: of the sign test,
      which takes differences of at most this as ties.

    Differences smaller than 2**-40 of the largest score are ties in every test. One topic proves nothing: p = 1 for
    every two-sided test.

    >>> result = paired([0.7, 0.3, 0.6, 0.4, 0.7], [0.5, 0.1, 0.2, 0.4, 0.5], test="randomization")
    >>> result.p, result.wins, result.ties, result.losses, round(result.difference, 3)
    (0.125, 4, 1, 0, 0.2)
    """
    one_of("test", test, tuple(TESTS))
    one_of("interval", interval, ("default", "safe"))
    if ties_within and test != "sign":
        raise UsageError(f"ties_within belongs to the sign test, not to {test!r}")
    question = Question(alternative, confidence, seed, samples, zeros, exact, continuity, studentize, ties_within)
    differences = _differences(a, b, missing)
    outcome = TESTS[test](differences, question)
    values = differences.numbers[0]
    limits = (float(outcome.low[0]), float(outcome.high[0]))
    interval_method, estimand, seeded = outcome.interval_method, outcome.estimand, outcome.samples is not None
    if interval == "safe":
        limits = safe_interval(values, bounds=bounds, tails=question.tails, seed=seed)
        interval_method, estimand, seeded = "betting, safe for bounded values", "mean difference", True
    won, lost = (int(count[0]) for count in wins_and_losses(differences, ties_within))
    return Paired(
        p=float(outcome.p[0]),
        difference=float(values.mean()),
        interval=limits,
        effect=float(values.mean()) if b is None else standardized(differences),
        wins=won,
        ties=differences.topics - won - lost,
        losses=lost,
        topics=differences.topics,
        test=test,
        method=outcome.method,
        interval_method=interval_method,
        estimand=estimand,
        effect_name="mean preference" if b is None else "g_z",
        alternative=alternative,
        confidence=confidence,
        seed=seed if seeded else None,
        samples=outcome.samples,
        statistic=None if outcome.statistic is None else float(outcome.statistic[0]),
        notices=few_topics(won + lost),
    )


def _differences(a: Any, b: Any, missing: str) -> Differences:
    first = one_per_topic(a, "a", missing=missing)
    second = np.zeros_like(first) if b is None else one_per_topic(b, "b", missing=missing)
    if len(first) != len(second):
        raise UsageError(f"a has {len(first)} topics and b has {len(second)}: expected the same topics in one order")
    counts = ~(np.isnan(first) | np.isnan(second))
    if not counts.any():
        raise UsageError(f"none of the {len(first)} topics counts for both: there is nothing to compare")
    numbers = (first - second)[counts][None, :]
    magnitude = float(max(np.abs(first[counts]).max(), np.abs(second[counts]).max()))
    return Differences(numbers, to_integers(numbers, magnitude=magnitude))


def standardized(differences: Differences) -> float:
    """Hedges' g_z: mean over standard deviation (n − 1) of the differences, corrected for few topics; NaN where
    there is no spread, or fewer than three topics."""
    if differences.constant[0]:
        return float("nan")
    values = differences.numbers[0]
    return float(hedges_correction(np.array([len(values)]))[0] * values.mean() / values.std(ddof=1))


def hedges_correction(topics: IntArray) -> FloatArray:
    """``J = Γ(f/2) / (√(f/2) Γ((f−1)/2))`` with f = topics − 1, which makes a standardized mean unbiased; NaN for fewer
    than three topics."""
    from scipy.special import gammaln

    freedom = np.where(topics > 2, topics - 1.0, np.nan)
    return np.asarray(np.exp(gammaln(freedom / 2) - gammaln((freedom - 1) / 2)) / np.sqrt(freedom / 2), np.float64)


def few_topics(differing: int) -> tuple[str, ...]:
    """A notice where few topics differ."""
    if differing >= ENOUGH_TOPICS:
        return ()
    if not differing:
        return ("no topic differs",)
    found = "1 topic differs" if differing == 1 else f"{differing} topics differ"
    return (f"only {found}: with fewer than {ENOUGH_TOPICS} every test rests on little",)
