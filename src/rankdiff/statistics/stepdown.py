"""The largest of many resampled differences, and p-values that step down from it.

In one replicate every pair of runs has a resampled difference. A pair is compared with the largest of them over all
pairs (single-step), or over the pairs that are not larger than itself in the data (step-down, Westfall and Young
1993, free step-down): once a pair is rejected it no longer stands in the way of the smaller ones.

Why that keeps the family-wise error: let k be the first true hypothesis that is wrongly rejected as one goes down
from the largest observed difference. All true hypotheses are still in the set whose maximum k is compared with, so
k's p is at least the p of the maximum over the true ones alone, and that is below the level with at most that
probability, since resampling keeps the joint distribution of their differences. A larger pair's p is never above a
smaller pair's: p is made monotone downward.
"""

from __future__ import annotations

import numpy as np

from rankdiff.hits import FloatArray, IntArray


def count_single(maxima: FloatArray, thresholds: FloatArray) -> IntArray:
    """For each threshold, how many replicates' maximum reaches it."""
    return len(maxima) - np.searchsorted(np.sort(maxima), thresholds, side="left")


def monotone_p(counts: IntArray, replicates: int, *, exact: bool) -> FloatArray:
    """p from the counts of pairs in ascending order: ``b/N`` over all patterns, else ``(b + 1)/(B + 1)``."""
    p = counts / replicates if exact else (counts + 1) / (replicates + 1)
    return np.asarray(np.maximum.accumulate(p[::-1])[::-1], np.float64)


def upper_quantile(maxima: FloatArray, confidence: float) -> float:
    """The value that at most ``1 − confidence`` of the maxima, the observed one counted among them, exceed."""
    place = int(np.ceil(confidence * (len(maxima) + 1) - 1e-9)) - 1
    return float(np.partition(maxima, place)[place]) if place < len(maxima) else float("inf")
