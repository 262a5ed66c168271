"""A band around a mean curve that holds at all its points at once: where is the profile above zero?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankdiff.errors import UsageError
from rankdiff.hits import BoolArray, FloatArray
from rankdiff.statistics.inputs import between, refuse_infinite
from rankdiff.statistics.integers import to_integers
from rankdiff.statistics.signflips import flipped_sums
from rankdiff.statistics.stepdown import upper_quantile


@dataclass(frozen=True, eq=False)
class Band:
    """A mean curve and its simultaneous band; ``critical`` is the common number of standard errors.

    The whole true curve lies within the band with the confidence, so all points at which the band leaves zero out may
    be named together. NaN where no topic counts.
    """

    mean: FloatArray
    low: FloatArray
    high: FloatArray
    critical: float
    topics: FloatArray
    confidence: float
    samples: int | None
    seed: int

    @property
    def above(self) -> BoolArray:
        """Points at which the curve is above zero."""
        return np.asarray(self.low > 0)

    @property
    def below(self) -> BoolArray:
        """Points at which the curve is below zero."""
        return np.asarray(self.high < 0)


def band(curves: Any, *, confidence: float = 0.95, samples: int = 10_000, seed: int = 0) -> Band:
    """The simultaneous band of the mean of per-topic curves (topic × point; NaN where a topic has no such point).

    Each replicate gives every topic's residual curve a random sign; the largest studentized value along the curve
    shows how far a mean curve strays by chance, with the curve's own correlations. The band is ``mean ± c · sd/√n``
    with c the quantile of those maxima (exact over all signs for few topics).

    >>> result = band([[0.5, 0.1], [0.7, -0.1], [0.6, 0.0], [0.5, 0.1], [0.7, -0.2], [0.6, 0.1]] * 3)
    >>> result.above, result.below
    (array([ True, False]), array([False, False]))
    """
    between("confidence", confidence, 0, 1)
    values = np.asarray(curves, np.float64)
    if values.ndim != 2 or 0 in values.shape:
        raise UsageError(f"curves are topic × point, not an array of shape {values.shape}")
    refuse_infinite(values)
    counts = ~np.isnan(values)
    topics = counts.sum(axis=0).astype(np.float64)
    mean = np.divide(
        np.where(counts, values, 0).sum(axis=0), topics, out=np.full(len(topics), np.nan), where=topics > 0
    )
    residual = to_integers(np.where(counts, values - mean, 0.0).T)
    squares = np.sum(residual.values**2, axis=1)
    patterns = None if len(values) < 63 and 2 ** len(values) <= samples else samples
    largest = [_largest_t(sums, squares, topics) for sums, _ in flipped_sums(residual.values, seed, patterns)]
    critical = upper_quantile(np.concatenate(largest), confidence)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(squares / (topics - 1) / topics) * residual.step
    enough = 2.0 ** (1 - topics) <= 1 - confidence  # else even one sign for all topics comes too often by chance
    error = np.where(enough, error, np.where(topics > 0, np.inf, np.nan))
    finite = np.isfinite(error) & np.isfinite(critical)
    width = np.multiply(critical, error, out=error.copy(), where=finite)
    width[np.isinf(critical) & ~np.isnan(error)] = np.inf
    return Band(mean, mean - width, mean + width, critical, topics, confidence, patterns, seed)


def _largest_t(sums: FloatArray, squares: FloatArray, topics: FloatArray) -> FloatArray:
    """The largest |t| along the curve in each replicate, from sums of residuals with random signs (point × replicate).

    Random signs leave the sum of squares as it is, and with it goes the variance of the replicate.
    """
    varies = (squares > 0) & (topics > 1)
    if not varies.any():
        return np.zeros(sums.shape[1])
    n, total, square = topics[varies, None], sums[varies], squares[varies, None]
    between_signs = np.maximum(square - total**2 / n, 1e-12 * square)
    return np.asarray((np.abs(total) / np.sqrt(n * between_signs / (n - 1))).max(axis=0), np.float64)
