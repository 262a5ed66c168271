"""The classical analysis: topics and systems as two factors, and Tukey's honestly significant differences on it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.statistics.families import FamilyResult, Pairs

NODES = 96
"""The studentized range's distribution takes SciPy ten milliseconds a value; many values are read off a spline."""

FAR = 20.0
"""Beyond this many standard errors the distribution has nothing left."""


@dataclass(frozen=True)
class TwoWay:
    """Two-way analysis of variance without replication, systems × topics."""

    systems: int
    topics: int
    between_systems: float
    between_topics: float
    residual: float

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the residual: (S − 1)(Q − 1)."""
        return (self.systems - 1) * (self.topics - 1)

    @property
    def residual_variance(self) -> float:
        """The residual sum of squares over its degrees of freedom."""
        return self.residual / self.freedom

    @property
    def systems_test(self) -> tuple[float, float]:
        """F and p of the hypothesis that all systems have one mean."""
        return self._test(self.between_systems, self.systems - 1)

    @property
    def topics_test(self) -> tuple[float, float]:
        """F and p of the hypothesis that all topics have one mean."""
        return self._test(self.between_topics, self.topics - 1)

    def _test(self, squares: float, freedom: int) -> tuple[float, float]:
        from scipy.stats import f

        ratio = squares / freedom / self.residual_variance
        return ratio, float(f.sf(ratio, freedom, self.freedom))

    def margin(self, confidence: float = 0.95) -> float:
        """Half-width of the interval of one system's mean."""
        from scipy.stats import t

        return float(t.isf((1 - confidence) / 2, self.freedom) * np.sqrt(self.residual_variance / self.topics))


def two_way(scores: ArrayLike) -> TwoWay:
    """Split the variance of scores (system × topic) into that of systems, of topics, and the rest.

    >>> analysis = two_way([[1, 2, 3], [3, 2, 7]])
    >>> analysis.between_systems, analysis.between_topics, analysis.residual
    (6.0, 12.0, 4.0)
    """
    values = np.asarray(scores, np.float64)
    systems, topics = values.shape
    if systems < 2 or topics < 2:
        raise UsageError(f"two factors need at least two systems and two topics, not {systems} × {topics}")
    centered = values - values.mean()
    by_system, by_topic = centered.mean(axis=1), centered.mean(axis=0)
    rest = centered - by_system[:, None] - by_topic
    return TwoWay(
        systems,
        topics,
        float(topics * np.sum(by_system**2)),
        float(systems * np.sum(by_topic**2)),
        float(np.sum(rest**2)),
    )


def tukey_hsd(scores: FloatArray, pairs: Pairs, confidence: float) -> FamilyResult:
    """Tukey's HSD with topics as blocks: ``q = |difference| / √(residual variance / topics)``, and p by the
    studentized range.

    It assumes that all runs have one variance and all pairs one correlation. Where nothing is left over, p is 1 for
    no difference, else 0.
    """
    from scipy.stats import studentized_range

    analysis = two_way(scores)
    means = scores.mean(axis=1)
    differences = np.abs(means[pairs[0]] - means[pairs[1]])
    error = np.sqrt(analysis.residual_variance / analysis.topics)
    if error <= 1e-12 * np.abs(scores).max():
        return FamilyResult(np.where(differences > error, 0.0, 1.0), np.zeros(len(differences)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        critical = float(studentized_range.ppf(confidence, analysis.systems, analysis.freedom))
        p = _range_p(differences / error, analysis.systems, analysis.freedom)
    return FamilyResult(p, np.full(len(p), critical * error))


def _range_p(q: FloatArray, systems: int, freedom: int) -> FloatArray:
    from scipy.interpolate import CubicSpline
    from scipy.stats import studentized_range

    if len(q) <= NODES:
        return np.asarray(np.clip(studentized_range.sf(q, systems, freedom), 0.0, 1.0), np.float64)
    nodes = np.linspace(0.0, min(float(q.max()), FAR), NODES)
    spline = CubicSpline(nodes, studentized_range.sf(nodes, systems, freedom))
    return np.clip(np.where(q <= nodes[-1], spline(q), 0.0), 0.0, 1.0)
