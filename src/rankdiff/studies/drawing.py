"""What the figures of the studies share: charts over a tidy table, and panels for datasets and segments.

A study's figure is a function from its table to an Altair chart. Altair is an extra: it is imported where a figure is
drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from rankdiff.errors import MissingExtraError
from rankdiff.results.table import Table

WIDTH, HEIGHT = 280, 200
FEW = 8
"""Up to how many values an axis names each of them."""


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
    several = panel_fields(table)
    return drawn.facet(**{side: facet(side, field, table) for side, field in several.items()}) if several else drawn


def panel_fields(table: Table) -> dict[str, str]:
    """What `panels` splits a table by, as column and as row of panels; empty where there is one dataset alone."""
    fields = {"column": "dataset", "row": "segment"}
    return {side: field for side, field in fields.items() if len(set(table.columns.get(field, ()))) > 1}


def facet(side: str, field: str, table: Table) -> Any:
    """A facet by ``row`` or ``column`` in the table's order, without the field's name above its values."""
    order = list(dict.fromkeys(table[field].tolist()))
    return {"row": altair().Row, "column": altair().Column}[side](f"{field}:N", title=None, sort=order)


def logarithmic(field: str, title: str, values: Iterable[Any]) -> Any:
    """A logarithmic axis from the least to the largest of some values, which it names; of many, the round ones.

    >>> logarithmic("n", "documents", [1000, 10_000, None]).to_dict()["axis"]["values"]
    [1000, 10000]
    >>> logarithmic("rank", "rank", range(1, 31)).to_dict()["axis"]["values"]
    [1, 2, 5, 10, 20]
    """
    alt = altair()
    known = sorted({value for value in values if _finite(value) and value > 0})
    named = known if len(known) <= FEW else _round(known[0], known[-1])
    return alt.X(f"{field}:Q", title=title, scale=alt.Scale(type="log", nice=False), axis=alt.Axis(values=named))


def _round(least: float, largest: float) -> list[float]:
    steps = (1, 2, 5) if largest <= 1000 * least else (1,)
    found = [step * 10**power for power in range(int(math.log10(largest)) + 1) for step in steps]
    return [value for value in found if least <= value <= largest]


def in_turn(field: str, table: Table) -> Any:
    """Lines that are whole, dashed and dotted in turn, so that of those that coincide each is seen."""
    names = list(dict.fromkeys(map(str, table[field])))
    patterns = [(1, 0), (8, 8), (0, 3, 3, 10)]
    scale = altair().Scale(domain=names, range=[patterns[i % len(patterns)] for i in range(len(names))])
    return altair().StrokeDash(f"{field}:N", scale=scale, legend=None)


def dashes(field: str) -> Any:
    """Lines that differ by how they are dashed, in the table's order, and a legend that shows it."""
    alt = altair()
    legend = alt.Legend(title=None, symbolType="stroke", symbolStrokeColor="black", symbolSize=300)
    return alt.StrokeDash(f"{field}:N", sort=None, legend=legend)


def finished(drawn: Any) -> Any:
    """A whole figure in the style that all of them share."""
    drawn = drawn.configure_legend(symbolOpacity=1, labelLimit=240, symbolStrokeWidth=2)
    drawn = drawn.configure_axis(labelLimit=240, titleFontWeight="normal")
    return drawn.configure_header(labelFontWeight="bold", labelLimit=320)
