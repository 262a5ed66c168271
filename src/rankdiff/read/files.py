"""Bytes from files: opened by content, decompressed, into memory that is claimed once a thread."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from io import BytesIO
from typing import Any, TypeAlias

import numpy as np

from rankdiff._kernel.results import PADDING, Bytes
from rankdiff.errors import InputError, MissingExtraError

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
STANDARD_INPUT = "standard input"
CHUNK = 1 << 20

Path: TypeAlias = str | os.PathLike[str]
Damages: TypeAlias = tuple[type[Exception], ...]
Stream: TypeAlias = Any  # a file object that has readinto; each codec brings a class of its own


class Text:
    """Room for the text of one file or piece of a file; the next one is read into the same room.

    What is handed out is a view of it that ends in as many newlines as the kernels ask for.

    >>> text = Text()
    >>> text.load(b"\\xef\\xbb\\xbf301 0 d1 1").tobytes().strip()
    b'301 0 d1 1'
    """

    def __init__(self) -> None:
        self._room: Bytes = np.empty(0, np.uint8)

    def load(self, content: bytes) -> Bytes:
        """Take over bytes that are in memory already."""
        self._make_room(len(content), keep=0)
        self._room[: len(content)] = np.frombuffer(content, np.uint8)
        return self._finish(len(content), from_start=True)

    def read(self, path: Path, start: int = 0, stop: int | None = None) -> Bytes:
        """The text of a file, or (of a plain one) its bytes from ``start`` up to ``stop``."""
        with reading(path) as stream:
            if stop is None:
                return self._read_all(stream, os.path.getsize(path))
            stream.seek(start)
            self._make_room(stop - start, keep=0)
            length = 0
            while count := stream.readinto(self._room[length : stop - start].data):
                length += count
            return self._finish(length, from_start=start == 0)

    def _read_all(self, stream: Stream, expected: int) -> Bytes:
        self._make_room(expected + 1, keep=0)
        length = 0
        while count := stream.readinto(self._room[length:-PADDING].data):
            length += count
            if len(self._room) - PADDING - length < CHUNK:
                self._make_room(2 * length, keep=length)
        return self._finish(length, from_start=True)

    def _make_room(self, size: int, keep: int) -> None:
        if len(self._room) < size + PADDING:
            kept = self._room[:keep]
            self._room = np.empty(max(size, CHUNK) + PADDING, np.uint8)
            self._room[:keep] = kept

    def _finish(self, length: int, from_start: bool) -> Bytes:
        self._room[length : length + PADDING] = ord("\n")
        marked = from_start and self._room[:3].tobytes() == BYTE_ORDER_MARK
        return self._room[3 if marked else 0 : length + PADDING]


def text_of(path: Path) -> str:
    """A file as text, decompressed if need be; bytes that are not UTF-8 stay as they are (surrogateescape)."""
    return Text().read(path).tobytes().decode("utf-8", "surrogateescape")


def is_plain(path: Path) -> bool:
    """Whether a file is not compressed, so that it can be read from any place in it."""
    with reading_raw(path) as raw:
        return codec_of(raw.read(6)) == ""


def codec_of(head: bytes) -> str:
    """The compression of a file, by its first six bytes; empty for none.

    >>> codec_of(b"\\x1f\\x8b\\x08\\x00\\x00\\x00"), codec_of(b"301 Q0")
    ('gzip', '')
    """
    magic = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
    return next((codec for start, codec in magic.items() if head.startswith(start)), "")


@contextmanager
def reading(path: Path) -> Iterator[Stream]:
    """A file opened for reading, decompressed if need be; what goes wrong is an ``InputError``."""
    with reading_raw(path) as file:
        # A pipe, such as a shell's <(command), has no way back to its beginning.
        raw = file if file.seekable() else BytesIO(file.read())
        codec = codec_of(raw.read(6))
        raw.seek(0)
        with decompressed(codec, raw, os.fspath(path)) if codec else nullcontext(raw) as stream:
            yield stream


@contextmanager
def reading_raw(path: Path) -> Iterator[Stream]:
    """A file opened for reading as it is, without a buffer."""
    try:
        with open(path, "rb", buffering=0) as raw:
            yield raw
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise InputError(f"cannot be read ({reason})", source=os.fspath(path)) from problem


def standard_input() -> bytes:
    """All of standard input, decompressed if need be."""
    content = sys.stdin.buffer.read()
    codec = codec_of(content[:6])
    if not codec:
        return content
    with decompressed(codec, BytesIO(content), STANDARD_INPUT) as stream:
        return bytes(stream.read())


@contextmanager
def decompressed(codec: str, raw: Stream, source: str) -> Iterator[Stream]:
    """A file object of the decompressed bytes."""
    stream, damages = _decompressor(codec, raw)
    try:
        with closing(stream):
            yield stream
    except damages as damage:
        raise InputError(
            f"the {codec} data are damaged or end too early", source=source, advice="copy or download the file again"
        ) from damage


def _decompressor(codec: str, raw: Stream) -> tuple[Stream, Damages]:
    """The fastest decompressor at hand, and what it raises when the data are damaged."""
    match codec:
        case "gzip":
            return _gzip(raw)
        case "bz2":
            import bz2

            return bz2.BZ2File(raw), (EOFError, OSError)
        case "xz":
            import lzma

            return lzma.LZMAFile(raw), (EOFError, lzma.LZMAError)
        case _:
            return _zstd(raw)


def _gzip(raw: Stream) -> tuple[Stream, Damages]:
    import gzip

    try:
        from isal import igzip, igzip_lib
    except ImportError:
        import zlib

        return gzip.GzipFile(fileobj=raw), (EOFError, gzip.BadGzipFile, zlib.error)
    untyped: Any = igzip
    damages: Any = EOFError, gzip.BadGzipFile, igzip_lib.IsalError
    return untyped.IGzipFile(fileobj=raw), damages


def _zstd(raw: Stream) -> tuple[Stream, Damages]:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError as missing:
        raise MissingExtraError("zstd files", "compression") from missing
    return zstd.ZstdFile(raw), (EOFError, zstd.ZstdError)
