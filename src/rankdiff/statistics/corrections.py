"""Corrections for many comparisons, and the samples that they need."""

from __future__ import annotations

from math import ceil
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.statistics.inputs import one_of

Correction = Literal["bonferroni", "holm", "bh"]


def correct(p: ArrayLike, method: Correction | str = "holm") -> FloatArray:
    """p-values corrected for their number: Bonferroni, Holm (family-wise error) or Benjamini–Hochberg (false
    discoveries).

    A symmetric matrix holds one p for each pair and comes back as one; its diagonal is left alone. NaN stands for a
    comparison that was not made: it stays and does not count.

    >>> correct([0.01, 0.04, 0.03], "holm")
    array([0.03, 0.06, 0.06])
    >>> correct([0.01, 0.04, 0.03], "bonferroni")
    array([0.03, 0.12, 0.09])
    >>> correct([0.01, 0.04, 0.03], "bh")
    array([0.03, 0.04, 0.04])
    """
    one_of("method", method, ("bonferroni", "holm", "bh"))
    values = np.asarray(p, np.float64)
    if np.any((values < 0) | (values > 1)):
        raise UsageError(f"p-values lie between 0 and 1: found {values[(values < 0) | (values > 1)][0]:g}")
    if values.ndim == 2 and values.shape[0] > 1 and np.array_equal(values, values.T, equal_nan=True):
        first, second = np.triu_indices(len(values), 1)
        corrected = values.copy()
        corrected[first, second] = corrected[second, first] = correct(values[first, second], method)
        return corrected
    counted = ~np.isnan(values)
    corrected = values.copy()
    corrected[counted] = _corrected(values[counted], method)
    return corrected


def _corrected(p: FloatArray, method: str) -> FloatArray:
    if method == "bh":
        from scipy.stats import false_discovery_control

        return np.asarray(false_discovery_control(p) if len(p) else p, np.float64)
    if method == "bonferroni":
        return np.minimum(1.0, p * len(p))
    ascending = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[ascending] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[ascending] = np.minimum(1.0, stepped)
    return corrected


def check_samples(samples: int, comparisons: int, correction: str, *, level: float = 0.05) -> None:
    """Refuse a sampled test with a correction whose smallest p, times the comparisons, exceeds a tenth of the level.

    With B samples no p is below 1/(B + 1); corrected for many comparisons it could then hardly pass, whatever the
    data say.
    """
    needed = ceil(comparisons / (level / 10) - 1e-9) - 1
    if correction != "none" and samples < needed:
        raise UsageError(
            f"{samples:,} samples are too few for {comparisons:,} comparisons with {correction}: the smallest p is "
            f"{1 / (samples + 1):.1e}, corrected {min(1.0, comparisons / (samples + 1)):.2g}. Take samples={needed:,} "
            "or more, or the sign-flip range test, which needs no correction"
        )
