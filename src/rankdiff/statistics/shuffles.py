"""Random permutations of the runs within each topic, by the kernel: what randomized HSD resamples.

`rankdiff._kernel.shuffles` defines them. A replicate is a function of the seed and its number, so it does not matter
which thread computes it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from rankdiff import _kernel
from rankdiff.hits import FloatArray
from rankdiff.statistics.chance import blocks

MOST_THREADS = 4

PIECE_VALUES = 2**23
"""How many scores a thread shuffles before it can be interrupted."""


def shuffled_sums(integers: FloatArray, seed: int, samples: int, *, block: int) -> Generator[FloatArray]:
    """Each run's sum after shuffling every topic, for blocks of replicates: run × replicate.

    Threads work a little ahead; they end with the iterator, which whoever may leave it early must close.

    >>> sums = np.hstack(list(shuffled_sums(np.array([[1.0, 5.0], [2.0, 5.0]]), seed=1, samples=5, block=3)))
    >>> sums.sum(axis=0), sorted(set(sums.ravel().tolist()))
    (array([13., 13., 13., 13., 13.]), [6.0, 7.0])
    """
    scores, topics = np.ascontiguousarray(integers), integers.shape[1]
    size = max(1, min(block, PIECE_VALUES // max(scores.size, 1)))

    def shuffle(first: int, count: int) -> FloatArray:
        return _kernel.shuffled_sums(scores, seed % 2**64, first, count, topic=0, topics=topics)

    tasks = ((first + start, count) for first, whole in blocks(samples, block) for start, count in blocks(whole, size))
    pieces = _ahead(shuffle, tasks)
    try:
        for _, whole in blocks(samples, block):
            yield np.hstack([next(pieces) for _ in blocks(whole, size)])
    finally:
        pieces.close()


def shuffled_topics(integers: FloatArray, seed: int, first: int, count: int) -> Iterator[FloatArray]:
    """Topic after topic, its scores shuffled anew for each replicate: run × replicate."""
    topics = integers.shape[1]
    for topic in range(topics):
        scores = np.ascontiguousarray(integers[:, topic : topic + 1])
        yield _kernel.shuffled_sums(scores, seed % 2**64, first, count, topic=topic, topics=topics)


def _ahead(work: Callable[..., FloatArray], tasks: Iterable[tuple[Any, ...]]) -> Generator[FloatArray]:
    """What the work gives for each task, in their order, computed in threads that are a few tasks ahead."""
    threads = min(MOST_THREADS, os.cpu_count() or 1)
    executor = ThreadPoolExecutor(threads)
    pending: deque[Future[FloatArray]] = deque()
    try:
        for task in tasks:
            pending.append(executor.submit(work, *task))
            if len(pending) > 2 * threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        executor.shutdown(cancel_futures=True)
