"""The order of rankings by their ranks at the recall levels, as words are ordered by their letters.

This is the definition; the native kernel gives the same numbers.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rankdiff._kernel.results import Ints, Levels, Longs


def order_rankings(levels: Levels, start: Longs, from_bottom: bool) -> tuple[Ints, Ints]:
    """Query by query the rows in lexicographic order, and how many levels each shares with the next in that order.

    ``levels`` are rankings as rows, numbers of at least 0; those of query ``q`` lie from ``start[q]`` to
    ``start[q + 1]``, and are read from the first on, or from the last. Rows that agree stay in the order of the matrix.
    The one array is place × query, the other has no row for the last place.
    """
    rows, queries = len(levels), len(start) - 1
    order = np.tile(np.arange(rows, dtype=np.int32)[:, None], (1, queries))
    shared = np.zeros((max(rows - 1, 0), queries), np.int32)
    for query, (first, last) in enumerate(pairwise(start.tolist())):
        if first == last:
            continue
        words = levels[:, first:last][:, :: -1 if from_bottom else 1]
        # With the largest byte first, bytes sort as the numbers do.
        letters = np.ascontiguousarray(words, levels.dtype.newbyteorder(">"))
        order[:, query] = ranked = np.argsort(letters.view(f"S{letters[0].nbytes}")[:, 0], kind="stable")
        differ = words[ranked][1:] != words[ranked][:-1]
        shared[:, query] = np.where(differ.any(axis=1), differ.argmax(axis=1), last - first)
    return order, shared
