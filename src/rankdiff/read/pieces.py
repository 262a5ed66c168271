"""A large file cut where a topic begins, so that threads can share it.

A topic that comes back further down the file is told from the pieces' topics once all are read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise

from rankdiff.read.files import BYTE_ORDER_MARK, Stream, is_plain, reading_raw

PIECE = 1 << 24
WHOLE = 1 << 62  # no file is as large as that
WINDOW = 1 << 16


def pieces_of(path: str, size: int = PIECE) -> list[tuple[int, int]]:
    """Byte ranges that cover a plain file, each beginning with a topic; none where it is best read whole."""
    # A pipe must not be opened to look at: what was written to it would be gone when it is closed.
    length = os.path.getsize(path) if os.path.isfile(path) else 0
    if length <= 2 * size or not is_plain(path):
        return []
    with reading_raw(path) as stream:
        cuts = [0, *(_next_topic(stream, place, length) for place in range(size, length, size)), length]
    return [(start, stop) for start, stop in pairwise(cuts) if start < stop]


def lines_before(path: str, start: int) -> int:
    """How many lines of a plain file end before a place in it."""
    lines = 0
    with reading_raw(path) as stream:
        while start > 0 and (read := stream.read(min(start, WINDOW))):
            lines += read.count(b"\n")
            start -= len(read)
    return lines


def first_columns(path: str) -> int:
    """The columns of the first line of a plain file that is no comment, as far as a run can have them."""
    with reading_raw(path) as stream:
        for line in _lines(stream):
            fields = line.removeprefix(BYTE_ORDER_MARK).split()
            if fields and not fields[0].startswith(b"#"):
                return min(len(fields), 6)
    return 0


def _next_topic(stream: Stream, place: int, length: int) -> int:
    """Where the second topic begins among the lines that begin at a place or after it.

    The topic of the first such line may have begun before; its lines belong to the piece in front.
    """
    stream.seek(place - 1)
    topic = None
    begin = place - 1
    for number, line in enumerate(_lines(stream)):
        fields = line.split(maxsplit=1)
        if number > 0 and fields and not line.startswith(b"#"):
            if topic is not None and fields[0] != topic:
                return begin
            topic = fields[0]
        begin += len(line) + 1
    return length


def _lines(stream: Stream) -> Iterator[bytes]:
    """The lines from where a stream stands."""
    rest = b""
    while read := stream.read(WINDOW):
        *whole, rest = (rest + read).split(b"\n")
        yield from whole
    yield rest
