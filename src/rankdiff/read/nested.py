"""Nested dicts, as pytrec_eval takes them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import repeat
from typing import Any

import numpy as np

from rankdiff._kernel.results import Rows
from rankdiff.errors import InputError
from rankdiff.ids import Ids, as_bytes


def table_of(rankings: Mapping[Any, Mapping[Any, Any]], source: str) -> Rows:
    """The rows of a dict ``{topic: {document: score}}``.

    >>> table_of({7: {"d1": 2, "d2": 1.5}}, "dict").score.tolist()
    [2.0, 1.5]
    """
    number: dict[bytes, int] = {}
    topic: list[int] = []
    documents: list[Any] = []
    scores: list[float] = []
    for name, ranking in rankings.items():
        if not isinstance(ranking, Mapping):
            raise InputError("not a dict of dicts", source=source, found=repr(ranking), expected="{document: score}")
        topic += repeat(number.setdefault(as_bytes(name), len(number)), len(ranking))
        documents += ranking
        scores += [number_of(value, name, document, source) for document, value in ranking.items()]
    if not number:
        raise InputError("holds no ranking", source=source, expected="{topic: {document: score}}")
    ids = Ids.of(documents)
    unstated = np.full(len(scores), np.nan)
    return Rows(
        list(number), np.array(topic, np.int32), (ids.blob, ids.offsets), np.array(scores, np.float64), unstated
    )


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
