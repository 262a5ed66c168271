"""What is a step worth, by where in the ranking it is made?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.hits import Population
from rankdiff.results.table import Table
from rankdiff.studies.contributions import contribution
from rankdiff.studies.criteria import Criterion
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, facet
from rankdiff.studies.tables import Row


def draw(table: Table) -> Any:
    """A square of ranks for each measure, as Figure 2 (left)."""
    alt = altair()
    color = alt.Color("value:Q", title=None, scale=alt.Scale(scheme="redblue", domainMid=0))
    axis = alt.Axis(values=[1, *range(5, int(table["rank"].max()) + 1, 5)], labelAngle=0)
    squares = chart(table, width=150, height=150).mark_rect(aria=False).encode(
        x=alt.X("other:O", title="rank in the other ranking", axis=axis),
        y=alt.Y("rank:O", title="rank", axis=axis),
        color=color,
    )  # fmt: skip
    return squares.facet(column=facet("column", "measure", table)).resolve_scale(color="independent")


@study(
    "surfaces",
    question="what does a difference of ranks count, by where in the ranking it is?",
    reproduces="RPP Fig. 2 (left)",
    draw=draw,
    about=("RBP(p=0.5)", "nDCG", "AP", "AverageRank", "RPP"),
)
def surfaces(what: Sequence[Criterion], deepest: int = 25) -> Iterator[Row]:
    """How much better a ranking is that has the only relevant document at ``rank``, than one that has it at ``other``.

    - ``deepest``: the last rank of either.

    >>> import rankdiff as rd
    >>> table = rd.studies.surfaces(["RR", "RPP"]).table
    >>> table.row(measure="RR", rank=2, other=4)["value"], table.row(measure="RPP", rank=24, other=25)["value"]
    (0.25, 1.0)
    """
    ours, theirs = (ranks.ravel() for ranks in np.mgrid[1.0 : deepest + 1, 1.0 : deepest + 1])
    alone = Population(np.arange(len(ours)), np.arange(len(ours) + 1), np.arange(len(ours)))
    for item in what:
        values = contribution(item).of_ranks(ours, theirs, alone).tolist()
        for rank, other, value in zip(ours.tolist(), theirs.tolist(), values, strict=True):
            yield {"measure": item.name, "rank": int(rank), "other": int(other), "value": float(value)}
