"""Samples: drawn from a seed, each from a stream of its own, so that neither threads nor their number matter."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

Outcome = TypeVar("Outcome")
Progress = Callable[[int, int], None]
"""Told how many samples are finished, of how many."""


@dataclass
class Sampling:
    """How often a study draws, from which seed, on how many threads; it counts what was finished.

    >>> Sampling(3, seed=7).map(lambda rng: int(rng.integers(100)))
    [30, 68, 39]
    >>> Sampling(3, seed=7, jobs=2).map(lambda rng: int(rng.integers(100)))
    [30, 68, 39]
    """

    samples: int
    seed: int = 0
    jobs: int = 1
    report: Callable[[], None] = field(default=lambda: None)
    finished: int = 0
    interrupted: bool = False

    def generator(self, sample: int) -> np.random.Generator:
        """The random numbers of one sample: a function of the seed and the sample's number alone."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(sample,)))

    def map(self, draw: Callable[[np.random.Generator], Outcome]) -> list[Outcome]:
        """The outcome of every sample, in order.

        Ctrl-C keeps those that are finished; where none is, or where it came in an earlier call, the interrupt goes on
        to the caller.
        """
        if self.interrupted:
            raise KeyboardInterrupt
        outcomes = self._one_by_one(draw) if self.jobs == 1 else self._threaded(draw)
        if not outcomes and self.samples:
            raise KeyboardInterrupt
        self.finished = len(outcomes)
        return outcomes

    def _one(self, draw: Callable[[np.random.Generator], Outcome], sample: int) -> Outcome:
        return draw(self.generator(sample))

    def _one_by_one(self, draw: Callable[[np.random.Generator], Outcome]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        try:
            for sample in range(self.samples):
                outcomes.append(self._one(draw, sample))
                self.report()
        except KeyboardInterrupt:
            self.interrupted = True
        return outcomes

    def _threaded(self, draw: Callable[[np.random.Generator], Outcome]) -> list[Outcome]:
        with ThreadPoolExecutor(self.jobs) as pool:
            futures = [pool.submit(self._one, draw, sample) for sample in range(self.samples)]
            waiting: set[Future[Outcome]] = set(futures)
            try:
                while waiting:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        future.result()
                        self.report()
            except KeyboardInterrupt:
                self.interrupted = True
            finally:
                pool.shutdown(cancel_futures=True)
        return [future.result() for future in futures if not future.cancelled()]
