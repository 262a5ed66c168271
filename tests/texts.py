"""Texts of runs and judgments for the kernels: odd ones, and a reader of the simplest kind to check against."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

from rankdiff._kernel.results import PADDING, Bytes
from rankdiff.ids import Ids

BLANKS = b" \t\r\v\f"

few_ids = st.sampled_from(
    [b"d1", b"d2", b"d10", b"D", b"\xff\xfe", b"caf\xc3\xa9", b"a" * 40, b"a" * 39 + b"b", b"0", b"-"]
)
any_ids = st.binary(min_size=1, max_size=30).filter(lambda item: not re.search(rb"[ \t\n\r\v\f]", item))
documents = few_ids | any_ids
topics = st.sampled_from([b"1", b"2", b"10", b"t\x80", b"q" * 30])
scores = st.sampled_from(
    [b"1", b"2", b"1.0", b"0.5", b"-1e3", b"inf", b"-Infinity", b"+2.50", b".5", b"-0", b"0"]
) | st.floats(allow_nan=False).map(lambda value: repr(value).encode())
blanks = st.sampled_from([b" ", b" ", b" ", b"\t", b"  ", b" \t ", b"\v", b"\f"])
endings = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b" \n", b"\n\n", b"\n \t\n", b"\n# a comment\n"])


@st.composite
def lines(draw: st.DrawFn, fields: list[bytes]) -> bytes:
    """Fields as one line, with odd blanks before, between and after them."""
    lead = draw(st.sampled_from([b"", b"", b"", b" ", b"\t"]))
    return lead + b"".join(field + draw(blanks) for field in fields[:-1]) + fields[-1] + draw(endings)


@st.composite
def runs(draw: st.DrawFn) -> bytes:
    """A run without duplicates, its topics often apart."""
    pairs = draw(st.lists(st.tuples(topics, documents), min_size=1, max_size=25, unique=True))
    if draw(st.booleans()):
        pairs.sort(key=lambda pair: pair[0])
    tag = [draw(st.sampled_from([b"tag", b"#x", b"\xe9"]))] if draw(st.booleans()) else []
    text = b""
    for place, (topic, document) in enumerate(pairs):
        rank = str(draw(st.integers(0, 3)) or place).encode()
        text += draw(lines([topic, draw(st.sampled_from([b"Q0", b"0"])), document, rank, draw(scores), *tag]))
    return text.rstrip(b"\r\n ") if draw(st.booleans()) else text


judged = st.dictionaries(topics, st.dictionaries(documents, st.integers(-2, 3), min_size=1, max_size=12), max_size=4)


def text_of(content: bytes) -> Bytes:
    """A text as the kernels take it."""
    return np.frombuffer(content + b"\n" * PADDING, np.uint8)


def index_of(kernel: Any, judgments: Mapping[bytes, Mapping[bytes, object]]) -> Any:
    """The index of judgments ``{topic: {document: grade}}``."""
    queries = Ids.of(sorted(judgments))
    found = Ids.of(document for topic in sorted(judgments) for document in sorted(judgments[topic]))
    start = np.cumsum([0, *(len(judgments[topic]) for topic in sorted(judgments))])
    return kernel.Index((queries.blob, queries.offsets), start, (found.blob, found.offsets))


def plain_rankings(content: bytes, ties: str) -> dict[bytes, list[bytes]]:
    """The rankings in the text of a run, read in the plainest way."""
    rankings: dict[bytes, list[tuple[bytes, float, float]]] = {}
    for line in content.split(b"\n"):
        if line[:1] != b"#" and (fields := line.split()):
            rankings.setdefault(fields[0], []).append((fields[2], float(fields[3]), float(fields[4])))
    for rows in rankings.values():
        if ties == "docid-desc":
            rows.sort(key=lambda row: row[0], reverse=True)
            rows.sort(key=lambda row: -row[2])
        elif ties == "rank":
            rows.sort(key=lambda row: row[1])
    return {topic: [document for document, _, _ in rows] for topic, rows in rankings.items()}
