"""Rankings with all relevant documents on top: what they are worth to the users who need only some of them.

A deterministic system always returns the same such ranking; a stochastic one shuffles the relevant documents among
the ranks 1 to m each time, so that a user who needs s of them finds those on s of the m ranks drawn at random.
"""

from __future__ import annotations

import math
from math import comb

import numpy as np

from rankdiff.hits import FloatArray
from rankdiff.measures import Measure
from rankdiff.measures.recall_levels import (
    AP,
    NDCG,
    R_PRECISION,
    RR,
    RecallLevelMeasure,
    exposure_named,
    rank_biased_precision,
    recall_at,
    search_efficiency,
)


def recall_level_form(measure: Measure) -> RecallLevelMeasure | None:
    """A measure as an exposure and a normalization, for relevance in two grades; None where it has no such form.

    >>> from rankdiff.measures import find
    >>> recall_level_form(find("RBP")).name, recall_level_form(find("ERR@20"))
    ('RBP(p=0.8)', None)
    """
    if isinstance(measure.definition.function, RecallLevelMeasure):
        return measure.definition.function
    given = {**measure.definition.defaults, **measure.parameters}
    plain = {"AP": AP, "nDCG": NDCG, "RR": RR, "Rprec": R_PRECISION}
    if measure.name in plain:
        return plain[measure.name]
    match measure.definition.name:
        case "RBP" if measure.parameters.keys() <= {"p"}:
            return rank_biased_precision(given["p"])
        case "R" if measure.parameters.keys() <= {"k"}:
            return recall_at(given["k"])
        case "TSE" if measure.parameters.keys() <= {"exposure", "p"}:
            return search_efficiency(exposure_named(given["exposure"], given["p"]))
    return None


def deterministic_utilities(measure: RecallLevelMeasure, m: int, n: float = math.inf) -> FloatArray:
    """The worst that users who need 1, 2, … m documents get: those who need just the last ones.

    >>> deterministic_utilities(AP, 2).tolist()  # at rank 2 alone; at ranks 1 and 2
    [0.5, 1.0]
    """
    return np.array([measure.of(range(m - size + 1, m + 1), n) for size in range(1, m + 1)])


def stochastic_utilities(measure: RecallLevelMeasure, m: int, n: float = math.inf) -> FloatArray:
    """What users who need 1, 2, … m documents get on average, exactly; it is the same for all who need as many.

    The i-th of s documents drawn onto m ranks stands at rank p with probability ``C(p−1, i−1) C(m−p, s−i) / C(m, s)``.

    >>> stochastic_utilities(AP, 2).tolist()  # at rank 1 or 2; at ranks 1 and 2
    [0.75, 1.0]
    """
    ranks = np.arange(1, m + 1)
    expected = []
    for size in range(1, m + 1):
        levels = np.arange(1, size + 1)
        ways = [
            [comb(p - 1, i - 1) * comb(m - p, size - i) / comb(m, size) for p in ranks.tolist()]
            for i in levels.tolist()
        ]
        exposure = np.array(ways) @ measure.exposure(ranks, size, n)
        expected.append(np.sum(exposure * measure.normalization(levels, np.full(size, size))))
    return np.array(expected)
