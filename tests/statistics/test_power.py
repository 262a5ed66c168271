"""Discriminative power with its validity, stability and delta-sort, against plain versions."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import rankdiff as rd
from rankdiff.errors import UsageError
from rankdiff.statistics.many import all_pairs, all_pairs_preferences
from rankdiff.statistics.power import Share, delta_sort, discriminative_power, stability

SCORES = np.clip(
    np.random.default_rng(1).normal(0.4, 0.15, (6, 40)) + np.array([0, 0, 0.02, 0.05, 0.1, 0.2])[:, None], 0, 1
)


def test_discriminative_power_counts_pairs():
    test = partial(all_pairs, method="t", correction="none")
    result = discriminative_power(SCORES, test=test, splits=4)
    p = [stats.ttest_rel(SCORES[i], SCORES[j]).pvalue for i, j in combinations(range(6), 2)]
    assert result.significant == tuple(Share(int(np.sum(np.array(p) <= level)), 15) for level in (0.05, 0.01))
    assert result.contradicted[0].count == 0
    assert result.contradicted[0].of > 0
    assert result.on_nothing[0].of == 60
    assert result.on_nothing[0].share < 0.25


def test_claims_on_chance_are_contradicted_and_a_valid_test_makes_few():
    """Runs that only differ by chance: whoever claims a quarter of the pairs is turned round half of the time."""
    chance = np.random.default_rng(2).random((12, 30))
    careless = partial(all_pairs, method="t", correction="none")
    result = discriminative_power(chance, test=careless, levels=(0.5,), splits=6)
    assert result.contradicted[0].share == pytest.approx(0.25, abs=0.12)
    assert result.repeated[0].share == pytest.approx(0.25, abs=0.12)
    assert result.turned[0].share == pytest.approx(0.5, abs=0.12)
    assert result.on_nothing[0].share == pytest.approx(0.5, abs=0.12)
    careful = discriminative_power(chance, test=partial(all_pairs, samples=500), splits=6)
    assert careful.on_nothing[0].share < 0.05


def test_discriminative_power_of_preferences():
    preferences = np.sign(SCORES[:, None] - SCORES[None])
    result = discriminative_power(preferences, test=partial(all_pairs_preferences, samples=1000), splits=2)
    assert result.significant[0].of == 15
    assert 0 < result.significant[0].share < 1


def test_preferences_of_a_collection_enter_as_they_are():
    """Three topics' worth of ranks each way: directly where pairs are tested, by their win rates where runs lead."""
    rng = np.random.default_rng(4)
    topics = {f"t{i:02}": {"a": 1, "b": 1} for i in range(24)}
    documents = ["a", "b", *(f"n{i}" for i in range(8))]
    runs = {run: {t: {d: rng.random() + (d < "c") * edge for d in documents} for t in topics}
            for run, edge in (("one", 0.0), ("two", 0.3), ("three", 0.8))}  # fmt: skip
    preferences = rd.align(topics, runs).prefer("RPP")
    cube = np.array([[preferences[a, b] if a != b else np.zeros(24) for b in preferences.systems]
                     for a in preferences.systems])  # fmt: skip
    asked = {"splits": 2, "seed": 5}
    by_hand = discriminative_power(cube, test=all_pairs_preferences, **asked)
    assert discriminative_power(preferences, **asked) == discriminative_power(cube, **asked) == by_hand
    assert by_hand.significant[0].count > 0
    assert stability(preferences, draws=50).stability == stability(preferences.win_rates(), draws=50).stability


def test_stability_by_hand():
    """Two topics of three, three ways to draw one (half of three): a wins, b wins, tie."""
    scores = np.array([[0.5, 0.2, 0.4], [0.1, 0.3, 0.4]])
    result = stability(scores, draws=3000, fuzziness=0.05)
    assert result.leads[0, 1] == pytest.approx(1 / 3, abs=0.03)
    assert result.stability == pytest.approx(1 / 3, abs=0.04)
    assert result.stability + result.other + result.ties == pytest.approx(1)


@pytest.mark.parametrize(("kind", "leads"), [("absolute", (0.0, 0.0)), ("relative", (1.0, 0.0)), ("sd", (1.0, 0.0))])
def test_kinds_of_fuzziness(kind, leads):
    """Means .03 and .02 of small values: tied by points, apart by 5 % of the better one and in deviations."""
    scores = np.array([[0.031, 0.03, 0.029, 0.03], [0.02, 0.02, 0.021, 0.019]])
    result = stability(scores, draws=50, kind=kind)
    assert (result.leads[0, 1], result.leads[1, 0]) == leads


def test_a_lead_of_exactly_the_fuzziness_is_a_tie():
    scores = np.array([[0.35, 0.35], [0.30, 0.30]])
    assert stability(scores, draws=10, fuzziness=0.05).ties == 1.0
    assert stability(scores, draws=10, fuzziness=0.0499).stability == 1.0


def test_stability_without_some_topics():
    scores = np.array([[0.9, np.nan, 0.9, 0.8], [0.1, 0.2, np.nan, 0.3]])
    assert stability(scores, draws=20).leads[0, 1] == pytest.approx(1, abs=0.3)


def better_systems(values, lower_is_better=False):
    """How many systems are better than each: mean by a tenth, and t-test."""
    means = values.mean(axis=1)
    ratio = means[:, None] / means[None] if lower_is_better else means[None] / means[:, None]
    return np.array(
        [
            sum(
                ratio[one, other] >= 1.1 and stats.ttest_rel(values[one], values[other]).pvalue <= 0.05
                for other in range(len(values))
                if other != one
            )
            for one in range(len(values))
        ]
    )


def test_delta_sort():
    after = SCORES[::-1] ** 2
    result = delta_sort(SCORES, after)
    moved = 100 / 6 * np.abs(better_systems(SCORES) - better_systems(after))
    assert result.per_system == pytest.approx(moved)
    assert result.largest == max(result.per_system) > 0
    assert result.tau == pytest.approx(stats.kendalltau(SCORES.mean(axis=1), after.mean(axis=1)).statistic)


def test_delta_sort_takes_lower_is_better_with_its_sign_turned():
    lengths = 1 / np.clip(SCORES, 0.05, 1)
    result = delta_sort(SCORES, -lengths)
    moved = 100 / 6 * np.abs(better_systems(SCORES) - better_systems(lengths, lower_is_better=True))
    assert result.per_system == pytest.approx(moved)


def test_refusals():
    with pytest.raises(UsageError, match="3 topics have no halves"):
        discriminative_power(np.ones((2, 3)))
    with pytest.raises(UsageError, match="expected one of absolute, relative, sd"):
        stability(SCORES, kind="points")
    with pytest.raises(UsageError, match="6 systems before and 5 after"):
        delta_sort(SCORES, SCORES[:5])
