"""Weights over recall levels: how many of the users want exactly the first, the first two, … relevant documents.

A weight is a function of the recall level 1, 2, …, or a list of numbers, level by level; what it gives is scaled to sum
to 1 over the levels of a group.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

import numpy as np

from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import FloatArray, IntArray, Population

Weight = Callable[[IntArray], FloatArray]
Weights = Literal["uniform", "dcg", "inverse"] | Sequence[float] | Weight


def uniform(level: IntArray) -> FloatArray:
    """Every recall level counts the same."""
    return np.ones(level.shape)


def dcg(level: IntArray) -> FloatArray:
    """``1 / log2(i + 1)``, the discount of nDCG, over recall levels instead of ranks."""
    return np.asarray(1 / np.log2(level + 1))


def inverse(level: IntArray) -> FloatArray:
    """``1 / i``, the discount of reciprocal rank, over recall levels instead of ranks."""
    return np.asarray(1 / level)


NOWHERE = "a weight over recall levels must be above 0 at some level of every query"

WEIGHTS: Mapping[str, Weight] = MappingProxyType({"uniform": uniform, "dcg": dcg, "inverse": inverse})


def find_weight(weights: Weights) -> Weight:
    """A weight by its name, by its numbers, or as the user's own function of the recall level.

    >>> find_weight([0.5, 0.25])(np.array([1, 2, 3])).tolist()  # nobody wants a third
    [0.5, 0.25, 0.0]
    """
    if callable(weights):
        return weights
    if isinstance(weights, str):
        if weights not in WEIGHTS:
            raise UnknownNameError("weight over recall levels", weights, WEIGHTS)
        return WEIGHTS[weights]
    try:
        listed = np.asarray(weights, np.float64)
        (most,) = listed.shape
    except (TypeError, ValueError):
        raise UsageError(f"weights over recall levels are a name, numbers or a function, not {weights!r}") from None
    return lambda level: np.append(listed, 0.0)[np.minimum(level, most + 1) - 1]


def weigh_levels(weights: Weights, population: Population) -> FloatArray:
    """The share of its query's users that wants each recall level of each group; the shares of a query sum to 1.

    Within a group they follow the weight; a group's own share is proportional to its size.

    >>> population = Population(np.arange(3), np.array([0, 1, 3]), np.array([0, 0]))
    >>> weigh_levels("inverse", population).round(3).tolist()
    [0.333, 0.444, 0.222]
    """
    raw = _raw(weights, population.level)
    sizes = population.size
    sums = np.bincount(population.group, raw, len(sizes))
    if np.any((sums == 0) & (sizes > 0)):
        raise UsageError(NOWHERE)
    members = np.bincount(population.query, sizes)
    share = sizes / np.maximum(members, 1)[population.query]
    return np.asarray(raw * (share / np.where(sums > 0, sums, 1))[population.group])


def weigh_among(weights: Weights, level: IntArray, m: IntArray) -> tuple[FloatArray, FloatArray]:
    """The weight of some recall levels, and the sum of those of the levels 1 to ``m``: the share is their ratio.

    >>> weigh_among("inverse", np.array([1, 2]), np.array([2, 2]))
    (array([1. , 0.5]), array([1.5, 1.5]))
    """
    sums = np.cumsum(_raw(weights, np.arange(1, int(np.max(m, initial=1)) + 1)))
    total: FloatArray = sums[m - 1]
    if np.any(total == 0):
        raise UsageError(NOWHERE)
    return _raw(weights, level), total


def _raw(weights: Weights, level: IntArray) -> FloatArray:
    raw = np.broadcast_to(np.asarray(find_weight(weights)(level), np.float64), level.shape)
    if not np.all(np.isfinite(raw) & (raw >= 0)):
        raise UsageError("a weight over recall levels must be a finite number of at least 0 at every level")
    return raw
