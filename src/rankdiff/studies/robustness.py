"""Does a measure see the worst-off user?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankdiff.measures import Measure
from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion, resolve, signs
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, logarithmic
from rankdiff.studies.made import from_positions
from rankdiff.studies.optimal import deterministic_utilities, recall_level_form, stochastic_utilities
from rankdiff.studies.published.lexirecall import TABLE_2
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Row

ROUNDING = 12
"""Decimals beyond which utilities are equal: the order in which floats are added is no difference."""
OF_ALL, OF_DIFFERING = "share of all pairs", "share of pairs where the worst case differs"


def draw(table: Table) -> Any:
    """Agreement with the worst case by corpus size, and the worst case of optimal rankings as Figure 14."""
    alt = altair()
    agreement = chart(table).transform_filter(f"datum.quantity == '{OF_DIFFERING}'").mark_line(point=True)
    color = alt.Color("measure:N", sort=None)
    size = logarithmic("n", "documents", table["n"])
    agreement = agreement.encode(x=size, y=alt.Y("value:Q", title="agreement"), color=color)
    worst = chart(table, width=140, height=120).transform_filter("datum.quantity == 'worst case'").mark_line(point=True)
    worst = worst.encode(
        x=alt.X("m:Q", title="relevant documents"),
        y=alt.Y("value:Q", title="worst case"),
        color=alt.Color("rankings:N", title=None),
    ).facet(alt.Facet("measure:N", title=None, sort=None), columns=3)
    return (agreement & worst.resolve_scale(y="independent")).resolve_scale(color="independent")


@study(
    "robustness",
    question="does a measure see the worst-off user?",
    reproduces="lexirecall Table 2, Fig. 14",
    draw=draw,
    about=("TSE", "R@1000", "Rprec", "AP", "nDCG", "RBP(p=0.8)"),
    samples=10_000,
    printed=[TABLE_2],
)
def robustness(
    what: Sequence[Criterion],
    sampling: Sampling,
    *,
    n: Sequence[int] = (10**3, 10**4, 10**5, 10**6),
    fewest: int = 5,
    most: int = 50,
    optimal: int = 25,
) -> Iterator[Row]:
    """How often a measure or preference orders two random rankings as their worst-off users would.

    Each sample is a request with ``fewest`` to ``most`` relevant documents, and for each corpus size two rankings of
    it drawn at random. The worst-off user of a ranking needs just its last relevant document, so that TSE is his
    utility. Table 2 of the paper prints the *share of all pairs* that a measure orders strictly as the worst case
    does, ties against it (TSE's figure apart, which is the share *of pairs where the worst case differs*); ``random``
    tosses a coin.

    For optimal rankings of 1 to ``optimal`` relevant documents, the *worst case* is what the worst-off of all users
    gets from one such ranking, and what the worst-off user gets on average if the relevant documents are shuffled;
    ``needed`` says how many documents that user needs. It is computed for measures with an exposure and a
    normalization.

    >>> import rankdiff as rd
    >>> table = rd.studies.robustness(["AP"], samples=50, n=[1000], optimal=2).table
    >>> table.row(measure="AP", m=2, rankings="optimal, shuffled")["value"]
    0.75
    """
    outcomes = sampling.map(lambda rng: _request(rng, n, fewest, most))
    tosses = np.array([toss for toss, _ in outcomes])
    for i, size in enumerate(n):
        c = from_positions([rankings[i] for _, rankings in outcomes], size)
        worst = signs(c, resolve("TSE"))[0]
        verdicts = {_label(item): signs(c, item)[0] for item in what} | {"random": tosses[:, i]}
        common = {"rankings": "random", "n": size, "m": None, "needed": None}
        yield {**common, "measure": "tied", **_share(worst == 0, OF_ALL)}
        for name, verdict in verdicts.items():
            yield {**common, "measure": name, **_share((verdict == worst) & (worst != 0), OF_ALL)}
            yield {**common, "measure": name, **_share((verdict == worst)[worst != 0], OF_DIFFERING)}
    yield from _optimal(what, optimal)


def _request(rng: np.random.Generator, n: Sequence[int], fewest: int, most: int) -> tuple[Any, list[Any]]:
    """For each corpus size a toss of a coin, and the positions of the relevant documents in two rankings."""
    m = int(rng.integers(fewest, most + 1))
    rankings = [[rng.choice(size, m, replace=False, shuffle=False) + 1 for _ in range(2)] for size in n]
    return rng.choice([-1, 1], len(n)), [np.sort(pair, axis=1) for pair in rankings]


def _share(marked: Any, quantity: str) -> Row:
    """A share and its standard error."""
    value = float(np.mean(marked)) if len(marked) else np.nan
    return {"quantity": quantity, "value": value, "error": float(np.sqrt(value * (1 - value) / max(len(marked), 1)))}


def _label(item: Criterion) -> str:
    """A name that tells RBP's persistence even where it is the default."""
    form = recall_level_form(item) if isinstance(item, Measure) and item.definition.name == "RBP" else None
    return item.name if form is None else form.name


def _optimal(what: Sequence[Criterion], most: int) -> Iterator[Row]:
    forms = {_label(item): recall_level_form(item) for item in what if isinstance(item, Measure)}
    for name, form in forms.items():
        if form is None or form.exposure.needs_corpus:
            continue
        for m in range(1, most + 1):
            fixed, shuffled = deterministic_utilities(form, m), stochastic_utilities(form, m)
            for kind, utilities in {"optimal, fixed": fixed, "optimal, shuffled": shuffled}.items():
                needed = int(np.argmin(np.round(utilities, ROUNDING))) + 1
                yield {
                    "rankings": kind,
                    "n": None,
                    "m": m,
                    "needed": needed,
                    "measure": name,
                    "quantity": "worst case",
                    "value": float(utilities[needed - 1]),
                    "error": 0.0,
                }
