"""How far reversals of judgments can move the difference of each query: exactly, or by outer bounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rankdiff.verdict.apart import by_ranks_alone, moved_apart
from rankdiff.verdict.judged import TOGETHER, Documents, Judged, Reach, limits
from rankdiff.verdict.linear import linear_form
from rankdiff.verdict.subsets import every_set
from rankdiff.verdict.sums import by_sums


def reach(judged: Judged) -> Reach:
    """What reversals can make of the difference of each query.

    One reversal is exact, by trying each. Several are exact for measures that are a sum over ranks, and in queries with
    few judgments, of which all sets are tried; for what depends on the ranks of the relevant documents alone they have
    outer bounds; else the limits of the measure.
    """
    duel = judged.duel
    there = np.bincount(duel.runs.query_of[judged.open], minlength=len(duel.runs.queries))
    form = linear_form(duel.by, duel.runs) if duel.runs.rules.no_relevant == "zero" else None
    found = _tried(judged) if form is None else by_sums(judged, form)
    impossible = np.arange(found.low.shape[1]) > there[:, None]
    return replace(found, low=np.where(impossible, np.inf, found.low), high=np.where(impossible, -np.inf, found.high))


def _tried(judged: Judged) -> Reach:
    duel = judged.duel
    queries = len(duel.runs.queries)
    low, high = (np.full((queries, TOGETHER + 2), limit) for limit in limits(duel))
    if by_ranks_alone(duel):
        for count in range(2, TOGETHER + 1):
            low[:, count], high[:, count] = np.inf, -np.inf
        for query, removed, added, least, most in moved_apart(judged):
            low[query, removed + added] = min(low[query, removed + added], least)
            high[query, removed + added] = max(high[query, removed + added], most)
    documents: tuple[list[list[Documents | None]], ...] = tuple(
        [[(), *[None] * (TOGETHER + 1)] for _ in range(queries)] for _ in range(2)
    )
    low[:, 0] = high[:, 0] = np.nan_to_num(duel.differences)
    column, value = judged.each
    value = np.nan_to_num(value)
    low[:, 1], high[:, 1] = np.inf, -np.inf
    for i in np.lexsort((column, value)).tolist():
        query = int(duel.runs.query_of[column[i]])
        if value[i] < low[query, 1]:
            low[query, 1], documents[0][query][1] = value[i], (int(column[i]),)
        if value[i] > high[query, 1]:
            high[query, 1], documents[1][query][1] = value[i], (int(column[i]),)
    for all_of in every_set(judged):
        for end, extreme, sign in ((0, low, 1.0), (1, high, -1.0)):
            for number, difference, chosen in all_of.extremes(sign):
                extreme[all_of.query, number], documents[end][all_of.query][number] = difference, chosen
    return Reach(low, high, (documents[0], documents[1]))
