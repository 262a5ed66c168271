"""Does the winner of a pair stay the winner on half of the topics?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_args

import numpy as np

from rankdiff import statistics
from rankdiff.collection import Collection
from rankdiff.hits import FloatArray
from rankdiff.measures import Measure
from rankdiff.results.table import Table
from rankdiff.statistics.inputs import score_matrix
from rankdiff.statistics.power import Fuzziness
from rankdiff.studies.criteria import Criterion, compare
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, facet
from rankdiff.studies.published.innovation import TABLE_2
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Row

DRAWS = 100
"""How many halves a sample draws."""


def draw(table: Table) -> Any:
    """The three shares of each measure, by what counts as a tie."""
    alt = altair()
    drawn = chart(table, width=200).transform_fold(["stable", "turned", "tied"], as_=["outcome", "share"]).mark_bar()
    color = alt.Color("outcome:N", title=None)
    drawn = drawn.encode(x=alt.X("measure:N", title=None, sort=None), y=alt.Y("share:Q"), color=color)
    rows = {"row": facet("row", "dataset", table)} if len(set(table["dataset"])) > 1 else {}
    return drawn.facet(column=facet("column", "fuzziness", table), **rows)


@study(
    "stability",
    question="does the winner of a pair stay the winner on half of the topics?",
    reproduces="innovation Table 2",
    draw=draw,
    about=("P@100", "RareP(alpha=0.5)@100", "RareP@100", "AP@100", "RareAP(alpha=0.5)@100", "RareAP@100", "RPP"),
    samples=10,
    printed=[TABLE_2],
)
def stability(c: Collection, what: Sequence[Criterion], sampling: Sampling, fuzziness: float = 0.05) -> Iterator[Row]:
    """How often the same run of a pair leads on half of the topics, drawn at random (Buckley & Voorhees 2000).

    For each pair, of the shares of draws in which one run leads and in which the other does, the larger is ``stable``
    and the smaller ``turned``; in the remaining share they are ``tied``, their means no more than the fuzziness apart.
    All three are means over pairs. Measures of different range can be compared under relative fuzziness and that in
    standard deviations only. A preference enters by its win rates. Each sample makes 100 draws.

    - ``fuzziness``: what makes a tie: so many points (``absolute``), so much of the better mean (``relative``), or so
      many pooled standard deviations (``sd``).

    >>> import rankdiff as rd
    >>> qrels = {f"q{i}": {"a": 1} for i in range(4)}
    >>> runs = {"x": {query: {"a": 1} for query in qrels}, "y": {query: {"n": 2, "a": 1} for query in qrels}}
    >>> table = rd.studies.stability(rd.align(qrels, runs), "RR", samples=1).table
    >>> table["stable"].tolist(), table["fuzziness"].tolist()
    ([1.0, 1.0, 1.0], ['absolute', 'relative', 'sd'])
    """
    values = [_values(c, item) for item in what]
    kinds: tuple[Fuzziness, ...] = get_args(Fuzziness)

    def halves(rng: np.random.Generator) -> list[list[FloatArray]]:
        seed = int(rng.integers(2**31))
        return [
            [statistics.stability(each, draws=DRAWS, fuzziness=fuzziness, kind=kind, seed=seed).leads for kind in kinds]
            for each in values
        ]

    leads = np.mean(sampling.map(halves), axis=0)
    first, second = np.triu_indices(len(c.systems), 1)
    for item, by_kind in zip(what, leads, strict=True):
        for kind, found in zip(kinds, by_kind, strict=True):
            one, other = found[first, second], found[second, first]
            stable, turned = float(np.maximum(one, other).mean()), float(np.minimum(one, other).mean())
            shares = {"stable": stable, "turned": turned, "tied": max(0.0, 1 - stable - turned)}
            yield {"measure": item.name, "fuzziness": kind, **shares}


def _values(c: Collection, item: Criterion) -> FloatArray:
    if not isinstance(item, Measure):
        return compare(c, item).win_rates()
    return score_matrix(c.measure(item))[1]
