"""Random permutations of the runs within each topic, summed over the topics: what randomized HSD resamples.

This is the definition; a native kernel computes the same integers. For replicate ``r``, topic ``q`` of ``Q`` and
``S`` runs the random words are ``chance.words(seed, (r·Q + q)·W, W)`` with ``W = ⌈(S − 1)/4⌉``. A word gives four
numbers by ``chance.scaled``, with the bounds S, S − 1, …, 2 one after the other, so each is uniform to within
S⁴/2⁶⁴. They drive the shuffle of Fisher and Yates, from the last place to the first: draw j ≤ i, put the score at j
in place i, and move the score that was at i to j.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankdiff.hits import FloatArray
from rankdiff.statistics.chance import GOLDEN, mix, scaled

DRAWS_PER_WORD = 4

LANES = 4096
"""How many replicates are shuffled side by side."""


def shuffled_sums(integers: FloatArray, seed: int, first: int, count: int) -> FloatArray:
    """For replicates ``first`` to ``first + count``: each run's sum after shuffling every topic. Run × replicate.

    >>> sums = shuffled_sums(np.array([[1.0, 5.0], [2.0, 5.0]]), seed=1, first=0, count=4)
    >>> sums.sum(axis=0), sorted(set(sums.ravel().tolist()))
    (array([13., 13., 13., 13.]), [6.0, 7.0])
    """
    sums = np.zeros((len(integers), count))
    for start in range(0, count, LANES):
        lanes = sums[:, start : start + LANES]
        for shuffled in shuffled_topics(integers, seed, first + start, lanes.shape[1]):
            lanes += shuffled
    return sums


def shuffled_topics(integers: FloatArray, seed: int, first: int, count: int) -> Iterator[FloatArray]:
    """Topic after topic, its scores shuffled anew for each replicate: run × replicate."""
    systems, topics = integers.shape
    words = -(-(systems - 1) // DRAWS_PER_WORD)
    replicates, lane = np.arange(first, first + count, dtype=np.uint64), np.arange(count)
    for topic in range(topics):
        base = (replicates * np.uint64(topics) + np.uint64(topic)) * np.uint64(words) + np.uint64(1)
        scores, word = np.repeat(integers[:, topic], count), base
        for step, place in enumerate(range(systems - 1, 0, -1)):
            if step % DRAWS_PER_WORD == 0:
                word = mix(np.uint64(seed % 2**64) + (base + np.uint64(step // DRAWS_PER_WORD)) * GOLDEN)
            drawn, word = scaled(word, place + 1)
            here, there = slice(place * count, (place + 1) * count), drawn.astype(np.intp) * count + lane
            scores[here], scores[there] = scores[there], scores[here].copy()
        yield scores.reshape(systems, count)
