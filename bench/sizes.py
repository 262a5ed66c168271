"""How often a test that takes few values rejects where every sign is a fair coin: counted, not sampled."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.stats import binom


def attained(size: Callable[[int, float], float], topics: int, ties: float, level: float) -> float:
    """P(p ≤ level), by how many of the topics differ where each ties with the given chance."""
    differing = np.arange(topics + 1)
    return float(binom.pmf(differing, topics, 1 - ties) @ [size(count, level) for count in differing.tolist()])


@cache
def sign_size(differing: int, level: float) -> float:
    """P(p ≤ level) of the two-sided sign test: the largest tail of the binomial that the level allows, twice."""
    tails = 2 * binom.cdf(np.arange(differing + 1), differing, 0.5)
    return float(tails[tails <= level].max(initial=0.0))


@cache
def rank_size(differing: int, level: float) -> float:
    """P(p ≤ level) of Wilcoxon's signed ranks without ties: each rank joins the sum or does not."""
    chance = np.ones(1)
    for rank in range(1, differing + 1):
        chance = (np.append(chance, np.zeros(rank)) + np.append(np.zeros(rank), chance)) / 2
    tails = 2 * np.cumsum(chance)
    return float(tails[tails <= level].max(initial=0.0))
