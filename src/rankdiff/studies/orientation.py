"""How precision- or recall-oriented is a measure? What moving one relevant document to the bottom costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion, only_measures
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, in_turn
from rankdiff.studies.made import from_positions
from rankdiff.studies.tables import Row


def draw(table: Table) -> Any:
    """Orientation against the number of relevant documents, as Figure 3."""
    alt = altair()
    lines = chart(table).mark_line().encode(
        x=alt.X("m:Q", title="relevant documents"),
        y=alt.Y("value:Q", title="loss"),
        color=alt.Color("measure:N", sort=None),
        strokeDash=in_turn("measure", table),
    )  # fmt: skip
    return lines.facet(column=alt.Column("orientation:N", title=None))


@study(
    "orientation",
    question="how precision- or recall-oriented is a measure?",
    reproduces="lexirecall Fig. 3",
    draw=draw,
    about=("AP", "Rprec", "R@1000", "nDCG", "RBP(p=0.8)", "RR", "TSE"),
)
def orientation(what: Sequence[Criterion], n: int = 100_000, most: int = 15) -> Iterator[Row]:
    """The value that a measure loses when one relevant document moves to the bottom, for ``m`` = 1 to ``most``.

    *Precision*: the first relevant document moves from rank 1 to the bottom, where the others are. *Recall*: the last
    one moves from rank ``m`` to rank ``n``, the others staying on top. TSE is scaled by its range, so that it is the
    same for every exposure.

    >>> import rankdiff as rd
    >>> table = rd.studies.orientation(["RR", "TSE"], most=3, n=10).table
    >>> table.row(measure="RR", m=3, orientation="precision")["value"]  # 1/1 − 1/8
    0.875
    >>> table.row(measure="TSE", m=3, orientation="recall")["value"]
    1.0
    """
    sizes = np.arange(1, most + 1)
    c = from_positions([_extremes(int(m), n) for m in sizes], n)
    measures = only_measures(what)
    for item, values in zip(measures, c.measure(*measures).values, strict=True):
        top, first_on_top, last_at_bottom, bottom = values if item.higher_is_better else -values
        span = top - bottom if item.definition.name == "TSE" else 1.0
        for side, gain in {"precision": first_on_top - bottom, "recall": top - last_at_bottom}.items():
            for m, value in zip(sizes.tolist(), gain / span, strict=True):
                yield {"measure": item.name, "orientation": side, "m": m, "value": float(value)}


def _extremes(m: int, n: int) -> NDArray[Any]:
    """All relevant documents on top; the first there, the others at the bottom; the last at the bottom; all there."""
    top, bottom = np.arange(1, m + 1), np.arange(n - m + 1, n + 1)
    return np.array([top, [1, *bottom[1:]], [*top[:-1], n], bottom])
