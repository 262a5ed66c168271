"""paired(): textbook values, SciPy as witness, brute force for few topics, and the edges."""

from itertools import product
from math import gamma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rankdiff.errors import InputError, UsageError
from rankdiff.statistics.paired import TESTS, paired

SAKAI = "sakai-20x3: X against Y"
URBANO = "urbano adhoc8_ap"

tenths = st.lists(st.integers(-5, 5), min_size=2, max_size=9)


def brute_force_p(differences, alternative="two-sided"):
    """Share of all sign patterns whose integer sum reaches the observed one."""
    sums = [
        sum(sign * d for sign, d in zip(pattern, differences, strict=True))
        for pattern in product((-1, 1), repeat=len(differences))
    ]
    observed = sum(differences)
    reached = {
        "two-sided": [abs(total) >= abs(observed) for total in sums],
        "greater": [total >= observed for total in sums],
        "less": [total <= observed for total in sums],
    }[alternative]
    return np.mean(reached)


def test_sakai_t(sakai, meets):
    result = paired(sakai[0], sakai[1])
    meets(result.difference, SAKAI, "mean difference")
    meets(result.p, SAKAI, "p, two-sided t-test")
    meets((result.interval[1] - result.interval[0]) / 2, SAKAI, "95% margin of error of the mean difference")
    meets(result.statistic, SAKAI, "t")
    unbiased = gamma(19 / 2) / (np.sqrt(19 / 2) * gamma(18 / 2))
    meets(result.effect / unbiased, SAKAI, "effect size, mean / sd of differences")
    meets((result.difference * unbiased / result.effect) ** 2, SAKAI, "variance of differences (n-1)")
    assert (result.wins, result.ties, result.losses, result.topics) == (10, 5, 5, 20)


def test_sakai_resampling_and_ranks(sakai, meets):
    a, b = sakai[:2]
    meets(paired(a, b, test="randomization").p, SAKAI, "p, two-sided randomisation (sign flips), exact")
    meets(paired(a, b, test="sign").p, SAKAI, "p, two-sided sign test, ties dropped")
    meets(paired(a, b, test="bootstrap").p, SAKAI, "p, two-sided paired bootstrap, 10000 resamples")
    normal = paired(a, b, test="wilcoxon", exact=False)
    meets(normal.statistic, SAKAI, "Wilcoxon statistic (zeros dropped)")
    meets(normal.p, SAKAI, "p, Wilcoxon, normal approximation with tie correction, no continuity correction")


@pytest.mark.parametrize(("sides", "alternative"), [("two-sided", "two-sided"), ("one-sided", "greater")])
def test_urbano(urbano, meets, sides, alternative):
    """R's Wilcoxon sees a tie of two differences torn apart by float noise; blown up, the noise tears it here too."""
    baseline, experimental = urbano("adhoc8_ap")[[124, 125]]
    ask = {"alternative": alternative}
    meets(paired(experimental, baseline, **ask).p, URBANO, f"p, t-test, {sides}")
    d = experimental - baseline
    torn = d + 1e6 * (d - d.round(4))
    ranks = paired(torn, test="wilcoxon", exact=False, continuity=True, **ask)
    meets(ranks.p, URBANO, f"p, Wilcoxon (R: normal approximation with continuity correction), {sides}")
    signs = paired(experimental, baseline, test="sign", ties_within=0.01, **ask)
    meets(signs.p, URBANO, f"p, sign test over topics whose difference exceeds 0.01, {sides}")
    flips = paired(experimental, baseline, test="randomization", samples=1_000_000, **ask)
    meets(flips.p, URBANO, f"p, permutation, 1e6, {sides}")
    shifted = paired(experimental, baseline, test="bootstrap", studentize=False, samples=1_000_000, **ask)
    meets(shifted.p, URBANO, f"p, bootstrap (shift method), 1e6 resamples, {sides}")


@given(tenths, st.sampled_from(["two-sided", "greater", "less"]))
def test_exact_randomization_is_enumeration(differences, alternative):
    exact = paired(np.array(differences) / 10, test="randomization", alternative=alternative)
    assert exact.p == pytest.approx(brute_force_p(differences, alternative), abs=1e-15)


def test_both_ways_of_counting_agree():
    rng = np.random.default_rng(5)
    counts = rng.integers(-40, 60, 24)
    noisy = counts + rng.normal(0, 1e-5, 24)
    assert paired(counts, test="randomization", exact=True).p == pytest.approx(
        paired(noisy, test="randomization", exact=True).p, rel=1e-3
    )


@given(tenths, st.sampled_from(["wilcox", "pratt"]))
def test_exact_wilcoxon_is_enumeration_with_ties(differences, zeros):
    differences = np.array(differences)
    if not differences.any():
        return
    kept = differences[differences != 0] if zeros == "wilcox" else differences
    ranks = (2 * stats.rankdata(np.abs(kept)) * np.sign(kept)).astype(int)
    result = paired(differences / 10, test="wilcoxon", zeros=zeros, exact=True)
    assert result.p == pytest.approx(brute_force_p(ranks[ranks != 0].tolist()), abs=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("topics", [5, 30, 120])
def test_scipy_agrees(topics, alternative):
    rng = np.random.default_rng(topics)
    a, b = rng.normal(0.1, 1, topics), rng.normal(0, 1, topics)
    theirs = stats.ttest_rel(a, b, alternative=alternative)
    ours = paired(a, b, alternative=alternative, confidence=0.9)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-10)
    assert ours.interval == pytest.approx(tuple(theirs.confidence_interval(0.9)), rel=1e-10)
    method = "exact" if topics <= 100 else "approx"
    ranks = stats.wilcoxon(a - b, alternative=alternative, method=method)
    signed = paired(a, b, test="wilcoxon", alternative=alternative)
    assert signed.p == pytest.approx(ranks.pvalue, rel=1e-9)
    assert ours.statistic == pytest.approx(theirs.statistic)
    assert signed.statistic == min(ranks.statistic, topics * (topics + 1) / 2 - ranks.statistic)


def test_scipy_agrees_on_sampled_p_and_bca():
    rng = np.random.default_rng(11)
    d = rng.gamma(2, 1, 60) - 1.6
    theirs = stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=50_000, rng=rng)
    ours = paired(d, test="randomization", samples=50_000)
    noise = np.sqrt(2 * theirs.pvalue * (1 - theirs.pvalue) / 50_000)
    assert ours.p == pytest.approx(theirs.pvalue, abs=4 * noise)
    bca = stats.bootstrap((d,), np.mean, n_resamples=50_000, method="BCa", rng=rng).confidence_interval
    mine = paired(d, test="bootstrap", samples=50_000).interval
    assert mine == pytest.approx((bca.low, bca.high), abs=0.02)


@pytest.mark.parametrize("test", ["t", "randomization"])
def test_p_and_interval_tell_the_same(test):
    rng = np.random.default_rng(3)
    for _ in range(40):
        d = rng.normal(0.35, 1, 14)
        result = paired(d, test=test)
        assert (result.p <= 0.05) == (result.interval[0] > 0 or result.interval[1] < 0)


def test_swapping_the_runs_turns_everything():
    rng = np.random.default_rng(8)
    a, b = rng.random((2, 21)).round(1)
    for test in TESTS:
        one, other = paired(a, b, test=test), paired(b, a, test=test)
        sampled = test == "bootstrap"
        assert one.p == pytest.approx(other.p, abs=0.005 if sampled else 1e-12)
        assert one.difference == -other.difference
        assert one.interval == pytest.approx(tuple(-x for x in other.interval[::-1]), abs=0.02 if sampled else 1e-9)
        assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)


def test_float_noise_is_no_difference():
    a = np.array([0.1 + 0.2, 0.5, 0.7])
    b = np.array([0.3, 0.5, 0.6])
    assert (paired(a, b).wins, paired(a, b).ties) == (1, 2)
    assert paired([0.3, 0.1, -0.2], [0.0, 0.0, 0.1 - 0.1], test="randomization").p == brute_force_p([3, 1, -2])


@pytest.mark.parametrize("test", TESTS)
def test_one_topic_proves_nothing(test):
    result = paired([0.9], [0.1], test=test)
    assert result.p == 1.0
    assert result.topics == 1
    assert np.isnan(result.effect)


@pytest.mark.parametrize("test", TESTS)
def test_no_difference_at_all(test):
    result = paired([0.2, 0.4, 0.6, 0.8], [0.2, 0.4, 0.6, 0.8], test=test)
    assert (result.p, result.difference, result.ties) == (1.0, 0.0, 4)
    assert np.isnan(result.effect)
    assert result.notices == ("no topic differs",)


def test_the_same_difference_everywhere_is_certain_for_t_only():
    a, b = np.full(8, 0.5), np.full(8, 0.4)
    assert paired(a, b).p == 0.0
    assert paired(a, b).interval == pytest.approx((0.1, 0.1))
    assert paired(a, b, test="randomization").p == 2 / 2**8
    assert paired(a, b, test="sign").p == pytest.approx(2 / 2**8)


def test_two_topics():
    assert paired([0.5, 0.4], [0.1, 0.2], test="randomization").p == 0.5
    assert paired([0.5, 0.4], [0.1, 0.2]).p == pytest.approx(stats.ttest_1samp([0.4, 0.2], 0).pvalue)


def test_one_outlier_moves_the_mean_and_not_the_signs():
    d = np.array([0.01] * 19 + [-0.9])
    assert paired(d, test="sign").p < 0.001
    assert paired(d).p > 0.3
    assert paired(d).difference < 0


def test_missing_topics_are_refused_or_dropped():
    a, b = [0.5, np.nan, 0.7, 0.4], [0.4, 0.3, np.nan, 0.1]
    with pytest.raises(InputError, match=r"a: no number for 1 of 4 topics.*missing='drop'"):
        paired(a, b)
    assert paired(a, b, missing="drop").topics == 2
    with pytest.raises(UsageError, match="none of the 1 topics"):
        paired([np.nan], [0.1], missing="drop")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0.1, np.inf], [0.0, 0.0]), {}, "found inf"),
        (([0.1, 0.2], [0.0]), {}, "2 topics and b has 1"),
        (([[0.1]], None), {}, "one value for each topic"),
        (([0.1, 0.2], None), {"test": "anova"}, "expected one of t, wilcoxon"),
        (([0.1, 0.2], None), {"alternative": "both"}, "expected one of two-sided"),
        (([0.1, 0.2], None), {"confidence": 95}, "between 0 and 1"),
        (([0.1, 0.2], None), {"samples": 0}, "at least 1"),
        (([0.1, 0.2], None), {"ties_within": 0.01}, "belongs to the sign test"),
        ((np.sqrt(np.arange(1, 90)), None), {"test": "randomization", "exact": True}, "signs of 89 topics"),
        (([0.1, 2.5], None), {"interval": "safe"}, "1 of 2 values lie outside: found 2.5"),
    ],
)
def test_refusals(arguments, options, message):
    with pytest.raises((InputError, UsageError), match=message):
        paired(*arguments, **options)


def test_a_seed_gives_the_same_bytes():
    rng = np.random.default_rng(2)
    d = rng.normal(0.2, 1, 70)
    for test in ("randomization", "bootstrap"):
        assert paired(d, test=test, seed=9) == paired(d, test=test, seed=9)
        assert paired(d, test=test, seed=9).p != paired(d, test=test, seed=10).p


def test_thousands_of_topics():
    d = np.random.default_rng(21).normal(0.002, 0.1, 6000)
    assert paired(d, test="randomization", samples=2000).p == pytest.approx(paired(d).p, abs=0.05)
    signs = paired(np.sign(d), test="randomization")
    assert "exact" in signs.method
    assert signs.p == pytest.approx(paired(np.sign(d), test="sign").p)


def test_preferences_are_judged_against_zero():
    preferences = np.array([1, 1, -1, 0, 1, 1, 0, 1.0])
    result = paired(preferences, test="wilcoxon")
    assert result.effect == result.difference == 0.5
    assert result.effect_name == "mean preference"
    assert result.net_win_rate == 0.5
    assert result.p == pytest.approx(paired(preferences, test="sign").p)
