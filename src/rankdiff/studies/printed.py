"""The papers' own numbers, to stand beside ours."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from rankdiff.results.table import Table
from rankdiff.studies.published.datasets import as_papers_call
from rankdiff.studies.segments import EVERY_TOPIC
from rankdiff.studies.tables import tabulate

DATASET, SEGMENT = "dataset", "segment"
NAMES = frozenset({"measure", "first", "second", "predictor", "quantity"})
"""Columns whose values are names that a paper's table has or has not; other values (sizes, documents) are data."""


class Layout(Protocol):
    """A table of a paper: it takes a study's tidy table and gives the paper's rows and columns."""

    def beside(self, table: Table) -> Table:
        """Ours, with the paper's own beside it; empty where none of the paper's rows or columns was computed."""


def beside(layouts: Iterable[Layout], table: Table) -> tuple[Table, ...]:
    """The tables of the papers for which something was computed."""
    return tuple(found for found in (layout.beside(table) for layout in layouts) if len(found))


@dataclass(frozen=True)
class Printed:
    """A table as a paper prints it.

    ``text`` holds its rows; cells are two or more blanks apart, and the first line names the columns in our words.
    ``rows`` is the column of the study's tidy table whose values name the rows, ``columns`` the one whose values
    name the columns, ``value`` the one that is compared. ``where`` picks the rows of the tidy table it speaks of
    (None: those without a value); ``scale`` makes our values what the paper prints (100 for percent). ``note`` says
    what a reader of both must know, ``of_dataset`` what a reader of one of the datasets must. What the paper leaves
    open (in ``text``, a single ``-``) stays blank. Measures that the table does not have are left out; datasets are
    ours, whether the paper has them or not.

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
    of_dataset: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def numbers(self) -> Mapping[tuple[str, str], float]:
        """The paper's numbers by row and column."""
        heading, *lines = self._cells
        cells = ((line[0], name, cell) for line in lines for name, cell in zip(heading[1:], line[1:], strict=True))
        return {(row, name): float(cell) for row, name, cell in cells if cell != "-"}

    @cached_property
    def _cells(self) -> list[list[str]]:
        return [re.split(r"\s{2,}", line.strip()) for line in self.text.strip().splitlines()]

    @cached_property
    def _names(self) -> Mapping[str, frozenset[str]]:
        """The paper's names of the rows and of the columns."""
        heading, *lines = self._cells
        return {self.columns: frozenset(heading[1:]), self.rows: frozenset(line[0] for line in lines)}

    def _has(self, row: Mapping[str, Any]) -> bool:
        named = all(str(row[axis]) in names for axis, names in self._names.items() if axis in NAMES)
        return named and all(_is(row[key], value) for key, value in self.where.items())

    def _key(self, axis: str, value: Any) -> str:
        return as_papers_call(str(value)) if axis == DATASET else str(value)

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
        ours: dict[tuple[str, str], dict[str, Any]] = {}
        heads: dict[tuple[str, str], dict[str, Any]] = {}
        for row in table.rows():
            if self._has(row):
                label = {SEGMENT: row[SEGMENT]} if SEGMENT in row else {}
                key = str(row.get(SEGMENT, EVERY_TOPIC)), str(row[self.rows])
                heads[key] = {self.rows: row[self.rows], **label}
                ours.setdefault(key, {})[str(row[self.columns])] = row[self.value] * self.scale
        names = dict.fromkeys(name for line in ours.values() for name in line)
        known = {name for _, name in self.numbers}
        missing = self._missing(table)
        wide = []
        for (segment, place), line in ours.items():
            cells = dict(heads[segment, place])
            for name in names:
                cells[name] = line.get(name, np.nan)
                if not missing and self._key(self.columns, name) in known:
                    at = self._key(self.rows, place), self._key(self.columns, name)
                    number = self.numbers.get(at, np.nan)
                    cells[f"{name} (paper)"] = number if segment == EVERY_TOPIC else np.nan
            wide.append(cells)
        here = {as_papers_call(str(label)) for label in table.columns.get(DATASET, ())}
        said = [f"{name}: {note}" for name, note in self.of_dataset.items() if name in here]
        notes = (*table.notes, *missing, *([self.note] if self.note else []), *said)
        return tabulate(wide, title=self.source, notes=notes, signature=table.signature)

    def _missing(self, table: Table) -> list[str]:
        """What is to be said where none of the datasets is one of the paper's."""
        papers = next((names for axis, names in self._names.items() if axis == DATASET), frozenset())
        if not papers or papers & {as_papers_call(str(label)) for label in table.columns.get(DATASET, ())}:
            return []
        return [f"no dataset here has the name of one of the paper's: {', '.join(sorted(papers))}"]


def _is(value: Any, wanted: Any) -> bool:
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    return missing if wanted is None else bool(value == wanted)
