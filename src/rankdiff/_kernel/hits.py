"""Hits, ranking after ranking in rank order: some of them, and sums over them.

``count`` (system × group) says how many each ranking has. This is the definition; the native kernel gives the same
numbers, to the last digit.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rankdiff._kernel.results import Floats, Ints, Longs

Picked: TypeAlias = tuple[Longs, Ints, Ints]  # count, rank and column


def pick_hits(count: Longs, rank: Ints, column: Ints, marked: NDArray[np.bool_]) -> Picked:
    """The hits whose documents (columns) are marked."""
    return _where(count, rank, column, marked.take(column))


def top_hits(count: Longs, rank: Ints, column: Ints, last: Longs) -> Picked:
    """The hits down to the ``last`` rank that counts for each group."""
    return _where(count, rank, column, rank <= np.tile(last, len(count)).take(_rankings(count)))


def _where(count: Longs, rank: Ints, column: Ints, keep: NDArray[np.bool_]) -> Picked:
    kept = np.flatnonzero(keep)
    left = np.bincount(_rankings(count).take(kept), minlength=count.size).reshape(count.shape)
    return left, rank.take(kept), column.take(kept)


def number_hits(count: Longs, hits: int) -> Ints:
    """The hits of each ranking numbered from the top: 1, 2, …"""
    before = np.cumsum(count.ravel()) - count.ravel()
    return (np.arange(1, hits + 1) - np.repeat(before, count.ravel())).astype(np.int32)


def sum_hits(count: Longs, values: Floats) -> Floats:
    """A value of each hit, added up within each ranking from the top down."""
    return np.bincount(_rankings(count), values, count.size).astype(np.float64, copy=False).reshape(count.shape)


def sum_gains(count: Longs, rank: Ints, column: Ints, gain: Floats, discount: Floats) -> Floats:
    """What the document of each hit gains over the discount of its rank, added up as ``sum_hits`` does."""
    return sum_hits(count, gain.take(column) / discount.take(rank))


def _rankings(count: Longs) -> Longs:
    return np.repeat(np.arange(count.size), count.ravel())
