"""Markdown tables."""

from __future__ import annotations

import re

from rankdiff.present.cells import is_number, shown
from rankdiff.results import Table


def to_markdown(table: Table) -> str:
    """A table in GitHub's Markdown; the notes and the signature stand below it.

    >>> print(to_markdown(Table.of(run=["bm25"], AP=[0.25])), end="")
    | run | AP |
    | --- | ---: |
    | bm25 | 0.2500 |
    """
    columns = [values.tolist() for values in table.columns.values()]
    sides = ["---:" if values and all(is_number(value) for value in values) else "---" for values in columns]
    lines = [f"**{escape(table.title)}**", *[""] * bool(columns)] if table.title else []
    lines += [_row([escape(name) for name in table.columns]), _row(sides)] if columns else []
    lines += [_row([escape(shown(value)) for value in row]) for row in zip(*columns, strict=True)]
    for remark in table.notes:
        lines += ["", escape(remark)]
    lines += ["", f"`{table.signature}`"] if table.signature else []
    return "".join(f"{line}\n" for line in lines)


def escape(text: str) -> str:
    r"""Text with what Markdown would take for markup made harmless.

    >>> escape("a|b *c* <d>")
    'a\\|b \\*c\\* \\<d\\>'
    """
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
