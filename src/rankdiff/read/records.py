"""Rows one by one: dicts as JSON lines hold them, named tuples as ir_measures and ir_datasets hand them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rankdiff.errors import InputError
from rankdiff.read.tables import NAMES, Table, normal, roles


def are_rows(source: Any) -> bool:
    """Whether something is a list of rows; the first one tells."""
    return isinstance(source, (list, tuple)) and len(source) > 0 and _is_row(source[0])


def table_of_records(records: Sequence[Any], wanted: Sequence[str], source: str) -> Table:
    """The columns of rows.

    >>> table_of_records([{"qid": 1, "docno": "d1", "label": 2}], ("topic", "document", "grade"), "rows").columns
    {'topic': [1], 'document': ['d1'], 'grade': [2]}
    """
    fields = _fields(records[0]) if records else None
    of = roles([*fields] if fields else [], wanted, source)
    if records and hasattr(records[0], "_fields"):
        return Table({role: [getattr(record, name) for record in records] for role, name in of.items()}, source)
    for row, record in enumerate(records, 1):
        if not isinstance(record, Mapping):
            raise InputError("not a row", source=source, line=row, found=repr(record)[:60], expected="{column: value}")
    return Table({role: [record.get(name) for record in records] for role, name in of.items()}, source)


def _is_row(item: Any) -> bool:
    fields = _fields(item)
    return fields is not None and any(normal(name) in NAMES["topic"] for name in fields)


def _fields(item: Any) -> Iterable[str] | None:
    """The names of a row's columns; None for what is no row."""
    if isinstance(item, Mapping):
        return None if any(isinstance(value, (Mapping, list)) for value in item.values()) else item.keys()
    return getattr(item, "_fields", None)
