"""Counting at how many recall levels one ranking stands ahead of others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import DTypeLike


def plain_counts(levels: Any, start: Any, system: int, others: Any) -> list[list[int]]:
    ours = levels[system].tolist()
    return [
        [
            sum((ours[i] < theirs[i]) - (ours[i] > theirs[i]) for i in range(first, last))
            for first, last in zip(start[:-1].tolist(), start[1:].tolist(), strict=True)
        ]
        for theirs in levels[others].tolist()
    ]


@pytest.mark.parametrize("kind", [np.int16, np.int32])
@pytest.mark.parametrize("most", [3, 40, 400])
def test_levels_are_compared_one_by_one(kernel: Any, kind: DTypeLike, most: int) -> None:
    rng = np.random.default_rng(most)
    start = np.concatenate([[0], np.cumsum(rng.integers(0, most, 60)), [0]])
    start[-1] = start[-2]  # the last query, like some others, has no levels
    levels = rng.integers(1, 6, (5, start[-1])).astype(kind)
    levels[rng.random(levels.shape) < 0.2] = np.iinfo(levels.dtype).max
    others = np.array([4, 0, 2, 2])
    counts = kernel.count_signs(levels, start, 2, others)
    assert counts.dtype == np.int32
    assert counts.tolist() == plain_counts(levels, start, 2, others)


@pytest.mark.parametrize("kind", [np.int16, np.int32])
def test_more_levels_than_the_narrowest_sum_can_hold(kernel: Any, kind: DTypeLike) -> None:
    levels = np.array([[1], [2]], kind).repeat(100_000, axis=1)
    start = np.array([0, 16_384, 100_000])
    assert kernel.count_signs(levels, start, 0, np.array([1, 0])).tolist() == [[16_384, 83_616], [0, 0]]
    assert kernel.count_signs(levels, start, 1, np.array([0])).tolist() == [[-16_384, -83_616]]


def test_nothing_to_compare(kernel: Any) -> None:
    levels, start = np.zeros((2, 0), np.int16), np.zeros(4, np.int64)
    assert kernel.count_signs(levels, start, 0, np.array([1])).tolist() == [[0, 0, 0]]
    assert kernel.count_signs(levels, start, 0, np.zeros(0, np.int64)).shape == (0, 3)
