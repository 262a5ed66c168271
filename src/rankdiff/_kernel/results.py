"""What the kernels give back, and the words in which they are asked."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
UnsignedLongs: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.float64]

Levels: TypeAlias = NDArray[np.int16] | NDArray[np.int32]

IdArrays: TypeAlias = tuple[Bytes, Longs]  # ids end to end, and where each begins

Ties: TypeAlias = Literal["docid-desc", "rank", "file"]
Duplicates: TypeAlias = Literal["error", "first", "best"]

PADDING = 64  # every text ends in so many newlines, so that the native kernel may load beyond its end


class Rules(NamedTuple):
    """How a run is read and its documents ordered.

    ``columns`` is 5, 6, or 0 for as many as the first line has; ``lenient`` passes over fields after the tag;
    ``listing`` asks for every document, not only for the judged ones.
    """

    ties: Ties = "docid-desc"
    single: bool = False
    duplicates: Duplicates = "error"
    columns: int = 0
    lenient: bool = False
    listing: bool = False


class Rows(NamedTuple):
    """A run as a table: for each row its topic (a position in ``topics``), document, score and, where it states one,
    rank."""

    topics: list[bytes]
    topic: Ints
    documents: IdArrays
    score: Floats
    stated_rank: Floats | None


class Judged(NamedTuple):
    """Judgments in bytewise order of topic, document and subtopic; ids are a blob and the offsets into it."""

    queries: IdArrays
    start: Longs
    documents: IdArrays
    grade: Floats
    subtopics: IdArrays
    entry_document: Longs
    entry_subtopic: Ints
    entry_grade: Floats
    repeated: int
    comments: int


class Listed(NamedTuple):
    """Every document of every ranking, in ranking order; -1 for a topic or a document without judgment.

    It is empty unless it was asked for.
    """

    query: Ints
    column: Ints
    score: Floats
    stated_rank: Floats
    line: Longs


class Ranked(NamedTuple):
    """The rankings of one text or table: topics as they first come, their judged documents in ranking order."""

    query: Ints
    depth: Ints
    column: Ints
    rank: Ints
    unknown: list[bytes]
    unknown_depth: Ints
    duplicates: int
    listed: Listed
    comments: int = 0
    tag: bytes = b""
