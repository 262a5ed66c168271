"""JSON: a record for every row, with the names of the columns.

Numbers stand at full precision; no value is ``null``. JSON has no infinity: ``1e999`` is read as it by every
parser that holds numbers as doubles. All text is ASCII with escapes, so that ids that are not UTF-8 survive: a byte
``0xff`` is ``\\udcff``, as Python's surrogateescape has it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from rankdiff.results import Table


def to_json(table: Table) -> str:
    r"""A JSON array of records.

    >>> to_json(Table.of(run=["bm25"], AP=[0.5]))
    '[\n{"run": "bm25", "AP": 0.5}\n]\n'
    """
    records = ",\n".join(record(row) for row in table.rows())
    return f"[\n{records}\n]\n" if records else "[]\n"


def to_jsonl(table: Table) -> str:
    r"""JSON lines: a record a line.

    >>> to_jsonl(Table.of(run=["bm25", "neural"], AP=[0.5, float("nan")]))
    '{"run": "bm25", "AP": 0.5}\n{"run": "neural", "AP": null}\n'
    """
    return "".join(record(row) + "\n" for row in table.rows())


def record(row: Mapping[str, Any]) -> str:
    """One row as a JSON object.

    >>> record({"run": "bm25", "AP": float("-inf"), "seen": (1, float("nan"))})
    '{"run": "bm25", "AP": -1e999, "seen": [1, null]}'
    """
    return "{" + ", ".join(f"{json.dumps(name)}: {value(item)}" for name, item in row.items()) + "}"


def value(item: Any) -> str:
    """Anything that results are made of as JSON; an object becomes a record of its fields.

    >>> value({"p": 0.5, "runs": [None, True]})
    '{"p": 0.5, "runs": [null, true]}'
    """
    if isinstance(item, float) and not math.isfinite(item):
        return "null" if math.isnan(item) else f"{'-' * (item < 0)}1e999"
    if is_dataclass(item):
        return record({field.name: getattr(item, field.name) for field in fields(item)})
    if isinstance(item, Mapping):
        return record(item)
    if isinstance(item, (list, tuple)):
        return f"[{', '.join(map(value, item))}]"
    return json.dumps(item)
