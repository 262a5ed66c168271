"""JSON: a record for every row, with the names of the columns.

Numbers stand at full precision; no value is ``null``. JSON has no infinity: ``1e999`` is read as it by every
parser that holds numbers as doubles. All text is ASCII with escapes, so that ids that are not UTF-8 survive: a byte
``0xff`` is ``\\udcff``, as Python's surrogateescape has it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
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

    >>> record({"run": "bm25", "AP": float("-inf"), "seen": (1, 2)})
    '{"run": "bm25", "AP": -1e999, "seen": [1, 2]}'
    """
    return "{" + ", ".join(f"{json.dumps(name)}: {_value(value)}" for name, value in row.items()) + "}"


def _value(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "null" if math.isnan(value) else f"{'-' * (value < 0)}1e999"
    return json.dumps(value)
