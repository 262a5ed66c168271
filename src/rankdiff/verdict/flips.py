"""What would overturn the verdict: the fewest topics and the fewest judgments that the mean difference hangs on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.results.table import Table, column
from rankdiff.verdict.claims import Claim, What
from rankdiff.verdict.judged import Judged
from rankdiff.verdict.pair import Duel, Yardstick, duel
from rankdiff.verdict.reach import reach
from rankdiff.verdict.removal import Fewest, fewest_removals
from rankdiff.verdict.reversal import fewest_reversals

STEPS = 4
"""Topics, each single judgment, judgments for the sign, judgments for significance: what progress counts."""

SHOWN = 3
"""So many other runs are named that rank a document, the best ranks first."""


@dataclass(frozen=True, eq=False)
class Undoing:
    """The fewest topics to remove, or judgments to reverse, so that a claim no longer holds.

    ``claim`` is "sign" or "significance", ``by`` is "topics" or "judgments". ``count`` is None where no set was found;
    no set of fewer than ``at_least`` does it, so that a ``count`` of ``at_least`` is the exact answer. ``most`` is how
    many can be removed or reversed. ``table`` lists the set.
    """

    claim: What
    by: str
    count: int | None
    at_least: int
    most: int
    table: Table

    @property
    def exact(self) -> bool:
        """Whether no smaller set does it."""
        return self.count == self.at_least

    @property
    def impossible(self) -> bool:
        """Whether it is certain that no set does it."""
        return self.at_least > self.most

    @property
    def sentence(self) -> str:
        """How many, in words."""
        verb = "removed" if self.by == "topics" else "reversed"
        if self.impossible:
            return f"no {self.by} {verb} undo the {self.claim}, however many"
        if self.count is None:
            return f"the {self.claim} stands unless {self.at_least} or more {self.by} are {verb}; no such set was found"
        things, undo = (self.by, "undo") if self.count > 1 else (self.by[:-1], "undoes")
        range_ = str(self.count) if self.exact else f"{self.count} (at least {self.at_least})"
        return f"{range_} {things} {verb} {undo} the {self.claim}"


@dataclass(frozen=True, eq=False, repr=False)
class Flip:
    """What would undo the verdict between two runs; positive differences speak for the candidate.

    The four answers are None where there is nothing to undo: the runs tie, or their difference is not significant.
    """

    baseline: str
    candidate: str
    measure: str
    difference: float
    sign_by_topics: Undoing | None
    sign_by_judgments: Undoing | None
    significance_by_topics: Undoing | None
    significance_by_judgments: Undoing | None
    signature: str

    def __repr__(self) -> str:
        return f"Flip({self.candidate} against {self.baseline}; {self.measure})"

    def __str__(self) -> str:
        return str(self.table)

    @property
    def answers(self) -> tuple[Undoing, ...]:
        """Those of the four that there are."""
        four = (
            self.sign_by_topics,
            self.sign_by_judgments,
            self.significance_by_topics,
            self.significance_by_judgments,
        )
        return tuple(answer for answer in four if answer is not None)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict and what would undo it, in words."""
        if not self.answers:
            return (f"{self.measure}: {self.candidate} and {self.baseline} tie: there is nothing to undo",)
        better, worse = self.candidate, self.baseline
        if self.difference < 0:
            better, worse = worse, better
        verdict = f"{self.measure}: {better} is better than {worse}, by {abs(self.difference):.4f}"
        if self.significance_by_topics is None:
            verdict += ", not significantly"
        return (verdict, *(answer.sentence for answer in self.answers))

    @property
    def table(self) -> Table:
        """All lists, one under the other: what is undone, by what, and the topics or documents."""
        tables = [(answer, answer.table) for answer in self.answers]
        names = ("topic", "document", "grade", "becomes", "difference", "baseline rank", "candidate rank", "other runs")
        columns: dict[str, Any] = {
            "undoes": column([answer.claim for answer, table in tables for _ in range(len(table))]),
            "by": column([answer.by for answer, table in tables for _ in range(len(table))]),
        }
        for name in names:
            cells = [table.columns.get(name, np.full(len(table), None, object)) for _, table in tables]
            columns[name] = np.concatenate([np.zeros(0, object), *cells])
        return Table(columns, notes=self.sentences, signature=self.signature)


def flip(
    c: Collection,
    baseline: str,
    candidate: str,
    measure: Any = "nDCG@10",
    *,
    level: float = 0.05,
    progress: Callable[[int, int], None] | None = None,
) -> Flip:
    """The fewest topics whose removal, and the fewest judgments whose reversal, undo the sign of the mean difference
    between two runs, or its significance (Student's t, two-sided, at ``level``).

    Undone is a sign when the mean is 0 or beyond, a significance when p is ``level`` or more. A reversal makes a
    relevant document non-relevant, or a judged non-relevant one relevant with the lowest relevant grade that occurs;
    what nobody judged stays so. ``measure`` is a measure or a preference. ``progress`` is told how many steps of how
    many are done.

    >>> import rankdiff as rd
    >>> qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
    >>> runs = {"old": {"1": {"b": 2, "a": 1}, "2": {"a": 1}}, "new": {"1": {"a": 2, "b": 1}, "2": {"a": 1}}}
    >>> found = rd.align(qrels, runs).flip("old", "new", "RR")
    >>> found.sign_by_topics.table["topic"].tolist(), found.sign_by_judgments.table["document"].tolist()
    (['1'], ['a'])
    """
    pair = duel(c, baseline, candidate, measure)
    _refuse_subtopics(pair.by)
    values = pair.differences
    if np.isnan(values).all():
        raise UsageError(f"no topic counts for both {baseline} and {candidate}")
    counted = np.flatnonzero(~np.isnan(values))
    difference = float(values[counted].mean())
    judged = Judged.of(pair)
    claims = Claim("sign"), Claim("significance", level)
    side = 1.0 if difference >= 0 else -1.0
    done = progress or (lambda *_: None)
    by_topics = [fewest_removals(side * values[counted], claim) for claim in claims]
    done(1, STEPS)
    reached = None if by_topics[0] is None else reach(judged)
    done(2, STEPS)
    by_judgments = []
    for step, claim in enumerate(claims, 3):
        by_judgments.append(fewest_reversals(judged, claim, reached))
        done(step, STEPS)
    answers: list[Undoing | None] = []
    for claim, topics, judgments in zip(claims, by_topics, by_judgments, strict=True):
        of_topics = partial(_topics, pair, values, counted)
        answers.append(_undoing(claim, "topics", topics, len(counted) - 1, of_topics))
        of_judgments = partial(_judgments, judged, c.peers)
        answers.append(_undoing(claim, "judgments", judgments, int(judged.open.sum()), of_judgments))
    signature = c.sign(pair.by.name, f"baseline:{baseline}", f"candidate:{candidate}", f"level:{level:g}")
    return Flip(
        baseline,
        candidate,
        pair.by.name,
        difference,
        sign_by_topics=answers[0],
        sign_by_judgments=answers[1],
        significance_by_topics=answers[2],
        significance_by_judgments=answers[3],
        signature=signature,
    )


def _refuse_subtopics(by: Yardstick) -> None:
    definition = by.of.definition
    if definition.name == "STRPP" or definition.function.__module__ == "rankdiff.measures.subtopics":
        raise UsageError(f"{by.name}: to reverse a judgment does not say for which subtopics; flip leaves these out")


def _undoing(
    claim: Claim, by: str, found: Fewest | None, most: int, listed: Callable[[tuple[int, ...]], Table]
) -> Undoing | None:
    if found is None:
        return None
    count = None if found.chosen is None else len(found.chosen)
    return Undoing(claim.what, by, count, found.at_least, most, listed(found.chosen or ()))


def _topics(pair: Duel, values: FloatArray, counted: IntArray, chosen: tuple[int, ...]) -> Table:
    topics = counted[list(chosen)]
    ordered = topics[np.argsort(-np.abs(values[topics]), kind="stable")]
    return Table(
        {
            "topic": column([pair.runs.queries[q] for q in ordered.tolist()] or np.zeros(0, object)),
            "difference": values[ordered],
        }
    )


def _judgments(judged: Judged, peers: Collection, chosen: tuple[int, ...]) -> Table:
    """The list that an assessor can take to work."""
    c, documents = judged.duel.runs, np.array(chosen, np.int64)
    rows = [i for i, name in enumerate(peers.systems) if name not in c.systems]
    columns: dict[str, Any] = {
        "topic": [c.queries[q] for q in c.query_of[documents].tolist()],
        "document": [c.documents[d] for d in documents.tolist()],
        "grade": c.grade[documents],
        "becomes": judged.reversed_grade[documents],
        "baseline rank": [rank or None for rank in c.rank[0, documents].tolist()],
        "candidate rank": [rank or None for rank in c.rank[1, documents].tolist()],
        "other runs": [_ranked_by(peers, rows, d) for d in documents.tolist()],
    }
    whole = {name: _as_integers(values) for name, values in columns.items()}
    return Table({name: column(values) if len(values) else np.zeros(0, object) for name, values in whole.items()})


def _as_integers(values: Any) -> Any:
    if isinstance(values, np.ndarray) and np.all(values == np.floor(values)):
        return values.astype(np.int64)
    return values if isinstance(values, np.ndarray) else np.array([*values, None], object)[:-1]


def _ranked_by(peers: Collection, rows: list[int], document: int) -> str:
    """How many of the other runs rank a document, and which rank it best."""
    found = sorted((int(peers.rank[row, document]), peers.systems[row]) for row in rows if peers.rank[row, document])
    if not rows:
        return ""
    named = ", ".join(f"{name} {rank}" for rank, name in found[:SHOWN])
    more = ", …" if len(found) > SHOWN else ""
    return f"{len(found)} of {len(rows)}" + (f": {named}{more}" if named else "")
