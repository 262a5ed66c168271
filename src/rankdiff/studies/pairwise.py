"""All pairs of runs, query by query: what they say of two runs, how often they tie, and what a mean over queries is
worth."""

from __future__ import annotations

import numpy as np

from rankdiff import preferences
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import NOT_RETRIEVED, FloatArray, IntArray
from rankdiff.statistics import paired
from rankdiff.studies.criteria import Criterion
from rankdiff.studies.tables import Row


def verdicts(c: Collection, item: Criterion) -> FloatArray:
    """Which run of each pair is better, pair × query: 1, 0 or −1, and NaN where a query does not count for both.

    >>> import rankdiff as rd
    >>> from rankdiff.studies.criteria import resolve
    >>> c = rd.align({"q": {"d": 1}}, {"x": {"q": {"d": 1}}, "y": {"q": {"e": 2, "d": 1}}})
    >>> verdicts(c, resolve("RR"))
    array([[1.]])
    """
    if len(c.systems) < 2:
        raise UsageError(f"there are no pairs among {len(c.systems)} runs: this study needs at least two")
    signed = preferences.sign_of(preferences.resolve(item))(c)
    return np.concatenate([values for _, values in signed.rows()])


def tied(c: Collection, item: Criterion) -> FloatArray:
    """The share of the pairs of runs that tie, for each query; NaN where none counts.

    >>> import rankdiff as rd
    >>> from rankdiff.studies.criteria import resolve
    >>> first, second = {"q": {"a": 2, "b": 1}}, {"q": {"b": 2, "a": 1}}
    >>> c = rd.align({"q": {"a": 1}}, {"x": first, "y": first, "z": second})
    >>> tied(c, resolve("RR"))
    array([0.33333333])
    """
    found = verdicts(c, item)
    counted = np.sum(~np.isnan(found), axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.sum(found == 0, axis=0) / counted)


def first_ranks(c: Collection) -> IntArray:
    """The rank of the first relevant document, system × query; ``NOT_RETRIEVED`` where there is none."""
    relevant = c.relevant(c.rules.rel)
    some = relevant.size > 0
    ranks = np.full(c.depth.shape, NOT_RETRIEVED)
    ranks[:, some] = c.levels(c.rules.rel)[:, relevant.start[:-1][some]]
    return ranks


def over_queries(values: FloatArray) -> Row:
    """The mean over the queries that count, and its 95 % interval (bootstrap over queries, BCa).

    >>> over_queries(np.array([0.25, 0.25, np.nan]))
    {'value': 0.25, 'low': 0.25, 'high': 0.25}
    """
    if np.isnan(values).all():
        return {"value": np.nan, "low": np.nan, "high": np.nan}
    found = paired(values, test="bootstrap", missing="drop")
    low, high = found.interval
    return {"value": found.difference, "low": low, "high": high}
