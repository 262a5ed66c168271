"""Scores as integers, so that sums are exact and float noise is no difference.

A permutation test counts how often a resampled sum reaches the observed one. With floats, ``0.1 + 0.2`` and ``0.3``
are not equal, and exact ties are lost or kept by accident of the order of adding. Integers held in doubles add
without error in any order, hence in any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rankdiff.hits import FloatArray

BITS = 40
"""Values that differ by less than 2**-40 of the largest magnitude are equal."""

LARGEST_DENOMINATOR = 2**16


@dataclass(frozen=True)
class Integers:
    """``values × step`` are the numbers; two sums over the topics that differ by at most ``slack`` are equal."""

    values: FloatArray
    step: float
    slack: float


def to_integers(numbers: FloatArray, *, magnitude: float | None = None) -> Integers:
    """Integers for numbers whose last axis is the topics.

    Counts, signs and decimals are multiples of a common step and keep it, so that their sums tie where they should
    (``slack`` 0). Other numbers are rounded to 2**-40 of ``magnitude`` (the largest one by default; fewer bits
    beyond 8,192 topics, so that sums stay below 2**53), and ``slack`` is what the rounding can add up to.

    >>> to_integers(np.array([0.1, 0.3, 0.1 + 0.2, -0.4])).values
    array([ 1.,  3.,  3., -4.])
    """
    topics = numbers.shape[-1]
    bits = _bits(topics)
    largest = float(np.max(np.abs(numbers), initial=0.0))
    unit = max(largest, magnitude or 0.0) * 2.0**-bits
    if largest <= unit / 2:
        return Integers(np.zeros_like(numbers), 1.0, 0.0)
    denominator = _common_denominator(np.unique(np.abs(numbers)) / largest, unit / largest)
    if denominator:
        return Integers(np.rint(numbers / largest * denominator), largest / denominator, 0.0)
    return Integers(np.rint(numbers / unit), unit, 2.0 * topics)


def without_means(integers: Integers, counts: FloatArray | None = None) -> Integers:
    """The integers less the mean of each row, on a finer step where there is room, so that the means are not rounded
    away. ``counts`` is 1 where a topic counts, else 0; by default all do.

    >>> residuals = without_means(to_integers(np.array([[1.0, -1.0, 1.0, 1.0]])))
    >>> residuals.values * residuals.step
    array([[ 0.5, -1.5,  0.5,  0.5]])
    """
    weights = np.ones_like(integers.values) if counts is None else counts
    largest = float(np.max(np.abs(integers.values), initial=1.0))
    finer = 2.0 ** max(0, _bits(integers.values.shape[-1]) - 1 - int(np.ceil(np.log2(largest))))
    values = integers.values * finer
    means = np.rint(values.sum(axis=-1, keepdims=True) / np.maximum(weights.sum(axis=-1, keepdims=True), 1.0))
    return Integers((values - means) * weights, integers.step / finer, integers.slack * finer)


def _bits(topics: int) -> int:
    """How many bits a value may have so that sums over the topics stay exact."""
    return min(BITS, 53 - (topics - 1).bit_length())


def _common_denominator(ratios: FloatArray, tolerance: float) -> int | None:
    """The least number (up to a limit) that turns all ratios into integers, or None."""
    denominator = 1
    while True:
        products = ratios * denominator
        broken = products[np.abs(products - np.rint(products)) > tolerance * denominator]
        if not len(broken):
            return denominator
        part = Fraction(float(broken[0])).limit_denominator(max(1, LARGEST_DENOMINATOR // denominator))
        if abs(float(part) - broken[0]) > tolerance * denominator:
            return None
        denominator *= part.denominator
