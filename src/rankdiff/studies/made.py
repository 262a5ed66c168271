"""Collections made of nothing but positions: for what measures do to rankings that no system made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rankdiff.collection import Collection
from rankdiff.hits import IntArray
from rankdiff.ids import Ids


def from_positions(positions: Sequence[NDArray[np.integer]], n: int | IntArray, depth: int | None = None) -> Collection:
    """A collection in which every judged document is relevant and each ranking of a corpus of ``n`` is complete.

    An array per query: system × relevant document, the rank of each. ``depth`` cuts what the systems return.

    >>> c = from_positions([np.array([[1, 4], [2, 3]])], n=5)
    >>> c.measure("AP", "RR").values[:, :, 0].tolist()
    [[0.75, 0.5833333333333333], [1.0, 0.5]]
    """
    systems, queries = len(positions[0]), len(positions)
    sizes = np.broadcast_to(np.asarray(n, np.int64), queries)
    start = np.concatenate([[0], np.cumsum([ranks.shape[1] for ranks in positions])])
    c = Collection(
        systems=tuple(f"ranking {i + 1}" for i in range(systems)),
        queries=tuple(f"{i:0{len(str(queries))}d}" for i in range(queries)),
        documents=_numbers(int(start[-1])),
        start=start,
        grade=np.ones(start[-1]),
        rank=np.hstack(positions).astype(np.int32),
        depth=np.tile(sizes, (systems, 1)),
        answered=np.ones((systems, queries), bool),
        corpus_size=sizes,
    )
    return c if depth is None else c.cut(depth)


def _numbers(count: int) -> Ids:
    """Eight digits each, in order."""
    digits = np.arange(count)[:, None] // 10 ** np.arange(7, -1, -1) % 10
    return Ids((digits + ord("0")).astype(np.uint8).ravel(), np.arange(0, 8 * count + 1, 8))
