"""Tests of all pairs of 110 runs over 249 topics: rankdiff beside plain NumPy, in one process.

    python bench/significance.py

The plain versions are what one would write without rankdiff; they are timed on few replicates and scaled up. All run on
two cores, and each time is the best of three.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import numpy as np

from rankdiff.statistics import all_pairs

RUNS, TOPICS, SAMPLES = 110, 249, 100_000
PLAIN = 200
CORES = 2


def scores(spread: float) -> np.ndarray:
    """Scores between 0 and 1 whose runs' true means have the given standard deviation."""
    rng = np.random.default_rng(1)
    level = 0.35 + rng.normal(0, 0.15, TOPICS) + rng.normal(0, spread, (RUNS, 1))
    return np.clip(level + rng.normal(0, 0.12, (RUNS, TOPICS)), 0, 1)


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """The best of some runs."""

    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(times))


def plain_sign_flips(values: np.ndarray) -> None:
    """Replicate by replicate: random signs, means, range, and which pairs it reaches."""
    rng, means = np.random.default_rng(2), values.mean(axis=1)
    observed = np.abs(means[:, None] - means)
    reached = np.zeros_like(observed)
    for _ in range(PLAIN):
        flipped = (values * rng.choice((-1.0, 1.0), TOPICS)).mean(axis=1)
        reached += np.ptp(flipped) >= observed


def plain_shuffles(values: np.ndarray) -> None:
    """The same with the runs permuted within every topic."""
    rng, means = np.random.default_rng(2), values.mean(axis=1)
    observed = np.abs(means[:, None] - means)
    reached = np.zeros_like(observed)
    for _ in range(PLAIN):
        reached += np.ptp(rng.permuted(values, axis=0).mean(axis=1)) >= observed


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    apart, equal = scores(0.05), scores(0.0)
    plain = seconds(lambda: plain_sign_flips(apart)) * SAMPLES / PLAIN
    single = seconds(lambda: all_pairs(apart, step_down=False))
    rows = [("sign-flip, single-step", single, plain / single, "under a second")]
    for name, values in (("runs apart", apart), ("runs equal", equal)):
        stepped = seconds(lambda values=values: all_pairs(values))
        times = f"**{stepped / single:.1f}** times single-step (at most 4)"
        rows.append((f"sign-flip, step-down, {name}", stepped, plain / stepped, times))
    plain = seconds(lambda: plain_shuffles(apart)) * SAMPLES / PLAIN
    shuffled = seconds(lambda: all_pairs(apart, "randomized-hsd"))
    rows.append(("randomized HSD", shuffled, plain / shuffled, f"**{plain / shuffled:.1f}** times (at least 15)"))
    resampled = seconds(lambda: all_pairs(apart, "bootstrap", samples=10_000, correction="none"), times=1)
    pairs = RUNS * (RUNS - 1) // 2
    sys.stdout.write(
        f"{RUNS} runs × {TOPICS} topics, all {pairs:,} pairs, {SAMPLES:,} replicates, on {CORES} cores:\n\n"
        "| test | seconds | times plain NumPy | asked |\n|---|---|---|---|\n"
    )
    for name, took, ratio, asked in rows:
        sys.stdout.write(f"| {name} | {took:.2f} | {ratio:.1f} | {asked} |\n")
    sys.stdout.write(f"| bootstrap with BCa intervals, 10,000 samples | {resampled:.2f} | | seconds |\n")


if __name__ == "__main__":
    main()
