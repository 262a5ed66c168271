"""Simultaneous bands: coverage in simulations, Student's interval as the one-point case, and the edges."""

import numpy as np
import pytest
from scipy import stats

from rankdiff.errors import UsageError
from rankdiff.statistics.bands import band


def curves(rng, topics, kind):
    """Ten points with mean zero: smooth curves, signs with ties, or skewed ones."""
    walk = np.cumsum(rng.normal(0, 0.3, (topics, 10)), axis=1)
    if kind == "smooth":
        return walk
    if kind == "signs":
        return np.sign(np.round(walk))
    return rng.gamma(2, 1, (topics, 10)) - 2


@pytest.mark.parametrize(("kind", "topics"), [("smooth", 25), ("smooth", 60), ("signs", 50), ("skewed", 100)])
def test_the_whole_curve_is_covered(kind, topics):
    rng = np.random.default_rng(topics)
    worlds, held = 400, 0
    for _ in range(worlds):
        result = band(curves(rng, topics, kind), samples=400)
        held += bool(np.all((result.low <= 0) & (result.high >= 0)))
    assert held / worlds >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / worlds)


def test_one_point_is_nearly_students_interval():
    values = np.random.default_rng(2).normal(0.3, 1, 40)
    result = band(values[:, None], samples=100_000)
    low, high = stats.ttest_1samp(values, 0).confidence_interval()
    assert (result.low[0], result.high[0]) == pytest.approx((low, high), abs=0.01)


def test_the_band_is_so_many_standard_errors_wide_as_its_critical_value_says():
    values = np.random.default_rng(6).normal(0.3, [1, 2, 0.5], (12, 3))
    values[:4, 1] = np.nan
    result = band(values, samples=1000)
    errors = stats.sem(values, axis=0, nan_policy="omit")
    assert (result.high - result.mean) == pytest.approx(result.critical * errors)
    assert (result.mean - result.low) == pytest.approx(result.critical * errors)


@pytest.mark.parametrize(("topics", "shown"), [(2, False), (5, False), (6, True), (20, True)])
def test_a_curve_that_all_topics_share_is_judged_by_their_number(topics, shown):
    """Without any spread only the signs are left, and n equal ones come by chance in 2 of 2^n trials."""
    result = band(np.repeat([[0.5, -0.2, 0.0]], topics, axis=0))
    assert (result.above.tolist(), result.below.tolist()) == ([shown, False, False], [False, shown, False])


def test_equal_points_cost_nothing_and_independent_ones_do():
    rng = np.random.default_rng(3)
    one = rng.normal(0, 1, (50, 1))
    same = band(np.repeat(one, 8, axis=1))
    assert same.critical == pytest.approx(band(one).critical)
    assert band(rng.normal(0, 1, (50, 8))).critical > same.critical + 0.3


def test_where_the_candidate_is_better():
    rng = np.random.default_rng(4)
    result = band(rng.normal(0, 0.2, (60, 10)) + np.linspace(-0.3, 0.3, 10))
    assert result.below[0]
    assert result.above[-1]
    assert not (result.above | result.below)[4:6].any()


def test_topics_without_a_point_do_not_count_there():
    values = np.random.default_rng(5).normal(0, 1, (30, 3))
    values[:20, 1], values[1:, 2] = np.nan, np.nan
    result = band(values)
    assert result.topics.tolist() == [30, 10, 1]
    assert result.mean[1] == pytest.approx(values[20:, 1].mean())
    assert np.isinf(result.high[2])


def test_edges():
    flat = band(np.zeros((8, 4)))
    assert np.all(flat.low == 0)
    assert np.all(flat.high == 0)
    single = band([[0.5, 0.2]])
    assert np.all(np.isinf(single.high))
    assert band(np.random.default_rng(1).random((7, 3))).samples is None
    with pytest.raises(UsageError, match="topic × point"):
        band([0.1, 0.2])
