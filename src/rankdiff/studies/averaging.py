"""What does a mean of precisions average? The example of the paper on atomized search length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.measures.effective_share import effective_count, swapped_lengths
from rankdiff.results.table import Table
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart
from rankdiff.studies.published.atomized import APPENDIX_A1
from rankdiff.studies.tables import Row

GIVEN, SWAPPED, COUNTED = "search length", "as a plain mean", "effectively averaged"


def draw(table: Table) -> Any:
    """Each search length, and the one that it is worth in a mean of precisions."""
    alt = altair()
    points = chart(table).transform_filter(f"datum.quantity != '{COUNTED}'").mark_line(point=True)
    length = alt.Y("value:Q", title="search length", scale=alt.Scale(type="log"))
    document = alt.X("document:O", axis=alt.Axis(labelAngle=0))
    return points.encode(x=document, y=length, color=alt.Color("quantity:N", title=None))


@study(
    "averaging",
    question="which documents does a mean of precisions average?",
    reproduces="ASL Appendix A.1",
    draw=draw,
    printed=[APPENDIX_A1],
)
def averaging(lengths: Sequence[float] = (1, 1, 1, 2, 4, 5, 10, 10_000, 10_000)) -> Iterator[Row]:
    """Search lengths (1/precision), and what a mean of precisions makes of them.

    ``as a plain mean`` are the search lengths whose unweighted mean is the one that the mean of precisions stands for;
    ``effectively averaged`` marks the first few whose own mean comes nearest to it.

    >>> import rankdiff as rd
    >>> table = rd.studies.averaging(lengths=[1, 4]).table  # a mean precision of 5/8: 8/5 = (1 + 2.2)/2
    >>> table["value"][table["quantity"] == "as a plain mean"].tolist()
    [1.0, 2.2]
    """
    ascending = np.sort(np.asarray(lengths, np.float64))
    counted = np.arange(len(ascending)) < effective_count(ascending.tolist())
    columns = {GIVEN: ascending, SWAPPED: swapped_lengths(ascending.tolist()), COUNTED: counted}
    for quantity, values in columns.items():
        for document, value in enumerate(values, 1):
            yield {"document": document, "quantity": quantity, "value": float(value)}
