"""The grades of the first documents of a ranking as text, one character each: trec_eval's relstring."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.collection import Collection
from rankdiff.errors import UsageError


def relstring(c: Collection, length: int = 10) -> NDArray[Any]:
    """A string for every system and query: ``0`` to ``9`` a grade, ``>`` a higher one, ``.`` pooled but not judged
    (a negative grade), ``-`` not pooled. A ranking that is shorter than ``length`` gives a shorter string.

    >>> import rankdiff as rd
    >>> qrels = {"q": {"a": 2, "b": 0, "c": -1, "d": 10}}
    >>> c = rd.align(qrels, {"run": {"q": {"a": 5, "x": 4, "b": 3, "c": 2, "d": 1}}})
    >>> relstring(c).tolist(), relstring(c, 2).tolist()
    ([['2-0.>']], [['2-']])
    """
    if np.any(c.grades % 1):
        fraction = c.grades[c.grades % 1 != 0][0]
        raise UsageError(f"relstring writes a grade as one digit, but there are grades such as {fraction:g}")
    digits = np.array(list(b"0123456789>."), np.uint8)
    shown = np.minimum(c.depth, length)
    text = np.full((*shown.shape, max(length, 1)), ord("-"), np.uint8)
    hits = c.judged_hits().top(length)
    grade = c.grade[hits.column]
    symbol = np.where(grade < 0, 11, np.minimum(grade, 10)).astype(np.int64)
    text.reshape(-1, text.shape[2])[hits.ranking, hits.rank - 1] = digits[symbol]
    strings = np.empty(shown.shape, object)
    for place in np.ndindex(*shown.shape):
        strings[place] = text[place][: shown[place]].tobytes().decode("ascii")
    return strings
