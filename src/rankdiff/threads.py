"""Work that is split among threads: what NumPy and the kernel do at length, they do without holding the others up."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Task = TypeVar("Task")


def share_out(tasks: Sequence[Task], work: Callable[[Task], object]) -> None:
    """Do some work for each task; a thread takes every other, or every third, as neighbors mostly take equally long.

    >>> doubled = {}
    >>> share_out([1, 2, 3], lambda number: doubled.update({number: 2 * number}))
    >>> sorted(doubled.items())
    [(1, 2), (2, 4), (3, 6)]
    """
    workers = max(1, min(os.cpu_count() or 1, len(tasks)))

    def take_turns(first: int) -> None:
        for task in tasks[first::workers]:
            work(task)

    if workers == 1:
        take_turns(0)
    else:
        with ThreadPoolExecutor(workers) as threads:
            list(threads.map(take_turns, range(workers)))
