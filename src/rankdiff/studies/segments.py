"""Segments: a group for each query, so that every table of a study stands there for each group as well."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path

from rankdiff.errors import InputError

Segments = Mapping[str, str] | str | PathLike[str]


def read_segments(given: Segments) -> Mapping[str, str]:
    """Query → group, from a mapping or a file with a query and its group on each line, a tab or blanks between.

    >>> read_segments({301: "long"})
    {'301': 'long'}
    """
    if isinstance(given, Mapping):
        return {str(query): str(group) for query, group in given.items()}
    groups: dict[str, str] = {}
    for number, line in enumerate(_text(given).splitlines(), 1):
        if not line.strip():
            continue
        query, _, group = line.strip().replace("\t", " ", 1).partition(" ")
        if not group.strip():
            raise InputError(
                "a line without a group",
                source=fspath(given),
                line=number,
                found=repr(line),
                expected="query and group",
            )
        if groups.setdefault(query, group.strip()) != group.strip():
            raise InputError(
                f"two groups for topic {query}",
                source=fspath(given),
                line=number,
                found=repr(group.strip()),
                expected=repr(groups[query]),
            )
    return groups


def _text(path: str | PathLike[str]) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as problem:
        raise InputError("segments cannot be read", source=fspath(path), found=problem.strerror or "") from problem
