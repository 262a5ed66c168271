"""What does each recall level contribute to the difference of two rankings?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import NOT_RETRIEVED, FloatArray
from rankdiff.results.table import Table
from rankdiff.studies.contributions import Contribution, contribution
from rankdiff.studies.criteria import Criterion
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, logarithmic, panels
from rankdiff.studies.tables import Note, Row

ONE, UPTO, SIZES, PRECISION = "one request", "up to level", "relative size", "precision"
LEVELS = (1, 2, 3, 5, 10, 20, 50, 100)
RELATIVE_SIZES = (0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)


def draw(table: Table) -> Any:
    """Precision and contributions of one request, as Figure 4b; all pairs by level, and by size, as Figure 2."""
    alt = altair()

    def part(view: str, title: str, value: str, of: str, scale: str = "linear") -> Any:
        x, y = alt.X("at:Q", title=title, scale=alt.Scale(type=scale)), alt.Y(f"{value}:Q", title=of)
        if scale == "log":
            x = logarithmic("at", title, table["at"][table["view"] == view])
        lines = chart(table).transform_filter(f"datum.view == '{view}'").mark_line(point=view in (UPTO, SIZES))
        return panels(lines.encode(x=x, y=y, color=alt.Color("measure:N", title=None, sort=None)), table)

    curves = part(PRECISION, "recall level", "value", "precision")
    scale = alt.Scale(type="symlog", constant=0.02, scheme="redblue", domain=[-1, 1])
    squares = chart(table).transform_filter(f"datum.view == '{ONE}'").mark_rect().encode(
        x=alt.X("at:O", title="recall level", axis=alt.Axis(labelOverlap=True, labelAngle=0, ticks=False)),
        y=alt.Y("measure:N", title=None, sort=None),
        color=alt.Color("share:Q", title="share", scale=scale, legend=alt.Legend(values=[-1, -0.1, 0, 0.1, 1])),
    )  # fmt: skip
    one = panels(squares.properties(title="share of the difference"), table)
    upto = part(UPTO, "recall level", "value", "share of the difference up to it", "log")
    sizes = part(SIZES, "contribution, over the largest of its request", "value", "share of all up to it", "sqrt")
    above, below = (curves | one).resolve_scale(color="independent"), upto | sizes
    return (above & below).resolve_scale(color="independent")


@study(
    "levels",
    question="what does each recall level contribute to the difference of two rankings?",
    reproduces="RPP Fig. 2 (right), 4; lexiprecision Fig. 4b",
    draw=draw,
    about=("RBP(p=0.5)", "AP", "nDCG", "RR", "ISL", "TSL", "AverageRank", "RPP", "sgnLP"),
)
def levels(
    c: Collection, what: Sequence[Criterion], request: str | None = None, runs: Sequence[str] = ()
) -> Iterator[Row | Note]:
    """How much of a difference comes from users who want one relevant document, two, three …

    - for one request and two runs: the precision of both at each recall level; what each level contributes to the
      difference of a measure, first run less second, and what share of all contributions, taken without their signs,
      that is
    - over all pairs of runs and requests that differ: the share of the contributions *up to a level*, a mean
    - over all pairs and levels: the share of contributions whose *relative size* is at most ``at``, as a share of the
      largest contribution of the request

    Relevance is in two grades. Search lengths need to know how many documents there are (``pool=True``).

    - ``request``: the request that is shown alone; that of median size unless it is named.
    - ``runs``: the two runs that are compared on it; the first two unless they are named.

    >>> import rankdiff as rd
    >>> qrels = {"q": {"a": 1, "b": 1}}
    >>> c = rd.align(qrels, {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"n": 3, "a": 2, "b": 1}}})
    >>> table = rd.studies.levels(c, ["AP", "RPP"]).table
    >>> [row["share"] for row in table.rows() if row["view"] == "one request"]  # 1/4 and 1/6; 1/2 and 1/2
    [0.6, 0.4, 0.5, 0.5]
    """
    shapes = [contribution(item) for item in what]
    names = tuple(runs) or c.systems[:2]
    if len(set(names)) != 2:
        raise UsageError(f"two runs are compared, not {len(set(names))}: {', '.join(names)}")
    request = request or _median_request(c)
    yield Note(f"one request: {request}, {names[0]} less {names[1]}")
    yield from _one_request(c.select(names, [request]), shapes)
    for shape in shapes:
        yield from _all_requests(c, shape)


def _median_request(c: Collection) -> str:
    size = c.relevant(c.rules.rel).size
    return c.queries[int(np.argsort(size, kind="stable")[len(size) // 2])]


def _one_request(c: Collection, shapes: Sequence[Contribution]) -> Iterator[Row]:
    population = c.relevant(c.rules.rel)
    for name, ranks in zip(c.systems, c.levels(c.rules.rel), strict=True):
        for level, rank in zip(population.level.tolist(), ranks.tolist(), strict=True):
            if rank != NOT_RETRIEVED:
                yield {"view": PRECISION, "measure": name, "at": level, "value": level / rank}
    for shape in shapes:
        ours, theirs = shape.of_runs(c)
        values = shape.compare(ours, theirs, population)
        total = float(np.abs(values).sum())
        for level, value in zip(population.level.tolist(), values.tolist(), strict=True):
            share = value / total if total else 0.0
            yield {"view": ONE, "measure": shape.name, "at": level, "value": value, "share": share}


def _all_requests(c: Collection, shape: Contribution) -> Iterator[Row]:
    population, worth = c.relevant(c.rules.rel), shape.of_runs(c)
    first = population.start[:-1][population.size > 0]
    if not len(first) or len(worth) < 2:
        return
    request = np.repeat(np.arange(len(first)), population.size[population.size > 0])
    reach = np.searchsorted(LEVELS, population.level)
    stretch = np.flatnonzero(np.diff(request * (len(LEVELS) + 1) + reach, prepend=-1))

    def sizes() -> Iterator[FloatArray]:
        for run in range(len(worth) - 1):
            yield np.abs(shape.compare(worth[run], worth[run + 1 :], population))

    largest = np.max([np.maximum.reduceat(block, first, axis=1).max(axis=0) for block in sizes()], axis=0)[request]
    share, small = np.zeros(len(LEVELS) + 1), np.zeros(len(RELATIVE_SIZES), np.int64)
    differing = counted = 0
    for block in sizes():
        parts = np.add.reduceat(block, stretch, axis=1)
        total = np.add.reduceat(block, first, axis=1)
        shares = np.divide(parts, total[:, request[stretch]], out=np.zeros_like(parts), where=parts > 0)
        share += np.bincount(reach[stretch], shares.sum(axis=0), len(share))
        small += [np.count_nonzero(block <= size * largest) for size in RELATIVE_SIZES]
        differing, counted = differing + int(np.count_nonzero(total)), counted + block.size
    for level, value in zip(LEVELS, np.cumsum(share).tolist(), strict=False):
        yield {"view": UPTO, "measure": shape.name, "at": level, "value": value / max(differing, 1)}
    for size, count in zip(RELATIVE_SIZES, small.tolist(), strict=True):
        yield {"view": SIZES, "measure": shape.name, "at": size, "value": count / counted}
