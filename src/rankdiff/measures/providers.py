"""Providers: the exposure that a ranking gives to those who own its relevant documents (authors, shops, labels).

Only relevant documents count, and a provider counts only for the queries where it owns one. ``providers`` is a mapping
from documents to a provider or several, or a file of two columns, document and provider. What all providers that there
could be would get, one for each of the ``2^m − 1`` sets of documents, `rankdiff.measures.robustness` enumerates.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError
from rankdiff.hits import FloatArray, Population, find_hits
from rankdiff.measures.definition import measure
from rankdiff.measures.labelled import Labels, labelled
from rankdiff.measures.recall_levels import RECIPROCAL, Exposure, exposure_named
from rankdiff.results.table import Table, column

CITATION = "Diaz & Mitra 2023, Sections 2.3.2 and 4.2"
Providers = Labels | str | Path
ExposureName = Literal["ap", "rr", "ndcg", "linear", "rbp"]


@measure("ProviderExposure", range=(0, math.inf), no_relevant="undefined", citation=CITATION)
def exposure_of_one(
    c: Collection, *, providers: Providers, of: str, exposure: ExposureName = "ap", p: float = 0.8, rel: float = 1
) -> FloatArray:
    """The exposure that one provider's relevant documents get together: ``η_e = Σ e(p_i)`` over those it owns.

    ``exposure`` and ``p`` are those of TSE; a document not retrieved gets none. Without a value for the queries where
    the provider owns no relevant document.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1, "c": 1}}, {"run": {"q": {"a": 9, "x": 8, "y": 7, "b": 6}}})
    >>> c.measure(exposure_of_one(providers={"a": "Ann", "b": "Ann", "c": "Bob"}, of="Ann")).values  # 1 + 1/4
    array([[[1.25]]])
    """
    population, owners = labelled(c, providers, rel)
    if of not in owners:
        raise UnknownNameError("provider of a relevant document", of, sorted(set(owners)))
    own = np.flatnonzero([owner == of for owner in owners])
    found = np.full(c.depth.shape, np.nan)
    found[:, population.query[own]] = _exposures(c, population, exposure_named(exposure, p), rel)[:, own]
    return found


@measure("WorstProvider", range=(0, math.inf), no_relevant="undefined", citation=CITATION)
def worst_provider(
    c: Collection, providers: Providers, exposure: ExposureName = "ap", p: float = 0.8, rel: float = 1
) -> FloatArray:
    """The exposure of the worst-off provider, ``min η_e`` over those who own a relevant document of the query.

    Where each relevant document has a provider of its own, it is total search efficiency. ``exposure`` and ``p`` are
    those of TSE. Without a value for the queries where no provider owns a relevant document.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1, "c": 1}}, {"run": {"q": {"a": 9, "x": 8, "y": 7, "b": 6}}})
    >>> c.measure(worst_provider(providers={"a": "Ann", "b": "Bob", "c": "Ann"})).values  # Ann 1 + 0, Bob 1/4
    array([[[0.25]]])
    """
    population, _ = labelled(c, providers, rel)
    least = np.full(c.depth.shape, np.inf)
    np.minimum.at(least.T, population.query, _exposures(c, population, exposure_named(exposure, p), rel).T)
    return np.where(np.isinf(least), np.nan, least)


def provider_exposure(
    c: Collection, providers: Providers, exposure: Exposure = RECIPROCAL, rel: float | None = None
) -> Table:
    """The exposure of every provider, run by run and query by query.

    A row for each run, query and provider that owns a relevant document there: how many it owns, and what exposure
    they get together; a document not retrieved gets none. ``rel`` is the collection's own unless given.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1, "c": 1}}, {"run": {"q": {"a": 9, "x": 8, "y": 7, "b": 6}}})
    >>> table = provider_exposure(c, {"a": "Ann", "b": "Ann", "c": "Bob"})
    >>> for row in table.rows(): print(row)
    {'run': 'run', 'query': 'q', 'provider': 'Ann', 'documents': 2, 'exposure': 1.25}
    {'run': 'run', 'query': 'q', 'provider': 'Bob', 'documents': 1, 'exposure': 0.0}
    """
    lowest = c.rules.rel if rel is None else rel
    population, owners = labelled(c, providers, lowest)
    values = _exposures(c, population, exposure, lowest)
    system, group = (index.ravel() for index in np.indices(values.shape))
    columns = {
        "run": column(c.systems)[system],
        "query": column(c.queries)[population.query[group]],
        "provider": column(owners)[group],
        "documents": population.size[group],
        "exposure": values.ravel(),
    }
    return Table(columns, signature=c.sign("provider-exposure", exposure.name))


def mean_exposure(
    c: Collection, providers: Providers, exposure: Exposure = RECIPROCAL, rel: float | None = None
) -> Table:
    """The mean exposure of every provider over the queries where it owns a relevant document, the worst-off first.

    A row for each provider: for how many queries that is, how many documents it owns in all, and a column for each
    run. Whoever gets least from the runs on average stands first.

    >>> import rankdiff as rd
    >>> runs = {"x": {"q": {"a": 9}, "r": {"n": 2, "a": 1}}, "y": {"q": {"b": 9}}}
    >>> c = rd.align({"q": {"a": 1, "b": 1}, "r": {"a": 1}}, runs)
    >>> for row in mean_exposure(c, {"a": "Ann", "b": "Bob"}).rows(): print(row)
    {'provider': 'Ann', 'queries': 2, 'documents': 2, 'x': 0.75, 'y': 0.0}
    {'provider': 'Bob', 'queries': 1, 'documents': 1, 'x': 0.0, 'y': 1.0}
    """
    lowest = c.rules.rel if rel is None else rel
    population, owners = labelled(c, providers, lowest)
    names, which = np.unique(np.array(owners, object), return_inverse=True)
    values = _exposures(c, population, exposure, lowest)
    counted = c.answered[:, population.query] if c.rules.missing == "skip" else np.ones(values.shape, bool)

    def total(of_groups: NDArray[Any]) -> FloatArray:
        return np.array([np.bincount(which, row, len(names)) for row in of_groups]).reshape(-1, len(names))

    with np.errstate(invalid="ignore"):
        means = total(np.where(counted, values, 0.0)) / total(np.asarray(counted))
    worst_first = np.argsort(means.mean(axis=0).round(12), kind="stable")
    columns = {
        "provider": column(names),
        "queries": np.bincount(which, minlength=len(names)),
        "documents": np.bincount(which, population.size, len(names)).astype(np.int64),
        **dict(zip(c.systems, means, strict=True)),
    }
    return Table(
        {name: values[worst_first] for name, values in columns.items()},
        title="Exposure of the providers' relevant documents, the worst-off first",
        notes=("a mean over the topics where the provider owns a relevant document",),
        signature=c.sign("provider-exposure", exposure.name),
    )


def _exposures(c: Collection, population: Population, exposure: Exposure, rel: float) -> FloatArray:
    hits = find_hits(c.rank, population)
    query = hits.of_group(population.query)
    n = c.n(rel)[query] if exposure.needs_corpus else math.inf
    return hits.sum(exposure(hits.rank.astype(np.int64), c.relevant(rel).size[query], n))
