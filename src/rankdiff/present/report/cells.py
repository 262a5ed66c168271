"""Names, numbers and tables as the page's templates and scripts take them."""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.present.cells import exact, is_number, readable, shown
from rankdiff.results import Table

LONG = 60
"""A text of more letters than this is set as prose, and cut after a few lines."""

_PERCENT = re.compile(r"(?<=\d) %")
_MINUS = re.compile(r"(?<![\w.-])-(?=\d)")


def prose(sentence: str) -> str:
    """A sentence as it is set: a minus is a minus sign, and a number stays with its sign of percent.

    >>> prose("between -0.5 and 1, for 50 % of topic-2")
    'between −0.5 and 1, for 50\\xa0% of topic-2'
    """
    return _MINUS.sub("−", _PERCENT.sub("\u00a0%", readable(sentence)))


@dataclass(frozen=True)
class Span:
    """A span on a scale, in percent of its width, with a mark in it and a line where zero is; ``kind`` colors it."""

    low: float
    high: float
    at: float | None = None
    zero: float | None = None
    kind: str = "plain"

    @classmethod
    def on(cls, least: float, most: float, low: float, high: float, **marks: Any) -> Span | None:
        """A span on a scale from ``least`` to ``most``; nothing where a number is missing."""
        width = most - least
        if not (math.isfinite(low + high) and width > 0):
            return None
        kind = marks.pop("kind", "plain")
        placed = {
            name: round(100 * (value - least) / width, 2) for name, value in {"low": low, "high": high, **marks}.items()
        }
        return cls(**placed, kind=kind)

    @property
    def length(self) -> float:
        """How long it is; at least so long that it is seen."""
        return max(round(self.high - self.low, 2), 0.7)


@dataclass(frozen=True)
class Cell:
    """A value as it is shown, as it sorts, and whether it is set as a number."""

    text: str
    exact: str
    number: bool
    missing: bool = False
    mark: str = ""
    kind: str = ""
    span: Span | None = None

    @property
    def long(self) -> bool:
        """Whether it is set as prose."""
        return len(self.text) > LONG and " " in self.text

    def classes(self, *, key: bool) -> str:
        """How it is set; the key of its row stays in sight when the others are scrolled."""
        kinds = {
            "number": self.number,
            "pictured": self.number and self.span is not None,
            "long": self.long and not self.number,
            "key": key,
            self.kind: bool(self.kind),
        }
        return " ".join(name for name, holds in kinds.items() if holds)

    @classmethod
    def of(cls, value: Any, mark: str = "") -> Cell:
        """The cell of a value; a minus is a minus sign."""
        missing = value is None or (isinstance(value, float) and math.isnan(value))
        text = readable(shown(value))
        number = is_number(value) or missing
        return cls(text.replace("-", "−", 1) if number else text, readable(exact(value)), number, missing, mark)


@dataclass(frozen=True)
class Grid:
    """A table as a template shows it; ``heads`` says which leading columns head their rows."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    heads: int = 1
    notes: tuple[str, ...] = ()
    total: int = 0

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns hold numbers, and are set flush right."""
        return tuple(all(row[i].number for row in self.rows) for i in range(len(self.columns)))

    @property
    def pictured(self) -> tuple[bool, ...]:
        """Which columns hold pictures, and are set flush left."""
        return tuple(any(row[i].span is not None for row in self.rows) for i in range(len(self.columns)))

    @classmethod
    def of(cls, table: Table, caption: str, *, heads: int = 1, without: Iterable[str] = (), most: int = 0) -> Grid:
        """A result's table, at most so many rows of it."""
        names = tuple(name for name in table.columns if name not in set(without))
        rows = [tuple(Cell.of(row[name]) for name in names) for row in table.rows()]
        shown_rows = tuple(rows[:most] if most else rows)
        return cls(
            caption, tuple(map(readable, names)), shown_rows, heads, tuple(map(readable, table.notes)), len(rows)
        )


def grid(caption: str, rows: Iterable[Mapping[str, Any]], *, heads: int = 1) -> Grid:
    """A table of rows that are given as dicts with the same keys.

    >>> grid("Runs", [{"run": "bm25", "AP": -0.25}]).rows[0][1].text
    '−0.2500'
    """
    listed = list(rows)
    columns = tuple(map(str, listed[0])) if listed else ()
    cells = tuple(tuple(Cell.of(value) for value in row.values()) for row in listed)
    return Grid(caption, columns, cells, heads, total=len(cells))


def packed(values: NDArray[Any]) -> dict[str, str]:
    """An array for the scripts: its kind, and its bytes in base64, little-endian.

    >>> packed(np.array([1, 2], np.uint16))
    {'kind': 'uint16', 'bytes': 'AQACAA=='}
    """
    little = values.astype(values.dtype.newbyteorder("<"))
    return {"kind": values.dtype.name, "bytes": b64encode(little.tobytes()).decode()}


def packed_counts(values: NDArray[Any]) -> dict[str, str]:
    """Whole numbers that are not negative, in as few bytes as the largest needs."""
    return packed(values.astype(np.min_scalar_type(int(values.max(initial=0)))))


def finite(values: Iterable[float]) -> list[float | None]:
    """Numbers for JSON, None where there is none."""
    return [value if math.isfinite(value) else None for value in map(float, values)]
