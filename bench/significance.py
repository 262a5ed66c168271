"""Tests of all pairs of 110 runs over 249 topics: rankdiff beside plain NumPy, in one process.

    python bench/significance.py

The plain versions are what one would write without rankdiff; they are timed on few replicates and scaled up.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from rankdiff.statistics import all_pairs

RUNS, TOPICS, SAMPLES = 110, 249, 100_000
PLAIN = 200


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
    apart, equal = scores(0.05), scores(0.0)
    rows: list[tuple[str, float, float]] = []
    plain = seconds(lambda: plain_sign_flips(apart)) * SAMPLES / PLAIN
    single = seconds(lambda: all_pairs(apart, step_down=False))
    rows.append(("sign-flip, single-step", single, plain / single))
    for name, values in (("runs apart", apart), ("runs equal", equal)):
        stepped = seconds(lambda values=values: all_pairs(values))
        rows.append((f"sign-flip, step-down, {name} ({stepped / single:.1f} × single-step)", stepped, plain / stepped))
    plain = seconds(lambda: plain_shuffles(apart)) * SAMPLES / PLAIN
    shuffled = seconds(lambda: all_pairs(apart, "randomized-hsd"), times=1)
    rows.append(("randomized HSD", shuffled, plain / shuffled))
    bootstrapped = seconds(lambda: all_pairs(apart, "bootstrap", samples=10_000, correction="none"), times=1)
    sys.stdout.write(
        "| 110 runs × 249 topics, 5,995 pairs, 100,000 replicates | seconds | times plain NumPy |\n|---|---|---|\n"
    )
    for name, took, ratio in rows:
        sys.stdout.write(f"| {name} | {took:.2f} | {ratio:.1f} |\n")
    sys.stdout.write(f"| bootstrap with BCa intervals, 10,000 samples | {bootstrapped:.2f} | |\n")


if __name__ == "__main__":
    main()
