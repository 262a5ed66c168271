"""Scores: what counts, what is summed how, and what the tables say of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankdiff as rd
from rankdiff.errors import UnknownNameError
from rankdiff.results import summarize

C = rd.align(
    {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}},
    {"a": {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d1": 1.0}}, "b": {"q1": {"d1": 1.0}}},
)
SCORES = C.measure("AP", "RR", "P@1")


def test_values_are_found_by_any_name_of_the_measure() -> None:
    assert SCORES["AP"].tolist() == [[0.5, 1.0], [1.0, 0.0]]
    assert SCORES["map"] is not None
    assert np.array_equal(SCORES["map"], SCORES["AP"])
    with pytest.raises(UnknownNameError, match="no measure in these scores is called 'nDCG'"):
        SCORES["nDCG"]


def test_the_mean_is_a_table_of_systems_and_measures() -> None:
    table = SCORES.mean()
    assert list(table.columns) == ["run", "AP", "RR", "P@1", "queries"]
    assert table.row(run="a") == {"run": "a", "AP": 0.75, "RR": 0.75, "P@1": 0.5, "queries": 2}
    assert table.signature == SCORES.signature == C.sign("AP,RR,P@1")
    assert table.notes == ()


def test_every_row_says_over_how_many_queries_it_speaks() -> None:
    skipping = rd.align({"q1": {"d": 1}, "q2": {"d": 1}}, {"a": {"q1": {"d": 1.0}}}, missing="skip").measure("AP")
    table = skipping.mean()
    assert table["queries"].tolist() == [1]
    assert table.notes == ("AP: mean over 1 of 2 queries",)
    assert len(skipping.per_query()) == 1


def test_the_long_tables_hold_every_value_once() -> None:
    rows = list(SCORES.per_query().rows())
    assert rows[0] == {"run": "a", "query": "q1", "measure": "AP", "value": 0.5}
    assert len(rows) == 2 * 2 * 3
    assert {(row["run"], row["query"], row["measure"]): row["value"] for row in rows} == {
        (run, query, measure.name): SCORES[measure.name][s, q]
        for s, run in enumerate(SCORES.systems)
        for q, query in enumerate(SCORES.queries)
        for measure in SCORES.measures
    }
    assert {row["query"] for row in SCORES.means_long().rows()} == {"all"}


VALUES = st.lists(st.floats(0, 1) | st.just(float("nan")), max_size=20).map(np.array)


@given(VALUES)
def test_a_mean_adds_in_the_order_of_the_queries_as_a_loop_does(values: np.ndarray) -> None:
    counted = [float(value) for value in values if not np.isnan(value)]
    total = 0.0
    for value in counted:
        total += value
    expected = total / len(counted) if counted else float("nan")
    assert np.array_equal(summarize(values), expected, equal_nan=True)
    assert np.array_equal(summarize(values, "sum"), total if counted else float("nan"), equal_nan=True)


@given(VALUES)
def test_other_aggregates_against_numpy(values: np.ndarray) -> None:
    counted = values[~np.isnan(values)]
    if len(counted):
        assert summarize(values, "median") == np.median(counted)
        floored = np.maximum(counted, 1e-5)
        assert summarize(values, "geometric") == pytest.approx(np.prod(floored ** (1 / len(floored))), rel=1e-9)
