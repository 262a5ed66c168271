"""Studies: a question answered over a collection, as a tidy table and its figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import PurePath
from typing import Any

from rankdiff.results.table import Table, Tabular

Draw = Callable[[Table], Any]
"""From a study's table to its Altair chart."""


@dataclass(frozen=True, eq=False, repr=False)
class Study(Tabular):
    """What a study found.

    ``table`` is tidy: a row per dataset × measure × condition. ``printed`` are the tables of the paper that the study
    repeats, rows and columns as printed there, the paper's numbers beside ours; they are there where ``as_paper``
    was asked for. ``interrupted`` says that samples are missing, the table's notes how many there are.
    """

    name: str
    table: Table
    draw: Draw
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    printed: tuple[Table, ...] = ()
    interrupted: bool = False

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self.parameters.items())
        return f"Study({self.name}{given}; {len(self.table)} rows)"

    def __str__(self) -> str:
        return "\n".join(map(str, self.tables))

    @property
    def signature(self) -> str:
        """What was computed, on what, by which rules and from which seed."""
        return self.table.signature

    @property
    def tables(self) -> tuple[Table, ...]:
        """What people read: the paper's tables where they were asked for, otherwise the tidy one."""
        return self.printed or (self.table,)

    @cached_property
    def figure(self) -> Any:
        """The figure, an Altair chart of the table; ``MissingExtraError`` without the extra ``report``."""
        return self.draw(self.table)

    def _for_programs(self) -> Table:
        return self.table

    def _for_people(self) -> tuple[Table, ...]:
        return self.tables

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table or the figure; the name's extension decides which, and how.

        ``.csv .tsv .json .jsonl .parquet`` hold the tidy table, ``.tex .md .txt`` what people read, and
        ``.svg .png .pdf .html`` the figure.
        """
        from rankdiff.present.files import FIGURES, save_figure, save_table, save_text

        kind = PurePath(path).suffix.lower()
        if kind in FIGURES:
            save_figure(self.figure, path)
        elif kind in PEOPLE:
            save_text(PEOPLE[kind](self), path)
        else:
            save_table(self.table, path)


PEOPLE: Mapping[str, Callable[[Study], str]] = {".tex": Study.to_latex, ".md": Study.to_markdown, ".txt": str}
