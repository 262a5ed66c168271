"""Comparisons at the edge: hardly any topics, nothing that differs, outliers, runs without results, many runs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import rankdiff as rd
from rankdiff.errors import InputError, UsageError
from rankdiff.present.comparison import people_tables
from rankdiff.statistics import all_pairs, all_pairs_preferences, paired

TESTS = ("t", "wilcoxon", "sign", "randomization", "bootstrap")


@pytest.mark.parametrize("test", TESTS)
def test_one_topic_proves_nothing(place, test):
    found = place(old=[4], new=[1]).compare("old", "new", measures=["RR", "RPP"], test=test)
    assert found.test("RR").p == found.test("RPP").p == 1
    assert "new is not shown to differ from old by RR" in found.verdict
    assert "One topic cannot show a difference." in found.verdict
    assert "new is not shown to be better or worse for users of any share" in found.verdict


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "randomization"])
def test_two_topics_are_not_significant(place, test):
    found = place(old=[4, 5], new=[1, 1]).compare("old", "new", measures=["RR"], test=test)
    assert found.test().p == 0.5
    assert "only 2 topics differ" in found.verdict.lower()


@pytest.mark.parametrize("topics", [2, 5, 6, 30])
@pytest.mark.parametrize("measure", ["RR", "sgnLP", "ASL"])
def test_the_same_difference_everywhere_is_judged_by_its_signs(place, topics, measure):
    """t would be certain after two topics; of all signs of n equal differences, two are as extreme."""
    found = place(old=[3] * topics, new=[1] * topics).compare("old", "new", measures=[measure, "RR", "P@5"])
    test = found.test()
    assert test.p == pytest.approx(2 / 2**topics)
    assert "randomization of signs" in test.method
    assert found.test("P@5").test == "t"  # it does not differ at all, of which t is as sure as any test
    words = "is better than" if topics > 5 else "is not shown to differ from"
    assert found.verdict.startswith(f"new {words} old by {measure}: better on {topics} of {topics} topics")
    assert (
        "without any spread" if topics > 5 else f"{topics} topics do not tell where the true one lies"
    ) in found.verdict
    assert "1,000,000" not in found.verdict or topics > 20
    rows = ", ".join(dict.fromkeys([measure, "RR"]))
    assert f"all topics differ by the same by {rows}, which leaves t no spread" in "".join(found.notices)


@pytest.mark.parametrize("options", [{}, {"test": "sign-flip"}, {"family": "all"}])
def test_no_interval_goes_beyond_what_is_possible(place, options):
    c = place(old=[3] * 29 + [1], new=[1] * 29 + [3])
    found = c.compare("old", "new", measures=["sgnLP", "ASL"], **options)
    signs, lengths = found.test("sgnLP"), found.test("ASL")
    values = found["sgnLP"][0]
    assert values.mean() + stats.sem(values) * stats.t.ppf(0.975, 29) > 1
    assert signs.interval[1] == 1.0
    assert 0 < signs.interval[0] < signs.difference
    assert lengths.interval[1] > 2  # which has no end


def test_who_asks_for_t_gets_t_and_is_told_what_it_is_worth(place):
    found = place(old=[3] * 2, new=[1] * 2).compare("old", "new", measures=["RR"], test="t")
    assert found.test().p == 0
    assert "Student's t takes that for certain; `--test randomization` does not." in found.verdict
    assert "fewer than 1 of" not in found.verdict


@pytest.mark.parametrize("test", [*TESTS, None, "sign-flip", "max-t"])
@pytest.mark.parametrize("family", ["primary", "all"])
def test_without_any_difference_nothing_is_shown(place, test, family):
    ranks = [1, 2, 3, 0] * 5
    found = place(old=ranks, new=ranks).compare("old", "new", test=test, family=family)
    assert {row[0].p for row in found.tests} == {1}
    assert {row[0].difference for row in found.tests} == {0}
    assert found.verdict.split("\n") == [
        "new is not shown to differ from old by RPP: equal on all 20 topics.",
        "new and old serve all users alike.",
    ]
    assert len(found.changed()) == 0


def test_one_outlier_does_not_make_a_difference(place):
    found = place(old=[2] * 30, new=[2] * 29 + [1]).compare("old", "new", measures=["RR"])
    assert found.test().p == pytest.approx(0.3256, abs=1e-4)
    assert "not shown to differ" in found.verdict
    assert "Only 1 topic differs: with fewer than 15" in found.verdict


def test_a_run_with_no_results_is_never_certified(place):
    c = place(rules={"missing": "zero"}, old=[3] * 20 + [1] * 4, new=[None] * 24, other=[5] * 24)
    measures = ["RR", "RPP", "sgnLP", "sgnLR", "ASL", "InvASL", "AP"]
    found = c.compare("old", "new", measures=measures)
    assert all(test.difference < 0 for row in found.tests for test in row)
    assert "new is worse than old" in found.verdict
    assert "new lacks 24 of 24 topics (t000, t001, t002, t003, t004 and 19 more)" in found.verdict
    turned = c.compare("new", "old", measures=measures)
    assert "what others gain on these topics is its absence" in turned.verdict


def test_a_run_that_skips_what_it_is_bad_at_is_not_certified_better(place):
    new = [1] * 20 + [None] * 4
    c = place(rules={"missing": "skip"}, old=[2] * 19 + [3] + [1] * 4, new=new)
    found = c.compare("old", "new", measures=["RR"])
    assert found.test().p < 0.001
    assert found.test().difference > 0
    assert "new is not certified to differ from old" in found.verdict
    assert "new lacks 4 of 24 topics (t020, t021, t022, t023), which were left out" in found.verdict
    assert "new is better" not in found.verdict.split("\n")[0]


@pytest.mark.parametrize("missing", ["zero", "skip"])
def test_topics_that_no_run_answers_are_no_reason_to_refuse(place, missing):
    """On them all runs are alike: what is shown on the others stands. A run that lacks one more is refused, still."""
    runs = {"old": [2] * 20 + [None] * 4, "new": [1] * 20 + [None] * 4}
    found = place(rules={"missing": missing}, **runs).compare("old", "new", measures=["RR"])
    assert found.verdict.startswith("new is better than old by RR")
    assert "No run answers 4 of 24 topics (t020, t021, t022, t023), which" in found.verdict
    assert found.lacking("new") == found.lacking("old") == ()
    runs["new"] = [1] * 19 + [None] * 5
    found = place(rules={"missing": missing}, **runs).compare("old", "new", measures=["RR"])
    assert "new lacks 1 of 24 topics (t019)" in found.verdict
    assert "new is not certified to differ from old" in found.verdict
    best = place(
        rules={"missing": missing},
        **{run: [rank] * 20 + [None] for run, rank in zip("abcde", range(1, 6), strict=True)},
    )
    verdict = best.compare(*"cabde", measures=["RR"]).verdict
    assert "The best of all by RR is a; every other run differs from it." in verdict


def test_where_a_run_that_lacks_topics_is_ahead_no_users_are_said_to_be_better_served(place):
    c = place(rules={"missing": "skip"}, old=[2] * 19 + [3] + [1] * 4, new=[1] * 20 + [None] * 4)
    assert c.profile("old", "new").band().above.all()
    for pair in (("old", "new"), ("new", "old")):
        assert "for users" not in c.compare(*pair, measures=["RR"]).verdict


def test_among_many_runs_it_has_no_advantage_either(place):
    """Skipping what it is bad at gives it the best mean and significant differences, which are not counted for it."""
    c = place(rules={"missing": "skip"}, old=[2] * 19 + [3] + [1] * 4, new=[1] * 20 + [None] * 4, third=[4] * 24)
    found = c.compare("old", "new", "third", measures=["RR"])
    family, table = found.families[0], found.groups()
    assert family is not None
    assert family["new", "old"].p < 0.001
    assert family["new", "old"].difference > 0
    better = dict(zip(table["run"], table["better than"], strict=True))
    assert better == {"new": 0, "old": 1, "third": 0}
    groups = dict(zip(table["run"], table["group"], strict=True))
    assert groups == {"new": "ab", "old": "a", "third": "b"}
    assert "new is not certified to differ from old by RR" in found.verdict
    four = place(rules={"missing": "skip"}, old=[2] * 24, a=[3] * 24, b=[4] * 24, c=[5] * 24, new=[1] * 23 + [None])
    verdict = four.compare("old", "a", "b", "c", "new", measures=["RR"]).verdict
    assert "The best of the runs that lack no topic by RR is old" in verdict


@pytest.mark.parametrize("measure", ["utility", "ASL(missing='returned')"])
def test_nor_where_returning_nothing_is_worth_something(place, measure):
    c = place(old=[0] * 24, new=[None] * 24, third=[0] * 24)
    found = c.compare("old", "new", "third", measures=[measure])
    assert found.groups()["better than"].tolist() == [0, 0, 0]
    assert "new is better" not in found.verdict
    assert "new lacks 24 of 24 topics" in found.verdict


def test_a_row_for_which_no_topic_counts_has_no_test(place):
    found = place(old=[1, 2, 3], new=[2, 2, 2]).compare("old", "new", measures=["RR", "SL2(i=2)"])
    assert np.isnan(found.test("SL2(i=2)").p)
    assert found.test("SL2(i=2)").topics == 0
    third = place(old=[1, 2, 3], new=[2, 2, 2], third=[3, 3, 3])
    assert np.isnan(third.compare("old", "new", "third", measures=["SL2(i=2)", "RR"]).test("SL2(i=2)", "third").p)


def test_nan_is_refused_where_nobody_said_what_it_means():
    with pytest.raises(InputError, match="NaN"):
        paired([0.5, np.nan], [0.1, 0.2])


def test_more_systems_than_topics(place):
    ranks = np.random.default_rng(5).integers(1, 9, (12, 6)).tolist()
    c = place(**{f"run{i:02}": row for i, row in enumerate(ranks)})
    found = c.compare(*c.systems, measures=["RR", "RPP"])
    for family in found.families:
        assert family is not None
        assert family.comparisons == 66
        assert family.samples is None  # 64 patterns of signs are gone through exactly
        assert np.nanmin(family.p) >= 2 / 64


def test_two_hundred_systems_have_a_matrix_instead_of_letters(place):
    rng = np.random.default_rng(6)
    ranks = {f"run{i:03}": rng.integers(1, 4 + i // 40, 12).tolist() for i in range(200)}
    c = place(**ranks)
    found = c.compare(*c.systems, measures=["RR", "RPP"], samples=200)
    table = found.groups()
    assert len(table) == 200
    marks = np.array([list(row) for row in table["against the runs in this order"]])
    assert np.all(marks.diagonal() == "=")
    assert np.array_equal(marks == "+", marks.T == "-")
    assert table["better than"].tolist() == (marks == "+").sum(axis=1).tolist()
    assert "not shown to differ from run000" in found.verdict


def test_too_few_samples_for_many_pairs_are_refused_with_the_number_it_takes():
    scores = np.random.default_rng(7).random((110, 20))
    with pytest.raises(UsageError, match=r"100,000 samples are too few for 5,995 comparisons with holm.*1,198,999"):
        all_pairs(scores, "randomization")


@pytest.mark.parametrize("row", ["RR", "RPP"])
def test_they_are_refused_in_a_comparison_too(place, row):
    c = place(**{f"run{i:02}": [1 + i % 5, 2, 3, 4, 5] for i in range(12)})
    with pytest.raises(UsageError, match="samples are too few for 66 comparisons"):
        c.compare(*c.systems, measures=[row], test="bootstrap", samples=1000)


def test_statistics_take_scores_and_preferences_as_they_are(place):
    c = place(old=[1, 2, 3, 4] * 5, new=[1, 1, 2, 2] * 5, third=[4, 3, 2, 1] * 5)
    scores, rr = c.measure("RR", "ISL"), c.measure("RR")["RR"]
    assert np.array_equal(all_pairs(scores.only("RR"), samples=500), all_pairs(rr, samples=500))
    assert all_pairs(scores.only("RR"), samples=500)["new", "old"].difference == pytest.approx((rr[1] - rr[0]).mean())
    assert all_pairs(scores.only("ISL"), samples=500)["new", "old"].difference > 0
    with pytest.raises(UsageError, match="RR, ISL: name one"):
        all_pairs(scores)
    prefs = c.prefer("RPP")
    direct = all_pairs_preferences(prefs, samples=500)
    assert np.array_equal(all_pairs(prefs, samples=500), direct)
    assert direct["new", "old"].difference == pytest.approx(prefs["new", "old"].mean())
    against = all_pairs(prefs, samples=500, against="old")
    assert against["new", "old"].difference == direct["new", "old"].difference
    assert np.isnan(against.p[1, 2])
    with pytest.raises(UsageError, match="preferences are tested by"):
        all_pairs(prefs, "t")
    assert paired(prefs["new", "old"]).effect == pytest.approx(prefs["new", "old"].mean())
    assert paired(scores["RR"][1], scores["RR"][0]).p == rd.statistics.paired(rr[1], rr[0]).p


def test_a_run_called_as_a_column_takes_nothing_from_it(place):
    c = place(difference=[1, 2, 4, 1], p=[2, 4, 4, 2])
    told = next(people_tables(c.compare("difference", "p", measures=["RR"])))
    row = next(told.rows())
    assert (row["difference_"], row["p_"]) == ((1 + 1 / 2 + 1 / 4 + 1) / 4, (1 / 2 + 1 / 4 + 1 / 4 + 1 / 2) / 4)
    assert row["difference"].split()[0] == f"{row['p_'] - row['difference_']:+.4f}"


@pytest.mark.parametrize("row", ["RPP", "RR"])
def test_runs_without_a_topic_in_common_are_compared_in_words(place, row):
    found = place({"missing": "skip"}, old=[1, None], new=[None, 2]).compare("old", "new", measures=[row])
    assert np.isnan(found.means).all()
    assert "nothing can be said" in str(found)
