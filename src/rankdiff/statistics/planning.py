"""Planning: how many topics does it take to see a difference that someone names?

A pilot gives per-topic differences (or preferences). What the differences would look like if their mean were the named
δ, is found by exponential tilting: topic q gets the weight ``w_q ∝ exp(λ d_q)``, with the λ that makes the weighted
mean δ. Of all distributions on the pilot's values with that mean it is the closest to the pilot, and it keeps the
bounds, the ties and the skewness. The observed difference itself is never taken for the true one: the power of an
observed difference is only its p-value in other words.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isfinite
from typing import Any

import numpy as np

from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.statistics.inputs import between, one_per_topic

GRID = 100
"""In so many steps the smallest difference is sought before it is pinned down."""


@dataclass(frozen=True)
class TopicsNeeded:
    """How many topics a two-sided t-test needs to see ``difference`` with the given power.

    ``topics`` is for the standard deviation that the tilted pilot shows, ``topics_upper`` for the upper limit of it:
    the truth lies below with the probability ``limit``.
    """

    difference: float
    topics: int
    topics_upper: int
    deviation: float
    deviation_upper: float
    power: float
    level: float
    limit: float
    pilot: int


@dataclass(frozen=True)
class SmallestDifference:
    """The smallest difference that ``topics`` topics show with the given power; infinite where none does."""

    difference: float
    difference_upper: float
    topics: int
    power: float
    level: float
    limit: float


def topics_needed(
    pilot: Any, difference: float, *, power: float = 0.8, level: float = 0.05, limit: float = 0.8
) -> TopicsNeeded:
    """How many topics it takes to see a mean difference with a two-sided t-test.

    ``pilot`` holds per-topic differences or preferences (NaN does not count); ``difference`` is the smallest one that
    would matter, in the same unit; it must lie strictly between the pilot's extremes.

    >>> pilot = [0.2, -0.1, 0.0, 0.1, -0.2, 0.0, 0.1, -0.1]
    >>> planned = topics_needed(pilot, 0.05)
    >>> planned.topics, planned.topics_upper
    (53, 103)
    """
    between("power", power, level, 1)
    between("level", level, 0, 1)
    between("limit", limit, 0, 1)
    values = _pilot(pilot)
    low, high = float(values.min()), float(values.max())
    if difference == 0 or not low < difference < high:
        raise UsageError(
            f"a mean difference of {difference:g} cannot be planned with this pilot: its topics' differences lie "
            f"between {low:g} and {high:g}, and the mean must lie strictly between them and not be 0"
        )
    deviation, upper = tilted_deviation(values, difference, limit)
    return TopicsNeeded(
        difference,
        _topics(difference, deviation, power, level),
        _topics(difference, upper, power, level),
        deviation,
        upper,
        power,
        level,
        limit,
        len(values),
    )


def smallest_difference(
    pilot: Any, *, topics: int | None = None, power: float = 0.8, level: float = 0.05, limit: float = 0.8
) -> SmallestDifference:
    """The smallest mean difference that the topics at hand (or ``topics`` of their kind) show with a two-sided t-test.

    It is sought on both sides of zero, and the larger one is told. A side on which the pilot has no topic, or too few
    to imagine a difference that would be seen, however widely topics differ, is left out.

    >>> smallest = smallest_difference([0.2, -0.1, 0.0, 0.1, -0.2, 0.0, 0.1, -0.1], topics=53)
    >>> round(smallest.difference, 3), round(smallest.difference_upper, 3)
    (0.05, 0.071)
    """
    between("power", power, level, 1)
    between("level", level, 0, 1)
    between("limit", limit, 0, 1)
    values = _pilot(pilot)
    count = len(values) if topics is None else topics
    sides = [side for side in (values, -values) if side.max() > 0]
    found = [_smallest(side, count, power, level, limit) for side in sides]
    told = [pair for pair in found if isfinite(pair[1])] or [pair for pair in found if isfinite(pair[0])]
    estimated, upper = (max(column) for column in zip(*(told or [(np.inf, np.inf)]), strict=True))
    return SmallestDifference(estimated, upper, count, power, level, limit)


def power_of_t(difference: float, deviation: float, topics: int, level: float = 0.05) -> float:
    """The chance that a two-sided t-test on so many topics is significant, by the noncentral t distribution.

    >>> round(power_of_t(0.5, 1.0, 34), 3)
    0.808
    """
    from scipy.stats import nct, t

    if topics < 2:
        return 0.0
    if deviation == 0:
        return 1.0
    shift = abs(difference) / deviation * np.sqrt(topics)
    critical = float(t.isf(level / 2, topics - 1))
    # Far out SciPy's noncentral t has no number; there the power is complete.
    beyond, behind = nct.sf(critical, topics - 1, shift), nct.cdf(-critical, topics - 1, shift)
    return float(np.nan_to_num(beyond, nan=1.0) + np.nan_to_num(behind, nan=0.0))


def tilted_deviation(values: FloatArray, difference: float, limit: float) -> tuple[float, float]:
    """Standard deviation of the pilot's values tilted to a mean, and its upper limit.

    Tilted weights rest on ``n' = 1/Σ w²`` topics; the estimate is corrected by n'/(n' − 1) and its limit is that of
    chi-squared with n' − 1 degrees of freedom.
    """
    from scipy.stats import chi2

    weights = tilted_weights(values, difference)
    freedom = 1 / np.sum(weights**2) - 1
    spread = float(np.sum(weights * (values - difference) ** 2))
    if freedom <= 0:
        return np.sqrt(spread), np.inf
    variance = spread * (freedom + 1) / freedom
    with np.errstate(divide="ignore", over="ignore"):  # with next to no freedom there is no limit
        upper = np.sqrt(variance * freedom / chi2.ppf(1 - limit, freedom))
    return float(np.sqrt(variance)), float(upper)


def tilted_weights(values: FloatArray, mean: float) -> FloatArray:
    """Weights ``∝ exp(λ d)`` under which the values have the given mean.

    >>> tilted_weights(np.array([-1.0, 0.0, 1.0]), 0.0)
    array([0.33333333, 0.33333333, 0.33333333])
    """
    from scipy.optimize import brentq

    scaled = (values - mean) / np.ptp(values)

    def weights(tilt: float) -> FloatArray:
        exponent = tilt * scaled
        raw = np.exp(exponent - exponent.max())
        return np.asarray(raw / raw.sum(), np.float64)

    reach = 1.0
    while np.sum(weights(-reach) * scaled) > 0 or np.sum(weights(reach) * scaled) < 0:
        reach *= 2
    return weights(brentq(lambda tilt: np.sum(weights(tilt) * scaled), -reach, reach, xtol=1e-12))


def _pilot(pilot: Any) -> FloatArray:
    values = one_per_topic(pilot, "pilot", missing="drop")
    values = values[~np.isnan(values)]
    if len(values) < 2:
        raise UsageError(f"a pilot of {len(values)} topics shows no spread: expected at least two")
    return values


def _topics(difference: float, deviation: float, power: float, level: float) -> int:
    """The fewest topics with the power: the normal approximation falls short, so double from there, then bisect."""
    from scipy.special import ndtri

    needed = float(((ndtri(1 - level / 2) + ndtri(power)) * deviation / difference) ** 2)
    if not np.isfinite(needed):
        raise UsageError("the pilot rests on too few topics to bound the spread: take more of them")
    low, high = 1, max(2, ceil(needed))
    while power_of_t(difference, deviation, high, level) < power:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of_t(difference, deviation, middle, level) >= power else (middle, high)
    return high


def _smallest(values: FloatArray, topics: int, power: float, level: float, limit: float) -> tuple[float, float]:
    """The smallest positive mean with the power, for the estimated deviation and for its upper limit.

    The spread shrinks again as the mean nears the largest value, so the first crossing is sought from below; no mean
    lies below the least value, and values that are all equal show no spread to plan with.
    """
    from scipy.optimize import brentq

    def excess(difference: float, which: int) -> float:
        return power_of_t(difference, tilted_deviation(values, difference, limit)[which], topics, level) - power

    least = max(0.0, float(values.min()))
    step = (float(values.max()) - least) / GRID
    found = [np.inf, np.inf]
    for which in (0, 1) if np.ptp(values) > 0 else ():
        reached = (place for place in range(1, GRID) if excess(least + place * step, which) >= 0)
        first = next(reached, None)
        if first == 1 and least > 0:
            found[which] = least
        elif first is not None:
            below = least + max(first - 1, 1e-6) * step
            found[which] = float(brentq(excess, below, least + first * step, args=(which,)))
    return found[0], found[1]
