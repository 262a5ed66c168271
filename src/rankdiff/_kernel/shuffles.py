"""Random permutations of the runs within each topic, summed over the topics: what randomized HSD resamples.

This is the definition; the native kernel gives the same numbers. Random words come by counter: word ``n`` is
SplitMix64's (Steele, Lea and Flood 2014), a function of the seed and of ``n`` and of nothing else, so neither blocks
nor threads can matter.

For replicate ``r``, topic ``q`` of ``Q`` and ``S`` runs the words are ``(r·Q + q)·W`` to ``(r·Q + q)·W + W − 1`` with
``W = ⌈S/4⌉``. Each half of a word gives two numbers, with the bounds S, S − 1, …, 1 one after the other: the first is
the upper half of the 64-bit product of the half word and its bound, the second comes in the same way from the lower
half (Brackett-Rozinsky and Lemire 2024). Where what is left over then is less than 2³² modulo the product of both
bounds, some numbers would be likelier than others: the whole word is replaced. So every order is exactly as likely.

The numbers drive the shuffle of Fisher and Yates, from the first place to the last: fetch the score that stands so
many places behind, and leave the score of this place there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rankdiff._kernel.results import Floats

Words = NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)

PER_WORD = 4
LANES = 4096
"""How many replicates are shuffled side by side."""


def mix(state: Words) -> Words:
    """SplitMix64's output function: a bijection of 64-bit words that leaves no trace of their order."""
    state = (state ^ (state >> np.uint64(30))) * _MIX[0]
    state = (state ^ (state >> np.uint64(27))) * _MIX[1]
    return state ^ (state >> np.uint64(31))


def shuffled_sums(scores: Floats, seed: int, first: int, count: int, *, topic: int, topics: int) -> Floats:
    """For replicates ``first`` to ``first + count``: each run's sum after shuffling every topic. Run × replicate.

    ``scores`` are integers in doubles, run × topic, of at most 2**16 runs; its columns are the topics from ``topic``
    on of ``topics`` in all.
    """
    systems, columns = scores.shape
    if systems > 2**16:
        raise ValueError("more than 65536 runs cannot be shuffled")
    words = -(-systems // PER_WORD)
    sums = np.zeros((systems, count))
    for start in range(0, count, LANES):
        lanes = sums[:, start : start + LANES]
        replicates = np.arange(lanes.shape[1], dtype=np.uint64) + np.uint64(first + start)
        for column in range(columns):
            place = (replicates * np.uint64(topics) + np.uint64(topic + column)) * np.uint64(words)
            lanes += _shuffled(scores[:, column], seed, place)
    return sums


def _shuffled(scores: Floats, seed: int, place: Words) -> Floats:
    """The scores of a topic in random orders, one for each place where its words begin: run × replicate."""
    count, lane = len(place), np.arange(len(place))
    order = np.repeat(scores, count)
    for here, distance in enumerate(_distances(len(scores), seed, place)):
        at, there = here * count + lane, (here + distance.astype(np.intp)) * count + lane
        order[at], order[there] = order[there], order[at]
    return order.reshape(len(scores), count)


def _distances(systems: int, seed: int, place: Words) -> Iterator[Words]:
    """For each place of an order, how far behind it the score is fetched from."""
    for first in range(0, systems, PER_WORD):
        word = mix(np.uint64(seed) + (place + np.uint64(first // PER_WORD + 1)) * GOLDEN)
        bounds = [max(systems - first - step, 1) for step in range(PER_WORD)]
        yield from _numbers(word, bounds)[: systems - first]


def _numbers(word: Words, bounds: Sequence[int]) -> Sequence[Words]:
    """Four numbers below four bounds, exactly uniform and independent."""
    b1, b2, b3, b4 = map(np.uint64, bounds)
    least, other_least = 2**32 % (bounds[0] * bounds[1]), 2**32 % (bounds[2] * bounds[3])
    while True:
        first, third = (word & _LOW) * b1, (word >> _HALF) * b3
        second, fourth = (first & _LOW) * b2, (third & _LOW) * b4
        uneven = ((second & _LOW) < least) | ((fourth & _LOW) < other_least)
        if not uneven.any():
            return [product >> _HALF for product in (first, second, third, fourth)]
        word = np.where(uneven, mix(word + GOLDEN), word)
