"""Scores as integers: what is equal stays equal, sums are exact, and common steps are found."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.statistics.integers import to_integers, without_means


@given(st.lists(st.integers(-9999, 9999), min_size=1, max_size=30), st.sampled_from([1, 3, 10, 1000, 10_000]))
def test_decimals_and_fractions_keep_their_step(numerators, denominator):
    numbers = np.array(numerators) / denominator
    integers = to_integers(numbers)
    assert integers.slack == 0
    assert integers.values * integers.step == pytest.approx(numbers, abs=1e-12 * max(1, np.abs(numbers).max()))
    assert float(integers.values.sum() == 0) == float(sum(numerators) == 0)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=30))
def test_any_numbers_are_met_to_the_tolerance(numbers):
    numbers = np.array(numbers)
    integers = to_integers(numbers)
    assert np.array_equal(integers.values, np.rint(integers.values))
    assert np.all(np.abs(integers.values * integers.step - numbers) <= 2.0**-40 * np.abs(numbers).max() + 1e-300)


@pytest.mark.parametrize("topics", [10, 8192, 100_000])
def test_sums_stay_below_2_to_the_53(topics):
    numbers = np.random.default_rng(1).random(topics)
    integers = to_integers(numbers)
    assert np.abs(integers.values).max() * topics <= 2.0**53
    assert int(integers.values.sum()) == sum(map(int, integers.values.tolist()))


def test_the_magnitude_of_the_scores_decides_what_is_noise():
    noise = np.array([1e-14, -2e-14, 0.0])
    assert np.any(to_integers(noise).values != 0)
    assert np.all(to_integers(noise, magnitude=1.0).values == 0)


def test_means_are_taken_out_without_rounding_them_away():
    signs = np.array([[1.0, 1.0, 1.0, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0, 0.0]])
    counts = np.array([[1.0] * 5, [1.0, 1.0, 1.0, 0.0, 0.0]])
    residual = without_means(to_integers(signs), counts)
    expected = np.array([[0.6, 0.6, 0.6, -0.4, -1.4], [2 / 3, -1 / 3, -1 / 3, 0, 0]])
    assert residual.values * residual.step == pytest.approx(expected, abs=1e-10)
