"""How often resampled pairs reach their thresholds, stepping down: what the tests of all pairs count.

This is the definition; the native kernel gives the same numbers. Pair after pair joins, from the smallest difference in
the data to the largest, and a replicate reaches a pair's threshold if the largest statistic of the pairs that have
joined does.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankdiff._kernel.results import Floats, Longs

CHUNK_VALUES = 2**17
"""How many doubles the statistics of some pairs may fill, so that they stay in the processor's cache: 1 MB."""


def count_stepdown(sums: Floats, first: Longs, second: Longs | None, unit: Floats | None, thresholds: Floats) -> Longs:
    """For each pair, how many replicates reach its threshold with a pair that has joined by then.

    ``sums`` are row × replicate. A pair's statistic is the magnitude of the difference of its ``first`` and its
    ``second`` row (of its first alone without ``second``), divided by its ``unit``. ``thresholds`` ascend.

    Of some pairs at a time, one replicate in many needs a second look: it reaches all their thresholds if what it had
    before reaches the last of them, and none if what it has afterwards does not reach the first.
    """
    counts = np.zeros(len(thresholds), np.int64)
    largest = np.zeros(sums.shape[1])
    for chunk in _chunks(len(first), sums.shape[1]):
        rows, level = _statistics(sums, first[chunk], second, unit, chunk), thresholds[chunk]
        after = np.maximum(largest, rows.max(axis=0))
        everywhere = largest >= level[-1]
        somewhere = np.flatnonzero(~everywhere & (after >= level[0]))
        running = np.maximum.accumulate(np.maximum(rows[:, somewhere], largest[somewhere]), axis=0)
        counts[chunk] = np.count_nonzero(everywhere) + np.count_nonzero(running >= level[:, None], axis=1)
        largest = after
    return counts


def _statistics(sums: Floats, first: Longs, second: Longs | None, unit: Floats | None, chunk: slice) -> Floats:
    rows = sums[first]
    if second is not None:
        rows -= sums[second[chunk]]
    np.abs(rows, out=rows)
    if unit is not None:
        rows /= unit[chunk, None]
    return rows


def _chunks(pairs: int, replicates: int) -> Iterator[slice]:
    size = max(1, CHUNK_VALUES // max(replicates, 1))
    for start in range(0, pairs, size):
        yield slice(start, min(start + size, pairs))
