"""Ids of topics and documents: byte strings, kept in one block of memory.

An id is compared as bytes, whatever type it came in: ``7``, ``"7"``, ``b"7"`` and ``numpy.int64(7)`` are the
same document. Bytes that are not UTF-8 become text with ``surrogateescape``, and the same bytes again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray


def as_bytes(identifier: Any) -> bytes:
    """The bytes by which an id is compared.

    >>> as_bytes("d1"), as_bytes(7), as_bytes(b"d1")
    (b'd1', b'7', b'd1')
    """
    if isinstance(identifier, bytes):
        return bytes(identifier)
    return str(identifier).encode("utf-8", "surrogateescape")


def as_text(identifier: bytes) -> str:
    """The text of an id's bytes; ``as_bytes`` is its inverse."""
    return identifier.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, eq=False)
class Ids:
    """An immutable sequence of ids: their bytes end to end, and where each begins.

    >>> ids = Ids.of(["d1", 7, b"d3"])
    >>> len(ids), ids[1], list(ids[1:]), ids.bytes(2)
    (3, '7', ['7', 'd3'], b'd3')
    """

    blob: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, identifiers: Iterable[Any]) -> Ids:
        """Ids from text, bytes, integers or NumPy scalars."""
        listed = list(identifiers)
        if (together := joined(listed)) is not None:
            return together
        encoded = [as_bytes(identifier) for identifier in listed]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(item) for item in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets)

    def bytes(self, index: int) -> bytes:
        """The bytes of one id."""
        return self.blob[self.offsets[index] : self.offsets[index + 1]].tobytes()

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any]) -> Ids: ...
    def __getitem__(self, index: int | slice | NDArray[Any]) -> str | Ids:
        if isinstance(index, (int, np.integer)):
            return as_text(self.bytes(range(len(self))[index]))
        return Ids.of(self.bytes(i) for i in np.arange(len(self))[index])

    def __iter__(self) -> Iterator[str]:
        whole, places = self.blob.tobytes(), pairwise(self.offsets.tolist())
        if whole.isascii():  # then a character is a byte, and the text is cut instead
            text = whole.decode()
            return (text[first:last] for first, last in places)
        return (as_text(whole[first:last]) for first, last in places)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ids):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(self.blob, other.blob)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(repr(self[i]) for i in range(min(3, len(self))))
        return f"Ids({shown}{', …' if len(self) > 3 else ''}; {len(self)})"


def joined(identifiers: list[Any]) -> Ids | None:
    """Ids that are all text or all bytes, ten times as fast as one by one; None where one holds a newline."""
    try:
        lines = "\n".join(identifiers).encode("utf-8", "surrogateescape")
    except TypeError:
        if set(map(type, identifiers)) != {bytes}:  # bytes are joined with whatever has a buffer, numbers of NumPy too
            return None
        lines = b"\n".join(identifiers)
    return _taken_apart(lines, len(identifiers))


def joined_groups(groups: Iterable[Collection[Any]], count: int) -> Ids | None:
    """The same of ids that are text and stand in many groups, without a list of them all."""
    try:
        lines = "\n".join(map("\n".join, filter(None, groups))).encode("utf-8", "surrogateescape")
    except TypeError:
        return None
    return _taken_apart(lines, count)


def _taken_apart(lines: bytes, count: int) -> Ids | None:
    breaks = np.flatnonzero(np.frombuffer(lines, np.uint8) == ord("\n"))
    if len(breaks) != count - 1:
        return None
    ends = np.append(breaks, len(lines)) - np.arange(count)
    return Ids(np.frombuffer(lines.translate(None, b"\n"), np.uint8), np.concatenate([[0], ends]))
