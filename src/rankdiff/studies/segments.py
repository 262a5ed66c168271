"""Segments: a group for each query, so that every table of a study stands there for each group as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import InputError
from rankdiff.hits import BoolArray
from rankdiff.read.files import text_of

EVERY_TOPIC = "all"
"""What tables call all topics, those without a group among them."""

Segments = Mapping[str, str] | str | PathLike[str]


def read_segments(given: Segments) -> Mapping[str, str]:
    """Query → group, from a mapping or a file with a query and its group on each line, a tab or blanks between.

    >>> read_segments({301: "long"})
    {'301': 'long'}
    """
    if isinstance(given, Mapping):
        return _named_apart({str(query): str(group) for query, group in given.items()}, "segments")
    groups: dict[str, str] = {}
    for number, line in enumerate(text_of(given).splitlines(), 1):
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
    return _named_apart(groups, fspath(given))


def _named_apart(groups: dict[str, str], source: str) -> dict[str, str]:
    if EVERY_TOPIC in groups.values():
        raise InputError(
            f"a group is called {EVERY_TOPIC!r}, as tables call all topics", source=source, expected="another name"
        )
    return groups


def members(queries: Sequence[str], given: Segments) -> dict[str, BoolArray]:
    """Which of some queries are in each group that has any, by its name; queries without a group are in none.

    >>> {name: which.tolist() for name, which in members(["1", "2", "3"], {"1": "long", "3": "long", "9": "x"}).items()}
    {'long': [True, False, True]}
    """
    groups = read_segments(given)
    of = np.array([*(groups.get(query) for query in queries), None], object)[:-1]
    names = sorted({name for name in of.tolist() if name is not None})
    if not names:
        source = "segments" if isinstance(given, Mapping) else fspath(given)
        raise InputError("no topic of the judgments has a segment", source=source, expected="topic and segment")
    return {name: np.asarray(of == name, bool) for name in names}


def parts(c: Collection, given: Segments) -> dict[str, Collection]:
    """The topics of each group that has any, by its name; topics without a group are in none.

    >>> from rankdiff.alignment import align
    >>> c = align({"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}, {"run": {"1": {"a": 1}}})
    >>> {name: part.queries for name, part in parts(c, {"1": "long", "3": "long", "9": "short"}).items()}
    {'long': ('1', '3')}
    """
    return {name: c.select(queries=which) for name, which in members(c.queries, given).items()}
