"""The definition of the kernel's loops, in plain Python; the native kernel gives the same arrays, only sooner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rankdiff._kernel.hits import number_hits, pick_hits, sum_gains, sum_hits, top_hits
from rankdiff._kernel.lexicographic import order_rankings
from rankdiff._kernel.problems import BadLineError
from rankdiff._kernel.results import (
    Bytes,
    IdArrays,
    Ints,
    Judged,
    Levels,
    Listed,
    Longs,
    Ranked,
    Rows,
    Rules,
    UnsignedLongs,
)
from rankdiff._kernel.shuffles import shuffled_sums
from rankdiff._kernel.stepdown import count_stepdown

__all__ = [
    "NAME",
    "Index",
    "Pool",
    "count_signs",
    "count_stepdown",
    "digits",
    "judge",
    "number_hits",
    "order_rankings",
    "pick_hits",
    "rank",
    "rank_table",
    "shuffled_sums",
    "sum_gains",
    "sum_hits",
    "top_hits",
]

NAME = "python"

NUMBER = re.compile(rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?)", re.IGNORECASE)
CUT = 200  # bytes of a line that an error carries


class Index:
    """The judged topics and documents, to be looked up."""

    def __init__(self, queries: IdArrays, start: Longs, documents: IdArrays) -> None:
        ids = _split(documents)
        self.query = {topic: number for number, topic in enumerate(_split(queries))}
        self.columns = [
            {ids[column]: column for column in range(first, last)} for first, last in pairwise(start.tolist())
        ]


class Pool:
    """The distinct documents that runs hold for each judged topic."""

    def __init__(self, queries: int) -> None:
        self._seen: list[set[bytes]] = [set() for _ in range(queries)]

    def add(self, query: int, documents: Sequence[bytes]) -> None:
        """Count the documents of one ranking."""
        self._seen[query].update(documents)

    def counts(self) -> Longs:
        """How many distinct documents each topic has."""
        return np.array([len(documents) for documents in self._seen], np.int64)


class Row(NamedTuple):
    """One document of one ranking."""

    document: bytes
    score: float
    stated_rank: float
    line: int


class Lines:
    """The lines of a text that hold fields, numbered from 1; comments are counted."""

    def __init__(self, text: Bytes) -> None:
        self.lines = text.tobytes().split(b"\n")
        self.comments = 0

    def __iter__(self) -> Iterator[tuple[int, bytes, list[bytes]]]:
        for number, line in enumerate(self.lines, 1):
            if line.startswith(b"#"):
                self.comments += 1
            elif fields := line.split():
                yield number, line, fields


def digits(numbers: Longs | UnsignedLongs) -> IdArrays:
    """The decimal digits of whole numbers, as ids."""
    return _joined([b"%d" % number for number in numbers.tolist()])


def judge(text: Bytes, by_subtopic: bool) -> Judged:
    """The judgments of a text; without ``by_subtopic`` the second column is passed over."""
    grades: dict[tuple[bytes, bytes, bytes], tuple[float, int]] = {}
    repeated, conflict = 0, None
    lines = Lines(text)
    for number, line, fields in lines:
        if len(fields) != 4:
            raise BadLineError("qrels columns", number, line[:CUT], count=len(fields))
        topic, subtopic, document, written = fields
        grade = _number("grade", number, written)
        key = topic, document, subtopic if by_subtopic else b""
        before, line_before = grades.setdefault(key, (grade, number))
        repeated += line_before != number
        if before != grade and conflict is None:
            conflict = BadLineError("conflict", number, document, topic, line_before)
    if conflict:
        raise conflict
    return _judged(grades, repeated, lines.comments)


def rank(index: Index, text: Bytes, rules: Rules, pool: Pool | None) -> Ranked:
    """The rankings of the text of a run."""
    columns = rules.columns
    topics: dict[bytes, list[Row]] = {}
    tag = b""
    lines = Lines(text)
    for number, line, fields in lines:
        columns = columns or min(len(fields), 6)
        if columns < 5 or len(fields) < columns or (len(fields) > columns and not (rules.lenient and columns == 6)):
            raise BadLineError("run columns", number, line[:CUT], count=len(fields))
        stated = _stated_rank(number, fields[3], strict=rules.ties == "rank")
        row = Row(fields[2], _number("score", number, fields[4]), stated, number)
        topics.setdefault(fields[0], []).append(row)
        tag = fields[5] if columns == 6 else b""
    return _ranked(index, topics, rules, pool)._replace(comments=lines.comments, tag=tag)


def rank_table(index: Index, table: Rows, rules: Rules, pool: Pool | None) -> Ranked:
    """The rankings of a run that is a table; its lines are its rows, counted from 1."""
    topics: dict[bytes, list[Row]] = {name: [] for name in table.topics}
    stated_rank = [float("nan")] * len(table.score) if table.stated_rank is None else table.stated_rank.tolist()
    columns = table.topic.tolist(), _split(table.documents), table.score.tolist(), stated_rank
    for line, (number, document, score, stated) in enumerate(zip(*columns, strict=True), 1):
        topics[table.topics[number]].append(Row(document, score, stated, line))
    return _ranked(index, topics, rules, pool)


def count_signs(levels: Levels, start: Longs, system: int, others: Longs) -> Ints:
    """At how many levels of each query one ranking is smaller than others, less at how many larger: other × query.

    ``levels`` are rankings as rows; those of query ``q`` lie from ``start[q]`` to ``start[q + 1]``.
    """
    ours, filled = levels[system], np.flatnonzero(np.diff(start))
    counts = np.zeros((len(others), len(start) - 1), np.int32)
    for count, theirs in zip(counts, (levels[other] for other in others.tolist()), strict=True):
        signs = (ours < theirs).view(np.int8) - (ours > theirs).view(np.int8)
        count[filled] = np.add.reduceat(signs, start[filled], dtype=np.int32) if len(filled) else 0
    return counts


def _ranked(index: Index, topics: dict[bytes, list[Row]], rules: Rules, pool: Pool | None) -> Ranked:
    query, depth, unknown, unknown_depth = [], [], [], []
    column: list[int] = []
    rank: list[int] = []
    listed: list[tuple[int, int, float, float, int]] = []
    pooled: list[tuple[int, list[bytes]]] = []
    worst: BadLineError | None = None
    duplicates = 0
    for topic, rows in topics.items():
        if rules.duplicates == "error" and (found := _first_duplicate(topic, rows)):
            worst = found if worst is None or found.line < worst.line else worst
            continue
        ranking = _order(rows, rules)
        duplicates += len(rows) - len(ranking)
        number = index.query.get(topic, -1)
        if number < 0:
            unknown.append(topic)
            unknown_depth.append(len(ranking))
            columns = [-1] * len(ranking)
        else:
            query.append(number)
            depth.append(len(ranking))
            judged = index.columns[number]
            columns = [judged.get(row.document, -1) for row in ranking]
            hits = [(place, where) for place, where in enumerate(columns, 1) if where >= 0]
            rank += [place for place, _ in hits]
            column += [where for _, where in hits]
            pooled.append((number, [row.document for row in ranking]))
        if rules.listing:
            pairs = zip(columns, ranking, strict=True)
            listed += [(number, where, row.score, row.stated_rank, row.line) for where, row in pairs]
    if worst:
        raise worst
    if pool:
        for number, documents in pooled:
            pool.add(number, documents)
    return Ranked(
        np.array(query, np.int32),
        np.array(depth, np.int32),
        np.array(column, np.int32),
        np.array(rank, np.int32),
        unknown,
        np.array(unknown_depth, np.int32),
        duplicates,
        _listed(listed),
    )


def _order(rows: list[Row], rules: Rules) -> list[Row]:
    """The ranking of one topic."""
    if rules.single:
        with np.errstate(over="ignore"):
            rounded = np.array([row.score for row in rows]).astype(np.float32).tolist()
        rows = [row._replace(score=score) for row, score in zip(rows, rounded, strict=True)]
    if rules.duplicates == "first":
        rows = _distinct(rows)
    match rules.ties:
        case "docid-desc":
            rows = sorted(rows, key=lambda row: (row.score, row.document), reverse=True)
        case "rank":
            rows = sorted(rows, key=lambda row: row.stated_rank)
    return _distinct(rows) if rules.duplicates == "best" else rows


def _distinct(rows: list[Row]) -> list[Row]:
    kept: dict[bytes, Row] = {}
    for row in rows:
        kept.setdefault(row.document, row)
    return list(kept.values())


def _first_duplicate(topic: bytes, rows: list[Row]) -> BadLineError | None:
    seen: dict[bytes, int] = {}
    for row in rows:
        if (line := seen.setdefault(row.document, row.line)) != row.line:
            return BadLineError("duplicate", row.line, row.document, topic, line)
    return None


def _number(column: str, line: int, written: bytes) -> float:
    if not NUMBER.fullmatch(written):
        raise BadLineError(column, line, written[:CUT])
    return float(written)


def _stated_rank(line: int, written: bytes, *, strict: bool) -> float:
    """The rank column: it must be a number only where it decides."""
    return _number("rank", line, written) if strict or NUMBER.fullmatch(written) else float("nan")


def _judged(grades: dict[tuple[bytes, bytes, bytes], tuple[float, int]], repeated: int, comments: int) -> Judged:
    keys = sorted(grades)
    entry_grade = np.array([grades[key][0] for key in keys], np.float64)
    documents = list(dict.fromkeys(key[:2] for key in keys))
    position = {document: number for number, document in enumerate(documents)}
    entry_document = np.array([position[key[:2]] for key in keys], np.int64)
    grade = np.full(len(documents), -np.inf)
    np.maximum.at(grade, entry_document, entry_grade)
    queries = list(dict.fromkeys(topic for topic, _ in documents))
    query = {topic: number for number, topic in enumerate(queries)}
    names = sorted({subtopic for _, _, subtopic in keys})
    name = {subtopic: number for number, subtopic in enumerate(names)}
    per_query = np.bincount([query[topic] for topic, _ in documents], minlength=len(queries))
    return Judged(
        _joined(queries),
        np.concatenate([[0], np.cumsum(per_query)]).astype(np.int64),
        _joined([document for _, document in documents]),
        grade,
        _joined(names),
        entry_document,
        np.array([name[subtopic] for _, _, subtopic in keys], np.int32),
        entry_grade,
        repeated,
        comments,
    )


def _listed(rows: list[tuple[int, int, float, float, int]]) -> Listed:
    query, column, score, stated_rank, line = zip(*rows, strict=True) if rows else ((),) * 5
    return Listed(
        np.array(query, np.int32),
        np.array(column, np.int32),
        np.array(score, np.float64),
        np.array(stated_rank, np.float64),
        np.array(line, np.int64),
    )


def _split(ids: IdArrays) -> list[bytes]:
    blob, offsets = ids[0].tobytes(), ids[1].tolist()
    return [blob[first:last] for first, last in pairwise(offsets)]


def _joined(ids: Sequence[bytes]) -> IdArrays:
    offsets = np.zeros(len(ids) + 1, np.int64)
    np.cumsum([len(item) for item in ids], out=offsets[1:])
    return np.frombuffer(b"".join(ids), np.uint8), offsets
