"""Judgments that can be reversed, and how far reversals can move the difference of each query."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.verdict.pair import Duel

Documents = tuple[int, ...]

TOGETHER = 12
"""Up to so many reversals in one query are looked at together; more are taken to do anything at all."""

ENDLESS = 1e100
"""Stands for a limit that a measure does not have."""


@dataclass(frozen=True, eq=False)
class Judged:
    """The judgments that can be reversed, and to which grade.

    A relevant document becomes non-relevant (grade 0), a judged non-relevant one relevant (the lowest relevant
    grade that occurs). Documents that nobody judged, or only pooled (negative grades), stay as they are.
    """

    duel: Duel
    reversed_grade: FloatArray
    open: BoolArray

    @classmethod
    def of(cls, duel: Duel) -> Judged:
        """The judgments of two runs' collection."""
        c = duel.runs
        lowest = c.grades[np.searchsorted(c.grades, duel.rel) :]
        relevant = c.grade >= duel.rel
        become = np.where(relevant, 0.0, lowest[0] if len(lowest) else duel.rel)
        return cls(duel, become, c.grade >= 0)

    @cached_property
    def each(self) -> tuple[IntArray, FloatArray]:
        """One document of each kind, and the difference of its query if it alone were reversed."""
        column = self.unlike()
        return column, self.duel.one_by_one(column, self.reversed_grade[column])

    @cached_property
    def always_counts(self) -> bool:
        """Whether every query has a difference whatever is reversed: without a relevant document some measures have
        none, or the query is dropped."""
        without = np.where(self.reversed_grade == 0, 0.0, self.duel.runs.grade)
        return not np.isnan(self.duel.differences).any() and not np.isnan(self.duel.under(without)).any()

    def under(self, chosen: Documents) -> FloatArray:
        """The differences once these judgments are reversed."""
        grade = self.duel.runs.grade.copy()
        grade[list(chosen)] = self.reversed_grade[list(chosen)]
        return self.duel.under(grade)

    def unlike(self, queries: IntArray | None = None, still: BoolArray | None = None) -> IntArray:
        """One document of each kind: those of a query with one grade and the same ranks in both runs are alike."""
        c = self.duel.runs
        column = np.flatnonzero(self.open if still is None else still)
        if queries is not None:
            column = column[np.isin(c.query_of[column], queries)]
        keys = (c.query_of[column], c.grade[column], c.rank[0, column], c.rank[1, column])
        order = np.lexsort(keys)
        differs = np.zeros(len(column), bool)
        differs[:1] = True
        for key in keys:
            differs[1:] |= np.diff(key[order]) != 0
        return np.sort(column[order[differs]])


@dataclass(frozen=True, eq=False)
class Reach:
    """The least and the largest difference of each query after 0, 1, 2, … reversals in it, query × number.

    Infinite where a query has not so many judgments. ``documents[end][query][number]`` are those that reach an end;
    None where it is an outer bound.
    """

    low: FloatArray
    high: FloatArray
    documents: tuple[list[list[Documents | None]], list[list[Documents | None]]]

    @property
    def known(self) -> tuple[BoolArray, BoolArray]:
        """Which ends are reached by documents that are known."""
        low, high = (np.array([[d is not None for d in row] for row in end], bool) for end in self.documents)
        return low, high


def limits(duel: Duel) -> tuple[float, float]:
    """The least and the largest difference that there can be, finite."""
    low, high = np.clip(duel.by.limits, -ENDLESS, ENDLESS).tolist()
    return low, high
