"""Every writer against a reader that is not ours, or against what stands in the language's own rules."""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from io import StringIO

import duckdb
import numpy as np
import polars
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankdiff as rd
from rankdiff.errors import InputError, MissingExtraError
from rankdiff.present import FORMATS, render, to_csv, to_json, to_jsonl, to_latex, to_markdown, to_tsv
from rankdiff.results import Table

names = st.text(st.characters(blacklist_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1)
numbers = st.floats(allow_nan=True, allow_infinity=True)
tables = st.lists(st.tuples(names, numbers, st.integers(-(10**12), 10**12)), min_size=1, max_size=8).map(
    lambda rows: Table.of(
        run=[name for name, _, _ in rows], AP=[value for _, value, _ in rows], queries=[count for _, _, count in rows]
    )
)


def same(text: str, value: float) -> bool:
    """Whether a text gives the very same double again, or nothing where there is no value."""
    return text == "" if math.isnan(value) else float(text) == value


@given(tables)
def test_csv_comes_back_exactly(table):
    header, *rows = csv.reader(StringIO(to_csv(table)))
    assert header == ["run", "AP", "queries"]
    assert [row[0] for row in rows] == table["run"].tolist()
    assert all(same(row[1], value) for row, value in zip(rows, table["AP"].tolist(), strict=True))
    assert [int(row[2]) for row in rows] == table["queries"].tolist()


@given(tables)
def test_tsv_comes_back_exactly(table):
    header, *rows = (line.split("\t") for line in to_tsv(table).removesuffix("\n").split("\n"))
    assert header == ["run", "AP", "queries"]
    assert [row[0] for row in rows] == table["run"].tolist()
    assert all(same(row[1], value) for row, value in zip(rows, table["AP"].tolist(), strict=True))


@given(tables)
def test_json_and_json_lines_come_back_exactly(table):
    text = to_json(table)
    records = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert records == [json.loads(line) for line in to_jsonl(table).splitlines()]
    assert [record["run"] for record in records] == table["run"].tolist()
    for record, value in zip(records, table["AP"].tolist(), strict=True):
        assert record["AP"] is None if math.isnan(value) else record["AP"] == value


def test_ids_that_are_not_utf8_are_escaped_in_json_refused_by_frames_and_kept_elsewhere():
    table = Table.of(run=[b"caf\xe9".decode(errors="surrogateescape")], AP=[0.5])
    assert to_json(table).isascii()
    assert json.loads(to_jsonl(table))["run"].encode(errors="surrogateescape") == b"caf\xe9"
    for write in (to_csv, to_tsv, render, to_latex, to_markdown):
        assert b"caf\xe9" in write(table).encode(errors="surrogateescape")
    with pytest.raises(InputError, match=r"'caf\\udce9' is not UTF-8, and polars holds no other text"):
        table.to_polars()


def test_tab_separated_values_refuse_what_they_cannot_hold():
    with pytest.raises(InputError, match=r"'a\\tb' cannot stand in tab-separated values"):
        to_tsv(Table.of(run=["a\tb"]))


@pytest.mark.parametrize("rows", [0, 1, 3, 60])
@pytest.mark.parametrize("columns", [1, 2, 27, 120])
def test_tables_of_any_size(rows, columns):
    table = Table({f"m{i}": np.arange(rows) / 7 for i in range(columns)})
    latex = to_latex(table)
    body = latex.partition("\\toprule\n")[2].partition("\\bottomrule")[0]
    lines = [line for line in body.splitlines() if line.endswith(r"\\")]
    assert len(lines) == rows + 1
    assert {line.count(" & ") for line in lines} == {columns - 1}
    assert len(re.search(r"\\begin\{tabular\}\{([lr]+)\}", latex)[1]) == columns
    markdown = to_markdown(table).splitlines()
    assert len(markdown) == rows + 2
    assert {line.count("|") for line in markdown} == {columns + 1}


def test_latex_escapes_every_character_that_it_would_read_as_a_command():
    special = "\\&%$#_{}~^"
    row = to_latex(Table.of(run=[special])).splitlines()[4]
    assert row == r"\textbackslash{}\&\%\$\#\_\{\}\textasciitilde{}\textasciicircum{} \\"


def test_notes_and_signature_stand_with_the_numbers():
    table = Table({"AP": np.array([0.5])}, title="All 3 runs", notes=("50 % of topics",), signature="rankdiff 0.1|AP")
    for write in (render, to_latex, to_markdown):
        text = write(table)
        assert [part for part in ("All 3 runs", "50 % of topics", "rankdiff 0.1|AP") if part not in text] == []
    assert to_latex(table).startswith("% All 3 runs\n% 50 % of topics\n% rankdiff 0.1|AP\n")


def test_a_table_wider_than_the_terminal_is_set_in_bands_that_repeat_the_first_column():
    table = Table({"run": np.array(["a", "b"], object), **{f"measure{i}": np.array([0.5, 0.25]) for i in range(9)}})
    lines = render(table, width=40).splitlines()
    assert max(map(len, lines)) <= 40
    headings = [line.split() for line in lines if line.startswith("run")]
    assert [name for heading in headings for name in heading[1:]] == [f"measure{i}" for i in range(9)]
    assert len(headings) == 3
    assert len(render(table).splitlines()) == 3


def test_frames_hold_the_same_values():
    table = Table.of(run=["bm25", "neural"], AP=[0.25, float("nan")], queries=[40, 41])
    for frame in (table.to_polars(), table.to_pandas(), table.to_duckdb().df()):
        assert list(frame.columns) == ["run", "AP", "queries"]
        assert frame["run"].to_list() == ["bm25", "neural"]
        assert frame["queries"].to_list() == [40, 41]
        np.testing.assert_array_equal(frame["AP"].to_numpy(), table["AP"])
    assert table.to_arrow().to_pydict()["queries"] == [40, 41]


def test_whatever_takes_arrows_data_takes_a_result_as_it_is():
    c = rd.align({"1": {"a": 1}}, {"bm25": {"1": {"a": 1.0}}, "neural": {"1": {"b": 2.0, "a": 1.0}}})
    scores = c.measure("AP")
    assert polars.DataFrame(scores)["AP"].to_list() == pyarrow.table(scores)["AP"].to_pylist() == [1, 0.5]
    assert duckdb.sql("SELECT run FROM scores WHERE AP = 1").fetchall() == [("bm25",)]
    assert scores.to_duckdb().aggregate("avg(AP)").fetchall() == [(0.75,)]


def test_results_are_written_as_their_tables_are():
    c = rd.align({"1": {"a": 1}}, {"bm25": {"1": {"a": 1.0}}, "neural": {"1": {"b": 2.0, "a": 1.0}}})
    scores, preferences = c.measure("AP"), c.prefer("RPP")
    for result, table in (
        (scores, scores.mean()),
        (preferences, preferences.mean()),
        (preferences.order(), preferences.order().table()),
        (c.compare("bm25", "neural"), c.compare("bm25", "neural").table()),
    ):
        assert result.to_csv() == table.to_csv()
        assert str(result.to_arrow().to_pydict()) == str(table.to_arrow().to_pydict())  # NaN is not NaN
        assert (
            result.to_latex().count("\\toprule") == len(re.findall(r"^\| ---", result.to_markdown(), re.MULTILINE)) == 1
        )


@pytest.mark.parametrize("backend", ["pyarrow", "polars", "pandas", "duckdb"])
def test_a_frame_library_that_is_not_installed_is_named_with_its_pip_line(monkeypatch, backend):
    monkeypatch.setitem(sys.modules, backend, None)
    convert, extra = {
        "pyarrow": ("to_arrow", "arrow"),
        "polars": ("to_polars", "polars"),
        "pandas": ("to_pandas", "pandas"),
        "duckdb": ("to_duckdb", "arrow"),
    }[backend]
    with pytest.raises(MissingExtraError, match=rf"pip install 'rankdiff\[{extra}\]'"):
        getattr(Table.of(run=["bm25"]), convert)()


@pytest.mark.parametrize("form", ["text", "latex", "markdown"])
def test_where_there_is_no_table_its_words_are_written_all_the_same(form):
    written = FORMATS[form](Table({}, title="nothing to undo", notes=("no bounds",), signature="rankdiff"))
    assert [line.strip("%*` ") for line in written.splitlines() if line] == ["nothing to undo", "no bounds", "rankdiff"]


@pytest.mark.parametrize("form", FORMATS)
def test_a_table_without_rows_is_written_too(form):
    text = FORMATS[form](Table.of(run=[], AP=[]))
    assert text.endswith("\n") or form == "jsonl"
