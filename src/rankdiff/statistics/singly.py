"""Each pair of runs by a test of its own, without regard to the others."""

from __future__ import annotations

import numpy as np

from rankdiff.hits import FloatArray, IntArray
from rankdiff.statistics.families import Pairs
from rankdiff.statistics.integers import to_integers
from rankdiff.statistics.outcome import Differences, Outcome, Question
from rankdiff.statistics.paired import TESTS

CHUNK_VALUES = 2**23


def each_alone(values: FloatArray, pairs: Pairs, test: str, question: Question) -> Outcome:
    """Run a paired test on every pair of rows of system × topic, over the topics that count for both.

    Pairs that share their topics are tested together, so that they share their resamples as well.
    """
    counts = ~np.isnan(values)
    patterns, kind = np.unique(counts, axis=0, return_inverse=True)
    kinds = np.stack([kind.ravel()[pairs[0]], kind.ravel()[pairs[1]]], axis=1)
    p, low, high = (np.full(len(pairs[0]), np.nan) for _ in range(3))
    outcome = Outcome(p, low, high, test, "none", "mean difference")
    for one, other in np.unique(kinds, axis=0):
        topics = np.flatnonzero(patterns[one] & patterns[other])
        alike = np.flatnonzero((kinds == (one, other)).all(axis=1))
        for chunk in np.array_split(alike, -(-len(alike) * len(topics) // CHUNK_VALUES)) if len(topics) else ():
            outcome = TESTS[test](_differences(values[:, topics], pairs[0][chunk], pairs[1][chunk]), question)
            p[chunk], low[chunk], high[chunk] = outcome.p, outcome.low, outcome.high
    return Outcome(p, low, high, outcome.method, outcome.interval_method, outcome.estimand, outcome.samples)


def _differences(values: FloatArray, first: IntArray, second: IntArray) -> Differences:
    numbers = values[first] - values[second]
    return Differences(numbers, to_integers(numbers, magnitude=float(np.abs(values).max(initial=0.0))))
