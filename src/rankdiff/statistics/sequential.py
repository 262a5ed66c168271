"""Deciding while topics are still being judged: a confidence sequence, which may be looked at after every topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.results.table import Table
from rankdiff.statistics.inputs import between, one_per_topic, shares_of
from rankdiff.statistics.intervals import LARGEST_BET, bisect

HALVINGS = 30
RESOLUTION = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class ConfidenceSequence:
    """A confidence sequence for the mean of values that come one after the other.

    The true mean lies between ``low`` and ``high`` after every topic at once with the stated confidence, so that one
    may look at any time, and stop for whatever reason. ``mean`` are the means so far.
    """

    low: FloatArray
    high: FloatArray
    mean: FloatArray
    confidence: float

    def __repr__(self) -> str:
        return f"ConfidenceSequence({len(self.mean)} topics; {self.sentence})"

    @property
    def decided(self) -> int | None:
        """After how many topics 0 was first left out; None where it never was."""
        without = np.flatnonzero((self.low > 0) | (self.high < 0))
        return int(without[0]) + 1 if len(without) else None

    @property
    def sentence(self) -> str:
        """Whether it is decided, and since when, in words."""
        level = f"{self.confidence:.0%}".replace("%", " %")
        if self.decided is None:
            limits = f"between {self.low[-1]:.4f} and {self.high[-1]:.4f}"
            return f"undecided after {len(self.mean)} topics: the mean lies {limits} ({level}, at any time)"
        winner = "better" if self.low[self.decided - 1] > 0 else "worse"
        return (
            f"the candidate is {winner}, decided after {self.decided} of {len(self.mean)} topics ({level}, at any time)"
        )

    def table(self) -> Table:
        """A row a topic, in the order in which they came: the mean so far and its limits."""
        topics = np.arange(1, len(self.mean) + 1)
        return Table({"topics": topics, "mean": self.mean, "low": self.low, "high": self.high}, notes=(self.sentence,))


def sequential(
    values: Any, *, bounds: tuple[float, float] = (-1.0, 1.0), confidence: float = 0.95
) -> ConfidenceSequence:
    """A confidence sequence for the mean of bounded values, by betting; NaN marks a topic that does not count.

    Two gamblers bet on topic after topic that the values lie above (below) a mean m, and multiply their capital by
    ``1 ± λ_t (x_t − m)``. Against the true mean, neither's capital ever reaches 2/α with probability more than α/2,
    however long they play and whenever one looks (Ville's inequality); so the means that have made nobody so rich are
    a confidence sequence. The stakes are ``λ_t = √(2 ln(2/α) / (σ̂²_{t−1} t ln(t + 1)))`` from the values before t, cut
    so that no topic can ruin a gambler (predictable plug-in of Waudby-Smith and Ramdas 2024). The order of the topics
    must not depend on their values.

    >>> found = sequential([0.4, 0.2, 0.5, 0.1, 0.3] * 8)
    >>> found.decided, round(float(found.low[-1]), 2), round(float(found.high[-1]), 2)
    (18, 0.15, 0.39)
    """
    low, high = bounds
    between("confidence", confidence, 0, 1)
    array = one_per_topic(values, "values", missing="drop")
    counted = array[~np.isnan(array)]
    if not len(counted):
        raise UsageError("no topic counts: there is nothing to decide")
    shares = shares_of(counted, bounds, "a confidence sequence")
    least, most = _least_means(shares, 1 - confidence), 1 - _least_means(1 - shares, 1 - confidence)
    mean = np.cumsum(counted) / np.arange(1, len(counted) + 1)
    return ConfidenceSequence(low + (high - low) * least, low + (high - low) * most, mean, confidence)


def stakes(shares: FloatArray, error: float) -> FloatArray:
    """The stake on each topic, from the values before it; ``shares`` are values in [0, 1], … × topic."""
    seen = np.arange(1, shares.shape[-1] + 1)
    mean = (0.5 + np.cumsum(shares, axis=-1)) / (seen + 1)
    spread = (0.25 + np.cumsum((shares - mean) ** 2, axis=-1)) / (seen + 1)
    before = np.concatenate([np.full((*shares.shape[:-1], 1), 0.25), spread[..., :-1]], axis=-1)
    return np.asarray(np.sqrt(2 * np.log(2 / error) / (before * seen * np.log(seen + 1))))


def log_capital(shares: FloatArray, mean: FloatArray | float, error: float) -> FloatArray:
    """The logarithm of the capital after each topic of who bets that values lie above a mean; … × topic."""
    bets = np.minimum(stakes(shares, error), LARGEST_BET / mean)
    return np.cumsum(np.log1p(bets * (shares - mean)), axis=-1)


def above(values: FloatArray, *, bounds: tuple[float, float], level: float, planned: float) -> tuple[float, float]:
    """How sure it is after the last topic that the mean is above 0: p, and the lower limit at the level.

    Both hold whenever one looks. p is 1 over the most that the gambler against 0 ever had. The stakes are those for
    the level ``planned``, so that the claim is proven at a level exactly where p is at most that, as Holm's method
    asks of several.

    >>> p, limit = above(np.full(60, 0.4), bounds=(-1, 1), level=0.05, planned=0.05)
    >>> p < 0.05, 0 < limit < 0.4
    (True, True)
    """
    low, high = bounds
    shares, zero = (values - low) / (high - low), -low / (high - low)
    p = float(np.exp(-max(0.0, log_capital(shares, zero, 2 * planned).max())))
    least = _least_means(shares, 2 * planned, 1 / level)
    return p, float(low + (high - low) * least[-1])


def _least_means(shares: FloatArray, error: float, capital: float | None = None) -> FloatArray:
    """For every number of topics the least mean that is not ruled out by then or before, by a gambler who made 2 over
    the error, or that ``capital``.

    The capital falls as the mean that is bet against rises, so that each limit is found by halving.
    """
    bets, enough = stakes(shares, error), np.log(capital or 2 / error)
    limits = np.zeros(len(shares))
    limit = 0.0
    for topics in range(1, len(shares) + 1):
        seen, staked = shares[:topics], bets[:topics]

        def rich(mean: float, seen: FloatArray = seen, staked: FloatArray = staked) -> bool:
            return bool(np.log1p(np.minimum(staked, LARGEST_BET / mean) * (seen - mean)).sum() >= enough)

        if rich(limit + RESOLUTION):
            limit = bisect(rich, limit, 1.0, HALVINGS)
        limits[topics - 1] = limit
    return limits
