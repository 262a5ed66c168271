"""Random numbers by counter: each word is a function of the seed and its place, and of nothing else.

The words are those of SplitMix64 (Steele, Lea and Flood 2014) with random access. Whoever needs replicate 70,000
computes it without the 69,999 before it, so neither blocks nor threads nor the language of a loop can matter.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rankdiff._kernel.shuffles import GOLDEN, Words, mix

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def words(seed: int, first: int, count: int) -> Words:
    """Words ``first`` to ``first + count`` of the stream that belongs to a seed.

    >>> int(words(1234567, 0, 1)[0]), bool(words(7, 5, 3)[0] == words(7, 0, 9)[5])
    (6457827717110365317, True)
    """
    places = np.arange(first + 1, first + count + 1, dtype=np.uint64)
    return mix(np.uint64(seed % 2**64) + places * GOLDEN)


def signs(seed: int, first: int, count: int, topics: int) -> NDArray[np.uint8]:
    """One fair bit for each replicate and topic: 1 keeps the topic's sign, 0 turns it. Replicate × topic."""
    per_replicate = -(-topics // 64)
    block = words(seed, first * per_replicate, count * per_replicate).astype("<u8").view(np.uint8)
    return np.unpackbits(block.reshape(count, 8 * per_replicate), axis=1, count=topics, bitorder="little")


def every_sign(first: int, count: int, topics: int) -> NDArray[np.uint8]:
    """Rows ``first`` to ``first + count`` of all ``2**topics`` patterns of signs."""
    patterns = np.arange(first, first + count, dtype="<u8").view(np.uint8).reshape(count, 8)
    return np.unpackbits(patterns, axis=1, count=topics, bitorder="little")


def draws(seed: int, first: int, count: int, topics: int) -> NDArray[np.int64]:
    """Topics drawn with replacement, as many as there are: replicate × draw. Two draws share a word."""
    per_replicate = -(-topics // 2)
    block = words(seed, first * per_replicate, count * per_replicate)
    halves = np.stack([block & _LOW, block >> _HALF], axis=1).reshape(count, 2 * per_replicate)
    return ((halves[:, :topics] * np.uint64(topics)) >> _HALF).astype(np.int64)


def permutation(seed: int, count: int) -> NDArray[np.int64]:
    """A random order of ``count`` things."""
    return np.argsort(words(seed, 0, count), kind="stable")


def blocks(total: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut ``total`` replicates into (first, count) blocks.

    >>> list(blocks(5, 2))
    [(0, 2), (2, 2), (4, 1)]
    """
    for first in range(0, total, size):
        yield first, min(size, total - first)
