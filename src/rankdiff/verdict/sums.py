"""What several reversals do, exactly, where a measure is a sum over ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from rankdiff.hits import FloatArray, IntArray
from rankdiff.verdict.judged import TOGETHER, Documents, Judged, Reach, limits
from rankdiff.verdict.linear import Linear

SPLITS = 2000
"""So many ways to divide reversals among the grades are tried at most."""


def by_sums(judged: Judged, form: Linear) -> Reach:
    """The least and the largest difference of each query after each number of reversals.

    Of the documents of one grade, those whose reversal changes the sum most go first, so that only how many of each
    grade are reversed need be tried: that decides what the sum is divided by.
    """
    sums = _Sums.of(judged, form)
    answered = ~np.isnan(judged.duel.differences)
    ends = []
    for end, sign in enumerate((1.0, -1.0)):
        extreme = np.full((len(answered), TOGETHER + 2), limits(judged.duel)[end])
        documents: list[list[Documents | None]] = [[None] * (TOGETHER + 2) for _ in answered]
        for query in range(len(answered)):
            for number, value, chosen in sums.best(query, sign):
                extreme[query, number], documents[query][number] = value * answered[query], chosen
        ends.append((extreme, documents))
    (low, low_documents), (high, high_documents) = ends
    return Reach(low, high, (low_documents, high_documents))


@dataclass(frozen=True, eq=False)
class _Sums:
    """``total`` is the difference of the sums of each query, ``effect`` what a document's reversal adds to it,
    ``counts`` how many documents reach each level of gain, ``shift`` what a reversal of each grade adds to them, and
    ``taken`` the numbers of reversals of each grade that are tried."""

    judged: Judged
    form: Linear
    grades: FloatArray
    total: FloatArray
    effect: FloatArray
    counts: IntArray
    shift: IntArray
    taken: IntArray

    @classmethod
    def of(cls, judged: Judged, form: Linear) -> _Sums:
        c = judged.duel.runs
        grades, first = np.unique(c.grade[judged.open], return_index=True)
        before, after = form.gain(c.grade), form.gain(judged.reversed_grade)
        apart = form.weight(c.rank[1]) - form.weight(c.rank[0])
        reaches, would_reach = (gain[judged.open][first, None] >= form.levels for gain in (before, after))
        return cls(
            judged,
            form,
            grades,
            total=np.bincount(c.query_of, before * apart, len(c.queries)).astype(np.float64),
            effect=(after - before) * apart,
            counts=form.counts(c),
            shift=would_reach.astype(np.int64) - reaches,
            taken=_divisions(len(grades)),
        )

    def best(self, query: int, sign: float) -> Iterator[tuple[int, float, Documents]]:
        """For each number of reversals the least difference (the largest for a sign of −1), and the documents."""
        by_grade = self._in_order(query, sign)
        possible = self.taken[np.all(self.taken <= [len(columns) for columns in by_grade], axis=1)]
        moved = np.zeros(len(possible))
        for columns, number in zip(by_grade, possible.T, strict=True):
            moved += np.concatenate([[0.0], np.cumsum(self.effect[columns])])[number]
        whole = self.form.whole(self.counts[query] + possible @ self.shift)
        value = np.divide(self.total[query] + moved, whole, out=np.zeros(len(whole)), where=whole > 0)
        numbers = possible.sum(axis=1)
        order = np.lexsort((sign * value, numbers))
        for i in order[np.flatnonzero(np.diff(numbers[order], prepend=-1))].tolist():
            parts = [columns[:taken] for columns, taken in zip(by_grade, possible[i], strict=True)]
            yield int(numbers[i]), float(value[i]), tuple(int(column) for part in parts for column in part)

    def _in_order(self, query: int, sign: float) -> list[IntArray]:
        """The documents of each grade, those that lower the difference most (raise it, for a sign of −1) first."""
        c = self.judged.duel.runs
        columns = c.start[query] + np.flatnonzero(self.judged.open[c.start[query] : c.start[query + 1]])
        ordered = columns[np.argsort(sign * self.effect[columns], kind="stable")]
        return [ordered[c.grade[ordered] == grade][:TOGETHER] for grade in self.grades]


def _divisions(kinds: int) -> IntArray:
    """The ways to divide up to 12 things among some kinds (fewer things where there are too many ways)."""
    most = next(n for n in range(TOGETHER, -1, -1) if n <= 1 or comb(n + kinds, kinds) <= SPLITS)
    ways = [way for number in range(most + 1) for way in combinations_with_replacement(range(kinds), number)]
    return np.array([np.bincount(way, minlength=kinds) for way in ways], np.int64)
