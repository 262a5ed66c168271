"""Tables as text: they fit, cut nothing that matters, and draw bars only where there is room."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.present.colors import BETTER, WORSE, mark, marked
from rankdiff.present.text import bars, render, shortened, words
from rankdiff.results import Table

ANSI = re.compile(r"\x1b\[[0-9;]*m")
NAMES = st.text("abcdefgh-_ .", min_size=1, max_size=60).map(str.strip).filter(bool)
TABLES = st.lists(st.tuples(NAMES, st.floats(-99, 99), NAMES), min_size=1, max_size=6).map(
    lambda rows: Table.of(
        run=[name for name, _, _ in rows], AP=[value for _, value, _ in rows], meaning=[text for _, _, text in rows]
    )
)


@given(TABLES, st.integers(45, 200))
def test_no_line_is_wider_than_the_terminal(table, width):
    assert max(map(len, render(table, width).splitlines())) <= width


@given(TABLES)
def test_what_runs_over_several_lines_is_all_there(table):
    lines = render(table, 45).splitlines()
    written = [word for line in lines for word in line.split()]
    for text in table["meaning"].tolist():
        for word in text.split():
            assert word in written or word in "".join(written)


@given(TABLES)
def test_without_a_width_nothing_is_cut(table):
    text = render(table)
    assert all(name in text for name in [*table["run"].tolist(), *table["meaning"].tolist()])


@given(TABLES, st.integers(45, 200))
def test_colors_change_nothing_but_colors(table, width):
    assert ANSI.sub("", render(table, width, color=True)) == render(table, width)


@given(st.lists(NAMES, min_size=1, max_size=3), st.lists(NAMES, min_size=1, max_size=3), st.integers(45, 90))
def test_rows_can_be_told_apart_in_every_band(runs, measures, width):
    """What names a row may be two columns, behind one that is the same everywhere: 20 further ones fill many bands."""
    runs, measures = (list(dict.fromkeys(name[:6].replace(" ", "-") for name in names)) for names in (runs, measures))
    rows = [(run, measure) for run in runs for measure in measures]
    columns = {"dataset": ["here"] * len(rows), "run": [run for run, _ in rows], "measure": [what for _, what in rows]}
    numbers = {f"value{i}": [i + j / 8 for j in range(len(rows))] for i in range(20)}
    bands = [band.splitlines() for band in render(Table.of(**columns, **numbers), width).split("\n\n")]
    assert len(bands) > 1
    assert max(len(line) for band in bands for line in band) <= width
    for band in bands:
        head = band[0].split()
        told = {tuple(line.split()[head.index(name)] for name in head if name in columns) for line in band[1:]}
        assert len(told) == len(rows)
    assert [name for band in bands for name in band[0].split() if name in numbers] == list(numbers)


def test_long_names_keep_both_ends_and_their_numbers():
    table = Table.of(
        run=["team-with-a-very-long-name-and-run-1", "team-with-a-very-long-name-and-run-2"], AP=[0.5, 0.25]
    )
    first, second = render(table, 40).splitlines()[1:]
    assert first.startswith("team-wit")
    assert first.endswith("run-1  0.5000")
    assert second.endswith("run-2  0.2500")


def test_letters_that_take_two_cells_leave_columns_aligned():
    table = Table.of(run=["検索システム", "bm25"], AP=[0.5, 0.25])
    assert render(table, 40).splitlines() == ["run               AP", "検索システム  0.5000", "bm25          0.2500"]
    assert shortened("検索システムの実験", 11) == "検索シ…実験"  # 6 + 1 + 4 cells


def test_long_names_behind_a_position_are_cut_too_and_sentences_are_not():
    names = ["team-with-a-very-long-name-and-run-1", "team-with-a-very-long-name-and-run-2"]
    lines = render(Table.of(position=[1, 2], run=names, score=[0.5, 0.25]), 40).splitlines()
    assert len(lines) == 3
    assert lines[1].endswith("run-1  0.5000")
    text = render(Table.of(place=[1, 2], meaning=["some words that are long", "others"], score=[0.5, 0.25]), 30)
    assert "…" not in text


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=20))
def test_bars_are_as_long_as_the_numbers(values):
    drawn = bars(values)
    if not drawn:
        assert np.ptp(values) <= max(values) * 1e-9
        return
    eighths = {block: i for i, block in enumerate(" ▏▎▍▌▋▊▉█")}
    for value, bar in zip(values, drawn, strict=True):
        assert sum(eighths[block] for block in bar) == pytest.approx(value / max(values) * 96, abs=0.51)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=20).filter(lambda values: min(values) < 0))
def test_bars_of_both_signs_stand_on_both_sides_of_one_line(values):
    drawn = bars(values)
    assert len({bar.index("│") for bar in drawn}) <= 1
    for value, bar in zip(values, drawn, strict=False):
        left, right = bar.split("│")
        assert not (left.strip() and value > 0)
        assert not (right.strip() and value < 0)


def test_bars_need_room_and_something_to_say():
    table = Table({"run": np.array(["a", "b"], object), "AP": np.array([0.5, 0.25])}, bar="AP")
    assert "a    0.5000  ████████████" in render(table, 80)
    assert "█" not in render(table, 20)
    assert "█" not in render(table)
    alike = Table({"run": np.array(["a", "b"], object), "AP": np.array([0.5, 0.5])}, bar="AP")
    assert "█" not in render(alike, 80)
    assert bars([float("nan"), 1.0, 0.5])[0] == ""


def test_a_mark_says_what_its_color_says():
    assert [mark(sign) for sign in (1, -1, 0)] == [BETTER, WORSE, " "]
    assert marked("x  -0.1 ▼  0.2", color=True) == "x  \x1b[31m-0.1 ▼\x1b[0m  0.2"
    assert marked("x  -0.1 ▼", color=False) == "x  -0.1 ▼"


def test_sentences_and_names():
    assert all(len(line) <= 30 for line in words("a b c " * 40, 30))
    assert " ".join(line.strip() for line in words("a b c " * 40, 30)) == ("a b c " * 40).strip()
    assert words("as it is", None) == ["as it is"]
    assert shortened("short", 16) == "short"
    assert len(shortened("x" * 50, 16)) == 16
