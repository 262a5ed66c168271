"""Saved counts: in how many systems of a track each document was found."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rankdiff.errors import InputError, UsageError
from rankdiff.read.files import text_of

OTHER_NAMES = {"topic": "query", "doc": "document", "S_d": "found_by"}


@dataclass(frozen=True)
class SavedCounts:
    """How many of ``systems`` systems (or groups) found each document, by topic and document.

    ``within`` is the cutoff at which they were counted, None where it is not known; a table without topics has the
    topic ``""``.
    """

    found_by: Mapping[tuple[str, str], int] = field(repr=False)
    systems: int
    within: int | None
    source: str

    def of(self, query: str, document: str) -> int | None:
        """How many systems found a document; None where the table does not list it."""
        found = self.found_by.get((query, document))
        return self.found_by.get(("", document)) if found is None else found


def read_counts(source: Any, *, systems: int | None = None) -> SavedCounts:
    """Saved counts from a file (tab- or comma-separated, compressed or not) or from a table of `rarity_table`.

    The columns are topic, document and count, or document and count; with a header that names them (``query`` or
    ``topic``, ``document`` or ``doc``, ``found_by`` or ``S_d``) their order is free, and columns ``systems`` and
    ``within`` say how many systems were compared, down to which rank. Without them, give ``systems``.
    """
    name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else "table of counts"
    rows = list(_lines(source) if isinstance(source, (str, os.PathLike)) else enumerate(source.rows(), 2))
    if not rows or not {"document", "found_by"} <= rows[0][1].keys():
        raise InputError("holds no counts", source=name, expected="columns query, document and found_by")
    found: dict[tuple[str, str], int] = {}
    for line, row in rows:
        key = str(row.get("query", "")), str(row["document"])
        count = _whole(row["found_by"], name, line)
        if found.setdefault(key, count) != count:
            raise InputError(f"document {key[1]!r} of topic {key[0]!r} has two counts", source=name, line=line)
    line, first = rows[0]
    if "systems" in first:
        systems = _whole(first["systems"], name, line)
    if systems is None:
        raise UsageError(
            f"{name} does not say how many systems were compared: give it a column `systems`, "
            "or pass read_counts(path, systems=N)"
        )
    most = max(found.values())
    if most > systems:
        raise InputError(
            "a document was found by more systems than there are",
            source=name,
            found=f"a count of {most}",
            expected=f"at most {systems}",
        )
    within = _whole(first["within"], name, line) if "within" in first else None
    return SavedCounts(found, systems, within, name)


def _lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines of a file with their numbers, their fields by name."""
    import csv

    text = text_of(path).rstrip("\n")
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    lines: Iterable[list[str]] = csv.reader(text.splitlines(), delimiter=delimiter)
    names = ["query", "document", "found_by"]
    for number, fields in enumerate(lines, 1):
        if number == 1:
            if "found_by" in (header := [OTHER_NAMES.get(name, name) for name in fields]):
                names = header
                continue
            names = names[-len(fields) :]
        if len(fields) < len(names):
            raise InputError(
                "a column is missing",
                source=os.fspath(path),
                line=number,
                found=f"{len(fields)} columns",
                expected=f"{len(names)}: {', '.join(names)}",
            )
        yield number, dict(zip(names, fields, strict=False))


def _whole(value: Any, source: str, line: int) -> int:
    try:
        number = int(value)
    except ValueError:
        number = -1
    if number < 0:
        raise InputError("not a count", source=source, line=line, found=repr(value), expected="a whole number")
    return number
