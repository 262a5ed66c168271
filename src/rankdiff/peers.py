"""The runs compared: taken in groups, or frozen by a reference so that a new run is scored against an old track."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.counts import DocumentCounts
from rankdiff.errors import InputError
from rankdiff.hits import IntArray
from rankdiff.read.counts import SavedCounts, read_counts
from rankdiff.read.labels import read_labels


def with_groups(c: Collection, groups: Mapping[str, str] | str | os.PathLike[str]) -> Collection:
    """The collection with its runs compared put into groups (teams), each of which counts once in rarity.

    ``groups`` maps the names of runs to groups, or is a file of two columns, run and group. Runs that it names
    beyond those compared do not matter; one that it does not name is an error. With a reference, it is the runs of
    the reference that are grouped.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1}}, {"bm25": {"q": {"a": 1}}, "bm25-2": {"q": {"a": 1}}})
    >>> with_groups(c, {"bm25": "uni", "bm25-2": "uni"}).groups
    ('uni', 'uni')
    """
    source = "groups" if isinstance(groups, Mapping) else os.fspath(groups)
    labels = {name: (group,) for name, group in groups.items()} if isinstance(groups, Mapping) else read_labels(groups)
    peers = c.peers
    for name in peers.systems:
        if len(labels.get(name, ())) != 1:
            raise InputError(
                f"run {name} has {'two groups' if name in labels else 'no group'}",
                source=source,
                found=", ".join(labels.get(name, ())),
                expected="one group for each run compared",
            )
    grouped = replace(peers, groups=tuple(labels[name][0] for name in peers.systems), _derived={})
    return grouped if c.reference is None else replace(c, reference=grouped, _derived={})


def with_reference(c: Collection, reference: Any) -> Collection:
    """The collection with the runs compared frozen: those of another collection, or the counts that a table saved.

    ``reference`` is a Collection, also one with other runs, topics or judgments; or saved counts (`read_counts`), a
    table of `rarity_table`, or a file of such. Topics and documents are found by their ids. Relevant documents that
    the reference does not know were found by none of its runs as far as it can tell, and are counted in a notice.

    >>> import rankdiff as rd
    >>> old = rd.align({"q": {"a": 1, "b": 1}}, {"one": {"q": {"a": 1}}, "two": {"q": {"a": 1}}})
    >>> new = rd.align({"q": {"a": 1, "b": 1}}, {"new": {"q": {"a": 2, "b": 1}}})
    >>> with_reference(new, old).measure("RareP@2").values.ravel()  # (1 + 0) + (1 + 1), over 2
    array([1.5])
    """
    if isinstance(reference, Collection):
        conformed, known = _conform(reference.peers, c)
        frozen = replace(c, reference=conformed, _derived={})
    else:
        saved = reference if isinstance(reference, SavedCounts) else read_counts(reference)
        counts = [saved.of(query, document) for query, document in _keys(c)]
        known = np.array([count is not None for count in counts], bool)
        found = np.array([count or 0 for count in counts], np.int32)
        frozen = replace(c, counts=DocumentCounts(found, saved.systems, saved.within), _derived={})
        notice = "the reference is a table of counts: it freezes rarity alone, not search lengths or win rates"
        frozen = replace(frozen, notices=(*frozen.notices, notice))
    relevant = c.relevant(c.rules.rel).column
    unknown = int(np.count_nonzero(~known[relevant]))
    if unknown == len(relevant):
        raise InputError(
            "the reference knows none of the relevant documents",
            found=f"{unknown} relevant documents under other ids",
            expected="a reference made from the same topics and documents",
        )
    if unknown:
        notice = f"the reference does not know {unknown} of {len(relevant)} relevant documents: found by none of it"
        frozen = replace(frozen, notices=(*frozen.notices, notice))
    return frozen


def _keys(c: Collection) -> Iterator[tuple[str, str]]:
    return zip((c.queries[query] for query in c.query_of.tolist()), c.documents, strict=True)


def _conform(reference: Collection, c: Collection) -> tuple[Collection, np.ndarray[Any, np.dtype[np.bool_]]]:
    """The reference laid out on the topics and documents of ``c``, and which documents it knows."""
    column = _places(list(_keys(c)), list(_keys(reference)))
    query = _places(list(c.queries), list(reference.queries))
    conformed = replace(
        reference,
        queries=c.queries,
        documents=c.documents,
        start=c.start,
        grade=c.grade,
        rank=np.where(column >= 0, reference.rank[:, column], 0),
        depth=np.where(query >= 0, reference.depth[:, query], 0),
        answered=np.where(query >= 0, reference.answered[:, query], False),
        subtopics=c.subtopics,
        corpus_size=c.corpus_size,
        pool=c.pool,
        pooled=c.pooled,
        reference=None,
        _derived={},
        _judged={},
    )
    return conformed, column >= 0


def _places(wanted: list[Any], among: list[Any]) -> IntArray:
    """Where each item stands in another list; −1 where it does not."""
    place = {item: i for i, item in enumerate(among)}
    return np.array([place.get(item, -1) for item in wanted], np.int64)
