"""Where each run stands among the runs compared, query by query: how many are worse, less how many are better."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.hits import BoolArray, FloatArray, IntArray

BLOCK_CELLS = 1 << 19


def balance(position: NDArray[Any], rivals: BoolArray | None = None) -> IntArray:
    """For each entry of each column, how many entries of the column are larger, less how many are smaller.

    With ranks as positions: runs that are worse less runs that are better, at each recall level. ``rivals`` marks
    the rows that are counted.

    >>> balance(np.array([[1], [4], [4], [9]])).ravel().tolist()
    [3, 0, 0, -3]
    >>> balance(np.array([[1], [4], [4], [9]]), np.array([False, True, True, False])).ravel().tolist()
    [2, 0, 0, -2]
    """
    rows, columns = position.shape
    counted = np.ones(rows, np.int32) if rivals is None else rivals.astype(np.int32)
    result = np.empty((rows, columns), np.int32)
    width = max(1, BLOCK_CELLS // max(rows, 1))
    for first in range(0, columns, width):
        block = slice(first, first + width)
        result[:, block] = _balance_rows(np.ascontiguousarray(position[:, block].T), counted).T
    return result


def _balance_rows(position: NDArray[Any], counted: IntArray) -> IntArray:
    order = np.argsort(position, axis=1, kind="stable")
    ordered = np.take_along_axis(position, order, axis=1)
    rises = ordered[:, 1:] != ordered[:, :-1]
    edge = np.ones((len(rises), 1), bool)
    weight = counted[order]
    upto = np.cumsum(weight, axis=1, dtype=np.int32)
    smaller = np.maximum.accumulate(np.where(np.hstack([edge, rises]), upto - weight, 0), axis=1)
    total = np.int32(counted.sum())
    ends = np.where(np.hstack([rises, edge]), upto, total)
    not_larger = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    result = np.empty_like(upto)
    np.put_along_axis(result, order, total - not_larger - smaller, axis=1)
    return result


def without_noise(values: FloatArray) -> FloatArray:
    """Values rounded to 40 bits, so that the noise of floating point is no difference.

    >>> without_noise(np.array(0.1 + 0.2)) == without_noise(np.array(0.3))
    np.True_
    """
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.round(mantissa * 2.0**40), exponent - 40))
