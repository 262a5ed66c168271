"""Tables with named columns, as judgments and as runs, whichever tool named the columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff._kernel.results import Floats, IdArrays, Ints, Judged, Rows
from rankdiff.errors import InputError
from rankdiff.ids import Ids, as_text
from rankdiff.read.columns import Column, Numbered, ids_of, numbered, numbers_of

NAMES: Mapping[str, Sequence[str]] = {
    "topic": ("qid", "query_id", "q_id", "topic", "topic_id", "query"),
    "document": ("docno", "doc_id", "corpus_id", "document", "document_id", "docid", "doc"),
    "grade": ("label", "relevance", "grade", "rel", "score"),
    "score": ("score",),
    "rank": ("rank",),
    "subtopic": ("subtopic", "subtopic_id", "iteration", "iter"),
    "run": ("run", "run_id", "system"),
}
"""What PyTerrier, ir_datasets, ranx, BEIR and TREC call a column. Where a table has two of a line, the first counts:
PyTerrier's ``query`` beside ``qid`` is the text, its ``docid`` beside ``docno`` a number of its own."""

JUDGMENT = ("topic", "document", "grade", "subtopic")
RANKING = ("topic", "document", "score", "rank", "run")


@dataclass(frozen=True)
class Table:
    """The columns of a table that matter, by what they hold; ``source`` is what messages call it."""

    columns: Mapping[str, Column]
    source: str

    @property
    def documents(self) -> IdArrays:
        """The document of each row."""
        return ids_of(self.columns["document"], "document", self.source)

    def numbered(self, name: str) -> Numbered:
        """The distinct ids of a column, and the number of each row's among them."""
        return numbered(self.columns[name], name, self.source)

    def numbers(self, name: str) -> Floats:
        """A column of numbers."""
        return numbers_of(self.columns[name], name, self.source)


@dataclass(frozen=True)
class Deferred:
    """A run that is a table, to be taken apart when it is placed."""

    source: str
    rows: Callable[[], Rows]


def roles(found: Sequence[str], wanted: Sequence[str], source: str) -> dict[str, str]:
    """Which column of a table holds what: ``{"topic": "qid", …}``; one that is needed and absent is an error.

    >>> roles(["Query-ID", "corpus-id", "score", "text"], RANKING, "a.csv")
    {'topic': 'Query-ID', 'document': 'corpus-id', 'score': 'score'}
    """
    named: dict[str, str] = {}
    for name in found:
        if (other := named.setdefault(normal(name), name)) != name:
            raise InputError(f"two columns of one name, {other!r} and {name!r}", source=source)
    of = {role: next((named[name] for name in NAMES[role] if name in named), None) for role in wanted}
    values = ("grade",) if "grade" in wanted else ("score",) if of["rank"] is None else ()
    for role in ("topic", "document", *values):
        if of[role] is None:
            instead = " (or rank)" if role == "score" else ""
            raise InputError(
                f"no column holds the {role}s",
                source=source,
                found=f"columns {', '.join(map(str, found))}",
                expected=f"one of {', '.join(NAMES[role])}{instead}",
                advice="upper and lower case, - and _ are the same",
            )
    return {role: name for role, name in of.items() if name is not None}


def normal(name: str) -> str:
    """A column's name as it is compared.

    >>> normal("Query-ID ")
    'query_id'
    """
    return str(name).strip().lower().replace("-", "_").replace(" ", "_")


def rows_of(table: Table) -> Rows:
    """The rows of a run. Where there is no score, the rank decides."""
    names, topic = table.numbered("topic")
    if not names:
        raise InputError("holds no ranking, it has no rows", source=table.source)
    rank = table.numbers("rank") if "rank" in table.columns else None
    score = table.numbers("score") if rank is None or "score" in table.columns else -rank
    return Rows(names, topic, table.documents, score, rank)


def split_by_run(table: Table) -> dict[str, Table]:
    """A table with a column that names runs, taken apart into one table for each."""
    names, run = table.numbered("run")
    order = np.argsort(run, kind="stable")
    cuts = np.searchsorted(run[order], np.arange(len(names) + 1))
    return {
        as_text(name): Table(
            {role: _taken(column, order[first:last]) for role, column in table.columns.items() if role != "run"},
            f"{table.source}, run {as_text(name)}",
        )
        for name, (first, last) in zip(names, pairwise(cuts), strict=True)
    }


def _taken(column: Column, rows: NDArray[Any]) -> Column:
    if hasattr(column, "take"):
        return column.take(rows)
    return [column[row] for row in rows]


def judged_of(table: Table, *, by_subtopic: bool) -> Judged:
    """The judgments of a table, as the kernel gives those of a text."""
    topics, topic = _in_order(*table.numbered("topic"))
    if not len(topic):
        raise InputError("holds no judgment, it has no rows", source=table.source)
    documents, document = _in_order(*table.numbered("document"))
    subtopics, subtopic = [b""], np.zeros_like(topic)
    if by_subtopic and "subtopic" in table.columns:
        subtopics, subtopic = _in_order(*table.numbered("subtopic"))
    grade = table.numbers("grade")
    order = np.lexsort((subtopic, document, topic))
    topic, document, subtopic, grade = topic[order], document[order], subtopic[order], grade[order]
    starts = _changes(topic) | _changes(document)
    new = starts | _changes(subtopic)
    if len(conflicts := np.flatnonzero(~new & _changes(grade))):
        row = int(conflicts[0])
        raise InputError(
            f"document {as_text(documents[document[row]])!r} of topic {as_text(topics[topic[row]])!r} has two grades",
            source=table.source,
            found=f"{grade[row - 1]:g} and {grade[row]:g}",
            expected="one grade for each topic, subtopic and document",
        )
    first = np.flatnonzero(starts[new])
    return Judged(
        queries=_arrays(topics),
        start=np.searchsorted(topic[starts], np.arange(len(topics) + 1)),
        documents=_arrays([documents[number] for number in document[starts].tolist()]),
        grade=np.maximum.reduceat(grade[new], first),
        subtopics=_arrays(subtopics),
        entry_document=np.cumsum(starts[new]) - 1,
        entry_subtopic=subtopic[new],
        entry_grade=grade[new],
        repeated=int(np.count_nonzero(~new)),
        comments=0,
    )


def _in_order(names: list[bytes], codes: Ints) -> Numbered:
    """Distinct ids in bytewise order, and the numbers that follow."""
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), np.int32)
    place[order] = np.arange(len(names))
    return Numbered([names[i] for i in order], place[codes])


def _changes(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a value differs from the one before it; the first does."""
    return np.concatenate([[True], values[1:] != values[:-1]])


def _arrays(identifiers: list[bytes]) -> IdArrays:
    ids = Ids.of(identifiers)
    return ids.blob, ids.offsets
