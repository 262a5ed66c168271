"""The collection: the rank at which each run placed each judged document, and views of it.

``align`` (in `rankdiff.alignment`) brings judgments and runs together. Measures and preferences do arithmetic on
what a collection derives from its rank matrix: populations of documents, hits, recall levels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankdiff.counts import DocumentCounts
from rankdiff.digests import digest
from rankdiff.errors import CorpusSizeError, UnknownNameError, UsageError
from rankdiff.hits import BoolArray, FloatArray, Hits, IntArray, Population, find_hits, find_levels
from rankdiff.ids import Ids
from rankdiff.read import Subtopics
from rankdiff.rules import Rules
from rankdiff.tied import Tied

if TYPE_CHECKING:
    from rankdiff.comparison import Gates
    from rankdiff.profile import Profile
    from rankdiff.results import Comparison, Preferences, Scores
    from rankdiff.verdict import Bounds, Flip

Derived = TypeVar("Derived")

BLOCK_CELLS = 1 << 19
"""Rank-matrix cells evaluated at a time, so that temporaries stay small whatever the size of the collection."""


@dataclass(frozen=True, eq=False, repr=False)
class Collection:
    """Judgments and runs, reduced to one integer matrix.

    ``rank[s, d]`` is the rank at which system ``s`` placed judged document ``d`` (0: not retrieved). Documents lie
    query after query: those of query ``q`` are the columns ``start[q]`` to ``start[q + 1]``. ``grade[d]`` is the
    largest grade of the document (negative: pooled but unjudged; NaN: the label was taken away), ``depth[s, q]``
    how many documents the system returned, ``answered[s, q]`` whether the query occurs in the run at all.

    Views (`select`, `keep_labels`, `cut`, `condense`, `at`) share what they do not change. What depends on the
    runs compared is computed anew for a view, unless a ``reference`` (or saved ``counts``) freezes it.
    """

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    documents: Ids
    start: IntArray
    grade: FloatArray
    rank: IntArray
    depth: IntArray
    answered: BoolArray
    rules: Rules = field(default_factory=Rules)
    subtopics: Subtopics | None = None
    corpus_size: IntArray | None = None
    pool: IntArray | None = None
    pooled: BoolArray | None = None
    grade_as_read: FloatArray | None = None
    tags: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    reference: Collection | None = None
    counts: DocumentCounts | None = None
    tied: Tied | None = None
    notices: tuple[str, ...] = ()
    _derived: dict[Any, Any] = field(default_factory=dict)
    _judged: dict[Any, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return (
            f"Collection({len(self.systems)} systems × {len(self.queries)} queries, "
            f"{len(self.documents)} judged documents)"
        )

    # ---- what is derived from the judgments and the rank matrix, each once

    def _once(self, key: Any, compute: Callable[[], Derived]) -> Derived:
        return _cached(self._derived, key, compute)

    def _once_judged(self, key: Any, compute: Callable[[], Derived]) -> Derived:
        """Computed once from the judgments alone: views by systems, depths and blocks share it."""
        return _cached(self._judged, key, compute)

    @property
    def query_of(self) -> IntArray:
        """The query (its index) of each judged document."""
        return self._once_judged("query_of", lambda: np.repeat(np.arange(len(self.queries)), np.diff(self.start)))

    @property
    def grades(self) -> FloatArray:
        """The grades that occur, ascending."""
        return self._once_judged("grades", lambda: _distinct(self.grade[~np.isnan(self.grade)]))

    @property
    def _known_grades(self) -> FloatArray:
        """The grades that occur, or did before labels were taken away: a level between two of them is one with the
        upper."""
        return self._once_judged("known grades", lambda: self.grades)

    @property
    def peers(self) -> Collection:
        """The runs compared: those of this collection, or of the reference where one is set."""
        return self.reference if self.reference is not None else self

    def population(self, marked: BoolArray) -> Population:
        """The marked documents, one group per query."""
        column = np.flatnonzero(marked)
        return Population(column, np.searchsorted(column, self.start), np.arange(len(self.queries)))

    def relevant(self, rel: float) -> Population:
        """The documents of grade ``rel`` or more, one group per query."""
        lowest = int(self._known_grades.searchsorted(rel))
        return self._once_judged(("relevant", lowest), lambda: self.population(self.grade >= rel))

    def hits(self, rel: float) -> Hits:
        """The relevant documents retrieved, each ranking's in rank order."""
        lowest = int(self._known_grades.searchsorted(rel))
        return self._once(
            ("hits", lowest),
            lambda: (
                find_hits(self.rank, self.relevant(rel)) if self.whole is None else self.picked(self.whole.hits(rel))
            ),
        )

    def judged_hits(self) -> Hits:
        """Every document retrieved that the judgments list, pooled but unjudged ones (negative grades) included."""
        return self._once(
            "judged hits",
            lambda: (
                find_hits(self.rank, self.population(~np.isnan(self.grade)))
                if self.whole is None
                else self.picked(self.whole.judged_hits())
            ),
        )

    @property
    def whole(self) -> Collection | None:
        """The same rankings with all labels, of which the hits need only be picked; it stands among what is derived,
        so that a view of other rankings loses it."""
        whole: Collection | None = self._derived.get("whole")
        return whole

    def picked(self, hits: Hits) -> Hits:
        """Of hits with all labels those with these."""
        return hits.among(~np.isnan(self.grade))

    def levels(self, rel: float) -> NDArray[np.int32]:
        """Ranks by recall level, system × relevant document (in the order of ``relevant(rel)``)."""
        self.refuse_ties()
        lowest = int(self._known_grades.searchsorted(rel))
        return self._once(("levels", lowest), lambda: find_levels(self.rank, self.relevant(rel)))

    def refuse_ties(self) -> None:
        """Refuse what looks at ranks where ties are averaged: those in the order of document ids would decide."""
        if self.tied is not None:
            raise UsageError("ties='average' gives no one ranking whose ranks could be looked at: choose another order")

    def n(self, rel: float) -> IntArray:
        """The corpus size of each query: as given, or the pool united with the relevant documents.

        It must have room for every ranking: the documents returned and, behind them, the relevant ones missed.
        """
        sizes = self._sizes(rel)
        least = self.depth + self.relevant(rel).size - self.hits(rel).count
        if np.any(least > sizes):
            system, query = np.argwhere(least > sizes)[0]
            raise UsageError(
                f"corpus size {sizes[query]} of topic {self.queries[query]} is too small: run "
                f"{self.systems[system]} returned and missed {least[system, query]} documents between them "
                f"(give corpus_size of at least {int(least.max())})"
            )
        return sizes

    def _sizes(self, rel: float) -> IntArray:
        if self.corpus_size is not None:
            return self.corpus_size
        if self.pool is None or self.pooled is None:
            raise CorpusSizeError(
                "this measure needs a corpus size: load the collection with pool=True (--pool), which counts the "
                "distinct documents of all runs, or give corpus_size=N (--corpus-size N)"
            )
        # The corpus does not shrink where labels are taken away.
        grade = self.grade if self.grade_as_read is None else self.grade_as_read
        unseen = np.flatnonzero(~self.pooled & (grade >= rel))
        return self.pool + np.bincount(self.query_of[unseen], minlength=len(self.queries))

    # ---- views

    def system_index(self, name: str) -> int:
        """Where a system stands, by its name."""
        if name not in self.systems:
            raise UnknownNameError("run", name, self.systems)
        return self.systems.index(name)

    def select(
        self, systems: Sequence[str] | slice | None = None, queries: Sequence[str] | BoolArray | None = None
    ) -> Collection:
        """Only some systems, in the order named, and only some queries, in the collection's order.

        A slice of systems shares the rank matrix; names copy their rows, queries their columns.
        """
        view = self
        if systems is not None:
            rows = systems if isinstance(systems, slice) else [self.system_index(name) for name in systems]
            view = replace(
                view,
                systems=tuple(np.asarray(self.systems, object)[rows]),
                tags=tuple(np.asarray(self.tags, object)[rows]) if self.tags else (),
                groups=tuple(np.asarray(self.groups, object)[rows]) if self.groups else (),
                rank=self.rank[rows],
                depth=self.depth[rows],
                answered=self.answered[rows],
                tied=None if self.tied is None else self.tied.rows(rows),
                _derived={},
            )
        return view if queries is None else view._select_queries(queries)

    def _select_queries(self, queries: Sequence[str] | BoolArray) -> Collection:
        if isinstance(queries, np.ndarray) and queries.dtype == bool:
            chosen = np.flatnonzero(queries)
        else:
            place = {name: i for i, name in enumerate(self.queries)}
            if unknown := [str(name) for name in queries if str(name) not in place]:
                raise UnknownNameError("topic", unknown[0], self.queries)
            chosen = np.array(sorted({place[str(name)] for name in queries}), np.int64)
        columns = np.flatnonzero(np.isin(self.query_of, chosen))
        sizes = np.diff(self.start)[chosen]
        return replace(
            self,
            queries=tuple(self.queries[i] for i in chosen),
            documents=self.documents[columns],
            start=np.concatenate([[0], np.cumsum(sizes)]),
            grade=self.grade[columns],
            rank=self.rank[:, columns],
            depth=self.depth[:, chosen],
            answered=self.answered[:, chosen],
            subtopics=None if self.subtopics is None else _subtopics_among(self.subtopics, columns),
            corpus_size=None if self.corpus_size is None else self.corpus_size[chosen],
            pool=None if self.pool is None else self.pool[chosen],
            pooled=None if self.pooled is None else self.pooled[columns],
            grade_as_read=None if self.grade_as_read is None else self.grade_as_read[columns],
            reference=None if self.reference is None else self.reference._select_queries(queries),
            counts=None if self.counts is None else self.counts.select(columns),
            tied=None if self.tied is None else self.tied.columns(columns),
            _derived={},
            _judged={},
        )

    def keep_labels(self, kept: BoolArray) -> Collection:
        """As if only the marked judged documents had been judged; the rank matrix is shared."""
        as_read = self.grade if self.grade_as_read is None else self.grade_as_read
        fewer = np.where(kept, self.grade, np.nan)
        whole, known = {"whole": self.whole or self}, {"known grades": self._known_grades}
        return replace(self, grade=fewer, grade_as_read=as_read, _derived=whole, _judged=known)

    def at(self, rel: float) -> Collection:
        """With another lowest grade that counts as relevant; everything is shared."""
        return replace(self, rules=replace(self.rules, rel=rel))

    def cut(self, depth: int) -> Collection:
        """Rankings cut at a depth, those of the reference too."""
        rules = replace(self.rules, depth=depth)
        return replace(
            self,
            rank=np.where(self.rank <= depth, self.rank, 0),
            depth=np.minimum(self.depth, depth),
            rules=rules,
            reference=None if self.reference is None else self.reference.cut(depth),
            _derived={},
        )

    def condense(self) -> Collection:
        """Condensed lists: rankings from which everything unjudged (negative grades too) was taken out."""
        judged = find_hits(self.rank, self.population(self.grade >= 0))
        rank = np.zeros_like(self.rank)
        rank[judged.ranking // max(len(self.queries), 1), judged.column] = judged.level
        return replace(self, rank=rank, depth=judged.count, rules=replace(self.rules, judged_only=True), _derived={})

    def blocks(self, cells: int = BLOCK_CELLS) -> Iterator[Collection]:
        """The same collection a few systems at a time, each block compared with all runs (its ``peers``)."""
        height = max(1, cells // max(self.rank.shape[1], 1))
        for first in range(0, len(self.systems), height):
            yield replace(self.select(systems=slice(first, first + height)), reference=self.peers)

    # ---- results

    def measure(self, *measures: Any) -> Scores:
        """Values of measures (names, `Measure` objects or functions of a collection) for every system and query."""
        from rankdiff.measures import evaluate

        return evaluate(self, measures)

    def prefer(self, preference: Any) -> Preferences:
        """A preference (a name such as ``RPP``, a measure, a function of two rankings) between all runs."""
        from rankdiff.preferences import evaluate

        return evaluate(self, preference)

    def compare(self, baseline: str, *candidates: str, measures: Sequence[Any] = (), **design: Any) -> Comparison:
        """Candidates against a baseline under several measures and preferences, with a test, an interval and a verdict.

        Positive = candidate better; the keywords are those of `rankdiff.comparison.compare`.
        """
        from rankdiff.comparison import compare

        return compare(self, baseline, *candidates, measures=measures, **design)

    def gates(self, baseline: str, *candidates: str, **asked: Any) -> Gates:
        """Whether candidates may take the baseline's place; the keywords are those of `rankdiff.comparison.gates`."""
        from rankdiff.comparison import gates

        return gates(self, baseline, *candidates, **asked)

    def profile(self, baseline: str, candidate: str) -> Profile:
        """For which users a candidate is better than a baseline, by how many of the relevant documents they want."""
        from rankdiff.profile import profile

        return profile(self, baseline, candidate)

    def flip(self, baseline: str, candidate: str, measure: Any = "nDCG@10", **options: Any) -> Flip:
        """The fewest topics to remove, and judgments to reverse, that undo the verdict between two runs."""
        from rankdiff.verdict import flip

        return flip(self, baseline, candidate, measure, **options)

    def bounds(self, baseline: str, candidate: str, measure: Any = "nDCG@10", **options: Any) -> Bounds:
        """Between which limits a difference must lie, however the unjudged documents (down to a ``depth``) fall."""
        from rankdiff.verdict import bounds

        return bounds(self, baseline, candidate, measure, **options)

    def sign(self, *what: str) -> str:
        """What was computed, on what, by which rules: numbers with equal signatures can be compared."""
        from rankdiff import __version__

        by_name = sorted(range(len(self.systems)), key=self.systems.__getitem__)
        documents = self.documents.blob, self.documents.offsets
        qrels = self._once_judged("digest", lambda: digest("\n".join(self.queries), self.start, *documents, self.grade))
        rankings = (part for i in by_name for part in (self.systems[i], self.rank[i], self.depth[i]))
        runs = self._once("digest", lambda: digest(*rankings))
        sizes = [
            f"queries:{len(self.queries)}",
            f"systems:{len(self.systems)}",
            f"qrels:{qrels}",
            f"runs:{runs}",
        ]
        if self.corpus_size is not None:
            sizes.append(f"corpus-size:{digest(self.corpus_size)}")
        elif self.pool is not None:
            sizes.append(f"pool:{digest(self.pool)}")
        if self.reference is not None:
            sizes.append(f"reference:{digest(*self.reference.systems, self.reference.rank)}")
        if self.counts is not None:
            sizes.append(f"counts:{digest(str(self.counts.systems), self.counts.found)}")
        if grouped := sorted(zip(self.peers.systems, self.peers.groups, strict=False)):
            sizes.append(f"groups:{digest(*(name for pair in grouped for name in pair))}")
        return "|".join([f"rankdiff {__version__}", *what, *self.rules.signature(), *sizes])


def _distinct(values: FloatArray) -> FloatArray:
    """The distinct values, ascending; ``np.unique`` would import masked arrays, a tenth of the start-up time."""
    ascending = np.sort(values)
    repeated = np.append(ascending[1:] == ascending[:-1], False)
    return np.asarray(ascending[~repeated[: len(ascending)]])


def _subtopics_among(subtopics: Subtopics, columns: IntArray) -> Subtopics:
    """The subtopics of some documents, which are renumbered."""
    kept = np.isin(subtopics.document, columns)
    document = np.searchsorted(columns, subtopics.document[kept])
    return replace(subtopics, document=document, name=subtopics.name[kept], grade=subtopics.grade[kept])


def _cached(store: dict[Any, Any], key: Any, compute: Callable[[], Derived]) -> Derived:
    if key not in store:
        store[key] = compute()
    found: Derived = store[key]
    return found
