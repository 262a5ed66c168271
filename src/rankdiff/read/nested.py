"""Nested dicts, as pytrec_eval takes them, and dicts of ranked lists."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from rankdiff._kernel.results import Floats, Rows
from rankdiff.errors import InputError
from rankdiff.ids import Ids, joined_groups
from rankdiff.read.columns import Numbered, ids_of, numbered, numbers_of
from rankdiff.read.tables import Table


class Flat(NamedTuple):
    """A nested dict as columns."""

    topics: Numbered
    documents: Ids
    values: Floats


def table_of(rankings: Mapping[Any, Mapping[Any, Any]], source: str) -> Rows:
    """The rows of a dict ``{topic: {document: score}}``.

    >>> table_of({7: {"d1": 2, "d2": 1.5}}, "dict").score.tolist()
    [2.0, 1.5]
    """
    flat = flattened(rankings, source)
    return Rows(*flat.topics, (flat.documents.blob, flat.documents.offsets), flat.values, None)


def judgments_of(nested: Mapping[Any, Mapping[Any, Any]], source: str) -> Table:
    """The table of a dict ``{topic: {document: grade}}``."""
    flat = flattened({topic: inner for topic, inner in nested.items() if inner != {}}, source)
    return Table({"topic": flat.topics, "document": flat.documents, "grade": flat.values}, source)


def rows_of_lists(rankings: Mapping[Any, Any], source: str) -> Rows:
    """The rows of a dict ``{topic: documents in ranking order}``, or ``{topic: [(document, score), …]}``.

    >>> rows_of_lists({"q1": ["d7", "d3"], "q2": ["d1"]}, "dict").score.tolist()
    [-1.0, -2.0, -1.0]
    >>> rows_of_lists({"q1": [("d7", 0.5), ("d3", 0.25)]}, "dict").score.tolist()
    [0.5, 0.25]
    """
    names, number = numbered(list(rankings), "topic", source)
    sizes = [len(documents) for documents in rankings.values()]
    rank = np.concatenate([np.arange(1.0, size + 1) for size in sizes])
    listed, score = list(chain.from_iterable(rankings.values())), -rank
    if listed and isinstance(listed[0], (tuple, list)):
        if odd := next((item for item in listed if not isinstance(item, (tuple, list)) or len(item) != 2), None):
            raise InputError("not a document and a score", source=source, found=repr(odd))
        listed, scores = map(list, zip(*listed, strict=True))
        score = numbers_of(scores, "score", source)
    return Rows(names, np.repeat(number, sizes), ids_of(listed, "document", source), score, rank)


def flattened(nested: Mapping[Any, Mapping[Any, Any]], source: str) -> Flat:
    """The columns of a nested dict; a value that is no number is an error."""
    inner = list(nested.values())
    if not inner:
        raise InputError("holds no judgment or ranking", source=source, expected="{topic: {document: number}}")
    if wrong := [each for each in inner if type(each) is not dict and not isinstance(each, Mapping)]:
        raise InputError("not a dict of dicts", source=source, found=repr(wrong[0]), expected="{document: number}")
    names, number = numbered(list(nested), "topic", source)
    topic = np.repeat(number, [len(each) for each in inner])
    documents = joined_groups(inner, len(topic))
    if documents is None:
        documents = Ids(*ids_of(list(chain.from_iterable(inner)), "document", source))
    values = chain.from_iterable(each.values() for each in inner)
    try:
        numbers = np.fromiter(values, np.float64, len(topic))
    except (TypeError, ValueError):
        numbers = np.array([np.nan])
    if np.isnan(numbers).any():
        numbers = np.array(
            [
                number_of(value, topic, document, source)
                for topic, each in nested.items()
                for document, value in each.items()
            ]
        )
    return Flat(Numbered(names, topic), documents, numbers)


def number_of(value: Any, topic: Any, document: Any, source: str) -> float:
    """A grade or score as a float."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if math.isnan(number):
        raise InputError(
            f"the value of document {document!r} of topic {topic!r} is not a number",
            source=source,
            found=repr(value),
            expected="a number",
        )
    return number
