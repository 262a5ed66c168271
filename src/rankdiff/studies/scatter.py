"""Where do two measures disagree: at small differences or at large ones?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import IntArray
from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion, compare
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Row

DRAWS = 50
"""How many pairs of rankings a sample draws."""


def draw(table: Table) -> Any:
    """A point for each pair of rankings, by the two differences, with their correlation (r) and the share that agrees
    in sign (sa) as titles, as Figure 5."""
    alt = altair()
    domain = {"domain": ["yes", "no"], "range": ["#4c78a8", "#e45756"]}
    color = alt.Color("agree:N", title="agree in sign", scale=alt.Scale(**domain))
    sides = [side for side in ("dataset", "segment") if len(set(table.columns.get(side, ()))) > 1]
    panel = [" ".join(str(row[side]) for side in sides) for row in table.rows()]
    rows = []
    for name in dict.fromkeys(panel):
        here = np.array(panel) == name
        rows.append(alt.hconcat(*(_points(table, here, second, name, color) for second in _distinct(table["second"]))))
    return alt.vconcat(*rows)


def _distinct(values: Any) -> list[str]:
    return list(dict.fromkeys(map(str, values)))


def _points(table: Table, here: Any, second: str, panel: str, color: Any) -> Any:
    alt = altair()
    chosen = here & (table["second"] == second)
    part = Table({name: values[chosen] for name, values in table.columns.items()})
    squares = np.sqrt(np.sum(part["x"] ** 2) * np.sum(part["y"] ** 2))
    r = float(np.sum(part["x"] * part["y"]) / squares) if squares else float("nan")
    agreeing = float(np.mean(part["agree"] == "yes")) if len(part) else float("nan")
    points = chart(part, width=180, height=180).mark_circle(size=12, aria=False).encode(
        x=alt.X("x:Q", title=str(table["first"][0])),
        y=alt.Y("y:Q", title=second),
        color=color,
    )  # fmt: skip
    return points.properties(title=[*([panel] if panel else []), f"r = {r:.2f}, sa = {agreeing:.2f}"])


@study(
    "scatter",
    question="where do two measures disagree, at small differences or at large ones?",
    reproduces="RPP Fig. 5",
    draw=draw,
    about=("RPP", "AP", "nDCG", "RR", "OI", "OI(browsing='dcg')"),
    samples=10,
)
def scatter(c: Collection, what: Sequence[Criterion], sampling: Sampling) -> Iterator[Row]:
    """The differences of two rankings by the first measure or preference (``x``) and by each of the others (``y``).

    Each sample draws 50 times a query and two runs at random. Beside the differences stands whether they agree in
    sign; how often they do over all pairs, and how they correlate, the study ``agreement`` says.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}, "y": {"q": {"n": 2, "a": 1}}})
    >>> table = rd.studies.scatter(c, ["RPP", "RR"], samples=1).table
    >>> len(table), abs(table["x"][0]), abs(table["y"][0]), table["agree"][0]
    (50, np.float64(1.0), np.float64(0.5), 'yes')
    """
    if len(what) < 2 or len(c.systems) < 2:
        raise UsageError("a scatter needs two measures or preferences, and two runs")
    drawn = [pair for pairs in sampling.map(lambda rng: [_pair(c, rng) for _ in range(DRAWS)]) for pair in pairs]
    found = [compare(c, item) for item in what]
    for second, name in zip(found[1:], [item.name for item in what[1:]], strict=True):
        for query, (one, other) in drawn:
            x, y = (float(each.over(one, np.array([other]))[0, query]) for each in (found[0], second))
            agree = "yes" if np.sign(np.round(x, 9)) == np.sign(np.round(y, 9)) else "no"
            if not np.isnan(x + y):
                yield {"first": what[0].name, "second": name, "x": x, "y": y, "agree": agree}


def _pair(c: Collection, rng: np.random.Generator) -> tuple[int, IntArray]:
    """A query and two runs."""
    return int(rng.integers(len(c.queries))), rng.choice(len(c.systems), 2, replace=False)
