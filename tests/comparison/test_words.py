"""What the verdict says in plain cases."""

from __future__ import annotations

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.statistics import smallest_difference

OLD = [3, 4, 2, 5, 3, 4, 6, 2, 3, 5] * 4


def test_the_sentences_hold_the_numbers_of_the_table(place):
    new = [rank - 1 if i % 4 else rank for i, rank in enumerate(OLD)]
    found = place(old=OLD, new=new).compare("old", "new", measures=["RR", "RPP", "AP"])
    test, lines = found.test(), found.verdict.split("\n")
    assert lines[0] == "new is better than old by RR: better on 30 of 40 topics, worse on 0, equal on 10."
    assert f"The mean difference is {test.difference:+.4f}; the true one lies between" in lines[1]
    assert f"{test.interval[0]:+.4f} and {test.interval[1]:+.4f}, with 95 % confidence" in lines[1]
    smallest = smallest_difference(found["RR"][0])
    assert f"With 40 topics a true difference of {smallest.difference:.4f} in RR" in lines[2]
    assert lines[3] == "new is better for users at every share of the relevant documents."
    assert lines[4].startswith(
        "The unjudged documents in the first 10 could turn it round: RR of new less old could lie"
    )
    assert lines[5] == "So too by RPP, AP (exploratory, not corrected for their number)."


def test_a_preference_is_told_with_its_scale(place):
    found = place(old=OLD, new=[max(1, rank - 1) for rank in OLD]).compare("old", "new", measures=["RPP", "AP"])
    assert f"The mean preference is {found.test().difference:+.4f}, on a scale from -1 to +1" in found.verdict


def test_an_interval_that_says_something_else_than_the_test_is_explained(place):
    new = [rank - 1 if i % 5 else rank + 2 for i, rank in enumerate(OLD)]
    c = place(old=OLD, new=new)
    plain, safe = (c.compare("old", "new", measures=["RR"], interval=kind) for kind in ("default", "safe"))
    assert plain.test().p == safe.test().p < 0.05
    assert safe.test().interval[0] < 0 < plain.test().interval[0]
    words = "The interval comes from another method and is wider than the test, so that it reaches 0; the test decides."
    assert words in safe.verdict
    assert "the test decides" not in plain.verdict
    level = plain.test().p * 1.5
    together = c.compare("old", "new", measures=["RR", "AP", "RPP"], family="all", test="t", level=level)
    assert together.test().p > level
    assert "The interval is not corrected for their number and leaves 0 out; the test decides." in together.verdict


def test_what_is_not_shown_is_not_said_to_be_equal(place):
    new = [rank + (-1) ** i if i else rank for i, rank in enumerate(OLD)]
    found = place(old=OLD, new=new).compare("old", "new", measures=["RPP"])
    assert "new is not shown to differ from old by RPP" in found.verdict
    assert "That is too often to tell them apart." in found.verdict
    assert "a smaller one may be there and was missed" in found.verdict


@pytest.mark.parametrize(
    ("baseline", "words"),
    [("tail", "better at the top, worse in the tail"), ("top", "worse at the top, better in the tail")],
)
def test_rows_that_disagree_are_told_before_all_others(baseline, words):
    topics = [f"t{i:02}" for i in range(20)]
    first_only = {"a": 9.0, **{f"n{i}": 8.0 - i for i in range(6)}, "b": 1.0}
    both_early = {"n0": 9.0, "a": 8.0, "b": 7.0, **{f"n{i}": 3.0 - i for i in range(1, 6)}}
    runs = {"top": dict.fromkeys(topics, first_only), "tail": dict.fromkeys(topics, both_early)}
    c = rd.align({topic: {"a": 1, "b": 1} for topic in topics}, runs)
    candidate = next(run for run in runs if run != baseline)
    verdict = c.compare(baseline, candidate, measures=["sgnLP", "sgnLR"]).verdict
    assert words in verdict
    assert words in c.compare(baseline, candidate, measures=["sgn(RR)", "TSE(exposure='rr')"]).verdict
    shares = {"top": "better for users who want up to 50 %", "tail": "worse for users who want up to 50 %"}
    assert shares[candidate] in verdict


def test_many_runs_are_told_in_groups(place):
    better = [max(1, rank - 2) for rank in OLD]
    worse = [rank + 3 for rank in OLD]
    ranks = {"old": OLD, "a": better, "b": better, "c": worse, "d": OLD}
    c = place(**ranks)
    found = c.compare("old", "a", "b", "c", "d", measures=["RR"], samples=2000)
    assert "By RR, 2 of 4 runs are better than old: a, b." in found.verdict
    assert "By RR, 1 of 4 runs is worse than old: c." in found.verdict
    assert "The best of all by RR is a; not shown to differ from it: b." in found.verdict
    assert "10 pairs were compared, and the chance of any false claim is held at 5 %" in found.verdict
    assert dict(zip(found.groups()["run"], found.groups()["group"], strict=True)) == {
        "a": "a", "b": "a", "old": "b", "d": "b", "c": "c",
    }  # fmt: skip


@pytest.mark.parametrize("family", ["primary", "all"])
@pytest.mark.parametrize(
    ("correction", "method", "words"),
    [
        ("holm", "holm", "If nothing differed, chance alone would make one of all these comparisons look so different"),
        ("none", "uncorrected", "If neither were better, chance alone would give a difference at least this large"),
        ("bh", "bh", "Of the differences called real, up to 5 % may be false on average"),
    ],
)
def test_what_a_p_is_about_is_told_by_its_correction(place, family, correction, method, words):
    new, third = (
        [rank - 1 if i % 4 else rank for i, rank in enumerate(OLD)],
        [rank + i % 2 for i, rank in enumerate(OLD)],
    )
    asked = {"measures": ["RR", "AP"], "test": "t", "correction": correction, "family": family}
    found = place(old=OLD, new=new, third=third).compare("old", "new", "third", **asked)
    over = " over all rows and pairs" if family == "all" and correction != "none" else ""
    assert found.test().method == f"Student's t{';' if family == 'all' else ','} {method}{over}"
    assert words in found.verdict
    others = {"If nothing differed", "If neither were", "Of the differences"} - {
        " ".join(words.replace(",", "").split()[:3])
    }
    assert not any(start in found.verdict for start in others)
    many = place(old=OLD, new=new, third=third, a=OLD, b=third).compare("old", "new", "third", "a", "b", **asked)
    held = {
        "holm": "the chance of any false claim is held",
        "none": "not corrected",
        "bh": "the share of false discoveries is held",
    }
    assert held[correction] in many.verdict


def test_win_rates_that_contradict_the_direct_comparison_are_marked():
    # Against the third run, the second wins everything and the first little; between the two, the first wins.
    topics = [f"t{i}" for i in range(9)]

    def run(ranks):
        return {
            t: {"a": -float(rank), "b": -20.0, **{f"n{i}": -float(i) - 0.5 for i in range(15)}}
            for t, rank in zip(topics, ranks, strict=True)
        }

    first, second, third = [1] * 5 + [9] * 4, [2] * 9, [3] * 4 + [1] + [3] * 4
    c = rd.align({t: {"a": 1} for t in topics}, {"first": run(first), "second": run(second), "third": run(third)})
    prefs = c.prefer("RPP")
    rates = prefs.win_rates().mean(axis=1)
    found = c.compare("first", "second", "third", measures=["RPP"])
    contradicted = np.sum((rates[:, None] - rates) * prefs.matrix() < -1e-12) // 2
    assert contradicted == 1
    assert "1 pairs stand here the other way round than compared directly: first and second" in found.groups().notes[1]
    assert "win rates depend on the runs compared (RPP)" in found.notices


@pytest.mark.parametrize("share", [0.2, 0.7])
def test_the_band_says_for_whom(share):
    rng = np.random.default_rng(4)
    turn = int(10 * share)
    topics = [f"t{i:02}" for i in range(30)]

    def run(better):
        ranks = [2 * i + (1 if (i < turn) == better else 2) for i in range(10)]
        return {
            t: {f"d{i}": -float(rank) for i, rank in enumerate(ranks)}
            | {f"n{rank}": -rank - 0.5 for rank in rng.integers(30, 40, 1)}
            for t in topics
        }

    c = rd.align({t: {f"d{i}": 1 for i in range(10)} for t in topics}, {"old": run(False), "new": run(True)})
    profile = c.profile("old", "new")
    assert profile.band().above.tolist() == (profile.tenths > 0).tolist()
    if profile.turns:
        assert f"better for users who want up to {profile.turns[0]:.0%}".replace("%", " %") in profile.finding()


def test_what_the_unjudged_documents_could_do_is_said(place):
    """Each ranking has ten documents that nobody judged; behind the relevant one they can do RR no harm."""
    found = place(old=[11] * 20, new=[1] * 20).compare("old", "new", measures=["RR"])
    assert (
        "The unjudged documents in the first 10 could turn it round" in found.verdict
    )  # old could have RR 1 everywhere
    judged = rd.align(
        {"q": {"a": 1, "b": 0, "c": 0}}, {"old": {"q": {"b": 3, "c": 2, "a": 1}}, "new": {"q": {"a": 3, "n": 2}}}
    )
    verdict = judged.compare("old", "new", measures=["RR"]).verdict
    assert "On these topics new stays ahead of old however the unjudged documents fall." in verdict
    assert "flip" not in verdict
    assert "unjudged" not in judged.compare("old", "new", measures=["RareP(alpha=1)@3"]).verdict
