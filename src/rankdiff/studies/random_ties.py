"""How often do two rankings drawn at random tie? The closed forms, tabulated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.results.table import Table
from rankdiff.studies.closed_forms import tie_probability
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, logarithmic
from rankdiff.studies.published.lexirecall import TABLE_3, TABLE_4
from rankdiff.studies.tables import Row

FORMS = ("TSE", "R", "RP", "LR")


def draw(table: Table) -> Any:
    """Reciprocal rank by the rank of the first relevant document, beside the other measures by corpus size."""
    alt = altair()
    probability = alt.Y("value:Q", title="probability of a tie")
    by_rank = chart(table).transform_filter("datum.measure == 'RR'").mark_line()
    first = logarithmic("first", "rank of the first relevant document", table["first"])
    by_rank = by_rank.encode(x=first, y=probability, color="m:N")
    by_size = chart(table).transform_filter("datum.measure != 'RR'").mark_line(point=True)
    size = logarithmic("n", "documents", table["n"][table["measure"] != "RR"])
    by_size = by_size.encode(x=size, y=probability, color=alt.Color("measure:N", sort=None), opacity="m:O")
    return (by_rank | by_size).resolve_scale(color="independent")


@study(
    "random_ties",
    question="how often do two rankings drawn at random tie?",
    reproduces="lexiprecision eq. 1, Fig. 2; lexirecall Tables 3, 4",
    draw=draw,
    printed=[TABLE_3, TABLE_4],
)
def random_ties(
    n: Sequence[int] = (10**3, 10**4, 10**5, 10**6),
    m: Sequence[int] = (1, 5, 10, 25, 50),
    k: int = 1000,
    corpus: int = 50_000,
    points: int = 60,
) -> Iterator[Row]:
    """The closed forms of `tie_probability` for corpora of ``n`` documents, ``m`` of them relevant.

    ``R`` is recall at ``k``. ``RR`` is a tie with a ranking whose first relevant document stands at rank ``first``
    in a corpus of ``corpus`` documents, at ``points`` ranks spread over it evenly in logarithm.

    >>> import rankdiff as rd
    >>> rd.studies.random_ties(n=[1000], m=[10]).table.row(measure="TSE")["value"].__round__(8)
    0.00528696
    """
    for size in n:
        for relevant in m:
            for measure in FORMS:
                value = tie_probability(measure, n=size, m=relevant, k=k)
                yield {"measure": measure, "n": size, "m": relevant, "first": None, "value": value}
    ranks = np.unique(np.geomspace(1, corpus, points).round().astype(int))
    for relevant in m:
        values = tie_probability("RR", n=corpus, m=relevant, first=ranks)
        for first, value in zip(ranks.tolist(), values.tolist(), strict=True):
            yield {"measure": "RR", "n": corpus, "m": relevant, "first": first, "value": value}
