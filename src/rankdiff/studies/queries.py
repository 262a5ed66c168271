"""How does the order of systems hold with fewer queries?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion, resolve
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import HEIGHT, WIDTH, altair, chart, dashes, panels
from rankdiff.studies.labels import RATES, ROUNDING
from rankdiff.studies.opinions import METHOD, PerQuery, agreement, mean_and_deviation, per_query
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Row

ALL, DISJOINT = "with all queries", "with as many other queries"


def draw(table: Table) -> Any:
    """τ against the number of queries: with the full set, and between disjoint sets."""
    alt = altair()
    shared = {
        "x": alt.X("queries:Q", scale=alt.Scale(reverse=True)),
        "y": alt.Y("value:Q", title="Kendall's τ"),
        "color": alt.Color("measure:N", sort=None),
    }
    lines = alt.Chart().mark_line().encode(**shared, strokeDash=dashes("compared"))
    drawn = alt.layer(lines, alt.Chart().mark_circle(size=30).encode(**shared), data=chart(table).data)
    return panels(drawn.properties(width=WIDTH, height=HEIGHT), table)


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
    """Kendall's τ between the orders of the systems over fewer queries and over all of them.

    - ``rates``: the shares of the queries that are taken away, rounded down; two at least stay.
    - ``target``: the measure on all queries with which each is compared: itself unless another is named.
    - ``by``: how preferences become an order of systems.

    A sample takes away ever more. Fewer queries are some of all, so that the two orders agree by what they share; so
    beside it stands, up to half of the queries, the τ between two disjoint sets of that size, which share none.

    >>> import rankdiff as rd
    >>> qrels = {q: {"a": 1} for q in "123456"}
    >>> c = rd.align(qrels, {"x": {q: {"a": 1} for q in qrels}, "y": {q: {"b": 2, "a": 1} for q in qrels}})
    >>> table = rd.studies.queries(c, "RR", rates=[0.5], samples=2).table
    >>> table["queries"].tolist(), table["compared"].tolist(), table["value"].tolist()
    ([3, 3], ['with all queries', 'with as many other queries'], [1.0, 1.0])
    """
    count = len(c.queries)
    if count < 4:
        raise UsageError(f"{count} topics have no halves to compare: expected at least four")
    found = [per_query(c, item, by) for item in what]
    goals = [per_query(c, resolve(target), by).scores()] * len(what) if target else [one.scores() for one in found]
    kept = [max(count - int(rate * count + ROUNDING), 2) for rate in rates]
    drawn = np.array(sampling.map(lambda rng: _sample(found, goals, kept, rng.permutation(count))))
    for i, size in enumerate(kept):
        for j, item in enumerate(what):
            row = {"measure": item.name, "target": target or item.name, "rate": rates[i], "queries": size}
            for k, compared in enumerate((ALL, DISJOINT)):
                if compared == ALL or 2 * size <= count:
                    yield row | {"compared": compared, **mean_and_deviation(drawn[:, i, j, k])}


def _sample(
    found: Sequence[PerQuery], goals: Sequence[FloatArray], kept: Sequence[int], order: Any
) -> list[list[tuple[float, float]]]:
    """What one order of the queries gives, size × measure × comparison."""
    return [[_compare(one, goal, order, size) for one, goal in zip(found, goals, strict=True)] for size in kept]


def _compare(one: PerQuery, goal: FloatArray, order: Any, size: int) -> tuple[float, float]:
    few = one.scores(order[:size])
    others = one.scores(order[-size:]) if 2 * size <= len(order) else np.full_like(few, np.nan)
    return agreement(few, goal), agreement(few, others)
