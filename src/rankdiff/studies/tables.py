"""Rows as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from rankdiff.results.table import Table, column

Row = Mapping[str, Any]


class Note(str):
    """A remark that a study yields among its rows; it stands below the table, with the dataset it is about."""

    __slots__ = ()


def tabulate(rows: Iterable[Row], *, title: str = "", notes: Iterable[str] = (), signature: str = "") -> Table:
    """A table of rows; what a row lacks is NaN among floats, and None among counts and words.

    >>> table = tabulate([{"m": 1, "value": 0.5}, {"m": 2, "needed": 3}])
    >>> table["value"].tolist(), table["needed"].tolist()
    ([0.5, nan], [None, 3])
    """
    rows = list(rows)
    names = dict.fromkeys(name for row in rows for name in row)
    return Table({name: _column([row.get(name) for row in rows]) for name in names}, title, tuple(notes), signature)


def _column(values: list[Any]) -> Any:
    if any(isinstance(value, float) for value in values):
        return column([np.nan if value is None else value for value in values])
    return np.array(values, object) if None in values else column(values)
