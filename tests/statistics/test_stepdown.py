"""Counts, p-values and quantiles of the largest of many differences, by their definitions."""

import numpy as np
import pytest

from rankdiff.statistics.stepdown import count_single, monotone_p, upper_quantile


def test_single_step_counts_the_maxima_that_reach():
    maxima, thresholds = np.array([3.0, 1.0, 2.0, 2.0]), np.array([0.5, 2.0, 2.5, 4.0])
    assert count_single(maxima, thresholds).tolist() == [4, 3, 1, 0]


def test_a_larger_difference_never_has_the_larger_p():
    counts = np.array([7, 2, 4, 1])
    assert monotone_p(counts, 10, exact=True).tolist() == [0.7, 0.4, 0.4, 0.1]
    assert monotone_p(counts, 10, exact=False) == pytest.approx(np.array([8, 5, 5, 2]) / 11)


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.9])
def test_no_more_than_the_error_of_the_maxima_exceed_the_quantile(confidence):
    """The next one, as likely to stand at any of the places, exceeds it with at most the error."""
    maxima = np.random.default_rng(1).permutation(np.arange(1.0, 20.0))
    quantile = upper_quantile(maxima, confidence)
    places = [place for place in range(20) if place / 20 < confidence]
    assert quantile == len(places)
    assert upper_quantile(maxima[:3], 0.95) == np.inf
