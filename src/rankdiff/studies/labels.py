"""How do ties, agreement and order hold with fewer judgments?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError
from rankdiff.hits import BoolArray, IntArray
from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion, resolve
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, dashes, facet, panels
from rankdiff.studies.opinions import METHOD, Opinion, agreement, mean_and_deviation, opinion, same_leaders
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Row

REMOVALS = ("uniform", "popular")
RATES = tuple(rate / 10 for rate in range(1, 10))
TIED, AGREEING, OPPOSITE, TAU = "tied pairs", "agreeing pairs", "opposite pairs", "tau of systems"
LEADING = "agreeing systems"
ROUNDING = 1e-9
"""What a share of documents may lack of a whole number: 0.7 of ten documents are seven."""


def draw(table: Table) -> Any:
    """Ties, agreement and τ against the share of labels removed, with one standard deviation."""
    alt = altair()
    shown = chart(table, width=180, height=150).transform_calculate(
        low="datum.value - datum.sd", high="datum.value + datum.sd"
    )
    base = shown.encode(x=alt.X("rate:Q", title="labels removed"), color=alt.Color("measure:N", sort=None))
    lines = base.mark_line().encode(y=alt.Y("value:Q", title=None))
    band = base.mark_area(opacity=0.15).encode(y=alt.Y("low:Q", title=None), y2="high:Q")
    agreeing = lines.transform_filter(f"datum.quantity == '{AGREEING}'").properties(title=AGREEING)
    if "segment" in table.columns:
        return panels(agreeing.encode(strokeDash=dashes("removed")), table)
    if len(set(table.columns.get("dataset", ()))) > 1:
        return agreeing.facet(column=facet("column", "dataset", table), row=facet("row", "removed", table))
    sides = {"column": facet("column", "quantity", table), "row": facet("row", "removed", table)}
    facets = alt.layer(band, lines).facet(**sides).resolve_scale(y="independent")
    return facets.transform_filter(f"datum.quantity != '{OPPOSITE}'")


@study(
    "labels",
    question="how do ties, agreement and order hold with fewer judgments?",
    reproduces="RPP Fig. 7; lexiprecision Fig. 8a, 9; lexirecall Fig. 12, 13",
    draw=draw,
    about=("sgnLR", "R@1000", "Rprec", "AP", "nDCG", "RR", "sgnLP", "RPP"),
    samples=10,
)
def labels(
    c: Collection,
    what: Sequence[Criterion],
    sampling: Sampling,
    *,
    removed: Sequence[str] = REMOVALS,
    rates: Sequence[float] = RATES,
    target: str = "",
    by: str = METHOD,
) -> Iterator[Row]:
    """Take labels of relevant documents away, and ask what each measure and preference still says.

    - ``removed``: which go first: ``uniform`` at random, or the ``popular`` ones, drawn by how many runs retrieve them
      (those that no run retrieves last, at random).
    - ``rates``: the shares of a topic's relevant documents that go, rounded down; one always stays.
    - ``target``: with what on full data each is compared: the same measure unless another is named.
    - ``by``: how preferences become an order of systems.

    A sample removes ever more: what is gone at one rate is gone at the next. ``tied pairs`` is the share of all
    pairs of runs, query by query, in which neither is better. Of the pairs that the target tells apart on full data,
    ``agreeing pairs`` are told apart the same way and ``opposite pairs`` the other way, the rest tie. ``tau of
    systems`` compares the orders of the systems, and ``agreeing systems`` is the share of the pairs of runs in which
    the same one is better over all queries, by the means or the mean preference. Rate 0 is the full data.

    >>> import rankdiff as rd
    >>> qrels = {"q": {"a": 1, "b": 1}}
    >>> c = rd.align(qrels, {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 1}}, "z": {"q": {"a": 1}}})
    >>> table = rd.studies.labels(c, "R@2", removed=["popular"], rates=[0.5], samples=3).table
    >>> table.row(rate=0.0, quantity="tied pairs")["value"]  # y and z find one of two each
    0.3333333333333333
    """
    for name in removed:
        if name not in REMOVALS:
            raise UnknownNameError("way to remove labels", name, REMOVALS)
    full = [opinion(c, item, by) for item in what]
    targets = [opinion(c, resolve(target), by)] * len(what) if target else full
    outcomes = sampling.map(lambda rng: _sample(c, what, targets, rng, removed=removed, rates=rates, by=by))
    none = np.array([_compare(one, goal) for one, goal in zip(full, targets, strict=True)])
    for i, way in enumerate(removed):
        drawn = np.array([outcome[i] for outcome in outcomes])
        for rate, values in [(0.0, none[None]), *zip(rates, drawn.swapaxes(0, 1), strict=True)]:
            for j, item in enumerate(what):
                for k, quantity in enumerate((TIED, AGREEING, OPPOSITE, TAU, LEADING)):
                    row = {"measure": item.name, "target": target or item.name, "removed": way, "rate": rate}
                    yield row | {"quantity": quantity, **mean_and_deviation(values[:, j, k])}


def _sample(
    c: Collection,
    what: Sequence[Criterion],
    targets: Sequence[Opinion],
    rng: np.random.Generator,
    *,
    removed: Sequence[str],
    rates: Sequence[float],
    by: str,
) -> list[list[list[list[float]]]]:
    """What one sample gives, removal × rate × measure × quantity."""
    found = []
    for way in removed:
        order = removal_order(c, rng, popular=way == "popular")
        views = (remove(c, order, rate) for rate in rates)
        found.append([[_compare(opinion(v, i, by), t) for i, t in zip(what, targets, strict=True)] for v in views])
    return found


def removal_order(c: Collection, rng: np.random.Generator, *, popular: bool = False) -> IntArray:
    """The place at which each relevant document loses its label within its query, from 0 on.

    Popular documents are drawn one after the other with chances in proportion to how many runs retrieve them, which
    is what ordering by exponential times divided by these numbers does.
    """
    relevant = c.relevant(c.rules.rel)
    key = rng.exponential(size=len(relevant.column))
    unfound = np.zeros(len(key), bool)
    if popular:
        retrieved = np.count_nonzero(c.peers.rank[:, relevant.column], axis=0)
        key /= np.maximum(retrieved, 1)
        unfound = retrieved == 0
    place = np.empty(len(key), np.int64)
    place[np.lexsort((key, unfound, relevant.group))] = relevant.level - 1
    return place


def remove(c: Collection, order: IntArray, rate: float) -> Collection:
    """The collection without the first share of each query's relevant documents; one at least keeps its label."""
    return c.keep_labels(kept_labels(c, order, rate))


def kept_labels(c: Collection, order: IntArray, rate: float) -> BoolArray:
    """Which judged documents keep their labels at a rate."""
    relevant = c.relevant(c.rules.rel)
    gone = np.minimum(np.floor(rate * relevant.size + ROUNDING), relevant.size - 1)
    kept = np.ones(len(c.grade), bool)
    kept[relevant.column[order < gone[relevant.group]]] = False
    return kept


def _compare(one: Opinion, goal: Opinion) -> list[float]:
    """The quantities of the table."""
    told = goal.signs != 0
    product = one.signs * goal.signs
    differing = max(int(told.sum()), 1)
    return [
        one.tied,
        float(np.sum(product > 0) / differing),
        float(np.sum(product < 0) / differing),
        agreement(one.scores, goal.scores),
        same_leaders(one.leads, goal.leads),
    ]
