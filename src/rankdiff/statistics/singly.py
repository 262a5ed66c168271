"""Each pair of runs by a test of its own, without regard to the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rankdiff.hits import FloatArray, IntArray
from rankdiff.statistics.corrections import check_samples
from rankdiff.statistics.integers import to_integers
from rankdiff.statistics.outcome import Differences, Outcome, Progress, Question
from rankdiff.statistics.paired import TESTS
from rankdiff.statistics.resampling import RANDOMIZATIONS, counts_exactly

CHUNK_VALUES = 2**23


def alone(
    rows: FloatArray,
    test: str,
    question: Question,
    correction: str,
    level: float,
    *,
    magnitude: float | None = None,
) -> tuple[Outcome, Question, str]:
    """As `each_alone`, unless the test draws too few samples for the correction; with what ``Compared.alone`` asks."""
    if draws(rows, test, question, magnitude=magnitude):
        check_samples(question.samples or RANDOMIZATIONS, len(rows), correction, level=level)
    return each_alone(rows, test, question, magnitude=magnitude), question, correction


def each_alone(rows: FloatArray, test: str, question: Question, *, magnitude: float | None = None) -> Outcome:
    """A test of every row of differences (pair × topic) by itself, over the topics that count for it: where it is a
    number.

    Pairs that share their topics are tested together, so that they share their resamples as well. ``magnitude`` is
    the largest score that the differences are of; by default they are compared with the largest of themselves.
    """
    if test == "randomization":
        question = replace(question, exact=not draws(rows, test, question, magnitude=magnitude))
    p, low, high = (np.full(len(rows), np.nan) for _ in range(3))
    outcome = Outcome(p, low, high, test, "none", "mean difference")
    done = 0
    for pairs, topics in _alike(rows):
        part = replace(question, progress=_part(question, done, len(pairs), len(rows)))
        outcome = TESTS[test](_differences(rows[np.ix_(pairs, topics)], magnitude), part)
        p[pairs], low[pairs], high[pairs] = outcome.p, outcome.low, outcome.high
        done += len(pairs)
        question.report(done / len(rows))
    return Outcome(p, low, high, outcome.method, outcome.interval_method, outcome.estimand, outcome.samples)


def draws(rows: FloatArray, test: str, question: Question, *, magnitude: float | None = None) -> bool:
    """Whether the p of these rows come from random samples."""
    if test != "randomization":
        return test == "bootstrap"
    return not counts_exactly(_differences(np.nan_to_num(rows), magnitude), question)


def _alike(rows: FloatArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Pairs for which the same topics count, and these topics."""
    counts, kind = np.unique(~np.isnan(rows), axis=0, return_inverse=True)
    for number, counted in enumerate(counts):
        topics, pairs = np.flatnonzero(counted), np.flatnonzero(kind.ravel() == number)
        if len(topics):
            for chunk in np.array_split(pairs, -(-len(pairs) * len(topics) // CHUNK_VALUES)):
                yield chunk, topics


def _part(question: Question, done: int, now: int, of: int) -> Progress:
    return lambda share: question.report((done + share * now) / of)


def _differences(numbers: FloatArray, magnitude: float | None) -> Differences:
    return Differences(numbers, to_integers(numbers, magnitude=magnitude))
