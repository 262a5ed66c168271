"""What `Preferences` hands out: tables and arrays that say the same."""

from __future__ import annotations

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import UnknownNameError
from rankdiff.results import Preferences

QRELS = {"q": {"a": 1, "b": 1}, "r": {"a": 1}}
RUNS = {
    "x": {"q": {"a": 2, "b": 1}, "r": {"n": 1}},
    "y": {"q": {"n": 3, "a": 2, "b": 1}, "r": {"a": 1}},
    "z": {"q": {"n": 1}, "r": {"n": 1}},
}


@pytest.fixture
def preferences() -> Preferences:
    return rd.align(QRELS, RUNS).prefer("RPP")


def test_the_table_of_means_reads_row_over_column(preferences: Preferences) -> None:
    table = preferences.mean()
    assert list(table.rows()) == [
        {"run": "x", "x": 0.0, "y": 0.0, "z": 0.5},
        {"run": "y", "x": 0.0, "y": 0.0, "z": 1.0},
        {"run": "z", "x": -0.5, "y": -1.0, "z": 0.0},
    ]
    assert not table.notes
    np.testing.assert_array_equal(preferences.matrix(), [[0, 0, 0.5], [0, 0, 1], [-0.5, -1, 0]])


def test_a_run_called_run_keeps_its_column_beside_the_names() -> None:
    table = rd.align(QRELS, {"run": RUNS["x"], "other": RUNS["y"]}).prefer("RPP").mean()
    assert list(table.rows()) == [
        {"run_": "run", "run": 0.0, "other": 0.0},
        {"run_": "other", "run": 0.0, "other": 0.0},
    ]


def test_the_long_tables_list_each_pair_once(preferences: Preferences) -> None:
    long = preferences.per_query()
    assert list(long.columns) == ["run", "other", "query", "preference", "value"]
    assert [tuple(row.values()) for row in long.rows()] == [
        ("x", "y", "q", "RPP", 1.0), ("x", "y", "r", "RPP", -1.0), ("x", "z", "q", "RPP", 1.0),
        ("x", "z", "r", "RPP", 0.0), ("y", "z", "q", "RPP", 1.0), ("y", "z", "r", "RPP", 1.0),
    ]  # fmt: skip
    assert [tuple(row.values()) for row in preferences.means_long().rows()] == [
        ("x", "y", "all", "RPP", 0.0), ("x", "z", "all", "RPP", 0.5), ("y", "z", "all", "RPP", 1.0),
    ]  # fmt: skip


def test_rows_give_every_pair_without_the_cube(preferences: Preferences) -> None:
    for run, values in preferences.rows():
        for other, row in enumerate(values, run + 1):
            np.testing.assert_array_equal(row, preferences[preferences.systems[run], preferences.systems[other]])


def test_the_matrix_handed_out_is_a_copy(preferences: Preferences) -> None:
    preferences.matrix()[:] = 7
    assert preferences.matrix().max() == 1


def test_names_that_are_not_there_are_refused_with_a_hint(preferences: Preferences) -> None:
    with pytest.raises(UnknownNameError, match="did you mean x"):
        preferences["X", "y"]


def test_it_is_signed_and_tells_what_it_is(preferences: Preferences) -> None:
    assert repr(preferences) == "Preferences(RPP; 3 systems × 2 queries)"
    assert preferences.signature.startswith(f"rankdiff {rd.__version__}|RPP|ties:docid-desc|")
    assert preferences.mean().signature == preferences.per_query().signature == preferences.signature
