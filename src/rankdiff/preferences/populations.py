"""Populations of users: the groups of documents that different users are after.

Each function gives, query by query, groups of relevant documents under a label: those of a grade or better, of a
subtopic, of a genre. A user of a group is satisfied by its documents alone. Where a query has several groups,
``join`` puts them side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import BoolArray, Population
from rankdiff.measures.labelled import Labels, labelled
from rankdiff.measures.subtopics import facets

EVERYBODY = "all"
"""The label of the background population, which any relevant document satisfies."""


@dataclass(frozen=True, eq=False)
class Groups(Population):
    """A population whose groups have labels; the groups of a query lie together, in the order of the queries."""

    label: tuple[str, ...]


_NOBODY = Groups(np.zeros(0, np.int64), np.zeros(1, np.int64), np.zeros(0, np.int64), ())


def everybody(c: Collection, rel: float = 1) -> Groups:
    """The users whom any relevant document satisfies: one group per query."""
    relevant = c.relevant(rel)
    return Groups(relevant.column, relevant.start, relevant.query, (EVERYBODY,) * len(relevant.size))


def by_grade(c: Collection, rel: float = 1) -> Groups:
    """For every grade among a query's relevant documents, the users whom only that grade or a better one satisfies."""
    return join(
        *(
            _gather(c, c.grade >= grade, f"{grade:g}", among=np.bincount(c.query_of[c.grade == grade]) > 0)
            for grade in c.grades[c.grades >= rel]
        )
    )


def by_subtopic(c: Collection, rel: float = 1) -> Groups:
    """For every subtopic of a query, the users whom only documents relevant to it satisfy."""
    found = facets(c, rel)
    return Groups(found.documents.column, found.documents.start, found.documents.query, found.name)


def by_label(c: Collection, labels: Labels | str | Path, rel: float = 1) -> Groups:
    """For every label (genre, provider, …), the users whom only relevant documents with that label satisfy.

    ``labels`` maps a document to its label or labels, or names a file of two columns, document and label; documents
    without a label satisfy none of these users.

    >>> from rankdiff.alignment import align
    >>> c = align({"u": {"alien": 1, "brazil": 1, "cabaret": 1}}, {"knn": {"u": {"alien": 1}}})
    >>> groups = by_label(c, {"alien": "horror", "brazil": ["comedy", "drama"], "cabaret": "drama"})
    >>> dict(zip(groups.label, groups.size.tolist()))
    {'comedy': 1, 'drama': 2, 'horror': 1}
    """
    population, names = labelled(c, labels, rel)
    return Groups(population.column, population.start, population.query, names)


def join(*parts: Groups) -> Groups:
    """Several groupings of the same queries side by side, the groups of each query together."""
    parts = (_NOBODY, *parts)
    query = np.concatenate([part.query for part in parts])
    size = np.concatenate([part.size for part in parts])
    column = np.concatenate([part.column for part in parts])
    label = [label for part in parts for label in part.label]
    entries = np.argsort(np.repeat(query, size), kind="stable")
    groups = np.argsort(query, kind="stable")
    start = np.concatenate([[0], np.cumsum(size[groups])])
    return Groups(column[entries], start, query[groups], tuple(label[i] for i in groups))


def _gather(c: Collection, marked: BoolArray, label: str, among: BoolArray) -> Groups:
    """One group for each of some queries."""
    query = np.flatnonzero(among)
    chosen = np.zeros(len(c.queries), bool)
    chosen[query] = True
    column = np.flatnonzero(marked & chosen[c.query_of])
    start = np.append(np.searchsorted(column, c.start[query]), len(column))
    return Groups(column, start, query, (label,) * len(query))
