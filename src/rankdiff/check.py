"""What is wrong, odd or worth knowing about runs before they are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from rankdiff.errors import InputError
from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.read import Judgments, Listing, Runs, inspect
from rankdiff.read.notices import counted
from rankdiff.results import Table
from rankdiff.results.table import column


@dataclass(frozen=True)
class RunFacts:
    """One run against the judgments.

    ``topics``: judged topics that it answers; ``empty``: judged topics for which it returns nothing; ``unknown``:
    its topics that nobody judged. ``shallowest`` and ``deepest``: how many documents it returns for a judged topic.
    ``ties``: groups of documents of one topic with equal scores; ``straddling``: those of them that hold a relevant
    document beside others, so that the rule for ties decides its rank. ``contradicted``: topics whose rank
    column contradicts the scores; ``reordered``: topics where it only orders ties otherwise.
    ``duplicates``: lines that repeat a document of the same topic. ``judged_at_10`` and ``judged_at_100``: the share
    of judged documents among the first ones returned, a mean over the topics answered. ``comments``: lines ignored.
    """

    run: str
    topics: int
    empty: int
    unknown: int
    shallowest: int
    deepest: int
    ties: int
    straddling: int
    contradicted: int
    reordered: int
    duplicates: int
    judged_at_10: float
    judged_at_100: float
    comments: int


@dataclass(frozen=True)
class Check:
    """What was found: numbers for every run, and sentences about what a person should look at.

    ``errors`` keep a run from being evaluated as it is; ``remarks`` do not. ``copies`` are groups of runs that place
    every judged document at the same rank. ``segments`` holds the numbers of every run for each group of topics, in
    which ``unknown``, ``duplicates`` and ``comments`` are still those of the whole run.
    """

    topics: int
    judged: int
    relevant: int
    topics_without_relevant: int
    runs: tuple[RunFacts, ...]
    copies: tuple[tuple[str, ...], ...]
    errors: tuple[str, ...]
    remarks: tuple[str, ...]
    segments: Mapping[str, tuple[RunFacts, ...]] = field(default_factory=dict)

    @property
    def table(self) -> Table:
        """A row a run, and the sentences as notes."""
        return _facts_table(self.runs, notes=(*(f"error: {error}" for error in self.errors), *self.remarks))

    @property
    def segment_tables(self) -> Mapping[str, Table]:
        """The same for each group of topics."""
        return {name: _facts_table(facts) for name, facts in self.segments.items()}


def _facts_table(runs: Sequence[RunFacts], notes: tuple[str, ...] = ()) -> Table:
    names = [part.name for part in fields(RunFacts)]
    return Table({name: column([getattr(facts, name) for facts in runs]) for name in names}, notes=notes)


def check(
    judgments: Judgments,
    runs: Runs,
    *,
    rel: float = 1,
    segments: Mapping[str, BoolArray] | None = None,
    **reading: Any,
) -> Check:
    """Look over runs; ``reading`` are the keywords of `rankdiff.read.inspect` (``ties``, ``precision``). ``segments``
    are groups of topics, by name which of the judged topics are in it.

    >>> from rankdiff.read import read_qrels, read_runs
    >>> judgments = read_qrels({"q": {"a": 1, "b": 0}})
    >>> found = check(judgments, read_runs({"r": {"q": {"a": 2, "b": 2, "x": 1}}, "s": {"q": {"b": 9}, "p": {"c": 1}}}))
    >>> [(facts.run, facts.ties, facts.straddling, facts.unknown) for facts in found.runs]
    [('r', 1, 1, 0), ('s', 0, 0, 1)]
    """
    facts: list[RunFacts] = []
    grouped: dict[str, list[RunFacts]] = {name: [] for name in segments or {}}
    errors: list[str] = []
    alike: dict[bytes, list[str]] = defaultdict(list)
    for found in inspect(judgments, runs, duplicates="first", **reading):
        if isinstance(found, InputError):
            errors.append(str(found))
            continue
        every = np.ones(len(judgments.queries), bool)
        ranking = _Ranking.of(found, every)
        facts.append(_facts(found, ranking, judgments, rel, every))
        for name, topics in (segments or {}).items():
            grouped[name].append(_facts(found, _Ranking.of(found, topics), judgments, rel, topics))
        alike[ranking.fingerprint()].append(found.system)
    relevant = np.add.reduceat(judgments.grade >= rel, judgments.start[:-1], dtype=np.int64)
    barren = int(np.count_nonzero(relevant == 0))
    copies = tuple(tuple(names) for names in alike.values() if len(names) > 1)
    errors += _errors(facts, int(relevant.sum()), rel)
    return Check(
        topics=len(judgments.queries),
        judged=int(np.count_nonzero(judgments.grade >= 0)),
        relevant=int(relevant.sum()),
        topics_without_relevant=barren,
        runs=tuple(facts),
        copies=copies,
        errors=tuple(errors),
        remarks=(*judgments.notices, *_remarks(facts, copies, len(judgments.queries), barren)),
        segments={name: tuple(several) for name, several in grouped.items()},
    )


@dataclass(frozen=True)
class _Ranking:
    """The documents of some judged topics in ranking order: topic, judged document or -1, rank, and neighbors."""

    query: IntArray
    column: IntArray
    score: FloatArray
    stated: FloatArray
    rank: IntArray
    depth: IntArray

    @classmethod
    def of(cls, listing: Listing, topics: BoolArray) -> _Ranking:
        known = (listing.query >= 0) & topics[listing.query]
        query = listing.query[known]
        first = np.flatnonzero(np.diff(query, prepend=-1))
        depth = np.diff(first, append=len(query))
        rank = np.arange(len(query)) - np.repeat(first, depth) + 1
        return cls(query, listing.column[known], listing.score[known], listing.stated_rank[known], rank, depth)

    def fingerprint(self) -> bytes:
        """The same for runs that place every judged document at the same rank."""
        judged = self.column >= 0
        order = np.argsort(self.column[judged])
        depths = np.bincount(self.query)
        return b"|".join(part.tobytes() for part in (self.column[judged][order], self.rank[judged][order], depths))

    def share(self, marked: BoolArray, k: int) -> float:
        """The share of marked documents among the first ``k`` returned, a mean over topics."""
        if not len(self.depth):
            return float("nan")
        topic = np.repeat(np.arange(len(self.depth)), self.depth)
        found = np.bincount(topic, marked & (self.rank <= k), len(self.depth))
        return float(np.mean(found / np.minimum(self.depth, k)))


def _facts(listing: Listing, ranking: _Ranking, judgments: Judgments, rel: float, topics: BoolArray) -> RunFacts:
    grade = np.where(ranking.column >= 0, judgments.grade[ranking.column], -1.0)
    neighbors = ranking.query[1:] == ranking.query[:-1]
    tied = neighbors & (ranking.score[1:] == ranking.score[:-1])
    group = np.concatenate([[0], np.cumsum(~tied)])[: len(grade)]
    size = np.bincount(group)
    relevant = np.bincount(group, grade >= rel, len(size))
    ties_its_way = ranking.stated[np.lexsort((ranking.stated, group))]
    contradicted = np.unique(ranking.query[1:][neighbors & (ties_its_way[1:] < ties_its_way[:-1])])
    reordered = np.unique(ranking.query[1:][tied & (ranking.stated[1:] < ranking.stated[:-1])])
    answered = len(ranking.depth)
    return RunFacts(
        run=listing.system,
        topics=answered,
        empty=int(topics.sum()) - answered,
        unknown=len(listing.unknown),
        shallowest=int(ranking.depth.min()) if answered else 0,
        deepest=int(ranking.depth.max(initial=0)),
        ties=int(np.count_nonzero(size > 1)),
        straddling=int(np.count_nonzero((relevant > 0) & (relevant < size))),
        contradicted=len(contradicted),
        reordered=len(np.setdiff1d(reordered, contradicted)),
        duplicates=listing.duplicates,
        judged_at_10=ranking.share(grade >= 0, 10),
        judged_at_100=ranking.share(grade >= 0, 100),
        comments=listing.comments,
    )


def _errors(runs: list[RunFacts], relevant: int, rel: float) -> list[str]:
    errors = [] if relevant else [f"no judged document has a grade of {rel:g} or more (--rel)"]
    for facts in runs:
        if facts.duplicates:
            repeated = counted(facts.duplicates, "duplicate document")
            errors.append(f"run {facts.run} holds {repeated} (--duplicates first or best takes one of them)")
        if not facts.topics:
            errors.append(f"run {facts.run} answers no judged topic")
    return errors


def _remarks(runs: list[RunFacts], copies: tuple[tuple[str, ...], ...], topics: int, barren: int) -> list[str]:
    remarks = [f"{barren} of {counted(topics, 'topic')} have no relevant document"] if barren else []
    remarks += [f"{' = '.join(names)}: the same rank for every judged document" for names in copies]
    for name, (one, several, what) in _WORTH_KNOWING.items():
        counts = {facts.run: getattr(facts, name) for facts in runs if getattr(facts, name)}
        if counts:
            most = max(counts, key=lambda run: counts[run])
            verb = one if len(counts) == 1 else several
            remarks.append(
                f"{len(counts)} of {counted(len(runs), 'run')} {verb} {what}; most of all {most}: {counts[most]}"
            )
    if len({facts.deepest for facts in runs}) > 1:
        low, high = (extreme(runs, key=lambda facts: facts.deepest) for extreme in (min, max))
        remarks.append(
            f"runs differ in depth: {low.run} {low.deepest}, {high.run} {high.deepest} (--depth common cuts)"
        )
    return remarks


_WORTH_KNOWING = {
    "empty": ("returns", "return", "nothing for some judged topics"),
    "unknown": ("answers", "answer", "topics that nobody judged, which are ignored"),
    "straddling": ("has", "have", "ties that decide the rank of a relevant document"),
    "contradicted": ("has", "have", "a rank column that contradicts the scores (--ties rank takes the column)"),
    "reordered": ("has", "have", "a rank column that orders ties its own way (--ties rank takes it)"),
    "comments": ("holds", "hold", "comment lines, which are ignored"),
}
"""What is said of one run or several where a count is not zero."""
