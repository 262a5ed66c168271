"""The distribution of a sum whose terms get random signs: the heart of every sign-flip test.

Under the hypothesis that differences are as likely to point one way as the other, the sign of each is a fair coin.
The test asks how often ``Σ ±d_q`` reaches the observed ``Σ d_q``. Zeros change nothing and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankdiff.hits import FloatArray
from rankdiff.statistics.chance import blocks, every_sign, signs

BLOCK_VALUES = 2**23
"""How many doubles a block of replicates may fill: 64 MB."""


def exact_tail(terms: FloatArray, reached: float) -> float:
    """P(Σ ±terms ≥ reached), over all sign patterns, for integer terms held in doubles.

    Small integers are counted by convolution (one coin after the other), others by meeting in the middle: each
    half of the coins has 2**(k/2) sums, and of one half in order it is easily told how many complete each of the other.

    >>> exact_tail(np.array([1.0, 2.0, 3.0]), 6.0), exact_tail(np.array([1.0, 1.0]), 0.0)
    (0.125, 0.75)
    """
    weights = np.abs(terms[terms != 0])
    if _convolution_work(weights) <= _meeting_work(weights):
        return _tail_by_convolution(weights, reached)
    return _tail_by_meeting(weights, reached)


def exact_work(terms: FloatArray) -> float:
    """About how many elementary steps ``exact_tail`` takes."""
    weights = np.abs(terms[terms != 0])
    return min(_convolution_work(weights), _meeting_work(weights))


def _convolution_work(weights: FloatArray) -> float:
    return float(weights.sum() * len(weights))


def _meeting_work(weights: FloatArray) -> float:
    return float(40 * 2.0 ** min(len(weights) / 2, 1000))


def _tail_by_convolution(weights: FloatArray, reached: float) -> float:
    total = int(weights.sum())
    chance = np.zeros(total + 1)
    chance[0] = 1.0
    for weight in weights.astype(np.int64).tolist():
        chance *= 0.5
        chance[weight:] += chance[: len(chance) - weight].copy()
    least = int(np.ceil((reached + total) / 2))
    return float(min(1.0, chance[max(least, 0) :].sum()))


def _tail_by_meeting(weights: FloatArray, reached: float) -> float:
    half = len(weights) // 2
    left, right = all_sums(weights[:half]), all_sums(weights[half:])
    complete = len(right) - np.searchsorted(right, reached - left[::-1], side="left")
    return float(complete.sum() / 2.0 ** len(weights))


def all_sums(weights: FloatArray) -> FloatArray:
    """The sums of all ``2**k`` sign patterns, ascending."""
    sums = np.zeros(1)
    for weight in weights:
        # Two ascending stretches, which a stable sort merges.
        sums = np.sort(np.concatenate([sums - weight, sums + weight]), kind="stable")
    return sums


def flipped_sums(
    integers: FloatArray, seed: int, samples: int | None, *, block: int | None = None
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """For blocks of replicates: Σ_q s_q·x_q for every row x (row × replicate), and Σ_q s_q (replicate).

    The same signs serve all rows. ``samples=None`` goes through all ``2**topics`` patterns. The terms are integers,
    so the matrix product is exact whatever the number of threads.
    """
    rows, topics = integers.shape
    size = block or max(256, BLOCK_VALUES // (rows + topics))
    for first, count in blocks(2**topics if samples is None else samples, size):
        kept = every_sign(first, count, topics) if samples is None else signs(seed, first, count, topics)
        signed = 2.0 * kept - 1.0
        yield integers @ signed.T, signed.sum(axis=1)
