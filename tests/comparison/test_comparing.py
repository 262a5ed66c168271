"""Comparisons beside SciPy and the statistics that stand behind them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from rankdiff.errors import UsageError
from rankdiff.results import summarize

DRAWN = np.random.default_rng(11)
OLD, NEW, THIRD = (DRAWN.integers(1, 9, 40).tolist() for _ in range(3))
BETTER = [max(1, rank - 3) for rank in OLD]


def test_two_runs_are_tested_by_students_t_unless_told_otherwise(place):
    found = place(old=OLD, new=NEW).compare("old", "new", measures=["RR", "RPP"])
    difference = 1 / np.array(NEW) - 1 / np.array(OLD)
    witness = stats.ttest_1samp(difference, 0)
    test = found.test("RR")
    assert test.p == pytest.approx(witness.pvalue)
    assert test.interval == pytest.approx(tuple(witness.confidence_interval(0.95)))
    assert test.difference == pytest.approx(difference.mean())
    assert (test.wins, test.losses) == (np.sum(difference > 0), np.sum(difference < 0))
    signs = np.sign(difference)
    assert found.test("RPP").p == pytest.approx(stats.ttest_1samp(signs, 0).pvalue)
    assert found.test("RPP").effect == pytest.approx(signs.mean())


@pytest.mark.parametrize(
    ("test", "witness"),
    [
        ("sign", lambda d: stats.binomtest(int(np.sum(d > 0)), int(np.sum(d != 0))).pvalue),
        ("randomization", lambda d: stats.permutation_test((d,), np.mean, permutation_type="samples").pvalue),
        ("wilcoxon", lambda d: stats.wilcoxon(d[d != 0], method=stats.PermutationMethod(100_000)).pvalue),
    ],
)  # fmt: skip
def test_another_test_on_request(place, test, witness):
    found = place(old=OLD, new=NEW).compare("old", "new", measures=["RR"], test=test)
    difference = 1 / np.array(NEW) - 1 / np.array(OLD)
    assert found.test().p == pytest.approx(witness(difference), abs=0.03)


def test_holm_over_all_rows(place):
    rows = ["RR", "RPP", "sgnLP"]
    c = place(old=OLD, new=BETTER)
    alone = c.compare("old", "new", measures=rows)
    together = c.compare("old", "new", measures=rows, family="all", test="t", correction="holm")
    raw = np.array([alone.test(row).p for row in rows])
    order = np.argsort(raw, kind="stable")
    stepped = np.maximum.accumulate(raw[order] * [3, 2, 1])
    assert [together.test(rows[i]).p for i in order] == pytest.approx(np.minimum(stepped, 1))
    assert "holm over all rows" in together.test("RR").method


def test_all_rows_share_their_signs_and_the_same_row_twice_costs_nothing(place):
    c = place(old=OLD, new=BETTER)
    one = c.compare("old", "new", measures=["RPP"], family="all").test()
    same = c.compare("old", "new", measures=["RPP", "sgn(RR)"], family="all")
    assert same.test("RPP").p == same.test("sgn(RR)").p == one.p
    assert same.test("RPP").interval_method == "simultaneous over all rows"
    assert same.test("RPP").interval[0] > 0


def test_three_runs_are_compared_all_with_all_and_the_baseline_alone_on_request(place):
    c = place(old=OLD, new=NEW, better=BETTER)
    everything = c.compare("old", "new", "better", measures=["RR", "RPP"], samples=2000)
    family = everything.families[0]
    assert family is not None
    assert family.comparisons == 3
    assert everything.test("RR", "better") == family["better", "old"]
    one = c.compare("old", "new", "better", measures=["RR", "RPP"], samples=2000, pairs="baseline")
    assert one.families[1] is not None
    assert one.families[1].comparisons == 2
    for row in ("RR", "RPP"):
        assert one.test(row, "new").p <= everything.test(row, "new").p
        assert one.test(row, "new").difference == pytest.approx(everything.test(row, "new").difference)


@pytest.mark.parametrize("row", ["RR", "RPP"])
def test_a_test_of_each_pair_alone_is_corrected(place, row):
    c = place(old=OLD, new=NEW, better=BETTER)
    raw = [c.compare(*pair, measures=[row]).test().p for pair in (("old", "new"), ("old", "better"), ("new", "better"))]
    found = c.compare("old", "new", "better", measures=[row], test="t", correction="bonferroni")
    assert found.test(row, "new").p == pytest.approx(min(1, 3 * raw[0]))
    assert found.test(row, "better").p == pytest.approx(min(1, 3 * raw[1]))


def test_what_has_a_harmonic_mean_is_compared_by_its_reciprocal(place):
    c = place(old=OLD, new=BETTER)
    found = c.compare("old", "new", measures=["InvASL", "ASL"])
    assert found["InvASL"] == pytest.approx(found["ASL"])
    assert found.test("InvASL").p == found.test("ASL").p
    assert found.means[0, 0] == pytest.approx([summarize(v, "harmonic") for v in c.measure("InvASL")["InvASL"]])
    assert "InvASL is compared by 1 over its values" in found.notices[0]


def test_the_safe_interval_contains_the_mean_and_belongs_to_measures_with_bounds(place):
    found = place(old=OLD, new=NEW).compare("old", "new", measures=["RR", "RPP", "ASL"], interval="safe")
    for row in ("RR", "RPP"):
        test = found.test(row)
        assert test.interval[0] < test.difference < test.interval[1]
        assert test.interval_method.startswith("betting")
    assert np.isnan(found.test("ASL").interval).all()
    assert "ASL has no safe interval: its differences have no bounds" in found.notices


def test_the_seed_is_in_the_signature_and_makes_the_result(place):
    c = place(old=OLD, new=NEW)
    first, again, other = (
        c.compare("old", "new", measures=["RR"], test="bootstrap", seed=seed, samples=500) for seed in (3, 3, 4)
    )
    assert first.test() == again.test()
    assert first.test().interval != other.test().interval
    assert "|seed:3|" in first.signature
    assert "|samples:500|" in first.signature


def test_primary_moves_a_row_to_the_front(place):
    c = place(old=OLD, new=NEW)
    assert [row.name for row in c.compare("old", "new", primary="AP", measures=["RR", "map"]).measures] == ["AP", "RR"]
    assert c.compare("old", "new", primary="P@3").primary.name == "P@3"


def test_topics_that_changed_most_stand_in_both_directions(place):
    old, new = [1, 1, 4, 4, 2, 3], [2, 4, 1, 2, 2, 3]
    changed = place(old=old, new=new).compare("old", "new", measures=["RR"]).changed(most=2)
    assert changed["query"].tolist() == ["t002", "t003", "t000", "t001"]
    assert changed["RR"].tolist() == pytest.approx([0.75, 0.25, -0.5, -0.75])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"test": "z"}, "test='z'"),
        ({"family": "some"}, "family='some'"),
        ({"pairs": "few"}, "pairs='few'"),
        ({"level": 2}, "level=2"),
        ({"correction": "holm"}, "two runs are one comparison"),
        ({"correction": "holm", "test": "sign-flip"}, "corrects for all its pairs itself"),
        ({"correction": "tukey", "family": "all"}, "correction='tukey'"),
    ],
)
def test_designs_that_make_no_sense_are_refused(place, asked, message):
    with pytest.raises(UsageError, match=message):
        place(old=OLD, new=NEW).compare("old", "new", **asked)


def test_a_run_is_not_compared_with_itself(place):
    with pytest.raises(UsageError, match="itself"):
        place(old=OLD, new=NEW).compare("old", "old")


def test_other_runs_of_the_collection_stay_the_peers(place):
    c = place(old=OLD, new=NEW, third=THIRD)
    found = c.compare("new", "old", measures=["RareP@5"])
    values = c.measure("RareP@5")["RareP@5"]
    assert found["RareP@5"][0] == pytest.approx(values[0] - values[1])
    assert replace(found.collection, reference=None).measure("RareP@5")["RareP@5"] != pytest.approx(values[[1, 0]])
