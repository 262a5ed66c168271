"""Files of tables: Parquet, Arrow (Feather), CSV and TSV with a header. What a file is shows in its first bytes."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any, Literal, NamedTuple, TypeAlias

from rankdiff.errors import InputError, MissingExtraError
from rankdiff.read.columns import ID_COLUMNS
from rankdiff.read.files import BYTE_ORDER_MARK, reading
from rankdiff.read.tables import NAMES, Table, normal, roles

Kind: TypeAlias = Literal["parquet", "arrow", "delimited", "json", "text"]

ARROW_FILE, ARROW_STREAM = b"ARROW1", b"\xff\xff\xff\xff"
MAGIC: dict[bytes, Kind] = {b"PAR1": "parquet", ARROW_FILE: "arrow", ARROW_STREAM: "arrow"}
HEAD = 4096


def head_of(path: str) -> bytes:
    """The first bytes of a file, decompressed; none of one that cannot be read, or not twice, as a device or a pipe."""
    if not os.path.isfile(path):
        return b""
    try:
        with reading(path) as stream:
            return bytes(stream.read(HEAD))
    except (InputError, MissingExtraError):
        return b""  # what is wrong with it is said when it is read as a whole


def kind_of(path: str) -> Kind:
    """What a file is; ``text`` where it can only be TREC's."""
    head = head_of(path)
    for magic, kind in MAGIC.items():
        if head.startswith(magic):
            return kind
    text = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if text.startswith((b"{", b"[")):
        return "json"
    named = {normal(name) for name in _fields(text.partition(b"\n")[0])}
    return "delimited" if path.lower().endswith(".csv") or named.intersection(NAMES["topic"]) else "text"


def names_runs(path: str, kind: Kind) -> bool:
    """Whether a file has a column that names runs."""
    with _opened(path, kind) as table:
        return not {normal(name) for name in table.names}.isdisjoint(NAMES["run"])


def read_table(path: str, kind: Kind, wanted: Sequence[str]) -> Table:
    """The columns of a file that matter."""
    with _opened(path, kind) as table:
        of = roles(table.names, wanted, path)
        read = table.read(of)
    return Table({role: read.column(name) for role, name in of.items()}, path)


class Opened(NamedTuple):
    """A file of a table: the names of its columns, and how those of some roles are read."""

    names: list[str]
    read: Callable[[Mapping[str, str]], Any]


@contextmanager
def _opened(path: str, kind: Kind) -> Iterator[Opened]:
    try:
        import pyarrow as pa
    except ImportError as missing:
        raise MissingExtraError(f"files of tables ({path})", "arrow") from missing
    open_ = {"parquet": _parquet, "delimited": _delimited}.get(kind, _arrow)
    try:
        with open_(path) as table:
            yield table
    except (pa.ArrowInvalid, OSError) as damage:
        raise InputError(f"cannot be read as {kind}", source=path, found=str(damage).partition("\n")[0]) from damage


@contextmanager
def _parquet(path: str) -> Iterator[Opened]:
    from pyarrow import parquet

    def read(of: Mapping[str, str]) -> Any:
        # Topics repeat, and stand in the file as numbers: there is no need to spell them out.
        with parquet.ParquetFile(path, read_dictionary=[of["topic"]], memory_map=True) as file:
            return file.read(columns=list(of.values()))

    yield Opened(parquet.read_schema(path).names, read)


@contextmanager
def _arrow(path: str) -> Iterator[Opened]:
    from pyarrow import ipc, memory_map

    with memory_map(path) as file:
        is_file = file.read(len(ARROW_FILE)) == ARROW_FILE
        file.seek(0)
        with ipc.open_file(file) if is_file else ipc.open_stream(file) as reader:
            yield Opened(reader.schema.names, lambda _: reader.read_all())


@contextmanager
def _delimited(path: str) -> Iterator[Opened]:
    import pyarrow as pa
    from pyarrow import csv

    content = content_of(path)
    header = content.partition(b"\n")[0]

    def read(of: Mapping[str, str]) -> Any:
        options = csv.ConvertOptions(
            include_columns=list(of.values()),
            column_types={name: pa.binary() for role, name in of.items() if role in ID_COLUMNS},
            null_values=[""],  # and not NA, which can be an id
            strings_can_be_null=True,
        )
        parsing = csv.ParseOptions(delimiter="\t" if b"\t" in header else ",")
        return csv.read_csv(BytesIO(content), parse_options=parsing, convert_options=options)

    yield Opened(_fields(header), read)


def content_of(path: str) -> bytes:
    """The text of a file, decompressed."""
    with reading(path) as stream:
        return bytes(stream.read()).removeprefix(BYTE_ORDER_MARK)


def _fields(header: bytes) -> list[str]:
    """The names in a header, with tabs or commas between them."""
    text = header.decode("utf-8", "surrogateescape").rstrip("\r\n")
    return [name.strip().strip('"') for name in re.split("\t" if "\t" in text else ",", text)]
