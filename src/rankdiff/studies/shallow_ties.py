"""How often do two random rankings tie when they are cut short? A simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, in_turn
from rankdiff.studies.made import from_positions
from rankdiff.studies.pairwise import over_queries, tied
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Row


def draw(table: Table) -> Any:
    """Ties against the depth of retrieval, as Figure 6."""
    alt = altair()
    depth = alt.X("depth:Q", sort="descending", title="retrieval depth")
    share, color = alt.Y("value:Q", title="share of pairs that tie"), alt.Color("measure:N", sort=None)
    return chart(table).mark_line().encode(x=depth, y=share, color=color, strokeDash=in_turn("measure", table))


@study(
    "shallow_ties",
    question="how often do two random rankings tie when they are cut short?",
    reproduces="lexirecall Fig. 6",
    draw=draw,
    about=("TSE", "R@1000", "Rprec", "AP", "sgnLR"),
    samples=25,
)
def shallow_ties(
    what: Sequence[Criterion],
    sampling: Sampling,
    *,
    n: int = 250_000,
    fewest: int = 5,
    most: int = 50,
    rankings: int = 20,
    depths: Sequence[int] = (250_000, 240_000, 225_000, 200_000, 150_000, 100_000, 50_000, 20_000, 5_000, 1_000),
) -> Iterator[Row]:
    """The share of the pairs of random rankings that tie, by the depth to which they are retrieved.

    Each sample is a request and some rankings for it, drawn at random, all pairs of which are compared. A relevant
    document below the depth is not retrieved. With the mean over requests stands its 95 % interval (bootstrap over
    requests).

    - ``n``: how many documents there are.
    - ``fewest``: how many of them are relevant at least.
    - ``most``: how many of them are relevant at most.
    - ``rankings``: how many rankings of a request are compared.
    - ``depths``: to which depths the rankings are retrieved.

    >>> import rankdiff as rd
    >>> table = rd.studies.shallow_ties(["R@1000", "sgnLR"], samples=5, depths=[250_000]).table
    >>> table["value"][0] > 0.5, table["value"][1]
    (np.True_, np.float64(0.0))
    """
    requests = sampling.map(lambda rng: _request(rng, n, fewest, most, rankings))
    for depth in depths:
        c = from_positions(requests, n, depth)
        for item in what:
            yield {"measure": item.name, "depth": depth, **over_queries(tied(c, item))}


def _request(rng: np.random.Generator, n: int, fewest: int, most: int, rankings: int) -> NDArray[Any]:
    """Where some rankings of one request have its relevant documents, ranking × document."""
    m = int(rng.integers(fewest, most + 1))
    return np.sort([rng.choice(n, m, replace=False, shuffle=False) + 1 for _ in range(rankings)], axis=1)
