"""Positions by recall level, and sums over them: what search lengths and lexicographic measures share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.collection import Collection
from rankdiff.hits import NOT_RETRIEVED, FloatArray, IntArray, Population


def imputed_positions(c: Collection, rel: float) -> NDArray[np.int64]:
    """``p_1 < … < p_m`` of every ranking, system × relevant document (in the order of ``c.relevant(rel)``).

    Documents not retrieved stand at the very end of the corpus, ``p_{k+1..m} = n−m+k+1 … n`` (pessimistic
    imputation).

    >>> from rankdiff.alignment import align
    >>> c = align({"q": {"a": 1, "b": 1, "c": 1}}, {"run": {"q": {"x": 3, "b": 2}}}, corpus_size=10)
    >>> imputed_positions(c, 1)
    array([[ 2,  9, 10]])
    """
    relevant = c.relevant(rel)
    behind = c.n(rel)[relevant.query[relevant.group]] - relevant.size[relevant.group] + relevant.level
    levels = c.levels(rel)
    return np.where(levels == NOT_RETRIEVED, behind, levels)


def sum_levels(values: NDArray[Any], population: Population) -> NDArray[Any]:
    """Add up a value per recall level within each group: system × group; 0 where a group is empty.

    >>> population = Population(np.arange(3), np.array([0, 2, 2, 3]), np.arange(3))
    >>> sum_levels(np.array([[1, 2, 3]]), population)
    array([[3, 0, 3]])
    """
    total = np.zeros((len(values), len(population.size)), values.dtype)
    filled = population.size > 0
    if filled.any():
        total[:, filled] = np.add.reduceat(values, population.start[:-1][filled], axis=1)
    return total


def level_position(c: Collection, rel: float, level: IntArray) -> FloatArray:
    """The imputed position of one recall level per query, system × query; NaN where a query has no such level."""
    relevant = c.relevant(rel)
    exists = (level >= 1) & (level <= relevant.size)
    found = np.full(c.depth.shape, np.nan)
    found[:, exists] = imputed_positions(c, rel)[:, relevant.start[:-1][exists] + level[exists] - 1]
    return found
