"""Tables of several groups of topics, as one for programs and one after the other for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankdiff.results import Table
from rankdiff.results.table import column

Part = tuple[str, Table]


def stacked(parts: Sequence[Part]) -> Table:
    """One table with a column ``segment`` before the others.

    >>> one, other = Table.of(run=["bm25"], AP=[0.5]), Table.of(run=["bm25"], AP=[0.25])
    >>> list(stacked([("all", one), ("long", other)]).rows())[1]
    {'segment': 'long', 'run': 'bm25', 'AP': 0.25}
    """
    first = parts[0][1]
    segment = column([name for name, table in parts for _ in range(len(table))])
    columns = {name: np.concatenate([table[name] for _, table in parts]) for name in first.columns}
    notes = tuple(f"{name}: {note}" for name, table in parts for note in table.notes)
    return replace(first, columns={"segment": segment, **columns}, notes=notes)


def titled(part: Part) -> Table:
    """A table whose title names its segment."""
    name, table = part
    return replace(table, title=f"{name}: {table.title}" if table.title else name)
