"""Outer bounds under unjudged documents for whatever has no sum of its own.

Most measures depend on the ranks of the relevant documents alone: their values at the best and the worst ranks that
some more could have are evaluated. Of the rest it is known that they differ by what they can differ by, and that a
topic without an unjudged document stays as it is.
"""

from __future__ import annotations

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import NOT_RETRIEVED, BoolArray, FloatArray
from rankdiff.measures import Measure
from rankdiff.preferences import Preference
from rankdiff.verdict.merged import largest_preference, merged
from rankdiff.verdict.monotone import OF_RANKS, PREFERENCES
from rankdiff.verdict.pair import Yardstick, made_up
from rankdiff.verdict.unjudged import Slots, slots

MOST_CELLS = 1 << 18
"""Of a topic with more unjudged documents than this allows, only what the measure can differ by is known."""


def largest_difference(by: Yardstick, pair: Collection, depth: int | None) -> FloatArray:
    """The most that the second of two runs can be ahead of the first by a measure or preference, per query.

    NaN where there is no value however the unjudged documents are judged.
    """
    name, given = by.of.definition.name, by.of.parameters
    plain = not given.get("judged_only")
    if plain and isinstance(by.of, Preference) and name in PREFERENCES:
        return largest_preference(by.of, pair, depth)
    rel = pair.rules.rel if given.get("rel") is None else given["rel"]
    found = slots(pair, depth, rel)
    if plain and name == "ERR":
        return _all_at_once(by, pair, found)
    largest = np.where(found.within.sum(axis=0) > 0, by.limits[1], by.differences(pair))
    if not plain or name not in OF_RANKS:
        return largest
    sizes = pair.relevant(rel).size
    for query in range(len(pair.queries)):
        further = int(found.within[:, query].sum())
        if further and (further + 1) * (further + sizes[query]) <= MOST_CELLS:
            largest[query] = _by_ranks(by, pair, found, query, rel)
    return largest


def _by_ranks(by: Yardstick, pair: Collection, found: Slots, query: int, rel: float) -> float:
    """The largest of the differences with 0, 1, 2, … more relevant documents, each a query of its own."""
    start = pair.relevant(rel).start[query : query + 2]
    ours, theirs = merged(found, query, pair.levels(rel)[:, start[0] : start[1]])
    size = np.arange(len(ours)) + start[1] - start[0]
    there = np.arange(ours.shape[1]) < size[:, None]
    ranks = np.array([theirs[there], ours[there]])
    ranks[ranks == NOT_RETRIEVED] = 0
    copies = np.full(len(size), query)
    sized = pair.corpus_size is not None or pair.pool is not None
    values = by.differences(
        made_up(
            pair,
            copies,
            np.concatenate([[0], np.cumsum(size)]),
            np.full(ranks.shape[1], rel, np.float64),
            ranks,
            corpus_size=pair.n(rel)[copies] if sized else None,
        )
    )
    return float(np.fmax.reduce(values))


def _all_at_once(by: Yardstick, pair: Collection, found: Slots) -> FloatArray:
    """The difference if all that the candidate alone could gain by had the highest grade, and nothing else any.

    For a measure of grades that needs no ideal ranking, so that more relevant documents never hurt.
    """
    most = found.within.sum(axis=0)
    further = found.best[1, :, : int(most.max(initial=0))]
    taken = (further > 0) & (np.arange(further.shape[1]) < most[:, None])
    query, place = np.nonzero(taken)
    column_of = np.concatenate([pair.query_of, query])
    order = np.argsort(column_of, kind="stable")
    grade = np.concatenate([pair.grade, np.full(len(query), pair.grades.max())])[order]
    ranks = np.hstack([pair.rank, np.array([np.zeros(len(query), np.int32), further[query, place]])])[:, order]
    start = np.searchsorted(column_of[order], np.arange(len(pair.queries) + 1))
    return by.differences(made_up(pair, np.arange(len(pair.queries)), start, grade, ranks))


def may_join(by: Yardstick, pair: Collection, depth: int | None) -> BoolArray:
    """The queries that have no value as judged, and may have one under other judgments."""
    counted = pair.answered.all(axis=0) | (pair.rules.missing != "skip")
    undefined = isinstance(by.of, Measure) and by.of.definition.no_relevant == "undefined"
    return np.asarray(undefined & counted & (slots(pair, depth, pair.rules.rel).within.sum(axis=0) > 0))
