"""Comparisons of two rankings at one recall level: positive where the first one's rank is better.

A comparison takes two arrays of ranks, infinite where a ranking does not reach the level, and must be antisymmetric.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.hits import FloatArray, IntArray

Comparison = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]


def sign(ours: NDArray[Any], theirs: NDArray[Any]) -> NDArray[np.int8]:
    """Which rank is better: 1, 0 or −1.

    >>> sign(np.array([1, 4, 7]), np.array([2, 4, 5])).tolist()
    [1, 0, -1]
    """
    return (ours < theirs).view(np.int8) - (ours > theirs).view(np.int8)


def reciprocal(ours: FloatArray, theirs: FloatArray) -> FloatArray:
    """By how much the reciprocal ranks differ, ``1/p − 1/p'``, with ``1/p = 0`` where not retrieved.

    >>> reciprocal(np.array([2.0, 4.0]), np.array([4.0, np.inf])).tolist()
    [0.25, 0.25]
    """
    return 1 / ours - 1 / theirs


def as_ranks(levels: IntArray) -> FloatArray:
    """Ranks as a comparison takes them: infinite where not retrieved, for which the largest integer stands."""
    return np.where(levels == np.iinfo(levels.dtype).max, np.inf, levels)
