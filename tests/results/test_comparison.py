"""Comparisons: rows of measures and preferences that agree with what each gives by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import rankdiff as rd
from rankdiff.errors import UnknownNameError, UsageError
from strategies import Grades, Scores, collections

MEASURES = ("RPP", "sgnLP", "sgnLR", "rrLP", "AP", "nDCG@10", "RR")


@given(made=collections(systems=(2, 4)))
def test_rows_are_the_differences_and_preferences_of_candidate_over_baseline(made: tuple[Grades, Scores]) -> None:
    c = rd.align(*made)
    baseline, *candidates = c.systems
    comparison = c.compare(baseline, *candidates, measures=MEASURES)
    table = comparison.table()
    for candidate, values in zip(candidates, np.moveaxis(comparison.values, 1, 0), strict=True):
        for name, differences in zip(MEASURES, values, strict=True):
            np.testing.assert_allclose(differences, c.prefer(name)[candidate, baseline], atol=1e-15)
            row = table.row(candidate=candidate, measure=name)
            assert row["difference"] == pytest.approx(differences.mean(), abs=1e-15)
            assert row["wins"] == np.sum(differences > 1e-12)
            assert row["losses"] == np.sum(differences < -1e-12)
            assert row["wins"] + row["ties"] + row["losses"] == row["queries"] == len(c.queries)


@given(made=collections(systems=(2, 2)))
def test_measures_show_the_means_of_both_runs(made: tuple[Grades, Scores]) -> None:
    c = rd.align(*made)
    baseline, candidate = c.systems
    means = c.measure("AP").mean()
    row = c.compare(baseline, candidate, measures=["AP"]).table().row(measure="AP")
    assert row["baseline mean"] == pytest.approx(means.row(run=baseline)["AP"])
    assert row["candidate mean"] == pytest.approx(means.row(run=candidate)["AP"])


def test_lower_is_better_is_turned_in_the_difference_and_not_in_the_means() -> None:
    c = rd.align({"q": {"a": 1}}, {"old": {"q": {"x": 2, "a": 1}}, "new": {"q": {"a": 1}}}, corpus_size=9)
    row = c.compare("old", "new", measures=["ISL"]).table().row(measure="ISL")
    assert (row["baseline mean"], row["candidate mean"], row["difference"], row["wins"]) == (2, 1, 1, 1)


def test_topics_that_do_not_count_for_both_are_left_out_row_by_row() -> None:
    qrels = {"q": {"a": 1}, "r": {"a": 1}, "none": {"a": 0}}
    runs = {"old": {"q": {"a": 1}, "none": {"a": 1}}, "new": {"q": {"x": 2, "a": 1}, "r": {"a": 1}, "none": {"a": 1}}}
    table = rd.align(qrels, runs, missing="skip", corpus_size=9).compare("old", "new", measures=["AP", "ISL"]).table()
    assert table.row(measure="AP")["queries"] == 2
    assert table.row(measure="AP")["candidate mean"] == 0.25
    assert table.row(measure="ISL")["queries"] == 1


def test_unless_told_otherwise_it_shows_preferences_beside_the_usual_measures() -> None:
    qrels = {"q": {"a": 1, "b": 1}}
    runs = {"old": {"q": {"x": 3, "a": 2, "b": 1}}, "new": {"q": {"a": 3, "x": 2, "b": 1}}}
    comparison = rd.align(qrels, runs).compare("old", "new")
    assert comparison.table()["measure"].tolist() == ["RPP", "sgnLP", "sgnLR", "ASL", "nDCG@10", "AP", "RR"]
    assert comparison.verdict.split("\n")[0] in str(comparison)
    assert comparison["RPP"].tolist() == [[0.5]]
    with pytest.raises(UnknownNameError):
        comparison["P@5"]


def test_requests_that_make_no_sense_are_refused() -> None:
    c = rd.align({"q": {"a": 1}}, {"old": {"q": {"a": 1}}})
    with pytest.raises(UsageError, match="at least one candidate"):
        c.compare("old")
    with pytest.raises(UnknownNameError, match="run"):
        c.compare("old", "new")
