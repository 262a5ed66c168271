"""Gates: beside SciPy's one-sided intervals, Holm by hand, and runs that lack topics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rankdiff.errors import UsageError
from rankdiff.statistics.sequential import above, log_capital

RNG = np.random.default_rng(3)
OLD = RNG.integers(1, 6, 40).tolist()
SAME = [rank if i % 5 else min(rank + 1, 9) for i, rank in enumerate(OLD)]
WORSE = [rank + 3 for rank in OLD]


def differences(new):
    return 1 / np.array(new) - 1 / np.array(OLD)


@pytest.mark.parametrize("new", [SAME, WORSE, OLD])
@pytest.mark.parametrize("margin", [0.0, 0.03, 0.5])
def test_the_ends_of_one_sided_intervals_decide(place, new, margin):
    c, values = place(old=OLD, new=new), differences(new)
    worse = c.gates("old", "new", fail_if_worse=["RR"]).gates[0]
    bounded = c.gates("old", "new", require_noninferior={"RR": margin}).gates[0]
    error = stats.sem(values) * stats.t.ppf(0.95, len(values) - 1)
    assert worse.limit == pytest.approx(values.mean() + error)
    assert worse.passed == (worse.limit >= 0)
    assert bounded.limit == pytest.approx(values.mean() - error)
    assert bounded.passed == (bounded.limit > -margin)
    assert ("could have shown" if new is not OLD else "could not have shown") in str(worse)


def test_several_gates_share_the_error_by_holms_method(place):
    c = place(old=OLD, new=WORSE)
    found = c.gates("old", "new", fail_if_worse=["RR", "P@5"], require_noninferior={"RR": 0.9})
    assert sorted(gate.confidence for gate in found.gates) == pytest.approx([1 - 0.05 / k for k in (1, 2, 3)][:3])
    lonely = [c.gates("old", "new", fail_if_worse=[row]).passed for row in ("RR", "P@5")]
    assert lonely == [False, False]
    assert not found.passed
    assert [gate.passed for gate in found.gates] == [False, False, True]


def test_an_unproven_claim_keeps_the_stricter_level_for_those_that_follow(place):
    found = place(old=OLD, new=OLD, same=SAME).gates("old", "new", "same", fail_if_worse=["RR", "AP"])
    p = [stats.ttest_1samp(differences(SAME), 0, alternative="less").pvalue]
    assert p[0] > 0.05 / 4
    assert {gate.confidence for gate in found.gates} == {1 - 0.05 / 4}
    assert found.passed


@pytest.mark.parametrize("short", ["old", "new"])
def test_runs_that_lack_topics_pass_no_gate(place, short):
    ranks = {"old": list(OLD), "new": list(OLD)}
    ranks[short][3] = None
    c = place(**ranks)
    asked = {"fail_if_worse": ["RR"], "require_noninferior": {"RR": 0.5}}
    found = c.gates("old", "new", **asked)
    assert [gate.passed for gate in found.gates] == [False, False]
    assert {gate.lacking for gate in found.gates} == {(short,)}
    assert f"{short} lacks topics" in str(found)
    assert c.gates("old", "new", lacking="count", **asked).passed


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_other_tests_of_the_mean_agree_about_clear_cases(place, test):
    c = place(old=OLD, new=WORSE)
    assert not c.gates("old", "new", fail_if_worse=["RR", "RPP"], test=test, samples=2000).passed
    assert c.gates("new", "old", fail_if_worse=["RR", "RPP"], test=test, samples=2000).passed


def test_the_safe_interval_decides_on_request(place):
    c = place(old=OLD, new=WORSE)
    gate = c.gates("old", "new", fail_if_worse=["RR"], interval="safe").gates[0]
    assert not gate.passed
    assert gate.limit > c.gates("old", "new", fail_if_worse=["RR"]).gates[0].limit
    with pytest.raises(UsageError, match="ASL has no safe interval"):
        c.gates("old", "new", fail_if_worse=["ASL"], interval="safe")


def test_one_topic_shows_nothing(place):
    c = place(old=[1], new=[5])
    assert c.gates("old", "new", fail_if_worse=["RR"]).passed
    gate = c.gates("old", "new", require_noninferior={"RR": 0.9}).gates[0]
    assert not gate.passed
    assert "1 topic could not have shown any difference" in str(gate)


@pytest.mark.parametrize(("topics", "proven"), [(2, False), (4, False), (5, True), (30, True)])
def test_the_same_difference_everywhere_is_judged_by_its_signs(place, topics, proven):
    """One-sided, n equal signs come by chance in 1 of 2^n trials: five topics are the fewest for 5 %."""
    c = place(old=[1] * topics, new=[2] * topics)
    assert c.gates("old", "new", fail_if_worse=["RR"]).passed != proven
    assert c.gates("old", "new", require_noninferior={"RR": 0.6}).passed == proven
    assert not c.gates("old", "new", require_noninferior={"RR": 0.5}).passed
    same = place(old=[1] * topics, new=[1] * topics)
    assert same.gates("old", "new", fail_if_worse=["RR"]).passed
    assert same.gates("old", "new", require_noninferior={"RR": 0.1}).passed == proven


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "no gate was named"),
        ({"require_noninferior": {"RR": -1}}, "at least 0"),
        ({"fail_if_worse": ["RR"], "test": "sign"}, "test='sign'"),
        ({"fail_if_worse": ["SL2(i=2)"]}, "the gate is void"),
    ],
)
def test_gates_that_make_no_sense_are_refused(place, asked, message):
    with pytest.raises(UsageError, match=message):
        place(old=OLD, new=WORSE).gates("old", "new", **asked)


def one_sided_capital(values, bounds, threshold):
    """Whether a plain gambler who bets that the mean is above zero ever has so much."""
    low, high = bounds
    total, squares, capital, most = 0.5, 0.25, 1.0, 1.0
    for t, x in enumerate((values - low) / (high - low), 1):
        stake = np.sqrt(2 * np.log(1 / 0.05) / (squares * np.log(t + 1)))
        mean = -low / (high - low)
        capital *= 1 + min(stake, 0.75 / mean) * (x - mean)
        most = max(most, capital)
        total += x
        squares += (x - total / (t + 1)) ** 2
    return most >= threshold


@pytest.mark.parametrize("new", [SAME, WORSE, OLD])
@pytest.mark.parametrize("margin", [0.0, 0.2, 0.5])
def test_a_sequential_gate_goes_by_what_a_gambler_has_won(place, new, margin):
    c, values = place(old=OLD, new=new), differences(new)
    worse = c.gates("old", "new", fail_if_worse=["RR"], sequential=True).gates[0]
    bounded = c.gates("old", "new", require_noninferior={"RR": margin}, sequential=True).gates[0]
    assert worse.passed == (not one_sided_capital(-values, (-1, 1), 20))
    assert bounded.passed == one_sided_capital(values + margin, (margin - 1, margin + 1), 20)
    assert "at any time" in str(worse)


def test_sequential_gates_share_the_error_with_the_stakes_of_one(place):
    c, values = place(old=OLD, new=WORSE), differences(WORSE)
    found = c.gates("old", "new", fail_if_worse=["RR", "P@1"], sequential=c.queries)
    assert found.gates[0].passed == (not one_sided_capital(-values, (-1, 1), 40))
    assert {gate.confidence for gate in found.gates} <= {0.975, 0.95}
    with pytest.raises(UsageError, match="an interval of its own"):
        c.gates("old", "new", fail_if_worse=["RR"], sequential=True, interval="safe")
    with pytest.raises(UsageError, match="ASL has no confidence sequence"):
        c.gates("old", "new", fail_if_worse=["ASL"], sequential=True)


def test_asked_after_every_topic_a_gate_errs_in_at_most_one_of_twenty_sequences():
    """10,000 sequences of 200 topics without a difference; p is below the level where the gambler ever has 1/level."""
    values = np.random.default_rng(11).choice([-1.0, 0, 0, 1.0], (10_000, 200))
    rich = log_capital((values + 1) / 2, 0.5, 0.1).max(axis=1) >= np.log(20)
    assert rich.mean() <= 0.05
    judged = [above(row, bounds=(-1, 1), level=0.05, planned=0.05)[0] <= 0.05 for row in values[:200]]
    assert judged == rich[:200].tolist()
