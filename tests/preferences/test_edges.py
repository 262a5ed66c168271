"""The edges: each a case that goes wrong easily, with what must come out and why."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import InputError, UsageError
from rankdiff.preferences import find

HOUSE = ("RPP", "RPP(rel=1)", "RPP(weights='dcg')", "sgnLP", "rrLP", "sgnLR", "rrLR", "OI")


@pytest.mark.parametrize("name", HOUSE)
def test_a_topic_without_a_relevant_document_ties_and_counts_or_is_dropped(name: str) -> None:
    qrels = {"none": {"a": 0}, "one": {"a": 1}}
    runs = {"x": {"none": {"a": 1}, "one": {"a": 1}}, "y": {"none": {"b": 1}, "one": {"b": 1}}}
    counting, dropping = (rd.align(qrels, runs, no_relevant=rule).prefer(name) for rule in ("zero", "drop"))
    assert counting["x", "y"].tolist() == [0, 1]
    np.testing.assert_array_equal(dropping["x", "y"], [np.nan, 1])
    assert (counting.matrix()[0, 1], dropping.matrix()[0, 1]) == (0.5, 1)
    assert dropping.per_query()["query"].tolist() == ["one"]


@pytest.mark.parametrize("name", HOUSE)
def test_a_view_in_which_nothing_is_relevant_ties_everywhere(name: str) -> None:
    c = rd.align({"none": {"a": 0}, "one": {"a": 1}}, {"x": {"one": {"a": 1}}, "y": {"none": {"a": 1}}})
    preferences = c.select(queries=["none"]).prefer(name)
    assert preferences["x", "y"].tolist() == [0]
    assert preferences.win_rates().tolist() == [[0], [0]]


@pytest.mark.parametrize("name", HOUSE)
def test_one_system_has_nobody_to_be_better_than(name: str) -> None:
    preferences = rd.align({"q": {"a": 1}}, {"alone": {"q": {"a": 1}}}).prefer(name)
    assert preferences.matrix().tolist() == [[0]]
    assert np.isnan(preferences.win_rates()).all()
    assert len(preferences.per_query()) == 0
    assert [order["alone"] for order in map(preferences.order, ("mc4", "winrate", "borda", "copeland"))] == [1] * 4


@pytest.mark.parametrize("name", HOUSE)
def test_two_identical_systems_tie_and_stand_alike_against_a_third(name: str) -> None:
    same = {"q": {"a": 3, "n": 2, "b": 1}}
    preferences = rd.align({"q": {"a": 1, "b": 2}}, {"x": same, "twin": same, "z": {"q": {"n": 1}}}).prefer(name)
    assert preferences["x", "twin"].tolist() == [0]
    assert preferences["x", "z"] == preferences["twin", "z"] > 0
    order = preferences.order("mc4")
    assert (order["x"], order["twin"], order["z"]) == (1, 1, 3)


@pytest.mark.parametrize("name", HOUSE)
def test_a_system_that_returns_nothing_loses_to_whoever_finds_something(name: str) -> None:
    qrels = {"q": {"a": 1, "b": 1}, "r": {"a": 1}}
    runs = {"empty": {"r": {"n": 1}}, "blind": {"q": {"n": 1}}, "finds": {"q": {"a": 1}, "r": {"n": 2, "a": 1}}}
    preferences = rd.align(qrels, runs).prefer(name)
    assert (preferences["finds", "empty"] > 0).all()
    assert preferences["blind", "empty"].tolist() == [0, 0]


def test_a_lacking_topic_counts_as_empty_or_leaves_out_the_pairs_that_lack_it() -> None:
    qrels = {"q": {"a": 1}, "r": {"a": 1}}
    runs = {
        "all": {"q": {"a": 1}, "r": {"n": 2, "a": 1}},
        "half": {"q": {"n": 2, "a": 1}},
        "late": {"q": {"a": 1}, "r": {"a": 1}},
    }
    counting, skipping = (rd.align(qrels, runs, missing=rule).prefer("RPP") for rule in ("zero", "skip"))
    assert counting["all", "half"].tolist() == [1, 1]
    np.testing.assert_array_equal(skipping["all", "half"], [1, np.nan])
    assert skipping["all", "late"].tolist() == [0, -1]
    assert skipping.mean().row(run="late") == {"run": "late", "all": 0.5, "half": 1.0, "late": 0.0}
    assert skipping.mean().notes == ("RPP: means over the 1 to 2 of 2 queries that count for both",)
    np.testing.assert_array_equal(skipping.win_rates(), [[0.5, np.nan], [-1, np.nan], [0.5, np.nan]])
    assert skipping.order("mc4").queries == 1


def test_runs_with_no_topic_in_common_cannot_be_ordered_together() -> None:
    c = rd.align({"q": {"a": 1}, "r": {"a": 1}}, {"x": {"q": {"a": 1}}, "y": {"r": {"a": 1}}}, missing="skip")
    assert np.isnan(c.prefer("RPP").matrix()[0, 1])
    with pytest.raises(UsageError, match="no topic counts for every run"):
        c.prefer("RPP").order("mc4")
    with pytest.raises(UsageError, match="no topic counts for both runs"):
        c.profile("x", "y")


def test_depths_do_not_matter_behind_the_last_relevant_document() -> None:
    c = rd.align({"q": {"a": 1}}, {"short": {"q": {"a": 9}}, "long": {"q": {"a": 9, "n": 2, "m": 1}}})
    for name in HOUSE:
        assert c.prefer(name)["short", "long"].tolist() == [0]


def test_grades_that_occur_are_those_of_the_topic_whatever_lies_between() -> None:
    """Grades 0, 2 and 4, and 0.5 and 2.25: a user of grade 4 counts one document, of grade 2 two."""
    runs = {"x": {"q": {"four": 3, "n": 2, "two": 1}}, "y": {"q": {"two": 3, "n": 2, "four": 1}}}
    holes = rd.align({"q": {"four": 4, "two": 2, "n": 0}}, runs)
    floats = rd.align({"q": {"four": 2.25, "two": 0.5, "n": 0}}, runs, rel=0.5)
    # Grade 4: level 1 is x's. Grade 2: both levels tie. p = 1/3 and 2/3.
    assert holes.prefer("RPP")["x", "y"] == floats.prefer("RPP")["x", "y"] == pytest.approx(1 / 3)
    assert holes.prefer("RPP(rel=1)")["x", "y"] == holes.prefer("RPP(rel=2)")["x", "y"] == 0
    assert holes.prefer("RPP(rel=3)")["x", "y"] == 1
    assert holes.at(3).prefer("RPP")["x", "y"] == 1


def test_a_document_in_two_subtopics_has_a_grade_in_each(tmp_path: Path) -> None:
    """``a`` is relevant to subtopic 1 only; in its best grade it is relevant."""
    qrels = tmp_path / "qrels"
    qrels.write_text("q 1 a 2\nq 2 a 0\nq 2 b 1\n")
    c = rd.align(qrels, {"x": {"q": {"a": 3, "n": 2, "b": 1}}, "y": {"q": {"b": 1}}})
    # Subtopic 1: x wins its level (1/4). Subtopic 2: y does (1/4). All: the first ties, x wins the second (2/4).
    assert c.prefer("STRPP")["x", "y"] == pytest.approx(1 / 4 - 1 / 4 + 1 / 4)
    assert c.profile("y", "x").by_subtopic()["preference"].tolist() == [1, -1, 0.5]


def test_labels_of_documents_stand_for_subtopics(tmp_path: Path) -> None:
    qrels = {"u": {"alien": 1, "brazil": 1, "cabaret": 1}}
    runs = {"x": {"u": {"alien": 2, "n": 1}}, "y": {"u": {"n": 2, "brazil": 1}}}
    labels = {"alien": "horror", "brazil": ["comedy", "drama"]}
    table = tmp_path / "genres.tsv"
    table.write_text("alien\thorror\nbrazil\tcomedy\nbrazil\tdrama\n\nother\tdrama\n")
    c = rd.align(qrels, runs)
    # horror +1/6; comedy and drama −1/6 each; all: the first of three levels is x's, the others tie: 3/6 · 1/3.
    for given in (labels, table, str(table)):
        assert c.prefer(find("STRPP").definition(labels=given))["x", "y"] == pytest.approx(0)
    assert c.prefer(f"STRPP(labels={str(table)!r}, weights='inverse')")["x", "y"] == pytest.approx(
        -1 / 6 + 3 / 6 * 6 / 11
    )
    with pytest.raises(UsageError, match="no relevant document has a label"):
        c.prefer(find("STRPP").definition(labels={"other": "drama"}))
    table.write_text("alien\n")
    with pytest.raises(InputError, match=r"genres.tsv:1: not a name and a label"):
        c.prefer(f"STRPP(labels={str(table)!r})")


def test_a_thousand_relevant_documents_are_counted_exactly() -> None:
    documents = [f"d{i:04}" for i in range(1000)]
    forward = {"q": {document: 1000.0 - i for i, document in enumerate(documents)}}
    shifted = {"q": {"n": 2000.0} | forward["q"]}
    c = rd.align({"q": dict.fromkeys(documents, 1)}, {"first": forward, "second": shifted})
    for name in HOUSE[:4]:
        assert c.prefer(name)["first", "second"] == pytest.approx(1, abs=1e-12)
    assert c.prefer("RPP")["first", "second"] == 1
    assert c.prefer("rrLR")["first", "second"] == pytest.approx(1 / 1000 - 1 / 1001)


def test_ties_in_scores_among_relevant_documents_follow_the_one_order_of_the_run() -> None:
    """Tied scores go by document id, descending: ``b`` before ``a``, both before what they tie with below."""
    c = rd.align({"q": {"a": 1, "b": 2}}, {"tied": {"q": {"a": 1, "b": 1}}, "clear": {"q": {"a": 2, "b": 1}}})
    assert c.prefer("RPP(rel=1)")["tied", "clear"].tolist() == [0]
    assert c.prefer("RPP(rel=2)")["tied", "clear"].tolist() == [1]


def test_condensed_lists_are_compared_where_a_name_asks_for_them() -> None:
    c = rd.align({"q": {"a": 1, "n": 0}}, {"x": {"q": {"u": 3, "a": 1}}, "y": {"q": {"n": 3, "a": 1}}})
    assert c.prefer("RPP")["x", "y"].tolist() == [0]
    assert c.prefer("RPP(judged_only=True)")["x", "y"].tolist() == [1]


def test_a_reference_fixes_whom_win_rates_are_against() -> None:
    """A new run against an old track: the old runs' rates are theirs, the new one's is over all of them."""
    qrels = {"q": {"a": 1, "b": 1}}
    old = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"n": 2, "a": 1}}, "z": {"q": {"n": 1}}}
    track = rd.align(qrels, old)
    new = rd.align(qrels, {"new": {"q": {"a": 2, "n": 1}}, "x": old["x"]}, reference=track)
    for name in HOUSE:
        together = rd.align(qrels, {**old, "new": {"q": {"a": 2, "n": 1}}}).prefer(name)
        expected = np.mean([together["new", run] for run in old])
        rates = new.prefer(name).win_rates()
        assert rates[0] == pytest.approx(expected)
        assert rates[1] == pytest.approx(track.prefer(name).win_rates()[0])
    assert new.prefer("RPP").mean()["run"].tolist() == ["new", "x"]
