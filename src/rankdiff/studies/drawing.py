"""What the figures of the studies share: charts over a tidy table, and panels for datasets and segments.

A study's figure is a function from its table to an Altair chart. Altair is an extra: it is imported where a figure is
drawn.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from rankdiff.errors import MissingExtraError
from rankdiff.results.table import Table

WIDTH, HEIGHT = 280, 200


def altair() -> Any:
    """The module ``altair``; ``MissingExtraError`` where it is not installed."""
    try:
        return import_module("altair")
    except ImportError as missing:
        raise MissingExtraError("figures", "report") from missing


def chart(table: Table, **size: int) -> Any:
    """A chart over the rows of a table, to which a study adds a mark and an encoding.

    Fields need their type, as in ``x="n:Q"``; a value that is not finite is left out.

    >>> chart(Table.of(m=[1, 2], value=[0.5, float("nan")])).mark_line().to_dict()["data"]["values"]
    [{'m': 1, 'value': 0.5}, {'m': 2, 'value': None}]
    """
    alt = altair()
    rows = [{name: _finite(value) for name, value in row.items()} for row in table.rows()]
    return alt.Chart(alt.Data(values=rows), **{"width": WIDTH, "height": HEIGHT, **size})


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def panels(drawn: Any, table: Table) -> Any:
    """The chart once for each dataset (columns) and each segment (rows), where there are several.

    >>> table = Table.of(dataset=["a", "b"], value=[1.0, 2.0])
    >>> panels(chart(table).mark_bar().encode(y="value:Q"), table).to_dict()["facet"]["column"]["field"]
    'dataset'
    """
    fields = {"column": "dataset", "row": "segment"}
    several = {side: f"{name}:N" for side, name in fields.items() if len(set(table.columns.get(name, ()))) > 1}
    return drawn.facet(**several) if several else drawn
