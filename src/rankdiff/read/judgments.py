"""Judgments: which documents of which topics were judged, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rankdiff import _kernel
from rankdiff._kernel.problems import QRELS_COLUMNS, BadLineError
from rankdiff._kernel.results import Judged
from rankdiff.errors import InputError, UsageError
from rankdiff.ids import Ids, as_text
from rankdiff.read.files import STANDARD_INPUT, Text, standard_input
from rankdiff.read.notices import counted, located, only_comments
from rankdiff.read.origins import qrels_in
from rankdiff.read.tables import Table, judged_of

QrelsSource: TypeAlias = Any
"""A path or the id of a dataset; a nested dict or a data frame."""


@dataclass(frozen=True, eq=False)
class Subtopics:
    """Grades by subtopic: for each entry its document (a position in the judgments), subtopic and grade."""

    names: Ids
    document: NDArray[np.int64]
    name: NDArray[np.int32]
    grade: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Judgments:
    """Judged documents, topic after topic, both in bytewise order.

    Topic ``i`` has the documents ``start[i]`` up to ``start[i + 1]``. A document's grade is the largest over its
    subtopics; ``subtopics`` is None where the second column of the file does not stand for them.
    """

    queries: Ids
    start: NDArray[np.int64]
    documents: Ids
    grade: NDArray[np.float64]
    subtopics: Subtopics | None
    notices: tuple[str, ...]
    source: str


def read_qrels(source: QrelsSource, *, subtopics: bool | None = None) -> Judgments:
    """The judgments in a file (``-`` is standard input), or in what Python holds.

    A file can be TREC's, Parquet, Arrow, CSV or TSV with a header, JSON or JSON lines: its content tells. In memory,
    judgments are a dict ``{topic: {document: grade}}``, a data frame (whose columns are called as in PyTerrier,
    ir_datasets, ranx or BEIR) or a ``ranx.Qrels``; ``"irds:…"`` names a dataset of ir_datasets.

    The second column names a subtopic where some document of a topic has two values of it, or where
    ``subtopics=True`` says so; with ``subtopics=False`` it is passed over.

    The same judgment twice is a notice; two grades for one document (of one subtopic) are an error, as is a line
    that is not a judgment.

    >>> judgments = read_qrels({"7": {"d2": 1, "d1": 0}, "12": {"d9": 2}})
    >>> list(judgments.queries), list(judgments.documents), judgments.grade.tolist(), judgments.start.tolist()
    (['12', '7'], ['d9', 'd1', 'd2'], [2.0, 0.0, 1.0], [0, 1, 3])
    """
    found = qrels_in(source)
    if isinstance(found, Table):
        if subtopics and "subtopic" not in found.columns:
            raise UsageError(f"{found.source} holds no subtopics: a column `subtopic` or `iteration` would name them")
        judged = judged_of(found, by_subtopic=subtopics is not False)
        return _judgments(judged, subtopics=subtopics, source=found.source)
    text = Text()
    name = STANDARD_INPUT if found == "-" else found
    content = text.load(standard_input()) if found == "-" else text.read(found)
    try:
        judged = _kernel.judge(content, subtopics is not False)
    except BadLineError as bad:
        raise located(bad, name) from bad
    if not len(judged.entry_grade):
        raise InputError(
            "no judgment in it, it is empty or blank",
            source=name,
            found=only_comments(judged.comments),
            expected=f"lines of {QRELS_COLUMNS}",
        )
    return _judgments(judged, subtopics=subtopics, source=name)


def topics_as_judged(source: QrelsSource) -> tuple[str, ...] | None:
    """The topics in the order in which the judgments first name them, which is that of judging where lines are added
    at the end; None for standard input, which cannot be read again.

    >>> topics_as_judged({"7": {"d2": 1}, "12": {"d9": 2}})
    ('7', '12')
    """
    found = qrels_in(source)
    if found == "-":
        return None
    if isinstance(found, Table):
        topics = found.numbered("topic")
        _, first = np.unique(topics.numbers, return_index=True)
        return tuple(as_text(topics.names[number]) for number in topics.numbers[np.sort(first)].tolist())
    fields = (line.split(None, 1) for line in Text().read(found).tobytes().splitlines() if line[:1] != b"#")
    return tuple(dict.fromkeys(as_text(parts[0]) for parts in fields if parts))


def _judgments(judged: Judged, *, subtopics: bool | None, source: str) -> Judgments:
    notices = []
    if judged.comments:
        notices.append(f"{source}: {counted(judged.comments, 'comment line')} ignored")
    if judged.repeated:
        notices.append(f"{source}: {counted(judged.repeated, 'judgment')} said again with the same grade")
    if subtopics is None:
        subtopics = len(judged.entry_grade) > len(judged.grade)
    return Judgments(
        queries=Ids(*judged.queries),
        start=judged.start,
        documents=Ids(*judged.documents),
        grade=judged.grade,
        subtopics=Subtopics(Ids(*judged.subtopics), judged.entry_document, judged.entry_subtopic, judged.entry_grade)
        if subtopics
        else None,
        notices=tuple(notices),
        source=source,
    )
