"""The unjudged documents of two runs by name: which of them both runs have, so that none is judged apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import InputError, UsageError
from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.read import Judgments, Run, Runs, documents_on, inspect, read_qrels, read_runs
from rankdiff.verdict.linear import Linear
from rankdiff.verdict.ratios import Choices

Ranked = Mapping[tuple[str, str], int]
"""The rank of each of some documents, by topic and document."""


@dataclass(frozen=True, eq=False)
class Unjudged:
    """The documents of a baseline and a candidate that nobody judged: their query (its name), their names, and their
    ranks in both, run × document, 0 where a run does not have one."""

    runs: tuple[str, str]
    query: tuple[str, ...]
    document: tuple[str, ...]
    rank: IntArray

    @classmethod
    def between(cls, baseline: str, candidate: str, theirs: Ranked, ours: Ranked) -> Unjudged:
        """From what each of the two returned."""
        both = dict.fromkeys([*theirs, *ours])
        rank = np.array([[ranks.get(key, 0) for key in both] for ranks in (theirs, ours)], np.int64)
        return cls((baseline, candidate), tuple(topic for topic, _ in both), tuple(name for _, name in both), rank)

    @cached_property
    def _of_topic(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, topic in enumerate(self.query):
            found.setdefault(topic, []).append(number)
        return found

    def of(self, queries: tuple[str, ...]) -> tuple[IntArray, IntArray]:
        """Those of some queries, one after the other: the place of each one's query, and its number."""
        numbers = [self._of_topic.get(name, []) for name in queries]
        place = np.repeat(np.arange(len(queries)), [len(several) for several in numbers])
        return place, np.array([number for several in numbers for number in several], np.int64)

    def within(self, depth: int | None) -> BoolArray:
        """Which of them a run has in its first so many."""
        return np.asarray(np.any((self.rank > 0) & (self.rank <= (np.inf if depth is None else depth)), axis=0))


def unjudged_documents(c: Collection, baseline: str, candidate: str, qrels: Any, runs: Any) -> Unjudged:
    """Read two runs of a collection once more for the documents that nobody judged.

    ``qrels`` and ``runs`` are those that the collection was made of.

    >>> import rankdiff as rd
    >>> qrels = {"q": {"a": 1}}
    >>> runs = {"old": {"q": {"x": 3, "a": 2, "y": 1}}, "new": {"q": {"a": 2, "y": 1}}}
    >>> found = unjudged_documents(rd.align(qrels, runs), "old", "new", qrels, runs)
    >>> found.document, found.rank.tolist()
    (('x', 'y'), [[1, 3], [0, 2]])
    """
    judgments = qrels if isinstance(qrels, Judgments) else read_qrels(qrels, subtopics=c.subtopics is not None)
    given = {run.name: run for run in (runs if isinstance(runs, Runs) else read_runs(runs)).runs}
    listed = []
    for name in (baseline, candidate):
        if name not in given or given[name].origin == "-":
            raise UsageError(f"run {name} cannot be read again, so that its unjudged documents have no names")
        listed.append(listed_unjudged(c, judgments, given[name]))
    return Unjudged.between(baseline, candidate, *listed)


def listed_unjudged(c: Collection, judgments: Judgments, run: Run) -> Ranked:
    """What a run returned to the topics of a collection, down to its depth, and nobody judged."""
    rules = c.rules
    ties: Any = rules.ties
    reading: Any = {"ties": ties, "precision": rules.precision, "duplicates": rules.duplicates}
    found = next(iter(inspect(judgments, Runs((run,)), **reading)))
    if isinstance(found, InputError):
        raise found
    begins = np.flatnonzero(np.append(True, found.query[1:] != found.query[:-1])[: len(found.query)])
    rank = np.arange(len(found.query)) - np.repeat(begins, np.diff(begins, append=len(found.query))) + 1
    there = np.isin(np.array([*judgments.queries, None], object)[:-1], np.array(c.queries, object))
    wanted = (found.query >= 0) & (found.column < 0) & (rank <= (rules.depth or np.inf))
    wanted &= there[found.query]
    topics = [judgments.queries[query] for query in found.query[wanted].tolist()]
    return dict(
        zip(zip(topics, documents_on(run, found.line[wanted]), strict=True), rank[wanted].tolist(), strict=True)
    )


def known_bounds(
    form: Linear, pair: Collection, unjudged: Unjudged, depth: int | None, without: IntArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """The least and the largest difference of each query of two runs, each unjudged document judged once for both.

    A document of which ``without`` gives the number, one for each query (−1 for none), counts as judged, and not
    relevant.

    Whatever reaches a level of gain adds ``weight(rank with the candidate) − weight(rank with the baseline)``. For r
    documents the sum is largest with the r that add most.
    """
    query, document = unjudged.of(pair.queries)
    kept = unjudged.within(depth)[document]
    if without is not None:
        kept &= document != without[query]
    query, document = query[kept], document[kept]
    baseline, candidate = (form.weight(ranks[document]) for ranks in unjudged.rank)
    numbers = np.bincount(query, minlength=len(pair.queries))
    most = int(numbers.max(initial=0))
    place = np.arange(len(query)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    counted = form.counts(pair)[:, :, None] + np.arange(most + 1)
    whole = form.ideal[np.clip(counted, 0, len(form.ideal) - 1)] * form.steps[:, None]
    worth = form.gain(pair.grade)
    gained = [np.bincount(pair.query_of, worth * form.weight(ranks), len(pair.queries)) for ranks in pair.rank]
    base = np.asarray(gained[1] - gained[0], np.float64)
    ends = []
    for side in (-1.0, 1.0):
        added = np.full((len(numbers), most), -np.inf)
        added[query, place] = side * (candidate - baseline)
        added[:, ::-1].sort(axis=1)
        total = np.concatenate([np.zeros((len(numbers), 1)), np.cumsum(added, axis=1)], axis=1)
        part = total[:, None, :] * form.steps[:, None]
        ends.append(side * Choices(side * base, part, whole, form.constant, nested=True).largest())
    return ends[0], ends[1]
