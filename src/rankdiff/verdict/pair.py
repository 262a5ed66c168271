"""A candidate and a baseline under one measure or preference, and what would become of them under other judgments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rankdiff import measures, preferences
from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.ids import Ids
from rankdiff.measures import Measure
from rankdiff.measures.precision import reciprocal_rank
from rankdiff.measures.sets import set_recall
from rankdiff.preferences import Preference
from rankdiff.preferences.pairs import Differences, Pairs, TransitiveSigns

_SIGN = re.compile(r"\s*sgn\((.*)\)\s*", re.DOTALL)

_OF_PEERS = frozenset({"rankdiff.measures.atomized", "rankdiff.measures.rarity"})
"""Where the measures are that look at the other runs compared."""

_GUIDES = {"sgnLP": reciprocal_rank, "sgnLR": set_recall}

BLOCK_CELLS = 1 << 23
"""Cells of the rank matrices that are copied at a time."""


@dataclass(frozen=True, eq=False)
class Yardstick:
    """What two runs are compared by: the difference of a measure (or its sign), or a preference."""

    of: Measure | Preference
    signed: bool = False

    @property
    def name(self) -> str:
        """The canonical name."""
        return f"sgn({self.of})" if self.signed else str(self.of)

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the largest difference that there can be."""
        low, high = self.of.definition.range
        if self.signed:
            return -1.0, 1.0
        return (low - high, high - low) if isinstance(self.of, Measure) else (low, high)

    @property
    def asks_peers(self) -> bool:
        """Whether it looks at the other runs compared, as rarity and padded search lengths do; another package's
        measure may."""
        module = self.of.definition.function.__module__
        return isinstance(self.of, Measure) and (module in _OF_PEERS or not module.startswith(measures.__name__))

    @property
    def guide(self) -> Yardstick | None:
        """For a sign, what tells how far it is from turning."""
        if self.signed:
            return Yardstick(self.of)
        guide = _GUIDES.get(self.of.definition.name)
        return None if guide is None else Yardstick(guide(**self.of.parameters))

    def differences(self, pair: Collection) -> FloatArray:
        """Candidate over baseline, one per query; NaN where a query does not count for both."""
        if isinstance(self.of, Preference):
            return np.asarray(self.of(replace(pair, reference=None)).over(1, _BASELINE)[0])
        pairs: Pairs = Differences(self.of(pair), self.of.higher_is_better)
        values = np.asarray(pairs.against(1, _BASELINE)[0])
        if self.signed:
            values = np.where(np.isnan(values), np.nan, TransitiveSigns(pairs).against(1, _BASELINE)[0])
        return values


_BASELINE = np.array([0])


def yardstick(asked: Any) -> Yardstick:
    """A measure or preference from its name or its object; a measure stands for its difference.

    >>> yardstick("map").name, yardstick("sgn(ndcg_cut_10)").name, yardstick("dcgRPP").name
    ('AP', 'sgn(nDCG@10)', "RPP(weights='dcg')")
    """
    if isinstance(asked, str):
        signed = _SIGN.fullmatch(asked)
        try:
            return Yardstick(measures.find(signed[1] if signed else asked), signed is not None)
        except UnknownNameError:
            return Yardstick(preferences.find(asked))
    if isinstance(asked, (Measure, measures.Definition)):
        return Yardstick(measures.resolve(asked))
    return Yardstick(preferences.resolve(asked))


@dataclass(frozen=True, eq=False)
class Duel:
    """A baseline and a candidate of a collection, and what they are compared by.

    ``runs`` holds the two, the baseline first; other runs are its ``peers`` where that matters.
    """

    runs: Collection
    by: Yardstick

    @property
    def baseline(self) -> str:
        """The run that the other is compared with."""
        return self.runs.systems[0]

    @property
    def candidate(self) -> str:
        """The run for which a positive difference speaks."""
        return self.runs.systems[1]

    @property
    def rel(self) -> float:
        """The lowest grade that is relevant to the measure or preference."""
        return float(self.by.of.parameters.get("rel") or self.runs.rules.rel)

    @cached_property
    def differences(self) -> FloatArray:
        """Candidate over baseline, one per query."""
        return self.by.differences(self.runs)

    def under(self, grade: FloatArray, by: Yardstick | None = None) -> FloatArray:
        """The differences under other grades."""
        return (by or self.by).differences(_regraded(self.runs, grade))

    def one_by_one(
        self, column: IntArray, grade: FloatArray, as_it_is: FloatArray | None = None, by: Yardstick | None = None
    ) -> FloatArray:
        """The difference of a document's query if that document alone had another grade, one per document.

        ``as_it_is`` are the grades of all others, ``by`` what to compare by instead. Nothing is
        evaluated again that stays the same: for each document its query is laid out anew, with the one grade changed.
        """
        changes = Changes(self.runs.query_of[column], np.arange(len(column)), column, grade)
        return self.changed(changes, as_it_is, by)

    def changed(self, changes: Changes, as_it_is: FloatArray | None = None, by: Yardstick | None = None) -> FloatArray:
        """The difference of each copy of a query under the changes made to it."""
        base = self.runs if as_it_is is None else _regraded(self.runs, as_it_is)
        values = np.empty(len(changes.query))
        for block in self._blocks(changes.query):
            values[block] = (by or self.by).differences(_copies(base, changes.among(block)))
        return values

    def _blocks(self, query: IntArray) -> Iterator[slice]:
        sizes = np.diff(self.runs.start)[query] * len(self.runs.peers.systems)
        block = np.cumsum(sizes) // BLOCK_CELLS
        edges = np.flatnonzero(np.diff(block, prepend=-1, append=-1))
        return (slice(first, last) for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Changes:
    """Copies of queries, ``query`` of each, and the grades that differ in them: in which ``copy``, in ascending order,
    which ``column`` has which ``grade``."""

    query: IntArray
    copy: IntArray
    column: IntArray
    grade: FloatArray

    def among(self, copies: slice) -> Changes:
        """Those of some copies."""
        mine = slice(*np.searchsorted(self.copy, (copies.start, copies.stop)).tolist())
        return Changes(self.query[copies], self.copy[mine] - copies.start, self.column[mine], self.grade[mine])


def duel(c: Collection, baseline: str, candidate: str, asked: Any) -> Duel:
    """Two runs of a collection; with all of its runs as their peers, if they are asked for."""
    if baseline == candidate:
        raise UsageError(f"{baseline} cannot be compared with itself: name two runs")
    if c.tied is not None:
        raise UsageError(
            "ties='average' gives no one ranking that other judgments could be put to: choose another order"
        )
    by = yardstick(asked)
    # Copies of queries are mostly copies of their peers' ranks.
    return Duel(replace(c.select([baseline, candidate]), reference=c.peers if by.asks_peers else None), by)


def _regraded(c: Collection, grade: FloatArray) -> Collection:
    return replace(c, grade=grade, _derived={}, _judged={})


def _copies(c: Collection, changes: Changes) -> Collection:
    """The copies of queries, in each of which some documents have other grades."""
    query = changes.query
    size = np.diff(c.start)[query]
    start = np.concatenate([[0], np.cumsum(size)])
    source = np.arange(start[-1]) + np.repeat(c.start[query] - start[:-1], size)
    laid_out = _laid_out(c, query, source, start)
    grades = laid_out.grade
    grades[(start[:-1] - c.start[query])[changes.copy] + changes.column] = changes.grade
    others = c.reference
    if others is not None:
        others = _laid_out(others, query, source, start)
    return replace(laid_out, reference=others)


def made_up(
    c: Collection,
    query: IntArray,
    start: IntArray,
    grade: FloatArray,
    rank: IntArray,
    *,
    corpus_size: IntArray | None = None,
) -> Collection:
    """Copies of queries with other documents, whose grades and ranks, run × document, are given.

    How much the runs and their peers returned stays, and which grades there are.
    """
    made = replace(
        c,
        queries=tuple(c.queries[q] for q in query.tolist()),
        documents=Ids.of(()),
        start=start,
        grade=grade,
        rank=rank,
        depth=c.depth[:, query],
        answered=c.answered[:, query],
        subtopics=None,
        corpus_size=corpus_size,
        pool=None,
        pooled=None,
        grade_as_read=None,
        reference=None,
        counts=None,
        _derived={},
        _judged={"grades": c.grades},
    )
    if c.reference is None:
        return made
    nowhere = np.broadcast_to(np.int32(0), (len(c.reference.systems), rank.shape[1]))
    return replace(made, reference=made_up(replace(c.reference, reference=None), query, start, grade, nowhere))


def _laid_out(c: Collection, query: IntArray, source: IntArray, start: IntArray) -> Collection:
    """Queries repeated; ids are left out, as nothing that is evaluated asks for them."""
    return replace(
        c,
        queries=tuple(c.queries[q] for q in query.tolist()),
        documents=Ids.of(()),
        start=start,
        grade=c.grade[source],
        rank=c.rank[:, source],
        depth=c.depth[:, query],
        answered=c.answered[:, query],
        subtopics=None,
        corpus_size=None if c.corpus_size is None else c.corpus_size[query],
        pool=None if c.pool is None else c.pool[query],
        pooled=None if c.pooled is None else c.pooled[source],
        grade_as_read=None,
        counts=None if c.counts is None else c.counts.select(source),
        _derived={},
        _judged={},
    )
