"""Ordering rankings as words are ordered by their letters."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import DTypeLike


def plain_order(levels: Any, start: Any, from_bottom: bool) -> tuple[list[list[int]], list[list[int]]]:
    """By Python's own order of lists, and by walking down two neighbors until they differ; a list for each query."""
    orders, shared = [], []
    for first, last in zip(start[:-1].tolist(), start[1:].tolist(), strict=True):
        words = [row[first:last][:: -1 if from_bottom else 1] for row in levels.tolist()]
        order = sorted(range(len(words)), key=words.__getitem__)
        orders.append(order)
        neighbors = [zip(words[one], words[other], strict=True) for one, other in pairwise(order)]
        shared.append([next((i for i, (a, b) in enumerate(pair) if a != b), last - first) for pair in neighbors])
    return orders, shared


@pytest.mark.parametrize("kind", [np.int16, np.int32])
@pytest.mark.parametrize("from_bottom", [False, True])
@pytest.mark.parametrize("most", [2, 300, 30_000])
def test_rows_stand_in_the_order_of_their_levels(kernel: Any, kind: DTypeLike, from_bottom: bool, most: int) -> None:
    """Few values make long agreements and equal rows; large ones differ in either byte."""
    rng = np.random.default_rng(most)
    start = np.concatenate([[0, 0], np.cumsum(rng.integers(0, 12, 40))])  # the first query has no levels
    levels = rng.integers(1, most + 1, (9, start[-1])).astype(kind)
    levels[rng.random(levels.shape) < 0.3] = np.iinfo(levels.dtype).max
    levels[5] = levels[2]
    order, shared = kernel.order_rankings(levels, start, from_bottom)
    assert (order.dtype, shared.dtype) == (np.int32, np.int32)
    expected = plain_order(levels, start, from_bottom)
    assert (order.T.tolist(), shared.T.tolist()) == expected


def test_some_queries_of_a_matrix(kernel: Any) -> None:
    """The start of the first need not be 0."""
    levels = np.array([[1, 9, 4], [1, 2, 5]], np.int16)
    order, shared = kernel.order_rankings(levels, np.array([1, 2, 3]), False)
    assert (order.tolist(), shared.tolist()) == ([[1, 0], [0, 1]], [[0, 0]])


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_nothing_to_order(kernel: Any, rows: int) -> None:
    order, shared = kernel.order_rankings(np.zeros((rows, 0), np.int16), np.zeros(3, np.int64), True)
    assert order.tolist() == [[row] * 2 for row in range(rows)]
    assert shared.shape == (max(rows - 1, 0), 2)
    assert not shared.any()
