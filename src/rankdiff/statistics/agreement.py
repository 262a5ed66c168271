"""How far do two orders of systems agree? Kendall's τ-b, τ_AP with ties, and a table of who moved.

Orders come as ``Order``, as scores (higher is better), or as mappings from system to score; named ones are matched by
name. The second order is the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rankdiff.errors import InputError, UsageError
from rankdiff.hits import FloatArray
from rankdiff.statistics.inputs import one_of, ordered_values


def tau(order: Any, reference: Any) -> float:
    """Kendall's τ-b: concordant less discordant pairs, over the pairs that neither (geometric mean) order ties.

    NaN where one order ties everything.

    >>> round(tau([4, 3, 2, 1], [4, 2, 3, 1]), 12)
    0.666666666667
    """
    from scipy.stats import kendalltau

    x, y = _aligned(order, reference)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(kendalltau(x, y, variant="b").statistic)


def tau_ap(order: Any, reference: Any, *, ties: Literal["a", "b"] = "b") -> float:
    """AP correlation (Yilmaz, Aslam and Robertson 2008): τ that weighs disagreements at the top of ``order`` more.

    Going down the order, the share of systems above each that the reference also has above it: ``τ_AP = 2/(n−1) Σ_i
    C(i)/(i−1) − 1``. Ties as in Urbano and Marrero (2017):

    - "b" (the default): both orders may tie, as with two observers. A system is compared with those strictly above
      its group, whose size takes the place of i − 1; systems of the top group are not counted; the mean of both
      directions is taken, so the value is symmetric.
    - "a": the reference is the truth and has no ties; those of ``order`` are averaged over all ways to break them.

    Without ties "a" is the original τ_AP of ``order`` and not symmetric, and "b" the mean of its two directions.

    >>> round(tau_ap([4, 3, 2, 1], [4, 2, 3, 1], ties="a"), 12)
    0.666666666667
    """
    one_of("ties", ties, ("a", "b"))
    x, y = _aligned(order, reference)
    if ties == "b":
        return (_tau_ap_directed(x, y) + _tau_ap_directed(y, x)) / 2
    if len(np.unique(y)) < len(y):
        raise InputError("τ_AP,a needs a reference without ties", advice="ties='b' takes ties in both orders")
    return _tau_ap_averaged(x, y)


def _tau_ap_directed(x: FloatArray, y: FloatArray) -> float:
    """Mean share, over the systems below the top group of x, of those above them in x that are above them in y too."""
    above = x[:, None] < x[None]
    higher = above.sum(axis=1)
    agreeing = (above & (y[:, None] < y[None])).sum(axis=1)
    if not higher.any():
        return float("nan")
    return float(2 * np.mean(agreeing[higher > 0] / higher[higher > 0]) - 1)


def _tau_ap_averaged(x: FloatArray, y: FloatArray) -> float:
    """τ_AP averaged over all orders of the tied groups of x.

    A system of a group of t with h systems above the group stands at each of the ranks h + 1 … h + t equally often. At
    rank h + k it has the h above, of which some agree, and k − 1 of its own group, of which half agree on average.
    """
    above, tied = x[:, None] < x[None], x[:, None] == x[None]
    agreeing = (above & (y[:, None] < y[None])).sum(axis=1)
    total = 0.0
    for higher, size, concordant in zip(above.sum(axis=1), tied.sum(axis=1), agreeing, strict=True):
        places = np.arange(higher + 1, higher + size + 1)
        within = (places - higher - 1) / 2
        shares = np.divide(concordant + within, places - 1, out=np.zeros(size), where=places > 1)
        total += shares.mean()
    return float(2 * total / (len(x) - 1) - 1)


@dataclass(frozen=True)
class RankDifference:
    """Where a system stands in an order and in the reference (1 = best; tied systems share the mean of their ranks),
    and how many places it gains there: ``rank − reference``, positive = better in the reference."""

    system: str
    rank: float
    reference: float

    @property
    def gain(self) -> float:
        """Places gained in the reference."""
        return self.rank - self.reference


def rank_differences(order: Any, reference: Any) -> tuple[RankDifference, ...]:
    """Every system's ranks in two orders, those that move most first.

    >>> [(row.system, row.gain) for row in rank_differences({"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 2, "c": 3})]
    [('a', -2.0), ('c', 2.0), ('b', 0.0)]
    """
    from scipy.stats import rankdata

    x, y = _aligned(order, reference)
    names = ordered_values(order)[0] or tuple(map(str, range(len(x))))
    ranks = rankdata(-x).tolist(), rankdata(-y).tolist()
    rows = (RankDifference(*row) for row in zip(names, *ranks, strict=True))
    return tuple(sorted(rows, key=lambda row: (-abs(row.gain), row.system)))


def _aligned(order: Any, reference: Any) -> tuple[FloatArray, FloatArray]:
    """The values of both orders for the same systems: by name where both are labelled, else by place."""
    names, x = ordered_values(order)
    others, y = ordered_values(reference)
    if names is not None and others is not None:
        if set(names) != set(others):
            odd = sorted(set(names) ^ set(others))
            raise InputError("the orders are of different systems", found=f"only one of them holds {odd[0]!r}")
        y = y[[others.index(name) for name in names]]
    if len(x) != len(y):
        raise UsageError(f"the orders are of {len(x)} and {len(y)} systems: expected the same systems")
    if len(x) < 2:
        raise UsageError(f"an order of {len(x)} system has nothing to agree on: expected at least two")
    return x, y
