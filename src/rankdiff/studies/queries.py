"""How does the order of systems hold with fewer queries?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion, resolve
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import HEIGHT, WIDTH, altair, chart, dashes, panels
from rankdiff.studies.labels import RATES, ROUNDING
from rankdiff.studies.opinions import (
    METHOD,
    PerQuery,
    agreement,
    leaders_among,
    mean_and_deviation,
    per_query,
    same_leaders,
)
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Row

ALL, DISJOINT = "with all queries", "with as many other queries"
TAU, LEADING = "tau of systems", "agreeing systems"


def draw(table: Table) -> Any:
    """τ and the agreeing pairs of runs against the number of queries: with the full set, and between disjoint sets."""
    alt = altair()

    def part(quantity: str, title: str) -> Any:
        shared = {
            "x": alt.X("queries:Q", scale=alt.Scale(reverse=True)),
            "y": alt.Y("value:Q", title=title),
            "color": alt.Color("measure:N", sort=None),
        }
        lines = alt.Chart().mark_line().encode(**shared, strokeDash=dashes("compared"))
        drawn = alt.layer(lines, alt.Chart().mark_circle(size=30).encode(**shared), data=chart(table).data)
        drawn = drawn.transform_filter(f"datum.quantity == '{quantity}'")
        return panels(drawn.properties(width=WIDTH, height=HEIGHT), table)

    return part(TAU, "Kendall's τ") | part(LEADING, "pairs of runs with the same leader")


@study(
    "queries",
    question="how does the order of systems hold with fewer queries?",
    reproduces="RPP Fig. 6; lexiprecision Fig. 8b",
    draw=draw,
    about=("AP", "nDCG", "RR", "RPP", "sgnLP", "sgnLR"),
    samples=10,
)
def queries(
    c: Collection,
    what: Sequence[Criterion],
    sampling: Sampling,
    *,
    rates: Sequence[float] = RATES,
    target: str = "",
    by: str = METHOD,
) -> Iterator[Row]:
    """Kendall's τ between the orders of the systems over fewer queries and over all of them (``tau of systems``), and
    the share of the pairs of runs, told apart by all queries, in which the same run is better (``agreeing systems``).

    - ``rates``: the shares of the queries that are taken away, rounded down; two at least stay.
    - ``target``: the measure on all queries with which each is compared: itself unless another is named.
    - ``by``: how preferences become an order of systems.

    A sample takes away ever more. Fewer queries are some of all, so that the two orders agree by what they share; so
    beside it stands, up to half of the queries, the same between two disjoint sets of that size, which share none.
    Which run of two is better is a matter of the means of a measure, or of the mean preference.

    >>> import rankdiff as rd
    >>> qrels = {q: {"a": 1} for q in "123456"}
    >>> c = rd.align(qrels, {"x": {q: {"a": 1} for q in qrels}, "y": {q: {"b": 2, "a": 1} for q in qrels}})
    >>> table = rd.studies.queries(c, "RR", rates=[0.5], samples=2).table
    >>> table["queries"].tolist(), table["value"].tolist()
    ([3, 3, 3, 3], [1.0, 1.0, 1.0, 1.0])
    >>> sorted(set(table["compared"].tolist()))
    ['with all queries', 'with as many other queries']
    """
    count = len(c.queries)
    if count < 4:
        raise UsageError(f"{count} topics have no halves to compare: expected at least four")
    found = [Side.of(c, item, by) for item in what]
    goals = [Side.of(c, resolve(target), by)] * len(what) if target else found
    every = np.arange(count)
    full = [(goal.order.scores(every), goal.leaders(every)) for goal in goals]
    kept = [max(count - int(rate * count + ROUNDING), 2) for rate in rates]
    drawn = np.array(sampling.map(lambda rng: _sample(found, full, kept, rng.permutation(count))))
    for i, size in enumerate(kept):
        for j, item in enumerate(what):
            row = {"measure": item.name, "target": target or item.name, "rate": rates[i], "queries": size}
            for k, compared in enumerate((ALL, DISJOINT)):
                for of, quantity in enumerate((TAU, LEADING)):
                    if compared == ALL or 2 * size <= count:
                        values = mean_and_deviation(drawn[:, i, j, k, of])
                        yield row | {"compared": compared, "quantity": quantity, **values}


@dataclass(frozen=True)
class Side:
    """A measure or preference: how it orders the runs, and which of two it holds for better, over some queries."""

    order: PerQuery
    leaders: Callable[[IntArray], NDArray[np.int8]]

    @classmethod
    def of(cls, c: Collection, item: Criterion, by: str) -> Side:
        """That of one measure or preference."""
        return cls(per_query(c, item, by), leaders_among(c, item))


Full = tuple[FloatArray, NDArray[np.int8]]
"""Scores and leaders over all queries."""


def _sample(found: Sequence[Side], full: Sequence[Full], kept: Sequence[int], order: IntArray) -> list[Any]:
    """What one order of the queries gives, size × measure × comparison × quantity."""
    return [[_compare(one, goal, order, size) for one, goal in zip(found, full, strict=True)] for size in kept]


def _compare(one: Side, full: Full, order: IntArray, size: int) -> list[tuple[float, float]]:
    few, others = order[:size], order[-size:]
    scores, leads = one.order.scores(few), one.leaders(few)
    found = [(agreement(scores, full[0]), same_leaders(leads, full[1]))]
    if 2 * size > len(order):
        return [*found, (float("nan"), float("nan"))]
    return [*found, (agreement(scores, one.order.scores(others)), same_leaders(leads, one.leaders(others)))]
