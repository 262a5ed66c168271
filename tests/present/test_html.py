"""What a notebook shows: read by a parser that is not ours, it holds what the terminal shows."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankdiff as rd
from rankdiff.present.html import MOST_COLUMNS, MOST_ROWS, to_html

QRELS = {f"q{i}": {"a": 1, "b": 1, "c": 0} for i in range(8)}
RUNS = {"<script>alert(1)</script>": ["x", "a"], "b & b": ["a", "b"], "caf\udce9": ["b", "c", "a"]}
C = rd.align(QRELS, {name: dict.fromkeys(QRELS, ranking) for name, ranking in RUNS.items()})
RESULTS: dict[str, Any] = {
    "Scores": C.measure("nDCG@10", "AP"),
    "Preferences": C.prefer("RPP"),
    "Comparison": C.compare(*C.systems[:2]),
    "Comparison of three": C.compare(*C.systems),
    "Order": C.prefer("RPP").order("mc4"),
    "Study": rd.studies.ties(C, depths=[1, 2]),
    "Table": C.measure("AP").per_query(),
}


class Page(HTMLParser):
    """The tables and the other text of a page; no tag may be left open or closed twice."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.text, self.open = "", list[str]()
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert tag in {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "small", "br", "code"}
        assert [name for name, _ in attrs] in ([], ["style"])
        if tag == "br":
            self.text += "\n"
            return
        self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in {"th", "td"}:
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in {"th", "td"}:
            self.tables[-1][-1][-1] += data
        else:
            self.text += data


def escaped(text: str) -> str:
    return text.replace("\udce9", "\\xe9")


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", RESULTS)
def test_a_notebook_shows_what_the_terminal_shows(name: str) -> None:
    result = RESULTS[name]
    page = Page(result._repr_html_())
    assert page.tables
    shown = words(escaped(str(result)))
    for cell in (cell for table in page.tables for row in table for cell in row):
        assert words(cell) in shown
    for sentence in filter(str.strip, page.text.split("\n")):
        assert words(sentence) in shown
    if name.startswith("Comparison"):
        assert all(sentence in words(page.text) for sentence in map(words, escaped(result.verdict).split("\n")))
    result._repr_html_().encode()  # a notebook is UTF-8


cells = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf"]))


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=5), cells)
def test_no_text_is_taken_for_markup(rows: list[tuple[str, str]], note: str) -> None:
    table = rd.Table.of(**{"a<b": [row[0] for row in rows], "&amp;": [row[1] for row in rows]})
    page = Page(to_html([rd.Table(table.columns, title=note, notes=(note,))]))
    assert page.tables == [[["a<b", "&amp;"], *map(list, rows)]]
    assert page.text.replace("\n", "") == note * 2


@pytest.mark.parametrize("rows", [0, MOST_ROWS, MOST_ROWS + 1, 1000])
@pytest.mark.parametrize("columns", [1, MOST_COLUMNS, MOST_COLUMNS + 1, 200])
def test_of_a_large_table_both_ends_are_shown(rows: int, columns: int) -> None:
    numbers = np.arange(rows * columns).reshape(columns, rows)
    table = rd.Table({f"m{i}": column for i, column in enumerate(numbers)})
    page = Page(table._repr_html_())
    [[heading, *body]] = page.tables
    assert (heading[0], heading[-1]) == ("m0", f"m{columns - 1}")
    assert len(heading) == min(columns, MOST_COLUMNS + 1)
    assert len(body) == min(rows, MOST_ROWS + 1)
    if rows:
        assert (body[0][0], body[-1][-1]) == ("0", str(rows * columns - 1))
    is_cut = rows > MOST_ROWS or columns > MOST_COLUMNS
    assert page.text.strip() == (f"{rows} rows × {columns} columns" if is_cut else "")


def test_numbers_stand_flush_right_those_with_a_sign_too() -> None:
    html = rd.Table.of(topic=["1113", "7"], difference=["+0.5000", " -0.2500"], p=["< 0.0001", "0.5"], n=[1, 2])
    heads = html._repr_html_().partition("</thead>")[0]
    assert [part.partition('"')[0] for part in heads.split("text-align: ")[1:]] == ["left", "right", "right", "right"]
