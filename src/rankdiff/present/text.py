"""Tables for the terminal: aligned, at most as wide as they may be."""

from __future__ import annotations

from collections.abc import Iterable

from rankdiff.present.cells import is_number, shown
from rankdiff.results import Table

GAP = "  "


def render(table: Table, width: int | None = None) -> str:
    """A table as aligned text. Where it is wider than ``width``, its columns are set in several bands.

    Every band repeats the first column. What is to be said with the numbers stands below them.

    >>> print(render(Table.of(run=["bm25", "neural"], AP=[0.25, 0.5], queries=[40, 40])), end="")
    run         AP  queries
    bm25    0.2500       40
    neural  0.5000       40
    """
    columns = [_aligned(name, values.tolist()) for name, values in table.columns.items()]
    lines = [table.title, ""] if table.title else []
    for number, band in enumerate(_bands([len(cells[0]) for cells in columns], width)):
        lines += [""] if number else []
        lines += (GAP.join(cells).rstrip() for cells in zip(*(columns[i] for i in band), strict=True))
    remarks = [*table.notes, *([table.signature] if table.signature else [])]
    lines += ["", *remarks] if remarks else []
    return "".join(f"{line}\n" for line in lines)


def _aligned(name: str, values: list[object]) -> list[str]:
    """A column's heading and cells, all of one width; numbers flush right."""
    cells = [name, *map(shown, values)]
    width = max(map(len, cells))
    right = bool(values) and all(is_number(value) or value is None for value in values)
    return [cell.rjust(width) if right else cell.ljust(width) for cell in cells]


def _bands(widths: list[int], limit: int | None) -> Iterable[list[int]]:
    """Which columns stand side by side: as many as fit beside the first."""
    if limit is None or not widths:
        return [list(range(len(widths)))]
    bands = [[0]]
    for i, width in enumerate(widths[1:], start=1):
        used = sum(widths[j] + len(GAP) for j in bands[-1])
        if used + width > limit and len(bands[-1]) > 1:
            bands.append([0])
        bands[-1].append(i)
    return bands
