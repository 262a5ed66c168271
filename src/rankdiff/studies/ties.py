"""How often does a measure not tell two rankings apart?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import FloatArray
from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion, pairs
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import HEIGHT, WIDTH, altair, chart, logarithmic, panels
from rankdiff.studies.pairwise import first_ranks, over_queries, tied, verdicts
from rankdiff.studies.published.lexiprecision import TABLE_2
from rankdiff.studies.tables import Row

POSITION = "position"
"""What the rows by recall level are about: no measure, but the ranks themselves."""


def draw(table: Table) -> Any:
    """Ties by measure, by the rank of the first relevant document, by recall level and by depth."""
    alt = altair()
    share = alt.Y("value:Q", title="share of pairs that tie")

    def part(by: str) -> Any:
        return chart(table).transform_filter(f"datum.by == '{by}'")

    measure = alt.X("measure:N", title=None, sort=None)
    bars = alt.Chart().mark_bar().encode(x=measure, y=share)
    spread = alt.Chart().mark_rule().encode(x=measure, y="low:Q", y2="high:Q")
    every = alt.layer(bars, spread, data=part("all").data, width=WIDTH, height=HEIGHT)

    def axis(by: str) -> Any:
        return logarithmic("at", by, table["at"][table["by"] == by])

    named = alt.Color("measure:N", sort=None)
    lines = [
        part(by).mark_line(point=True).encode(x=across, y=share, color=color)
        for by, across, color in [
            ("first relevant rank", axis("first relevant rank"), named),
            ("recall level", alt.X("at:Q", title="recall level"), alt.Color()),
            ("depth", axis("depth"), named),
        ]
    ]
    first = panels(every.transform_filter("datum.by == 'all'"), table) | panels(lines[0], table)
    return first & (panels(lines[1], table) | panels(lines[2], table))


@study(
    "ties",
    question="how often does a measure not tell two rankings apart?",
    reproduces="lexiprecision Fig. 3, 5, Table 2; lexirecall Fig. 10",
    draw=draw,
    about=("RR", "sgnLP", "TSE", "sgnLR", "R@1000", "Rprec", "AP", "nDCG", "RPP"),
    printed=[TABLE_2],
)
def ties(
    c: Collection, what: Sequence[Criterion], deepest: int = 20, depths: Sequence[int] = (5, 10, 20, 50, 100, 200, 500)
) -> Iterator[Row]:
    """The share of the pairs of runs that tie on a query, a mean over queries with its 95 % interval (bootstrap over
    queries).

    - by measure, over all pairs
    - by the rank of the first relevant document of one of the two runs: the share of the pairs with such a run
    - by recall level: the share of the pairs that have the ``i``-th relevant document at the same rank, over the
      queries that have as many; two runs that miss it tie
    - by depth, all rankings being cut there

    Options:

    - ``deepest``: the last rank of a first relevant document, and the last recall level.
    - ``depths``: where rankings are cut; those that no ranking reaches are left out.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"b": 3, "n": 2, "a": 1}}})
    >>> table = rd.studies.ties(c, ["RR", "sgnLP"]).table
    >>> table.row(measure="RR", by="all")["value"], table.row(measure="sgnLP", by="all")["value"]
    (1.0, 0.0)
    >>> table.row(by="recall level", at=2)["value"]
    0.0
    """
    for item in what:
        yield {"measure": item.name, "by": "all", "at": None, **over_queries(tied(c, item))}
    for item in what:
        yield from _by_first_rank(c, item, deepest)
    yield from _by_level(c, deepest)
    for depth in (depth for depth in depths if depth < c.depth.max(initial=0)):
        cut = c.cut(depth)
        for item in what:
            yield {"measure": item.name, "by": "depth", "at": depth, **over_queries(tied(cut, item))}


def _by_first_rank(c: Collection, item: Criterion, deepest: int) -> Iterator[Row]:
    """Each pair is counted at the first rank of either run."""
    found, ranks = verdicts(c, item), first_ranks(c)
    beyond = deepest + 1
    both = np.minimum(ranks[np.stack(pairs(c))], beyond)
    counted, even = (np.broadcast_to(mask, both.shape) for mask in (~np.isnan(found), found == 0))
    total, alike = (np.bincount(both[mask], minlength=beyond + 1) for mask in (counted, even))
    for rank in range(1, beyond):
        if total[rank]:
            value = float(alike[rank] / total[rank])
            yield {"measure": item.name, "by": "first relevant rank", "at": rank, "value": value}


def _by_level(c: Collection, deepest: int) -> Iterator[Row]:
    relevant, ranks = c.relevant(c.rules.rel), c.levels(c.rules.rel)
    for level in range(1, min(deepest, int(relevant.size.max(initial=0))) + 1):
        having = relevant.size >= level
        same = _same(ranks[:, relevant.start[:-1][having] + level - 1])
        yield {"measure": POSITION, "by": "recall level", "at": level, **over_queries(same)}


def _same(ranks: Any) -> FloatArray:
    """The share of the pairs of rows that are equal, in each column."""
    rows = len(ranks)
    ordered = np.sort(ranks, axis=0)
    changes = np.vstack([np.ones((1, ranks.shape[1]), bool), ordered[1:] != ordered[:-1]])
    alike = [np.bincount(np.cumsum(column)) for column in changes.T]
    return np.array([np.sum(size * (size - 1)) / (rows * (rows - 1)) for size in alike])
