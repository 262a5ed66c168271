"""Intervals that need an idea of their own: typical values, BCa, means of two, and betting."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankdiff.hits import FloatArray
from rankdiff.statistics.chance import permutation
from rankdiff.statistics.inputs import shares_of

ORDERS = 8
"""Betting takes the topics one by one; the capital is averaged over this many orders, drawn without the values."""

LARGEST_BET = 0.75


def safe_interval(
    values: FloatArray,
    *,
    bounds: tuple[float, float] = (-1.0, 1.0),
    tails: tuple[float, float] = (0.025, 0.025),
    seed: int = 0,
) -> tuple[float, float]:
    """An interval for the mean of bounded values that holds at any number of topics, however skewed or tied.

    It holds the means m against which nobody could have grown rich: a gambler who bets on topic after topic that
    the values lie above (below) m multiplies her capital by ``1 ± λ_t (x_t − m)``. If m is the true mean, her
    capital has mean 1, so it reaches 1/α with probability at most α (Markov), α being the error allowed on that
    side. The stakes λ_t are chosen from the values seen before t only: ``√(2 ln(1/α) / (n σ̂²_{t−1}))``, cut so that
    no topic can ruin her. That is the hedged capital of Waudby-Smith and Ramdas (2024), for a fixed number of topics.

    >>> low, high = safe_interval(np.array([0.2, 0.1, 0.3, 0.0, 0.2] * 10))
    >>> (round(low, 2), round(high, 2))
    (0.05, 0.24)
    """
    low, high = bounds
    shares = shares_of(values, bounds, "the safe interval")
    rounds = np.array([shares[permutation(seed + order, len(shares))] for order in range(ORDERS)])
    least, most = _least_mean(rounds, tails[0]), 1 - _least_mean(1 - rounds, tails[1])
    return low + (high - low) * least, low + (high - low) * most


def _least_mean(rounds: FloatArray, error: float) -> float:
    """The least mean that bets on higher values leave standing, for values in [0, 1], order × topic."""
    if not error:
        return 0.0
    topics = rounds.shape[1]
    seen = np.arange(1, topics + 1)
    mean = (0.5 + np.cumsum(rounds, axis=1)) / (seen + 1)
    spread = (0.25 + np.cumsum((rounds - mean) ** 2, axis=1)) / (seen + 1)
    before = np.hstack([np.full((len(rounds), 1), 0.25), spread[:, :-1]])
    stakes = np.sqrt(2 * np.log(1 / error) / (topics * before))

    def rich(mean: float) -> bool:
        bets = np.minimum(stakes, LARGEST_BET / mean)
        capitals = np.sum(np.log1p(bets * (rounds - mean)), axis=1)
        return bool(np.logaddexp.reduce(capitals) - np.log(len(rounds)) >= -np.log(error))

    return bisect(rich, 0.0, 1.0)


def bisect(holds: Callable[[float], bool], low: float, high: float, halvings: int = 60) -> float:
    """The point below which ``holds`` is true and above which it is false."""
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def typical_value_interval(
    kept: FloatArray, turned: FloatArray, tails: tuple[float, float], *, exact: bool
) -> tuple[FloatArray, FloatArray]:
    """The interval that inverts the sign-flip test, from the means of random subsets of the topics.

    A replicate splits the topics into those whose sign it keeps and those that it turns. Against the hypothesis
    that the mean is δ, the resampled sum reaches the observed one exactly where δ lies beyond the mean of one of
    the two parts (Hartigan's typical values), so the limits are order statistics of the parts' means. Both arrays
    are pair × replicate, the mean of an empty part is NaN.
    """
    two_sided = all(tails)
    below = np.minimum(kept, turned) if two_sided else turned
    above = np.maximum(kept, turned) if two_sided else turned
    low = _order_statistic(below, sum(tails), exact) if tails[0] else np.full(len(kept), -np.inf)
    high = -_order_statistic(-above, sum(tails), exact) if tails[1] else np.full(len(kept), np.inf)
    return low, high


def _order_statistic(limits: FloatArray, error: float, exact: bool) -> FloatArray:
    """The least δ that is not rejected: p(δ) is the share of replicates whose limit δ has passed."""
    replicates = limits.shape[1]
    place = int(error * replicates + 1e-9) if exact else int(error * (replicates + 1) + 1e-9) - 1
    if place < 0:
        return np.full(len(limits), -np.inf)
    # A copy, as a column alone would hold on to all replicates.
    return np.partition(np.where(np.isnan(limits), -np.inf, limits), place, axis=1)[:, place].copy()


def bca_interval(values: FloatArray, means: FloatArray, tails: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Efron's bias-corrected and accelerated interval, from the means of bootstrap samples (pair × sample).

    The percentiles are shifted by the share of samples below the observed mean and by the skewness of the values.
    Where all values are equal the interval is that value.
    """
    from scipy.special import ndtr, ndtri

    observed = values.mean(axis=1, keepdims=True)
    centered = values - observed
    power = np.sum(centered**2, axis=1) ** 1.5
    skewness = np.divide(np.sum(centered**3, axis=1), 6 * power, out=np.zeros(len(values)), where=power > 0)
    tolerance = 1e-12 * np.max(np.abs(values), axis=1, keepdims=True)
    shares = np.mean(means < observed - tolerance, axis=1) + np.mean(np.abs(means - observed) <= tolerance, axis=1) / 2
    bias = ndtri(np.clip(shares, 0.5 / means.shape[1], 1 - 0.5 / means.shape[1]))

    def limit(level: float) -> FloatArray:
        shifted = bias + ndtri(level)
        place = ndtr(bias + shifted / (1 - skewness * shifted))
        return np.array([np.quantile(row, share) for row, share in zip(means, place, strict=True)])

    low = limit(tails[0]) if tails[0] else np.full(len(values), -np.inf)
    high = limit(1 - tails[1]) if tails[1] else np.full(len(values), np.inf)
    return low, high


def signed_rank_interval(integers: FloatArray, tails: tuple[float, float]) -> tuple[float, float]:
    """Limits for the pseudomedian: the order statistics of the n(n+1)/2 means of two (Hodges and Lehmann 1963).

    Which ones, the distribution of Wilcoxon's signed ranks without ties says (normal beyond 50 topics). Too few
    topics for the confidence leave a side open.
    """
    ordered = np.sort(integers)
    low, high = (_rank_place(len(integers), tail) for tail in tails)
    return (
        -np.inf if low < 0 else _mean_of_two(ordered, low),
        np.inf if high < 0 else 0.0 - _mean_of_two(-ordered[::-1], high),
    )


def _rank_place(topics: int, tail: float) -> int:
    """How many means of two lie outside a limit: the largest w with P(W ≤ w) ≤ tail, or −1."""
    from scipy.special import ndtri

    if topics > 50:
        center = topics * (topics + 1) / 4
        return int(np.floor(center + ndtri(tail) * np.sqrt(center * (2 * topics + 1) / 6))) if tail else -1
    ranks = topics * (topics + 1) // 2
    chance = np.zeros(ranks + 1)
    chance[0] = 1.0
    for rank in range(1, topics + 1):
        chance *= 0.5
        chance[rank:] += chance[: ranks + 1 - rank].copy()
    return int(np.searchsorted(np.cumsum(chance), tail, side="right")) - 1


def _mean_of_two(ordered: FloatArray, place: int) -> float:
    """The mean of two differences, a difference with itself included, that has ``place`` means below it.

    The sums of two are integers, so bisection finds one exactly, without listing n² of them.
    """
    low, high = 2 * ordered[0], 2 * ordered[-1]
    partners = np.arange(1, len(ordered) + 1)
    while low < high:
        middle = np.floor((low + high) / 2)
        at_most = np.sum(np.minimum(np.searchsorted(ordered, middle - ordered, side="right"), partners))
        low, high = (low, middle) if at_most > place else (middle + 1, high)
    return float(low / 2)
