"""The collection at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.collection import Collection
from rankdiff.measures.subtopics import facets
from rankdiff.results.table import Table
from rankdiff.studies.definition import study
from rankdiff.studies.depth_class import depth_class
from rankdiff.studies.drawing import altair, chart, panels
from rankdiff.studies.published import lexiprecision, lexirecall, recall_paired
from rankdiff.studies.tables import Row

CUTOFFS = (10, 20, 100)


def draw(table: Table) -> Any:
    """Relevant documents and those retrieved, documents returned, and the share of them that nobody judged."""
    alt = altair()
    counts = chart(table, height=100).transform_filter("datum.deviation != null").mark_bar()
    counts = counts.encode(x=alt.X("value:Q", title="per request"), y=alt.Y("quantity:N", title=None, sort=None))
    unjudged = chart(table, height=100).transform_filter("test(/unjudged/, datum.quantity)").mark_bar()
    share = alt.X("value:Q", title="share unjudged", scale=alt.Scale(domain=[0, 1]))
    unjudged = unjudged.encode(x=share, y=alt.Y("quantity:N", title=None, sort=None))
    return panels(counts, table) | panels(unjudged, table)


@study(
    "summary",
    question="what is in the collection?",
    reproduces="RPP Table 1; lexirecall Table 5; lexiprecision §3.6",
    draw=draw,
    printed=[lexirecall.TABLE_5, recall_paired.TABLE_1, lexiprecision.RETRIEVED],
)
def summary(c: Collection) -> Iterator[Row]:
    """Requests and runs; relevant documents, relevant documents retrieved, documents returned and subtopics per
    request, with their standard deviations; unjudged documents near the top; runs that lack requests.

    Rankings that a run does not have are left out of the means over runs and requests. A subtopic counts where it has
    a relevant document. ``unjudged@k`` is a share of the first ``k`` documents, or of as many as were returned. The
    ``class`` of the documents returned is deep above 1000 per request, shallow up to 100, and standard between.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1, "n": 0}}, {"run": {"q": {"a": 3, "x": 2, "n": 1}}})
    >>> table = rd.studies.summary(c).table
    >>> table.row(quantity="relevant")["value"], table.row(quantity="unjudged@10")["value"].__round__(4)
    (2.0, 0.3333)
    """
    answered, rel = c.answered, c.rules.rel
    of_each = {
        "relevant": c.relevant(rel).size,
        "relevant retrieved": c.hits(rel).count[answered],
        "documents": c.depth[answered],
        "subtopics": _subtopics(c, rel),
    }
    yield _row("requests", len(c.queries))
    yield _row("runs", len(c.systems))
    for quantity, values in of_each.items():
        row = _row(quantity, values.mean() if values.size else np.nan, values.std(ddof=1) if values.size > 1 else 0)
        yield {**row, "class": depth_class(row["value"])} if quantity == "documents" and values.size else row
    judged = c.measure(*(f"Judged@{k}" for k in CUTOFFS)).values[:, c.depth > 0]
    for k, values in zip(CUTOFFS, judged, strict=True):
        yield _row(f"unjudged@{k}", 1 - values.mean() if values.size else np.nan)
    yield _row("requests without a relevant document", np.sum(c.relevant(rel).size == 0))
    yield _row("runs that lack requests", np.sum(~answered.all(axis=1)))
    yield _row("rankings lacking", np.sum(~answered))


def _row(quantity: str, value: Any, deviation: Any = np.nan) -> Row:
    return {"quantity": quantity, "value": float(value), "deviation": float(deviation)}


def _subtopics(c: Collection, rel: float) -> NDArray[np.int64]:
    """How many subtopics each query has."""
    if c.subtopics is None:
        return np.zeros(len(c.queries), np.int64)
    return np.bincount(facets(c, rel).documents.query, minlength=len(c.queries))
