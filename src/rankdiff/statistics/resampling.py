"""Tests of one difference by resampling its topics: randomization of signs, and the bootstrap.

Many pairs share their resamples, so that all pairs of runs cost one matrix product. All sums are of integers.
"""

from __future__ import annotations

import numpy as np

from rankdiff.hits import FloatArray
from rankdiff.statistics.chance import blocks, draws
from rankdiff.statistics.classical import signed_sum_p
from rankdiff.statistics.intervals import bca_interval, typical_value_interval
from rankdiff.statistics.outcome import Differences, Outcome, Question
from rankdiff.statistics.signflips import BLOCK_VALUES, exact_work, flipped_sums

RANDOMIZATIONS = 100_000
BOOTSTRAPS = 10_000

EXACT_WORK = 2e8
"""p is counted over all sign patterns while that takes about a second; else it is sampled."""

EXACT_TOPICS = 16
"""Up to this many topics the interval, too, is taken over all patterns."""

COARSE = 2.0**-20
"""Squares are of differences rounded to this share of the largest, so that sums of squares are exact as well."""


def randomization(differences: Differences, question: Question) -> Outcome:
    """Fisher's randomization test: how often does the mean difference with random signs reach the observed one?

    ``b/2^k`` over all signs of the k differences that are not zero, identity included, where that is feasible;
    else ``(b + 1)/(B + 1)`` with B samples. The interval holds the means that the same test does not reject.
    """
    rows, slack = differences.integers.values, differences.integers.slack
    samples = question.samples or RANDOMIZATIONS
    exact = sum(map(exact_work, rows)) <= EXACT_WORK if question.exact is None else question.exact
    every = differences.topics <= EXACT_TOPICS and question.exact is not False
    low, high = _randomization_interval(rows, question, None if every else samples)
    if exact:
        p = np.array([signed_sum_p(row, question.alternative, slack) for row in rows])
    else:
        p = _sampled_p(rows, question.alternative, slack, question.seed, samples)
    step = differences.integers.step
    return Outcome(
        p,
        low * step,
        high * step,
        "randomization of signs, exact" if exact else f"randomization of signs, {samples:,} samples",
        "inverted randomization, " + ("exact" if every else f"{samples:,} samples"),
        "mean difference",
        None if exact and every else samples,
    )


def _sampled_p(rows: FloatArray, alternative: str, slack: float, seed: int, samples: int) -> FloatArray:
    observed = rows.sum(axis=1, keepdims=True)
    reached = np.zeros(len(rows))
    for sums, _ in flipped_sums(rows, seed, samples):
        if alternative == "two-sided":
            reached += np.sum(np.abs(sums) >= np.abs(observed) - slack, axis=1)
        else:
            toward = 1 if alternative == "greater" else -1
            reached += np.sum(toward * sums >= toward * observed - slack, axis=1)
    return (reached + 1) / (samples + 1)


def _randomization_interval(rows: FloatArray, question: Question, samples: int | None) -> tuple[FloatArray, FloatArray]:
    topics = rows.shape[1]
    total = rows.sum(axis=1, keepdims=True)
    limits = []
    for block in np.array_split(np.arange(len(rows)), -(-len(rows) * (samples or 2**topics) // BLOCK_VALUES)):
        kept, turned = [], []
        for sums, balance in flipped_sums(rows[block], question.seed, samples):
            with np.errstate(invalid="ignore", divide="ignore"):
                kept.append((total[block] + sums) / (topics + balance))
                turned.append((total[block] - sums) / (topics - balance))
        parts = np.concatenate(kept, axis=1), np.concatenate(turned, axis=1)
        limits.append(typical_value_interval(*parts, question.tails, exact=samples is None))
    low, high = (np.concatenate(side) for side in zip(*limits, strict=True))
    return low, high


def bootstrap(differences: Differences, question: Question) -> Outcome:
    """The bootstrap: topics drawn with replacement; p by the shift method, the interval by BCa.

    Samples of the differences, shifted to mean zero, show what the statistic does under the hypothesis. The
    statistic is studentized, ``mean / (sd/√n)`` (Sakai 2006), or the plain mean; ``p = (b + 1)/(B + 1)``. One topic
    has nothing to resample: p = 1 and an endless interval.
    """
    rows, step = differences.integers.values, differences.integers.step
    samples = question.samples or BOOTSTRAPS
    if differences.topics == 1:
        rest = np.full(len(rows), np.inf)
        return Outcome(np.ones(len(rows)), -rest, rest, "bootstrap", "none", "mean difference")
    p, low, high = (np.empty(len(rows)) for _ in range(3))
    for block in np.array_split(np.arange(len(rows)), max(1, -(-len(rows) * samples // BLOCK_VALUES))):
        means, deviations = _resampled(rows[block], question.seed, samples)
        p[block] = _shifted_p(rows[block], means, deviations if question.studentize else None, question.alternative)
        low[block], high[block] = bca_interval(rows[block], means, question.tails)
    statistic = "studentized" if question.studentize else "plain mean"
    method = f"bootstrap, shift method, {statistic}, {samples:,} samples"
    return Outcome(p, low * step, high * step, method, f"BCa, {samples:,} samples", "mean difference", samples)


def _resampled(rows: FloatArray, seed: int, samples: int) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation (n − 1) of every bootstrap sample, pair × sample."""
    topics = rows.shape[1]
    unit = COARSE * max(1.0, np.abs(rows).max())
    coarse = np.rint(rows / unit)
    means, squares = [], []
    for first, count in blocks(samples, max(64, BLOCK_VALUES // (4 * topics))):
        drawn = draws(seed, first, count, topics) + topics * np.arange(count)[:, None]
        times = np.bincount(drawn.ravel(), minlength=count * topics).reshape(count, topics).T.astype(np.float64)
        means.append(rows @ times / topics)
        squares.append((coarse**2 @ times / topics - (coarse @ times / topics) ** 2) * unit**2)
    variances = np.concatenate(squares, axis=1) * (topics / (topics - 1))
    return np.concatenate(means, axis=1), np.sqrt(np.maximum(variances, 0.0))


def _shifted_p(rows: FloatArray, means: FloatArray, deviations: FloatArray | None, alternative: str) -> FloatArray:
    """Share of samples whose statistic, shifted to mean zero, reaches the observed one."""
    mean = rows.mean(axis=1, keepdims=True)
    shifted, observed = means - mean, mean
    if deviations is not None:
        least = 2 * COARSE * np.abs(rows).max()
        shifted = _studentized(shifted, deviations, least)
        observed = _studentized(mean, rows.std(axis=1, keepdims=True, ddof=1), least)
    if alternative == "two-sided":
        shifted, observed = np.abs(shifted), np.abs(observed)
    elif alternative == "less":
        shifted, observed = -shifted, -observed
    threshold = observed * (1 - np.copysign(1e-9, observed))
    return np.asarray((np.sum(shifted >= threshold, axis=1) + 1) / (means.shape[1] + 1), np.float64)


def _studentized(means: FloatArray, deviations: FloatArray, least: float) -> FloatArray:
    """Means in units of their deviation; without deviation 0 stays 0 and anything else is infinite."""
    endless = np.where(means == 0, 0.0, np.copysign(np.inf, means))
    return np.divide(means, deviations, out=endless, where=deviations > least)
