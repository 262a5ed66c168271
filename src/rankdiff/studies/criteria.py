"""What a study is about: measures and preferences, mixed freely. Either compares two rankings of a query."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff import measures, preferences
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.measures import Measure
from rankdiff.preferences import Preference
from rankdiff.results.preferences import Preferences

Criterion = Measure | Preference


def resolve_all(asked: Any) -> tuple[Criterion, ...]:
    """Measures and preferences from names, objects and functions; one alone need not stand in a list.

    >>> [item.name for item in resolve_all(["ndcg_cut_10", "dcgRPP", "sgn(AP)"])]
    ['nDCG@10', "RPP(weights='dcg')", 'sgn(AP)']
    """
    several = isinstance(asked, Iterable) and not isinstance(asked, str)
    criteria = tuple(dict.fromkeys(resolve(item) for item in (asked if several else [asked])))
    if not criteria:
        raise UsageError("no measure or preference was named")
    return criteria


def resolve(asked: Any) -> Criterion:
    """A measure or a preference from its name, its declaration or a function.

    A function of one argument takes a collection and is a measure; one of two takes two rankings, see
    `rankdiff.preferences.resolve`.
    """
    if isinstance(asked, str):
        try:
            return measures.find(asked)
        except UsageError:
            return preferences.find(asked)
    if isinstance(asked, (Preference, preferences.Definition)) or (callable(asked) and _needed(asked) == 2):
        return preferences.resolve(asked)
    return measures.resolve(asked)


def only_measures(what: Iterable[Criterion]) -> tuple[Measure, ...]:
    """The criteria as measures, for a study that asks about single rankings; ``UsageError`` for a preference."""
    chosen = tuple(what)
    for item in chosen:
        if isinstance(item, Preference):
            raise UsageError(f"{item} compares two rankings; this study is about measures of one")
    return tuple(item for item in chosen if isinstance(item, Measure))


def _needed(function: Any) -> int:
    parameters = inspect.signature(function).parameters.values()
    return sum(parameter.default is inspect.Parameter.empty for parameter in parameters)


def compare(c: Collection, item: Criterion) -> Preferences:
    """All pairs of runs, query by query: positive where the first one is better, whichever way the measure goes."""
    return preferences.resolve(item)(c)


def pairs(c: Collection) -> tuple[IntArray, IntArray]:
    """The first and the second run of every pair, in the order of `differences` and `signs`."""
    return np.triu_indices(len(c.systems), 1)


def differences(c: Collection, item: Criterion) -> FloatArray:
    """By how much the first run of each pair is better, pair × query; NaN where a query does not count for both.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"d": 1}}, {"x": {"q": {"d": 1}}, "y": {"q": {"e": 2, "d": 1}}})
    >>> differences(c, resolve("RR")).tolist(), signs(c, resolve("RR")).tolist()
    ([[0.5]], [[1]])
    """
    return np.concatenate([values for _, values in compare(c, item).rows()])


def signs(c: Collection, item: Criterion) -> NDArray[np.int8]:
    """Which run of each pair is better, pair × query: 1, 0 or −1; 0 also where a query does not count for both."""
    signed = preferences.sign_of(preferences.resolve(item))(c)
    return np.concatenate([np.nan_to_num(values).astype(np.int8) for _, values in signed.rows()])
