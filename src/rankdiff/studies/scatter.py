"""Where do two measures disagree: at small differences or at large ones?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion, compare
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Row


def draw(table: Table) -> Any:
    """A point for each pair of rankings, by the two differences, as Figure 5."""
    alt = altair()
    color = alt.Color("agree:N", title="agree")
    points = chart(table, width=200, height=200).mark_circle(size=12)
    points = points.encode(x=alt.X("x:Q", title="first"), y=alt.Y("y:Q", title="second"), color=color)
    several = {"row": "dataset:N"} if len(set(table["dataset"])) > 1 else {}
    return points.facet(column=alt.Column("second:N", sort=None), **several).resolve_scale(y="independent")


@study(
    "scatter",
    question="where do two measures disagree, at small differences or at large ones?",
    reproduces="RPP Fig. 5",
    draw=draw,
    about=("RPP", "AP", "nDCG", "RR", "OI", "OI(browsing='dcg')"),
    samples=500,
)
def scatter(c: Collection, what: Sequence[Criterion], sampling: Sampling) -> Iterator[Row]:
    """The differences of two rankings by the first measure or preference (``x``) and by each of the others (``y``).

    Each sample is a query and two runs drawn at random. Beside the differences stands whether they agree in sign;
    how often they do over all pairs, and how they correlate, the study ``agreement`` says.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}, "y": {"q": {"n": 2, "a": 1}}})
    >>> table = rd.studies.scatter(c, ["RPP", "RR"], samples=1).table
    >>> abs(table["x"][0]), abs(table["y"][0]), table["agree"][0]
    (np.float64(1.0), np.float64(0.5), 'yes')
    """
    if len(what) < 2 or len(c.systems) < 2:
        raise UsageError("a scatter needs two measures or preferences, and two runs")
    drawn = sampling.map(lambda rng: (int(rng.integers(len(c.queries))), rng.choice(len(c.systems), 2, replace=False)))
    found = [compare(c, item) for item in what]
    for second, name in zip(found[1:], [item.name for item in what[1:]], strict=True):
        for query, (one, other) in drawn:
            x, y = (float(each.over(one, np.array([other]))[0, query]) for each in (found[0], second))
            agree = "yes" if np.sign(np.round(x, 9)) == np.sign(np.round(y, 9)) else "no"
            if not np.isnan(x + y):
                yield {"first": what[0].name, "second": name, "x": x, "y": y, "agree": agree}
