"""Who is worst off: all users of a ranking and all its providers by brute force, and how precision- or recall-oriented
a measure is.

Each user needs a subset of the relevant documents, each provider owns one. For top-heavy measures the worst-off of
the ``2^m − 1`` users is the one who needs just the last relevant document and gets total search efficiency; so does the
worst-off of the providers. Enumerating them shows it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures.recall_levels import Exposure, RecallLevelMeasure, unnormalized

MOST_DOCUMENTS = 12
"""Above this many relevant documents there are too many users to enumerate."""


def utilities(measure: RecallLevelMeasure, positions: Sequence[float], n: float = math.inf) -> FloatArray:
    """What a ranking is worth to each of the ``2^m − 1`` users, by the size of what they need.

    ``positions`` are the ranks of the relevant documents, infinite where not retrieved.

    >>> from rankdiff.measures.recall_levels import RR
    >>> utilities(RR, [1, 2]).tolist()  # those who need the first, the second, both
    [1.0, 0.5, 1.0]
    """
    if len(positions) > MOST_DOCUMENTS:
        raise UsageError(
            f"{len(positions)} relevant documents make 2^{len(positions)} − 1 users: "
            f"at most {MOST_DOCUMENTS} documents can be enumerated; TSE is the closed form for top-heavy measures"
        )
    sizes = range(1, len(positions) + 1)
    return np.array([measure.of(needed, n) for size in sizes for needed in combinations(positions, size)])


def worst_case(measure: RecallLevelMeasure, positions: Sequence[float], n: float = math.inf) -> float:
    """The utility of the worst-off of all ``2^m − 1`` users: ``min_u μ(π, u)``.

    It equals total search efficiency where the measure is top-heavy and ``z(1, 1) = 1``.

    >>> from rankdiff.measures.recall_levels import AP
    >>> worst_case(AP, [1, 2, 5])
    0.2
    """
    return float(utilities(measure, positions, n).min())


def cumulative_exposure(exposure: Exposure) -> RecallLevelMeasure:
    """What a provider gets from a ranking, ``η_e = Σ e(p_i)`` over the documents it owns.

    The provider of some documents is the user who needs just these: `utilities` lists what all ``2^m − 1`` providers
    get, `worst_case` the least of it.

    >>> from rankdiff.measures.recall_levels import RECIPROCAL
    >>> worst_case(cumulative_exposure(RECIPROCAL), [1, 2, 5])
    0.2
    """
    return RecallLevelMeasure("ProviderExposure", exposure, unnormalized)


def precision_orientation(measure: RecallLevelMeasure, m: int, n: int, *, scaled: bool = False) -> float:
    """How much the first relevant document matters: its worth at rank 1 against the bottom, the others at the bottom.

    ``scaled`` divides by the measure's range between the worst and the best ranking, as the paper does for TSE.

    >>> from rankdiff.measures.recall_levels import RR
    >>> precision_orientation(RR, m=3, n=10)  # 1/1 − 1/8
    0.875
    """
    bottom = list(range(n - m + 1, n + 1))
    return _gain(measure, [1, *bottom[1:]], bottom, n, scaled=scaled)


def recall_orientation(measure: RecallLevelMeasure, m: int, n: int, *, scaled: bool = False) -> float:
    """How much the last relevant document matters: its worth at rank m against rank n, the others on top.

    >>> from rankdiff.measures.recall_levels import RECIPROCAL, RR, search_efficiency
    >>> recall_orientation(RR, m=3, n=10), recall_orientation(search_efficiency(RECIPROCAL), m=3, n=10, scaled=True)
    (0.0, 1.0)
    """
    top = list(range(1, m + 1))
    return _gain(measure, top, [*top[:-1], n], n, scaled=scaled)


def _gain(measure: RecallLevelMeasure, better: list[int], worse: list[int], n: int, *, scaled: bool) -> float:
    gain = measure.of(better, n) - measure.of(worse, n)
    if not scaled:
        return gain
    m = len(better)
    return gain / (measure.of(range(1, m + 1), n) - measure.of(range(n - m + 1, n + 1), n))
