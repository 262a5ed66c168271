"""The words of queries and documents, from the files that a user has beside judgments and runs."""

from __future__ import annotations

import json
import os
from collections.abc import Collection as Names
from collections.abc import Iterator, Mapping
from io import BufferedReader
from typing import Any

from rankdiff.errors import InputError
from rankdiff.read.files import reading
from rankdiff.read.irds import IRDS, topics

Words = Mapping[str, str]

ID_FIELDS = ("id", "docno", "doc_id", "docid", "_id", "document", "query", "query_id", "qid", "topic")
TEXT_FIELDS = ("text", "contents", "body", "passage", "abstract", "title", "query_text")


def read_words(path: str | os.PathLike[str], wanted: Names[str]) -> dict[str, str]:
    """The texts of some ids in a file of JSON lines, or of two columns with a tab between, id and text.

    A JSON object names its id ``id``, ``docno``, ``doc_id``, ``_id`` …, its text ``text``, ``contents``, ``body`` …,
    with a ``title`` in front where there is one. The file may be compressed; it is read line by line, and only what
    is wanted is kept. ``irds:…`` stands for the topics of a dataset of ir_datasets.
    """
    found: dict[str, str] = {}
    sought, name = set(wanted), ""
    for name, text in _records(path):
        if name in sought:
            found[name] = " ".join(text.split())
    if sought and not found:
        raise InputError(
            "no words for any of the ids that are shown",
            source=os.fspath(path),
            found=f"ids such as {name}" if name else "no id",
            expected=f"ids such as {min(sought)}",
        )
    return found


def _records(path: str | os.PathLike[str]) -> Iterator[tuple[str, str]]:
    """Every id with its text."""
    if os.fspath(path).startswith(IRDS):
        yield from topics(os.fspath(path).removeprefix(IRDS)).items()
        return
    for number, line in enumerate(_lines(path), 1):
        if line.strip():
            yield _from_json(line, path, number) if line.startswith("{") else _from_columns(line, path, number)


def _lines(path: str | os.PathLike[str]) -> Iterator[str]:
    with reading(path) as stream, BufferedReader(stream, 1 << 20) as lines:
        for line in lines:
            yield line.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def _from_columns(line: str, path: str | os.PathLike[str], number: int) -> tuple[str, str]:
    name, tab, text = line.rstrip("\r\n").partition("\t")
    if not tab:
        raise InputError(
            "not an id and a text",
            source=os.fspath(path),
            line=number,
            found=repr(line.strip()[:60]),
            expected="two columns with a tab between, or a JSON object on every line",
        )
    return name.strip(), text


def _from_json(line: str, path: str | os.PathLike[str], number: int) -> tuple[str, str]:
    try:
        record: dict[str, Any] = json.loads(line)
    except json.JSONDecodeError as problem:
        raise InputError("not JSON", source=os.fspath(path), line=number, found=str(problem)) from None
    name = next((str(record[field]) for field in ID_FIELDS if field in record), None)
    texts = [str(record[field]) for field in TEXT_FIELDS if record.get(field)]
    if name is None or not texts:
        raise InputError(
            "a record without an id or a text",
            source=os.fspath(path),
            line=number,
            found=", ".join(record) or "no field",
            expected=f"an id ({', '.join(ID_FIELDS[:5])}) and a text ({', '.join(TEXT_FIELDS[:3])})",
        )
    title = str(record.get("title") or "")
    return name, texts[0] if not title or texts[0] == title else f"{title} – {texts[0]}"
