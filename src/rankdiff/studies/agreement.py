"""How often do two measures agree, about rankings and about systems?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import FloatArray
from rankdiff.measures import Measure
from rankdiff.order import Order
from rankdiff.results.table import Table
from rankdiff.statistics import tau, tau_ap
from rankdiff.studies.criteria import Criterion, differences
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import HEIGHT, WIDTH, altair, chart, panels
from rankdiff.studies.pairwise import verdicts
from rankdiff.studies.published.recall_paired import TABLE_2A, TABLE_2B
from rankdiff.studies.tables import Row

SIDES = {"win": 1, "tie": 0, "loss": -1}


def draw(table: Table) -> Any:
    """A square of measures by agreement on rankings, and one by agreement on the order of systems."""
    alt = altair()

    def square(quantity: str) -> Any:
        places = {"x": alt.X("second:N", sort=None, title=None), "y": alt.Y("first:N", sort=None, title=None)}
        color = alt.Color("value:Q", title=None, scale=alt.Scale(scheme="viridis"))
        cells = alt.Chart().mark_rect().encode(**places, color=color)
        light = alt.condition("datum.value < 0.6", alt.value("white"), alt.value("black"))
        words = alt.Chart().mark_text().encode(**places, text=alt.Text("value:Q", format=".2f"), color=light)
        both = alt.layer(cells, words, data=chart(table).data, title=quantity, width=WIDTH + 60, height=HEIGHT + 40)
        return panels(both.transform_filter(f"datum.quantity == '{quantity}'"), table)

    return (square("agreement, all pairs") | square("tau")).resolve_scale(color="independent")


@study(
    "agreement",
    question="how often do two measures agree?",
    reproduces="RPP Table 2; lexirecall Fig. 8, 9; innovation Fig. 2",
    draw=draw,
    about=("RR", "RPP(weights='inverse')", "RPP", "RPP(weights='dcg')", "AP", "nDCG", "sgnLP", "sgnLR", "R@1000"),
    subtopical=("STRPP", "STRPP(weights='dcg')", "AP_IA", "STRPP(weights='inverse')", "ERR_IA@20", "StRecall@20"),
    printed=[TABLE_2A, TABLE_2B],
)
def agreement(c: Collection, what: Sequence[Criterion], by: str = "mc4") -> Iterator[Row]:
    """Of two measures or preferences, how often the ``second`` agrees with the ``first``.

    About two rankings of a query, over all pairs of runs, each in both orders:

    - ``win, loss`` and so on: what the first says, and what the second says; the nine shares add up to 1
    - *agreement, all pairs*: they say the same, ties included; *where first differs*, *where second differs*: of the
      pairs that the one tells apart, the share in which the other says the same
    - *r*: Pearson's correlation of the differences

    About the systems: Kendall's ``tau`` (τ-b) and ``tau_ap`` of the orders; that of a measure is by its mean.

    - ``by``: how preferences become an order of systems.

    >>> import rankdiff as rd
    >>> qrels = {"q": {"a": 1, "b": 1}}
    >>> c = rd.align(qrels, {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"a": 3, "n": 2, "b": 1}}})
    >>> table = rd.studies.agreement(c, ["RR", "sgnLP"]).table
    >>> table.row(quantity="tie, win")["value"], table.row(quantity="agreement, where second differs")["value"]
    (0.5, 0.0)
    """
    said = {item: verdicts(c, item) for item in what}
    changed = {item: differences(c, item) for item in what}
    orders = {item: _order(c, item, by) for item in what}
    for first, second in combinations(what, 2):
        pair = {"first": first.name, "second": second.name}
        found = _shares(said[first], said[second])
        found["r"] = _correlation(changed[first], changed[second])
        found["tau"] = tau(orders[second], orders[first])
        found["tau_ap"] = tau_ap(orders[second], orders[first])
        for quantity, value in found.items():
            yield {**pair, "quantity": quantity, "value": value}


def _order(c: Collection, item: Criterion, by: str) -> Order:
    return c.measure(item).order() if isinstance(item, Measure) else c.prefer(item).order(by)


def _shares(first: FloatArray, second: FloatArray) -> dict[str, float]:
    counted = ~np.isnan(first) & ~np.isnan(second)
    one, two = first[counted], second[counted]
    cells = {
        f"{mine}, {yours}": _share(np.sum((one == i) & (two == j)) + np.sum((one == -i) & (two == -j)), 2 * len(one))
        for mine, i in SIDES.items()
        for yours, j in SIDES.items()
    }
    same = one == two
    return cells | {
        "agreement, all pairs": _share(same.sum(), len(same)),
        "agreement, where first differs": _share(same[one != 0].sum(), np.sum(one != 0)),
        "agreement, where second differs": _share(same[two != 0].sum(), np.sum(two != 0)),
    }


def _share(count: Any, of: Any) -> float:
    return float(count / of) if of else float("nan")


def _correlation(first: FloatArray, second: FloatArray) -> float:
    """With each pair in both orders the means are zero."""
    counted = ~np.isnan(first) & ~np.isnan(second)
    one, two = first[counted], second[counted]
    return _share(np.sum(one * two), np.sqrt(np.sum(one**2) * np.sum(two**2)))
