"""Step-down counts against the definition, pair by pair and replicate by replicate."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
import pytest


def plain_counts(sums: Any, first: Any, second: Any, unit: Any, thresholds: Any) -> list[int]:
    """In how many replicates a pair up to this one reaches this one's threshold."""
    counts = [0] * len(first)
    for replicate in sums.T.tolist():
        statistics = [
            abs(replicate[one] - (0.0 if second is None else replicate[second[pair]]))
            / (1.0 if unit is None else unit[pair])
            for pair, one in enumerate(first)
        ]
        for pair, largest in enumerate(accumulate(statistics, max)):
            counts[pair] += largest >= thresholds[pair]
    return counts


@pytest.mark.parametrize("kind", ["rows", "rows in units", "differences", "differences in units"])
@pytest.mark.parametrize(("pairs", "replicates"), [(1, 1), (5, 16), (64, 15), (65, 17), (300, 100)])
@pytest.mark.parametrize("highest", [0, 6, 30])
def test_counts_are_those_of_the_definition(kernel: Any, pairs: int, replicates: int, kind: str, highest: int) -> None:
    """Thresholds that all replicates reach (some below zero), that some do, and that none does."""
    rng = np.random.default_rng(pairs)
    sums = rng.integers(-9, 9, (12, replicates)).astype(float)
    first = rng.integers(0, 12, pairs)
    second = rng.integers(0, 12, pairs) if kind.startswith("differences") else None
    unit = rng.choice([0.5, 1.0, 3.0], pairs) if kind.endswith("units") else None
    thresholds = np.sort(rng.integers(-1, highest + 1, pairs)).astype(float)
    counts = kernel.count_stepdown(sums, first, second, unit, thresholds)
    assert counts.dtype == np.int64
    assert counts.tolist() == plain_counts(sums, first, second, unit, thresholds)


def test_a_statistic_that_equals_its_threshold_reaches_it(kernel: Any) -> None:
    sums = np.array([[1.0, 0.1], [0.0, 0.0]])
    first, second = np.array([0]), np.array([1])
    assert kernel.count_stepdown(sums, first, second, np.array([3.0]), np.array([1 / 3])).tolist() == [1]
    assert kernel.count_stepdown(sums, first, second, None, np.array([np.nextafter(1.0, 2.0)])).tolist() == [0]


def test_no_replicates_reach_nothing(kernel: Any) -> None:
    assert kernel.count_stepdown(np.zeros((2, 0)), np.array([0]), np.array([1]), None, np.array([0.0])).tolist() == [0]
