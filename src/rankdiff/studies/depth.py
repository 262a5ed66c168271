"""Which recall level decides, and how deep must one look?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.collection import Collection
from rankdiff.hits import NOT_RETRIEVED, IntArray
from rankdiff.results.table import Table
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, logarithmic, panels
from rankdiff.studies.tables import Row

READ = {"sgnLP": "from the top", "sgnLR": "from the bottom"}
"""The preferences that one recall level decides, and from where levels are counted."""


def draw(table: Table) -> Any:
    """Decided pairs against recall levels looked at, and against ranks, as Figure 6."""
    alt = altair()
    share = alt.Y("value:Q", title="decided, of the pairs that differ", scale=alt.Scale(domain=[0, 1]))
    levels = chart(table).transform_filter("datum.by == 'recall levels'").mark_line(point=True)
    levels = levels.encode(x=alt.X("at:Q", title="recall levels looked at"), y=share, color="preference:N")
    ranks = chart(table).transform_filter("datum.by == 'rank'").mark_line(point=True)
    rank = logarithmic("at", "documents of each ranking looked at", table["at"][table["by"] == "rank"])
    ranks = ranks.encode(x=rank, y=share, color="preference:N")
    return panels(levels, table) | panels(ranks, table)


@study(
    "depth",
    question="which recall level decides, and how deep must one look?",
    reproduces="lexiprecision Fig. 6",
    draw=draw,
)
def depth(
    c: Collection,
    deepest: int = 50,
    ranks: Sequence[int] = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
    shares: Sequence[float] = (0.5, 0.9, 0.99),
) -> Iterator[Row]:
    """How many recall levels lexiprecision, from the top, and lexirecall, from the bottom, look at until two rankings
    differ; over all pairs of runs and queries that differ at all.

    - by recall levels: the share that so many levels decide; by share: how many levels decide that share of the pairs
    - by rank: the share for whose decision no document below that rank is needed. What decides is the better one of two
      ranks, except that lexirecall must see both rankings to their end, and so is not told by rank
    - by ties: the share of the pairs that never differ, over the queries that have a relevant document

    Options:

    - ``deepest``: the largest number of recall levels that is told.
    - ``ranks``: the ranks that are told.
    - ``shares``: the shares of the pairs that are told.

    >>> import rankdiff as rd
    >>> qrels = {"q": {"a": 1, "b": 1}}
    >>> c = rd.align(qrels, {"x": {"q": {"a": 3, "b": 2}}, "y": {"q": {"a": 3, "n": 2, "b": 1}}})
    >>> table = rd.studies.depth(c).table
    >>> table.row(by="recall levels", at=1)["value"], table.row(by="recall levels", at=2)["value"]
    (0.0, 1.0)
    """
    levels, start = c.levels(c.rules.rel), c.relevant(c.rules.rel).start
    for name, read in READ.items():
        steps, deciding = _decisions(levels, start, from_bottom=name == "sgnLR")
        common = {"preference": name, "levels": read}
        pairs = max(steps.sum(), 1)
        differing = max(pairs - steps[0], 1)
        yield {**common, "by": "ties", "at": None, "value": float(steps[0] / pairs)}
        decided = np.cumsum(steps[1:]) / differing
        for level in range(1, min(deepest, len(decided)) + 1):
            yield {**common, "by": "recall levels", "at": float(level), "value": float(decided[level - 1])}
        for share in shares:
            yield {**common, "by": "share", "at": share, "value": float(np.argmax(decided >= share - 1e-12) + 1)}
        if name == "sgnLP":
            seen = np.cumsum(deciding) / differing
            for rank in (rank for rank in ranks if rank < len(seen)):
                yield {**common, "by": "rank", "at": float(rank), "value": float(seen[rank])}


def _decisions(levels: IntArray, start: IntArray, from_bottom: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """How many pairs each number of levels decides (0: ties), and the better rank at the deciding level of how many."""
    filled = np.diff(start) > 0
    first, size = start[:-1][filled], np.diff(start)[filled]
    place = np.arange(levels.shape[1]) - np.repeat(first, size)
    looked = np.repeat(size, size) - place if from_bottom else place + 1
    most = int(size.max(initial=0))
    deepest = int(np.max(levels, where=levels != NOT_RETRIEVED, initial=0))
    steps, deciding = np.zeros(most + 1, np.int64), np.zeros(deepest + 1, np.int64)
    for run in range(len(levels) - 1):
        needed = np.where(levels[run + 1 :] != levels[run], looked, most + 1)
        step = np.minimum.reduceat(needed, first, axis=1) if len(first) else needed
        differs = step <= most
        steps += np.bincount(np.where(differs, step, 0).ravel(), minlength=most + 1)
        entry = first + np.where(differs, size - step if from_bottom else step - 1, 0)
        better = np.minimum(np.take_along_axis(levels[run + 1 :], entry, axis=1), levels[run][entry])
        deciding += np.bincount(better[differs], minlength=deepest + 1)
    return steps, deciding
