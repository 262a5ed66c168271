"""Planning: textbook sample sizes, the tilt by its definition, and the promised power in simulations."""

from itertools import product

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from rankdiff.errors import InputError, UsageError
from rankdiff.statistics.planning import power_of_t, smallest_difference, tilted_weights, topics_needed

PILOT = np.random.default_rng(1).choice([-0.3, -0.1, 0, 0, 0, 0.05, 0.2, 0.6], 60)


@pytest.mark.parametrize(("effect", "topics"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_cohens_sample_sizes(effect, topics):
    """Power 0.8 at 5 %, two-sided, one sample: the sizes for small, medium and large effects in every textbook."""
    assert power_of_t(effect, 1, topics) >= 0.8 > power_of_t(effect, 1, topics - 1)


@pytest.mark.parametrize("topics", [2, 8, 50, 150])
def test_power_is_that_of_statsmodels(topics):
    for effect, level in product((-0.3, 0.05, 0.2, 0.5), (0.05, 0.001)):
        theirs = TTestPower().power(abs(effect), topics, level)
        # Where the power is nearly 1, statsmodels has no number with SciPy before 1.17.
        expected = pytest.approx(1, abs=0.01) if np.isnan(theirs) else pytest.approx(theirs, abs=1e-9)
        assert power_of_t(2 * effect, 2, topics, level) == expected


def test_power_is_that_of_simulated_tests():
    rng = np.random.default_rng(3)
    rejected = stats.ttest_1samp(rng.normal(0.4, 1, (20_000, 30)), 0, axis=1).pvalue <= 0.05
    assert power_of_t(0.4, 1, 30) == pytest.approx(rejected.mean(), abs=0.012)


@pytest.mark.parametrize("mean", [-0.2, 0.0, 0.05, 0.4, 0.59])
def test_tilted_weights(mean):
    weights = tilted_weights(PILOT, mean)
    assert weights.sum() == pytest.approx(1)
    assert weights @ PILOT == pytest.approx(mean, abs=1e-9)
    slopes = np.diff(np.log(weights[np.argsort(PILOT)]))
    steps = np.diff(np.sort(PILOT))
    assert np.ptp(slopes[steps > 0] / steps[steps > 0]) < 1e-6


def test_at_the_pilots_own_mean_its_spread_is_the_sample_deviation_and_the_limit_chi_squareds():
    planned = topics_needed(PILOT, PILOT.mean())
    deviation, freedom = np.std(PILOT, ddof=1), len(PILOT) - 1
    assert planned.deviation == pytest.approx(deviation)
    assert planned.deviation_upper == pytest.approx(deviation * np.sqrt(freedom / stats.chi2.ppf(0.2, freedom)))


def test_the_plan_keeps_its_promise():
    """Topics drawn from the tilted pilot are judged significant about as often as promised."""
    planned = topics_needed(PILOT, 0.08)
    rng = np.random.default_rng(4)
    drawn = rng.choice(PILOT, (4000, planned.topics), p=tilted_weights(PILOT, 0.08))
    rejected = stats.ttest_1samp(drawn, 0, axis=1).pvalue <= 0.05
    assert rejected.mean() == pytest.approx(0.8, abs=0.04)
    assert planned.topics_upper > planned.topics


def test_the_observed_mean_changes_nothing_that_the_spread_does_not():
    near, far = topics_needed(PILOT - PILOT.mean(), 0.1), topics_needed(PILOT, 0.1)
    assert abs(near.topics - far.topics) < 0.5 * far.topics


def test_both_questions_answer_each_other():
    for difference in (0.05, 0.1):
        planned = topics_needed(PILOT, difference)
        again = smallest_difference(PILOT, topics=planned.topics)
        assert again.difference >= difference - 0.002
        assert again.difference_upper > again.difference


def test_more_topics_and_less_power_show_smaller_differences():
    assert smallest_difference(PILOT, topics=400).difference < smallest_difference(PILOT).difference
    assert smallest_difference(PILOT, power=0.5).difference < smallest_difference(PILOT).difference
    assert smallest_difference(PILOT).topics == 60


def test_the_sign_of_the_difference_is_respected():
    worse = topics_needed(PILOT, -0.08)
    mirrored = topics_needed(-PILOT, 0.08)
    assert worse.topics == mirrored.topics


@pytest.mark.parametrize("sign", [1, -1])
def test_a_side_with_too_few_topics_to_plan_with_is_left_out(sign):
    """29 topics gain, one loses: no mean loss can be imagined that they would show, yet they show the gain at once."""
    pilot = sign * np.append(np.linspace(0.1, 0.8, 29), -0.2)
    assert stats.ttest_1samp(pilot, 0).pvalue < 1e-9
    smallest = smallest_difference(pilot)
    assert 0 < smallest.difference < smallest.difference_upper < 0.3
    weights = tilted_weights(pilot, sign * smallest.difference)
    drawn = np.random.default_rng(5).choice(pilot, (4000, 30), p=weights)
    assert np.mean(stats.ttest_1samp(drawn, 0, axis=1).pvalue <= 0.05) == pytest.approx(0.8, abs=0.1)


def test_where_topics_differ_more_widely_less_is_seen():
    """Of pilots in which few topics gain and by little, one side has no limit for the wider spread."""
    rng = np.random.default_rng(9)
    for topics in (8, 15, 30, 54):
        for _ in range(10):
            pilot = rng.choice([-1, 1]) * np.append(rng.exponential(0.15, topics), -rng.exponential(0.1, 3))
            found = smallest_difference(pilot)
            assert found.difference <= found.difference_upper


def test_a_pilot_without_differences_shows_none():
    assert smallest_difference(np.zeros(10)).difference == np.inf


@pytest.mark.parametrize(
    ("pilot", "difference", "message"),
    [
        (PILOT, 0.7, "lie between -0.3 and 0.6"),
        (PILOT, 0.0, "not be 0"),
        ([0.1], 0.05, "a pilot of 1 topics"),
        ([0.1, np.inf], 0.05, "found inf"),
    ],
)
def test_refusals(pilot, difference, message):
    with pytest.raises((InputError, UsageError), match=message):
        topics_needed(pilot, difference)
