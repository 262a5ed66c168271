"""How does a measure that depends on the other runs hold with fewer of them?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, logarithmic, panels
from rankdiff.studies.opinions import METHOD, agreement, mean_and_deviation, system_scores
from rankdiff.studies.published.innovation import TABLE_3
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Row


def draw(table: Table) -> Any:
    """τ with the order among all runs, against how many runs are left."""
    alt = altair()
    size = logarithmic("systems", "runs", table["systems"])
    tau = alt.Y("value:Q", title="τ with the order among all", scale=alt.Scale(zero=False))
    lines = chart(table).mark_line(point=True).encode(x=size, y=tau, color=alt.Color("measure:N", sort=None))
    return panels(lines, table)


@study(
    "systems",
    question="how does a measure that depends on the other runs hold with fewer of them?",
    reproduces="innovation Algorithm 1, Table 3",
    draw=draw,
    about=("RareP@100", "RareAP@100", "ASL", "RPP"),
    samples=10,
    papers_samples=1000,
    as_paper=("RareP@100", "RareAP@100"),
    printed=TABLE_3,
)
def systems(
    c: Collection, what: Sequence[Criterion], sampling: Sampling, *, sizes: Sequence[int] = (), by: str = METHOD
) -> Iterator[Row]:
    """Kendall's τ between the order of some runs when only they are compared, and their order among all.

    - ``sizes``: how many runs are drawn at random; 2, 4, 8, … where none are named. One as large as the number of runs
      is left out.
    - ``by``: how preferences become an order of systems.

    Runs that tie throughout have no τ, and the sample does not count. Rarity depends on the other runs by its
    definition, MC4 and win rates by theirs, padded search lengths by the deepest run. A measure that does not
    depend on them has τ = 1.

    >>> import rankdiff as rd
    >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"a": 1}}, "z": {"q": {"b": 1}}}
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, runs)
    >>> table = rd.studies.systems(c, ["AP", "RareP"], samples=5).table
    >>> table["systems"].tolist(), table["value"].tolist()
    ([2, 2], [1.0, 1.0])
    """
    count = len(c.systems)
    if count < 3:
        raise UsageError(f"{count} runs, of which some are to be left out: expected at least three")
    chosen = [size for size in sizes or [2**j for j in range(1, 12)] if 2 <= size < count]
    full = [system_scores(c, item, by) for item in what]
    drawn = np.array(sampling.map(lambda rng: [_among(c, what, full, rng, size=size, by=by) for size in chosen]))
    for i, size in enumerate(chosen):
        for j, item in enumerate(what):
            yield {"measure": item.name, "systems": size, **mean_and_deviation(drawn[:, i, j])}


def _among(
    c: Collection,
    what: Sequence[Criterion],
    full: Sequence[FloatArray],
    rng: np.random.Generator,
    *,
    size: int,
    by: str,
) -> list[float]:
    """τ of each measure among some runs drawn at random."""
    some = np.sort(rng.permutation(len(c.systems))[:size])
    view = c.select(systems=[c.systems[i] for i in some])
    return [agreement(system_scores(view, item, by), all_[some]) for item, all_ in zip(what, full, strict=True)]
