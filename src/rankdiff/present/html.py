"""Tables and sentences as HTML for a notebook: no script, no style sheet, and every name escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

import numpy as np

from rankdiff.hits import IntArray
from rankdiff.present.cells import is_number, readable, shown
from rankdiff.results import Table

MOST_ROWS, MOST_COLUMNS = 60, 30
"""Of larger tables the first and the last rows and columns are shown, so that the page loads and can be read."""

_WRITTEN = re.compile(r" *([-+]\d|(< )?\d+\.\d)[^ ]*$")

GAP = -1
"""Stands in place of the rows or columns that are left out."""


def to_html(tables: Iterable[Table]) -> str:
    """Tables, one below the other, each with what is to be said with its numbers.

    >>> print(to_html([Table.of(run=["a<b"], AP=[0.25])]))
    <table>
    <thead><tr><th style="text-align: left">run</th><th style="text-align: right">AP</th></tr></thead>
    <tbody>
    <tr><td style="text-align: left">a&lt;b</td><td style="text-align: right">0.2500</td></tr>
    </tbody>
    </table>
    """
    return "\n".join(part for table in tables for part in _parts(table))


def paragraph(text: str) -> str:
    """A sentence.

    >>> paragraph("p < 0.05")
    '<p>p &lt; 0.05</p>'
    """
    return f"<p>{escape(readable(text))}</p>"


def remarks(notes: Iterable[str], signature: str = "") -> str:
    """What is said in passing: lines in small type, the signature last; nothing where there is nothing to say."""
    lines = [escape(readable(note)) for note in notes]
    lines += [f"<code>{escape(readable(signature))}</code>"] if signature else []
    return f"<p><small>{'<br>'.join(lines)}</small></p>" if lines else ""


def _parts(table: Table) -> Iterator[str]:
    columns = [(name, values.tolist()) for name, values in table.columns.items()]
    chosen = [columns[i] if i != GAP else None for i in _ends(len(columns), MOST_COLUMNS)]
    sides = ["center" if column is None else _side(column[1]) for column in chosen]
    rows = _ends(len(table), MOST_ROWS).tolist()
    yield "<table>"
    if table.title:
        yield f'<caption style="text-align: left">{escape(readable(table.title))}</caption>'
    yield f"<thead>{_row('th', ['…' if column is None else column[0] for column in chosen], sides)}</thead>"
    yield "<tbody>"
    for row in rows:
        cells = ["…" if column is None or row == GAP else shown(column[1][row]) for column in chosen]
        yield _row("td", cells, sides)
    yield "</tbody>"
    yield "</table>"
    size = [f"{len(table)} rows × {len(columns)} columns"] if GAP in rows or None in chosen else []
    if said := remarks([*size, *table.notes], table.signature):
        yield said


def _ends(size: int, most: int) -> IntArray:
    """All places, or as many of the first and of the last as there is room for, with a gap between them."""
    half = most // 2
    return np.arange(size) if size <= most else np.concatenate([np.arange(half), [GAP], np.arange(size - half, size)])


def _side(values: list[Any]) -> str:
    """Numbers stand flush right, those that are text already (with their sign, or as ``< 0.0001``) too."""
    return "right" if values and all(_is_number(value) for value in values) else "left"


def _is_number(value: Any) -> bool:
    return (
        value is None
        or value == ""
        or is_number(value)
        or (isinstance(value, str) and _WRITTEN.match(value) is not None)
    )


def _row(tag: str, cells: Iterable[str], sides: Iterable[str]) -> str:
    # Notebooks set cells flush right unless these say otherwise.
    inner = (
        f'<{tag} style="text-align: {side}">{escape(readable(cell))}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    )
    return f"<tr>{''.join(inner)}</tr>"
