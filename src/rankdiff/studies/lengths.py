"""How far down does each relevant document stand, and how far does it move from one run to another?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.measures import find
from rankdiff.measures.atomized import length_table
from rankdiff.results.table import Table
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, panels
from rankdiff.studies.headroom import median_run
from rankdiff.studies.opinions import averages, goodness
from rankdiff.studies.tables import Row

LENGTH, CHANGE = "search length", "change of search length"


def draw(table: Table) -> Any:
    """The histograms of the search lengths of each run, and of their changes, as Figures 5 and 6."""
    alt = altair()

    def histogram(quantity: str) -> Any:
        bars = chart(table).transform_filter(f"datum.quantity == '{quantity}'").mark_bar(opacity=0.6)
        value = alt.X("value:Q", title=quantity, bin=alt.Bin(maxbins=40))
        documents = alt.Y("count()", title="relevant documents", stack=None)
        return panels(bars.encode(x=value, y=documents, color="run:N"), table)

    return (histogram(LENGTH) | histogram(CHANGE)).resolve_scale(color="independent")


@study(
    "lengths",
    question="how far down does each relevant document stand?",
    reproduces="ASL Fig. 5, 6",
    draw=draw,
)
def lengths(c: Collection, *, runs: Sequence[str] = (), absent: str = "padded") -> Iterator[Row]:
    """The search length of every relevant document, run by run, and how it changes between two runs.

    - ``runs``: which runs; the best and the median one by ASL unless named (of two runs both).
    - ``absent``: what a document counts that was not retrieved: ``padded``, ``returned`` or ``corpus``.

    A search length is 1 where nothing non-relevant stands above; ``rank`` is empty where the document was not
    retrieved. ASL is the mean of the lengths over the documents of a topic, then over topics. Where there are two runs,
    ``change of search length`` is the first's less the second's, negative where the first has the document higher up.

    >>> import rankdiff as rd
    >>> runs = {"good": {"q": {"a": 1}}, "bad": {"q": {"x": 2, "a": 1}}}
    >>> table = rd.studies.lengths(rd.align({"q": {"a": 1}}, runs)).table
    >>> table["run"].tolist(), table["value"].tolist()
    (['good', 'bad', 'good − bad'], [1.0, 2.0, -1.0])
    """
    names = list(runs) or _best_and_median(c, absent)
    tables = [length_table(c, name, absent) for name in names]
    for name, table in zip(names, tables, strict=True):
        for row in table.rows():
            yield {
                "quantity": LENGTH,
                "run": name,
                **{key: row[key] for key in row if key not in ("run", "length")},
            } | {"value": row["length"]}
    if len(names) == 2:
        change = tables[0]["length"] - tables[1]["length"]
        for row, value in zip(tables[0].rows(), change.tolist(), strict=True):
            place = {"query": row["query"], "document": row["document"], "grade": row["grade"], "rank": None}
            yield {"quantity": CHANGE, "run": " − ".join(names), **place, "value": value}


def _best_and_median(c: Collection, absent: str) -> list[str]:
    item = find(f"ASL(missing={absent!r})")
    means = averages(item, goodness(c, item))
    if np.isnan(means).all():
        raise UsageError("no run has a search length: there is no topic with a relevant document and a ranking")
    best = int(np.nanargmax(means))
    second = 1 - best if len(means) == 2 else median_run(means)
    return [c.systems[place] for place in dict.fromkeys([best, second])]
