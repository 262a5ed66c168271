"""Tables for the terminal: aligned, at most as wide as they may be, with marks, bars and, where wanted, colors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any
from unicodedata import combining, east_asian_width

import numpy as np

from rankdiff.present.cells import is_number, shown
from rankdiff.present.colors import faint, marked, strong
from rankdiff.results import Table

GAP = "  "
WIDEST_WORDS = 100
"""Sentences are filled to this width, or to that of the terminal."""
LONGEST_NAME, SHORTEST_NAME = 0.4, 16
"""A first column is cut to this share of the width, but not to fewer letters than this."""
BAR, BLOCKS = 12, " ▏▎▍▌▋▊▉█"
"""How long a bar is, and what its last cell is made of, by eighths."""

Column = list[str]


def render(table: Table, width: int | None = None, *, color: bool = False) -> str:
    """A table as aligned text. Where it is wider than ``width``, its columns are set in several bands.

    Every band repeats the columns that tell its rows apart. With a width, names that are too long are cut in the
    middle and texts run over several lines; where there is room, the column that the table names as its ``bar`` is
    drawn beside it, too. What is to be said with the numbers stands below them.

    >>> print(render(Table.of(run=["bm25", "neural"], AP=[0.25, 0.5], queries=[40, 40])), end="")
    run         AP  queries
    bm25    0.2500       40
    neural  0.5000       40
    """
    columns = [_aligned(name, values.tolist()) for name, values in table.columns.items()]
    if width is not None:
        columns = _with_bar(table, _without_long_names(table, columns, width), width)
    lines = [*words(strong(table.title, color), width), *[""] * bool(columns)] if table.title else []
    widths = [wide(cells[0]) for cells in columns]
    for number, band in enumerate(_bands(widths, width, _keys(table, columns, width)) if columns else ()):
        lines += [""] if number else []
        head, *body = _lines([columns[i] for i in band], width)
        lines += [faint(head, color), *(marked(line, color) for line in body)]
    remarks = [line for note in table.notes for line in words(note, width)]
    remarks += [table.signature] if table.signature else []
    lines += ["", *(faint(remark, color) for remark in remarks)] if remarks else []
    return "".join(f"{line}\n" for line in lines)


def words(sentence: str, width: int | None = None) -> list[str]:
    """The lines of a sentence; as it is where nobody says how wide it may be.

    >>> words("bm25 is better than neural", 20)
    ['bm25 is better than', '  neural']
    """
    if width is None:
        return [sentence]
    return wrap(sentence, min(width, WIDEST_WORDS), subsequent_indent="  ", break_on_hyphens=False) or [""]


def _aligned(name: str, values: list[object]) -> Column:
    """A column's heading and cells, all of one width; numbers flush right."""
    right = bool(values) and all(is_number(value) or value is None for value in values)
    return _padded([name, *map(shown, values)], right=right)


def _padded(cells: Sequence[str], *, right: bool = False) -> Column:
    width = max(map(wide, cells))
    blanks = [" " * (width - wide(cell)) for cell in cells]
    return [blank + cell if right else cell + blank for blank, cell in zip(blanks, cells, strict=True)]


def wide(text: str) -> int:
    """How many cells of a terminal a text takes: East Asian letters take two, marks above and below letters none.

    >>> wide("bm25"), wide("検索"), wide("cafe\u0301")
    (4, 4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in text)


def _without_long_names(table: Table, columns: list[Column], width: int) -> list[Column]:
    """The columns, names in the first one (or the second, behind a number) cut where they would leave no room."""
    if len(columns) < 2:
        return columns
    most = max(SHORTEST_NAME, int(width * LONGEST_NAME))
    behind = next(iter(table.columns.values())).dtype.kind in "iu"
    cells = [cell.rstrip() for cell in columns[behind]]
    if behind and any(" " in cell for cell in cells):
        return columns
    return [_padded([shortened(cell, most) for cell in cells]) if i == behind else column
            for i, column in enumerate(columns)]  # fmt: skip


def _lines(band: list[Column], width: int | None) -> Iterator[str]:
    """The lines of columns that stand side by side; a text that is wider than what is left runs over several."""
    widths = [wide(column[0]) for column in band]
    over = 0 if width is None else sum(widths) + len(GAP) * (len(band) - 1) - width
    widest = max(range(1, len(band)), key=widths.__getitem__, default=0)
    room = max(SHORTEST_NAME, widths[widest] - over)
    cut = [over > 0 and i == widest > 0 for i in range(len(band))]
    for row in zip(*band, strict=True):
        cells = [wrap(cell, room, break_on_hyphens=False) if cut[i] else [cell] for i, cell in enumerate(row)]
        blank = [" " * (0 if cut[i] else wide(cell)) for i, cell in enumerate(row)]
        for line in zip_longest(*(cell or [""] for cell in cells)):
            yield GAP.join(blank[i] if part is None else part for i, part in enumerate(line)).rstrip()


def shortened(name: str, most: int) -> str:
    """A name without its middle, where it takes more than so many cells.

    >>> shortened("a-very-long-name-of-a-run", 11)
    'a-ver…a-run'
    """
    short, kept = name, most - 1
    while wide(short) > most and kept > 1:
        short = f"{name[: kept - kept // 2]}…{name[len(name) - kept // 2 :]}"
        kept -= 1
    return short


def _keys(table: Table, columns: list[Column], width: int | None) -> list[int]:
    """The leading columns that tell rows apart, each more than those before it, as far as half the width has room."""
    chosen: list[int] = []
    apart, room = 1, math.inf if width is None else width / 2
    for i, values in enumerate(table.columns.values()):
        rows = set(zip(*(columns[j][1:] for j in (*chosen, i)), strict=True))
        room -= wide(columns[i][0]) + len(GAP)
        if values.dtype.kind == "f" or room < 0:
            break
        if len(rows) > apart:
            chosen.append(i)
            apart = len(rows)
        else:
            room += wide(columns[i][0]) + len(GAP)
    return chosen or [0]


def _bands(widths: list[int], limit: int | None, keys: list[int]) -> Iterable[list[int]]:
    """Which columns stand side by side: as many as fit, in every further band beside the keys; one that fits nowhere
    stands alone there."""
    if limit is None or not widths:
        return [list(range(len(widths)))]
    bands, beside = [[0]], 1
    for i, width in enumerate(widths[1:], start=1):
        used = sum(widths[j] + len(GAP) for j in bands[-1])
        if used + width > limit and len(bands[-1]) > beside:
            bands.append(list(keys))
            beside = len(keys)
        if i not in bands[-1]:
            bands[-1].append(i)
    return map(sorted, bands)


def _with_bar(table: Table, columns: list[Column], width: int) -> list[Column]:
    """The columns with bars behind the one that the table names, where all fit side by side."""
    room = width - sum(wide(column[0]) + len(GAP) for column in columns)
    if table.bar not in table.columns or room < BAR:
        return columns
    drawn = bars([_number(value) for value in table[table.bar].tolist()])
    behind = 1 + list(table.columns).index(table.bar)
    return [*columns[:behind], _padded(["", *drawn]), *columns[behind:]] if drawn else columns


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def bars(values: Sequence[float]) -> list[str]:
    """A bar for each number, the largest as long as there is room; from the middle where some are negative.

    Where all are equal, bars would say nothing, and there are none.

    >>> bars([1.0, 0.5, 0.0])
    ['████████████', '██████', '']
    >>> bars([1.0, -0.5])
    ['      │██████', '   ███│']
    """
    known = [value for value in values if math.isfinite(value)]
    most = max(map(abs, known), default=0)
    if not most or np.ptp(known) <= most * 1e-9:
        return []
    if min(known) >= 0:
        return [_bar(value / most, BAR) for value in values]
    half = BAR // 2
    return [_signed_bar(value / most, half) for value in values]


def _bar(share: float, cells: int) -> str:
    if not math.isfinite(share):
        return ""
    eighths = round(share * cells * 8)
    return BLOCKS[8] * (eighths // 8) + (BLOCKS[eighths % 8] if eighths % 8 else "")


def _signed_bar(share: float, cells: int) -> str:
    """To the right of a line, or to its left; there are no blocks that fill a cell from the right but a half."""
    if not math.isfinite(share):
        return ""
    if share >= 0:
        return f"{' ' * cells}│{_bar(share, cells)}"
    halves = round(-share * cells * 2)
    return f"{'▐' * (halves % 2)}{BLOCKS[8] * (halves // 2)}".rjust(cells) + "│"
