"""Preferences and orders for people and programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankdiff.order import Order
from rankdiff.results import Preferences, Table


def preferences_tables(results: Sequence[Preferences], *, wide: bool, per_query: bool) -> list[Table]:
    """Wide: a table for each preference, each run (rows) over each other (columns); long: one table of all.

    The long table has a row a value, each pair of runs once, means under the query ``all``; with ``per_query`` the
    values of every query stand before the means.
    """
    if wide and not per_query:
        return [_titled(result) for result in results]
    parts = [part for result in results for part in ([result.per_query()] if per_query else [])]
    parts += [result.means_long() for result in results]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0].columns}
    return [Table(columns, signature=_common(results))]


def _titled(result: Preferences) -> Table:
    table = result.mean()
    title = f"{result.preference}: each run over the run of the column"
    return Table(table.columns, title=title, notes=table.notes, signature=table.signature)


def _common(results: Sequence[Preferences]) -> str:
    """The signature of several results of one collection."""
    first, names = results[0], ",".join(result.preference.name for result in results)
    return first.signature.replace(f"|{first.preference.name}|", f"|{names}|", 1)


def order_record(order: Order) -> dict[str, Any]:
    """An order by the names of its fields; what the method does not have is left out."""
    fields = ("systems", "position", "score", "method", "queries", "tier", "interval", "signature")
    values = ((name, getattr(order, name)) for name in fields)
    return {name: _plain(value) for name, value in values if value is not None}


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value
