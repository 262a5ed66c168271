"""Rare finds: relevant documents by how many runs find them, and who finds what nobody else does."""

from __future__ import annotations

import numpy as np

from rankdiff.measures.rarity import DEFAULT_CUTOFF, document_counts, rarity_table
from rankdiff.present.report.asked import Asked, Part
from rankdiff.present.report.cells import Cell, Grid, Span, grid
from rankdiff.verdict import by_id

MOST_FINDERS = 50
MOST_DOCUMENTS = 200
SNIPPET = 160


def gather(asked: Asked) -> Part:
    """How many relevant documents so many runs (or groups) find, who has finds of its own, and these documents."""
    c = by_id(asked.c)
    noun = "group" if c.peers.groups else "run"
    counts = document_counts(c)
    found = counts.found[c.relevant(c.rules.rel).column]
    table = rarity_table(c, few=1)
    alone = np.flatnonzero(table["found_by"] == 1)
    names, own = np.unique(table["which"][alone].astype(str), return_counts=True)
    most_first = np.lexsort((names, -own))
    most = int(own.max(initial=1))
    finders = Grid(
        f"{noun.capitalize()}s with finds of their own",
        (noun, "documents only it finds"),
        tuple(
            (
                Cell.of(str(names[i])),
                Cell(str(own[i]), str(own[i]), number=True, span=Span.on(0, most, 0, own[i], kind="alone")),
            )
            for i in most_first[:MOST_FINDERS].tolist()
            if names[i]
        ),
        total=len(names),
    )
    found_once = [row for row in table.rows() if row["found_by"] == 1]
    rows = sorted(found_once, key=lambda row: -row["grade"])[:MOST_DOCUMENTS]
    documents = grid(
        f"Relevant documents that one {noun} alone finds, the most relevant first",
        [
            {
                "topic": row["query"],
                "document": row["document"],
                "grade": f"{row['grade']:g}",
                "found by": row["which"],
                "text": asked.texts.get(row["document"], "")[:SNIPPET],
            }
            for row in rows
        ],
        heads=2,
    )
    view = {
        "noun": noun,
        "systems": counts.systems,
        "within": DEFAULT_CUTOFF,
        "relevant": len(found),
        "nobody": int(np.sum(found == 0)),
        "alone": len(alone),
        "everybody": int(np.sum(found == counts.systems)),
        "finders": finders,
        "documents": _without_empty_text(documents),
        "left_out": len(alone) - len(rows),
    }
    data = {"histogram": np.bincount(found, minlength=counts.systems + 1).tolist(), "noun": noun}
    return Part("rare", "Rare finds", view, data)


def _without_empty_text(shown: Grid) -> Grid:
    if not shown.rows or any(row[-1].text for row in shown.rows):
        return shown
    return Grid(
        shown.caption, shown.columns[:-1], tuple(row[:-1] for row in shown.rows), shown.heads, total=shown.total
    )
