"""The relevant documents of each label: of a genre, of a provider, whatever a user says of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import Population, gather
from rankdiff.read.labels import read_labels

Labels = Mapping[str, str | Iterable[str]]


def labelled(c: Collection, labels: Labels | str | Path, rel: float = 1) -> tuple[Population, tuple[str, ...]]:
    """The relevant documents of each query and label, a group for each, and the label of each group.

    ``labels`` maps a document to its label or labels, or names a file of two columns, document and label. Documents
    without a label are in no group, labels without a relevant document have none.

    >>> from rankdiff.alignment import align
    >>> c = align({"u": {"alien": 1, "brazil": 1, "cabaret": 1}}, {"knn": {"u": {"alien": 1}}})
    >>> population, names = labelled(c, {"alien": "horror", "brazil": ["comedy", "drama"], "cabaret": "drama"})
    >>> dict(zip(names, population.size.tolist()))
    {'comedy': 1, 'drama': 2, 'horror': 1}
    """
    given = labels if isinstance(labels, Mapping) else read_labels(labels)
    relevant = c.relevant(rel)
    pairs = [
        (column, label) for column in relevant.column.tolist() for label in _several(given.get(c.documents[column], ()))
    ]
    if not pairs:
        raise UsageError("no relevant document has a label: the labels are of other documents")
    columns, texts = zip(*pairs, strict=True)
    names, number = np.unique(np.array(texts, object), return_inverse=True)
    column = np.array(columns, np.int64)
    found, order = gather(column, c.query_of[column], number)
    return found, tuple(names[number[order][found.start[:-1]]].tolist())


def _several(labels: str | Iterable[str]) -> set[str]:
    return {labels} if isinstance(labels, str) else set(labels)
