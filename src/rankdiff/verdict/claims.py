"""What is claimed of a mean difference, and when it no longer holds: its sign, or its significance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, IntArray

What = Literal["sign", "significance"]

SAME = 2.0**-40
"""A margin below this part of the largest sum is none."""

MULTIPLIERS = 48


@dataclass(frozen=True)
class Claim:
    """That the mean of some values is above 0; or that it is so significantly, by Student's t, two-sided.

    In terms of the sum S, the sum of squares Q and the number n of the values, the claim holds while
    ``S − c_n √Q > 0``: with ``c_n = 0`` for the sign, and ``c_n = t √(n / (n − 1 + t²))``, t the quantile for
    n − 1 degrees of freedom, for significance.
    """

    what: What
    level: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise UsageError(f"level={self.level!r}: expected a number between 0 and 1, such as 0.05")

    def margin(self, values: FloatArray) -> float:
        """By how much the claim holds for values of which none is NaN; at 0 and below it does not."""
        total, squares, count = values.sum(), np.square(values).sum(), np.array(len(values))
        return float(self.margins(np.array([total]), np.array([squares]), count[None], np.abs(values).sum())[0])

    def about(self, values: FloatArray, side: float) -> float:
        """The margin of the claim about the values on one side of 0 (1 or −1), NaN where one does not count."""
        return self.margin(side * values[~np.isnan(values)])

    def margins(self, total: FloatArray, squares: FloatArray, count: IntArray, scale: float) -> FloatArray:
        """The same from sums; noise of floating point, small against ``scale``, is no margin."""
        left = total - self.factor(count) * np.sqrt(np.maximum(squares, 0.0))
        return np.where((count == 0) | (left <= SAME * scale), np.minimum(left, 0.0), left)

    def factor(self, count: IntArray) -> FloatArray:
        """``c_n``; one value alone is never significant."""
        if self.what == "sign":
            return np.zeros(np.shape(count))
        from scipy.stats import t as student

        sizes, which = np.unique(count, return_inverse=True)
        freedom = np.maximum(sizes - 1.0, 1.0)
        quantile = student.isf(self.level / 2, freedom)
        factor = np.where(sizes > 1, quantile * np.sqrt(sizes / (freedom + quantile**2)), 2 * np.sqrt(sizes))
        return np.asarray(factor[which].reshape(np.shape(count)))

    def prices(self, values: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
        """Multipliers that make the margin a sum: ``margin ≥ Σ (x − price · x²) − offset`` for each of them.

        ``√Q ≤ λ Q + 1/(4 λ)`` for every λ > 0, with equality at ``λ = 1/(2 √Q)``; so the largest of these sums over
        the λ is close to the margin, and never above it.
        """
        if self.what == "sign":
            return np.zeros(1), np.zeros(1)
        root = np.sqrt(np.square(values).sum()) or 1.0
        inverse = 0.5 / (root * np.geomspace(1 / 32, 4, MULTIPLIERS))
        factor = float(self.factor(np.array([count]))[0])
        return factor * inverse, factor / (4 * inverse)
