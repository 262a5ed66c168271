"""Interpolated precision: the curve of precision over recall, at its usual points."""

from __future__ import annotations

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures.definition import measure

TENTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
RETRIEVAL_EVALUATION = "van Rijsbergen 1979, Information Retrieval, ch. 7"


@measure("IPrec", range=(0, 1), trec_eval="iprec_at_recall_{k:.2f}", citation=RETRIEVAL_EVALUATION)
def interpolated_precision(c: Collection, k: float, rel: float = 1) -> FloatArray:
    """The best precision that is reached at a recall of ``k`` or beyond; 0 where that recall is not reached.

    ``max { i / p_i : i ≥ k·m }``, with ``k·m`` rounded to the nearest whole number as trec_eval 10 does
    (trec_eval 9 takes ``⌊k·m + 0.9⌋``).

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1, "c": 1}}, {"run": {"q": {"x": 4, "y": 3, "a": 2, "b": 1}}})
    >>> c.measure("IPrec@0.1")["IPrec@0.1"], c.measure("IPrec@1")["IPrec@1"]  # 2/4 at the second hit
    (array([[0.5]]), array([[0.]]))
    """
    hits = c.hits(rel)
    least = np.floor(k * c.relevant(rel).size + 0.5)
    return hits.max(hits.level / hits.rank * (hits.level >= hits.of_group(least)))


@measure("11pt_avg", range=(0, 1), trec_eval="11pt_avg", aliases=("_11pt_avg",), citation=RETRIEVAL_EVALUATION)
def eleven_point_average(c: Collection, rel: float = 1, points: tuple[float, ...] = TENTHS) -> FloatArray:
    """The mean of interpolated precision over recall 0, 0.1, … 1, or over other ``points``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 1}}})
    >>> c.measure("11pt_avg(points=(0.0, 0.5, 0.75, 1.0))").values  # 1, 1, and twice 0: half of 2 is 1 document
    array([[[0.5]]])
    """
    if not points:
        raise UsageError("11pt_avg needs at least one recall point, as in 11pt_avg(points=(0.2, 0.5, 0.8))")
    # From the highest recall down, as trec_eval adds them.
    precisions = [interpolated_precision.function(c, x, rel) for x in sorted(points, reverse=True)]
    total: FloatArray = np.sum(precisions, axis=0)
    return total / len(points)
