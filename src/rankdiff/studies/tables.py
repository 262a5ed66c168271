"""Rows as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from rankdiff.results.table import Table, column

Row = Mapping[str, Any]


def tabulate(rows: Iterable[Row], *, title: str = "", notes: Iterable[str] = (), signature: str = "") -> Table:
    """A table of rows; a column that a row lacks has no value there.

    >>> table = tabulate([{"m": 1, "value": 0.5}, {"m": 2, "note": "odd"}])
    >>> table["value"].tolist(), table["note"].tolist()
    ([0.5, nan], [None, 'odd'])
    """
    rows = list(rows)
    names = dict.fromkeys(name for row in rows for name in row)
    return Table({name: _column([row.get(name) for row in rows]) for name in names}, title, tuple(notes), signature)


def _column(values: list[Any]) -> Any:
    if None in values and all(value is None or isinstance(value, (int, float)) for value in values):
        values = [np.nan if value is None else value for value in values]
    return column(values)
