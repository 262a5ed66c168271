"""Who is worst off: all users of a ranking by brute force, providers, and how precision- or recall-oriented a
measure is.

Each user needs a subset of the relevant documents, each provider owns one. For top-heavy measures the worst-off of
the ``2^m − 1`` users is the one who needs just the last relevant document and gets total search efficiency; enumerating
them shows it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, Population, find_hits
from rankdiff.measures.recall_levels import RECIPROCAL, Exposure, RecallLevelMeasure
from rankdiff.results import Table

MOST_DOCUMENTS = 12
"""Above this many relevant documents there are too many users to enumerate."""


def utilities(measure: RecallLevelMeasure, positions: Sequence[float], n: float = math.inf) -> FloatArray:
    """What a ranking is worth to each of the ``2^m − 1`` users, by the size of what they need.

    ``positions`` are the ranks of the relevant documents, infinite where not retrieved.

    >>> from rankdiff.measures.recall_levels import RR
    >>> utilities(RR, [1, 2]).tolist()  # those who need the first, the second, both
    [1.0, 0.5, 1.0]
    """
    if len(positions) > MOST_DOCUMENTS:
        raise UsageError(
            f"{len(positions)} relevant documents make 2^{len(positions)} − 1 users: "
            f"at most {MOST_DOCUMENTS} documents can be enumerated; TSE is the closed form for top-heavy measures"
        )
    sizes = range(1, len(positions) + 1)
    return np.array([measure.of(needed, n) for size in sizes for needed in combinations(positions, size)])


def worst_case(measure: RecallLevelMeasure, positions: Sequence[float], n: float = math.inf) -> float:
    """The utility of the worst-off of all ``2^m − 1`` users: ``min_u μ(π, u)``.

    It equals total search efficiency where the measure is top-heavy and ``z(1, 1) = 1``.

    >>> from rankdiff.measures.recall_levels import AP
    >>> worst_case(AP, [1, 2, 5])
    0.2
    """
    return float(utilities(measure, positions, n).min())


def provider_population(
    c: Collection, providers: Mapping[str, str | Iterable[str]], rel: float = 1
) -> tuple[Population, tuple[str, ...]]:
    """The relevant documents of each provider, a group per query and provider, and the provider of each group.

    ``providers`` gives the provider of a document, or several; documents without one belong to none.
    """
    relevant = c.relevant(rel)
    owned: dict[tuple[int, str], list[int]] = {}
    for column, query in zip(relevant.column.tolist(), relevant.query[relevant.group].tolist(), strict=True):
        owners = providers.get(c.documents[column], ())
        for owner in {owners} if isinstance(owners, str) else set(owners):
            owned.setdefault((query, owner), []).append(column)
    groups = sorted(owned)
    start = np.cumsum([0, *(len(owned[group]) for group in groups)])
    columns = np.array([column for group in groups for column in owned[group]], np.int64)
    return Population(columns, start, np.array([query for query, _ in groups], np.int64)), tuple(o for _, o in groups)


def provider_exposure(
    c: Collection, providers: Mapping[str, str | Iterable[str]], exposure: Exposure = RECIPROCAL, rel: float = 1
) -> Table:
    """The cumulative exposure of each provider's relevant documents, ``η_e = Σ_{i: d_i ∈ R'} e(p_i)``.

    A row for each run, query and provider that owns a relevant document there: how many it owns, and what exposure
    they get; a document not retrieved gets none.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1, "c": 1}}, {"run": {"q": {"a": 9, "x": 8, "y": 7, "b": 6}}})
    >>> table = provider_exposure(c, {"a": "Ann", "b": "Ann", "c": "Bob"})
    >>> for row in table.rows(): print(row)
    {'run': 'run', 'query': 'q', 'provider': 'Ann', 'documents': 2, 'exposure': 1.25}
    {'run': 'run', 'query': 'q', 'provider': 'Bob', 'documents': 1, 'exposure': 0.0}
    """
    population, owners = provider_population(c, providers, rel)
    values = _exposures(c, population, exposure, rel)
    system, group = (index.ravel() for index in np.indices(values.shape))
    return Table.of(
        run=np.array(c.systems, object)[system],
        query=np.array(c.queries, object)[population.query[group]],
        provider=np.array(owners, object)[group],
        documents=population.size[group],
        exposure=values.ravel(),
    )


def worst_provider(
    c: Collection, providers: Mapping[str, str | Iterable[str]], exposure: Exposure = RECIPROCAL, rel: float = 1
) -> FloatArray:
    """The exposure of the worst-off provider, system × query: ``min η_e`` over those who own a relevant document.

    NaN where no provider owns one. Where each relevant document has a provider of its own it is total search
    efficiency.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1, "c": 1}}, {"run": {"q": {"a": 9, "x": 8, "y": 7, "b": 6}}})
    >>> worst_provider(c, {"a": "Ann", "b": "Bob", "c": "Ann"})
    array([[0.25]])
    """
    population, _ = provider_population(c, providers, rel)
    least = np.full(c.depth.shape, np.inf)
    np.minimum.at(least.T, population.query, _exposures(c, population, exposure, rel).T)
    return np.where(np.isinf(least), np.nan, least)


def _exposures(c: Collection, population: Population, exposure: Exposure, rel: float) -> FloatArray:
    hits = find_hits(c.rank, population)
    query = population.query[hits.group]
    n = c.n(rel)[query] if exposure.needs_corpus else math.inf
    return hits.sum(exposure(hits.rank, c.relevant(rel).size[query], n))


def precision_orientation(measure: RecallLevelMeasure, m: int, n: int, *, scaled: bool = False) -> float:
    """How much the first relevant document matters: its worth at rank 1 against the bottom, the others at the bottom.

    ``scaled`` divides by the measure's range between the worst and the best ranking, as the paper does for TSE.

    >>> from rankdiff.measures.recall_levels import RR
    >>> precision_orientation(RR, m=3, n=10)  # 1/1 − 1/8
    0.875
    """
    bottom = list(range(n - m + 1, n + 1))
    return _gain(measure, [1, *bottom[1:]], bottom, n, scaled=scaled)


def recall_orientation(measure: RecallLevelMeasure, m: int, n: int, *, scaled: bool = False) -> float:
    """How much the last relevant document matters: its worth at rank m against rank n, the others on top.

    >>> from rankdiff.measures.recall_levels import RECIPROCAL, RR, search_efficiency
    >>> recall_orientation(RR, m=3, n=10), recall_orientation(search_efficiency(RECIPROCAL), m=3, n=10, scaled=True)
    (0.0, 1.0)
    """
    top = list(range(1, m + 1))
    return _gain(measure, top, [*top[:-1], n], n, scaled=scaled)


def _gain(measure: RecallLevelMeasure, better: list[int], worse: list[int], n: int, *, scaled: bool) -> float:
    gain = measure.of(better, n) - measure.of(worse, n)
    if not scaled:
        return gain
    m = len(better)
    return gain / (measure.of(range(1, m + 1), n) - measure.of(range(n - m + 1, n + 1), n))
