"""The papers' own numbers, to stand beside ours."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from rankdiff.results.table import Table
from rankdiff.studies.tables import tabulate


class Layout(Protocol):
    """A table of a paper: it takes a study's tidy table and gives the paper's rows and columns."""

    def beside(self, table: Table) -> Table:
        """Ours, with the paper's own beside it."""


@dataclass(frozen=True)
class Printed:
    """A table as a paper prints it.

    ``text`` holds its rows; cells are two or more blanks apart, and the first line names the columns in our words.
    ``rows`` is the column of the study's tidy table whose values name the rows, ``columns`` the one whose values
    name the columns, ``value`` the one that is compared. ``where`` picks the rows of the tidy table it speaks of
    (None: those without a value); ``scale`` makes our values what the paper prints (100 for percent), and ``note``
    says what a reader of both must know. What the paper leaves open (in ``text``, a single ``-``) stays blank.

    >>> printed = Printed("A & B 2023, Table 1", "n    AP     RR\\n10   0.5    0.25", rows="n")
    >>> printed.numbers["10", "RR"]
    0.25
    """

    source: str
    text: str
    rows: str = "dataset"
    columns: str = "measure"
    value: str = "value"
    where: Mapping[str, Any] = field(default_factory=dict)
    scale: float = 1.0
    note: str = ""

    @cached_property
    def numbers(self) -> Mapping[tuple[str, str], float]:
        """The paper's numbers by row and column."""
        heading, *lines = [re.split(r"\s{2,}", line.strip()) for line in self.text.strip().splitlines()]
        cells = ((line[0], name, cell) for line in lines for name, cell in zip(heading[1:], line[1:], strict=True))
        return {(row, name): float(cell) for row, name, cell in cells if cell != "-"}

    def beside(self, table: Table) -> Table:
        """The paper's rows and columns filled from a tidy table, each with the paper's number where it is known.

        >>> from rankdiff.results import Table
        >>> tidy = Table.of(n=[10, 20], measure=["AP", "AP"], value=[0.51, 0.4])
        >>> printed = Printed("A & B 2023, Table 1", "n    AP\\n10   0.5", rows="n")
        >>> print(printed.beside(tidy).to_csv(), end="")
        n,AP,AP (paper)
        10,0.51,0.5
        20,0.4,
        """
        ours: dict[str, dict[str, Any]] = {}
        for row in table.rows():
            if all(_is(row[key], value) for key, value in self.where.items()):
                line = ours.setdefault(str(row[self.rows]), {self.rows: row[self.rows]})
                line[str(row[self.columns])] = row[self.value] * self.scale
        names = dict.fromkeys(name for line in ours.values() for name in line if name != self.rows)
        known = {name for _, name in self.numbers}
        wide = []
        for key, line in ours.items():
            cells = {self.rows: line[self.rows]}
            for name in names:
                cells[name] = line.get(name, np.nan)
                if name in known:
                    cells[f"{name} (paper)"] = self.numbers.get((key, name), np.nan)
            wide.append(cells)
        notes = (*table.notes, *([self.note] if self.note else []))
        return tabulate(wide, title=self.source, notes=notes, signature=table.signature)


def _is(value: Any, wanted: Any) -> bool:
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    return missing if wanted is None else bool(value == wanted)
