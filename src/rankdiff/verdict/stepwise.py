"""Judgments reversed one after the other, each the one that helps most: not always the fewest, but found quickly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.verdict.claims import Claim
from rankdiff.verdict.judged import Documents, Judged

SLOWLY = 8
"""Judgments that save an eighth of what is still needed are reversed at once, at most."""

NEARLY = 0.8
"""What saves so much of the most is reversed with it."""

TURN = 2.0
"""What a sign that turns changes; of the queries that must, the nearer half is brought nearer at once."""


def one_after_the_other(judged: Judged, side: float, claim: Claim, known: Documents | None) -> Documents | None:
    """Reverse the judgment that leaves the least margin, again and again; then do without those that were not needed.

    Where no single one reduces the margin, as with signs, the query that is nearest to turning is brought nearer.
    It gives back what was ``known`` where it finds nothing shorter; None stands for nothing.
    """
    state = _State.of(judged, side, claim)
    while state.margin > 0 and (known is None or len(state.chosen) < len(known)):
        if not (state.step() or state.approach()):
            return known
    if state.margin > 0:
        return known
    state.do_without()
    return tuple(sorted(state.chosen)) if known is None or len(state.chosen) < len(known) else known


@dataclass(eq=False)
class _State:
    """What has been reversed so far, and what each further reversal would make of its query's difference."""

    judged: Judged
    side: float
    claim: Claim
    values: FloatArray
    grade: FloatArray
    open: BoolArray
    column: IntArray
    after: FloatArray
    left_alone: IntArray
    chosen: list[int]
    distance: FloatArray | None = None

    @classmethod
    def of(cls, judged: Judged, side: float, claim: Claim) -> _State:
        column, after = judged.each
        values, grade = judged.duel.differences.copy(), judged.duel.runs.grade.copy()
        return cls(judged, side, claim, values, grade, judged.open.copy(), column, after, np.zeros(0, np.int64), [])

    @property
    def margin(self) -> float:
        return self.claim.about(self.values, self.side)

    def step(self) -> bool:
        """Reverse the judgment that leaves the least margin, if it is less than now; where it takes many more, also
        the best ones of other queries that are nearly as good."""
        if not len(self.column):
            return False
        margin = self.margin
        saved = margin - self._margins_after()
        order = np.argsort(-saved, kind="stable")
        most = saved[order[0]]
        if most <= 1e-12 * abs(margin):
            return False
        _, first = np.unique(self.judged.duel.runs.query_of[self.column[order]], return_index=True)
        best = order[np.sort(first)][: max(1, int(margin / most / SLOWLY))]
        self._reverse(self.column[best[saved[best] >= NEARLY * most]])
        return True

    def approach(self) -> bool:
        """Reverse the judgment that brings the query nearest to turning still nearer (where many must turn, some of
        the nearest); False where none does."""
        guide, duel = self.judged.duel.by.guide, self.judged.duel
        if guide is None:
            return False
        if self.distance is None:
            self.distance = self.side * duel.under(self.grade, guide)
        several = max(1, int(self.margin / TURN / 2))
        ahead = np.flatnonzero(self.side * np.nan_to_num(self.values) > 0)
        ahead = ahead[np.argsort(self.distance[ahead], kind="stable")]
        while len(ahead := np.setdiff1d(ahead, self.left_alone, assume_unique=True)):
            query = duel.runs.query_of[self.column]
            nearest = ahead[:several]
            mine = self.column[np.isin(query, nearest)]
            nearer = self.side * duel.one_by_one(mine, self.judged.reversed_grade[mine], self.grade, guide)
            order = np.argsort(nearer, kind="stable")
            found, first = np.unique(duel.runs.query_of[mine[order]], return_index=True)
            best = order[first]
            helps = nearer[best] < self.distance[found]
            self.left_alone = np.concatenate([self.left_alone, np.setdiff1d(nearest, found[helps])])
            if helps.any():
                self._reverse(mine[best[helps]])
                return True
        return False

    def do_without(self) -> None:
        """Take back the reversals that were not needed, the first ones first."""
        duel, query_of = self.judged.duel, self.judged.duel.runs.query_of
        as_judged, chosen = duel.runs.grade, np.array(self.chosen, np.int64)
        back = duel.one_by_one(chosen, as_judged[chosen], self.grade)
        for place, document in enumerate(chosen.tolist()):
            fewer = self.values.copy()
            fewer[query_of[document]] = back[place]
            if self.claim.about(fewer, self.side) > 0:
                continue
            self.values, self.grade[document] = fewer, as_judged[document]
            self.chosen.remove(document)
            later = place + 1 + np.flatnonzero(query_of[chosen[place + 1 :]] == query_of[document])
            back[later] = duel.one_by_one(chosen[later], as_judged[chosen[later]], self.grade)

    def _reverse(self, documents: IntArray) -> None:
        """Reverse judgments, each of another query."""
        duel, query_of = self.judged.duel, self.judged.duel.runs.query_of
        place = np.flatnonzero(np.isin(self.column, documents))
        documents = self.column[place]
        queries = query_of[documents]
        self.chosen += documents.tolist()
        self.values[queries] = self.after[place]
        self.grade[documents] = self.judged.reversed_grade[documents]
        self.open[documents] = False
        fresh = self.judged.unlike(queries, self.open)
        others = ~np.isin(query_of[self.column], queries)
        changed = duel.one_by_one(fresh, self.judged.reversed_grade[fresh], self.grade)
        if self.distance is not None:
            as_it_is = duel.one_by_one(documents, self.grade[documents], self.grade, duel.by.guide)
            self.distance[queries] = self.side * as_it_is
        self.column = np.concatenate([self.column[others], fresh])
        self.after = np.concatenate([self.after[others], changed])

    def _margins_after(self) -> FloatArray:
        query = self.judged.duel.runs.query_of[self.column]
        before, now = self.side * self.values[query], self.side * self.after
        total = np.nansum(self.side * self.values) - np.nan_to_num(before) + np.nan_to_num(now)
        squares = np.nansum(self.values**2) - np.nan_to_num(before) ** 2 + np.nan_to_num(now) ** 2
        count = np.sum(~np.isnan(self.values)) - ~np.isnan(before) + (~np.isnan(now)).astype(np.int64)
        return self.claim.margins(total, squares, count, float(np.nansum(np.abs(self.values))))
