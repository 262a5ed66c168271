"""Judgments: which documents of which topics were judged, and how."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rankdiff import _kernel
from rankdiff._kernel.problems import QRELS_COLUMNS, BadLineError
from rankdiff._kernel.results import Judged
from rankdiff.errors import InputError, UsageError
from rankdiff.ids import Ids, as_bytes, as_text
from rankdiff.read.files import STANDARD_INPUT, Text, standard_input
from rankdiff.read.nested import number_of
from rankdiff.read.notices import counted, located

QrelsSource: TypeAlias = str | os.PathLike[str] | Mapping[Any, Mapping[Any, float]]


@dataclass(frozen=True)
class Subtopics:
    """Grades by subtopic: for each entry its document (a position in the judgments), subtopic and grade."""

    names: Ids
    document: NDArray[np.int64]
    name: NDArray[np.int32]
    grade: NDArray[np.float64]


@dataclass(frozen=True)
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
    """The judgments in a TREC file (``-`` is standard input), or in a dict ``{topic: {document: grade}}``.

    The second column names a subtopic where some document of a topic has two values of it, or where
    ``subtopics=True`` says so; with ``subtopics=False`` it is passed over.

    The same judgment twice is a notice; two grades for one document (of one subtopic) are an error, as is a line
    that is not a judgment.

    >>> judgments = read_qrels({"7": {"d2": 1, "d1": 0}, "12": {"d9": 2}})
    >>> list(judgments.queries), list(judgments.documents), judgments.grade.tolist(), judgments.start.tolist()
    (['12', '7'], ['d9', 'd1', 'd2'], [2.0, 0.0, 1.0], [0, 1, 3])
    """
    if isinstance(source, Mapping):
        return _from_dict(source, subtopics=subtopics)
    text = Text()
    name = STANDARD_INPUT if source == "-" else os.fspath(source)
    content = text.load(standard_input()) if source == "-" else text.read(source)
    try:
        judged = _kernel.judge(content, subtopics is not False)
    except BadLineError as bad:
        raise located(bad, name) from bad
    if not len(judged.entry_grade):
        raise InputError("no judgment in it, it is empty or blank", source=name, expected=f"lines of {QRELS_COLUMNS}")
    return _judgments(judged, subtopics=subtopics, source=name)


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


def _from_dict(nested: Mapping[Any, Mapping[Any, float]], *, subtopics: bool | None) -> Judgments:
    if subtopics:
        raise UsageError("a dict of judgments has no subtopics: give a file whose second column names them")
    grades: dict[tuple[bytes, bytes], float] = {}
    for topic, documents in nested.items():
        for document, value in documents.items():
            grade = number_of(value, topic, document, "dict")
            key = as_bytes(topic), as_bytes(document)
            if grades.setdefault(key, grade) != grade:
                raise InputError(
                    f"document {as_text(key[1])!r} of topic {as_text(key[0])!r} has two grades",
                    source="dict",
                    advice="ids are compared by their bytes: 7 and '7' are the same",
                )
    if not grades:
        raise InputError("holds no judgment", source="dict", expected="{topic: {document: grade}}")
    keys = sorted(grades)
    queries = list(dict.fromkeys(topic for topic, _ in keys))
    number = {topic: position for position, topic in enumerate(queries)}
    per_query = np.bincount([number[topic] for topic, _ in keys])
    return Judgments(
        queries=Ids.of(queries),
        start=np.concatenate([[0], np.cumsum(per_query)]).astype(np.int64),
        documents=Ids.of(document for _, document in keys),
        grade=np.array([grades[key] for key in keys], np.float64),
        subtopics=None,
        notices=(),
        source="dict",
    )
