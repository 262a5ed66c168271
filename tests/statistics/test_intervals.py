"""Intervals: their definitions by brute force, and that the safe one keeps its word."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy import stats

from rankdiff.statistics.chance import signs
from rankdiff.statistics.intervals import safe_interval, signed_rank_interval
from rankdiff.statistics.paired import paired


def worlds():
    """Values in [-1, 1] with mean zero: skewed, and four fifths tied."""
    rng = np.random.default_rng(20)
    yield "skewed", lambda n: np.where(rng.random((400, n)) < 0.1, 0.9, -0.1)
    yield "tied", lambda n: rng.choice([-1.0, 0.0, 1.0], (400, n), p=[0.1, 0.8, 0.1])
    yield "tied and skewed", lambda n: rng.choice([-0.1, 0.0, 0.9], (400, n), p=[0.18, 0.8, 0.02])


@pytest.mark.parametrize("topics", [25, 60])
def test_safe_intervals_cover(topics):
    for name, draw in worlds():
        intervals = [safe_interval(row) for row in draw(topics)]
        covered = np.mean([low <= 1e-12 and high >= -1e-12 for low, high in intervals])
        assert covered >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 400), name


def test_the_safe_interval_shrinks_and_stays_within_bounds():
    rng = np.random.default_rng(1)
    values = np.clip(rng.normal(0.2, 0.1, 3000), -1, 1)
    widths = [np.ptp(safe_interval(values[:n])) for n in (25, 250, 3000)]
    assert widths[0] > widths[1] > widths[2]
    assert widths[2] < 3 * np.ptp(stats.ttest_1samp(values, 0).confidence_interval())
    low, high = safe_interval(np.array([1.0, 1.0]))
    assert -1 <= low < high <= 1


def test_bounds_are_scaled():
    values = np.array([0.1, 0.4, 0.2, 0.3] * 8)
    wide = safe_interval(10 * values + 3, bounds=(-7, 13))
    assert wide == pytest.approx(tuple(10 * limit + 3 for limit in safe_interval(values)))


def test_one_sided_safe_intervals_are_tighter():
    values = np.array([0.1, 0.4, 0.2, 0.3] * 8)
    two, one = paired(values, interval="safe"), paired(values, interval="safe", alternative="greater")
    assert one.interval[0] > two.interval[0]
    assert one.interval[1] == 1.0


@pytest.mark.parametrize("topics", [6, 11, 60])
def test_the_pseudomedian_interval_by_listing_all_means_of_two(topics):
    rng = np.random.default_rng(topics)
    values = rng.integers(-30, 40, topics).astype(float)
    walsh = sorted((x + y) / 2 for x, y in combinations_with_replacement(values, 2))
    ranks = np.arange(1, topics + 1)
    if topics <= 50:
        sums = np.bincount(
            [sum(ranks[list(bits)]) for bits in (np.nonzero(row)[0] for row in np.ndindex(*[2] * topics))]
        )
        place = np.searchsorted(np.cumsum(sums) / sums.sum(), 0.025, side="right") - 1
    else:
        moments = topics * (topics + 1) / 4, topics * (topics + 1) * (2 * topics + 1) / 24
        place = int(np.floor(stats.norm.ppf(0.025, moments[0], np.sqrt(moments[1]))))
    assert signed_rank_interval(values, (0.025, 0.025)) == (walsh[place], walsh[-1 - place])


def test_too_few_topics_leave_the_interval_open():
    assert signed_rank_interval(np.array([1.0, 2.0, 3.0]), (0.025, 0.025)) == (-np.inf, np.inf)
    assert paired([0.1, 0.2, 0.3, 0.2], test="randomization").interval == (-np.inf, np.inf)


def test_the_randomization_interval_inverts_the_test():
    d = np.array([3, 5, -2, 8, 1, 4, 6, -1, 2, 7]) / 10
    low, high = paired(d, test="randomization").interval
    inside = [paired(d - shift, test="randomization").p > 0.05 for shift in (low + 1e-6, 0.3, high - 1e-6)]
    outside = [paired(d - shift, test="randomization").p > 0.05 for shift in (low - 1e-6, high + 1e-6)]
    assert inside == [True] * 3
    assert outside == [False] * 2


@pytest.mark.parametrize("samples", [39, 199, 1000])
def test_the_sampled_randomization_interval_holds_the_means_that_the_same_signs_do_not_reject(samples):
    values = np.random.default_rng(samples).integers(-40, 80, 25).astype(float)
    kept = 2.0 * signs(3, 0, samples, len(values)) - 1

    def p(mean):
        sums = kept @ (values - mean)
        return (np.sum(np.abs(sums) >= abs(np.sum(values - mean)) - 1e-6) + 1) / (samples + 1)

    low, high = paired(values, test="randomization", exact=False, samples=samples, seed=3).interval
    assert p(low - 0.01) <= 0.05 < p(low + 0.01)
    assert p(high + 0.01) <= 0.05 < p(high - 0.01)
