"""Tests of one difference by resampling its topics: randomization of signs, and the bootstrap.

Many pairs share their resamples, so that all pairs of runs cost one matrix product. All sums are of integers.
"""

from __future__ import annotations

import numpy as np

from rankdiff.errors import UsageError
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
    integers = differences.integers
    rows, slack, step = integers.values, integers.slack, integers.step
    samples = question.samples or RANDOMIZATIONS
    exact = counts_exactly(differences, question)
    every = exact and differences.topics <= EXACT_TOPICS
    p, low, high = _sampled(rows, slack, question, None if every else samples)
    if exact and not every:
        p = np.array([signed_sum_p(row, question.alternative, slack) for row in rows])
    method = "exact" if exact else f"{samples:,} samples"
    interval_method = "exact" if every else f"{samples:,} samples"
    return Outcome(
        p,
        low * step,
        high * step,
        f"randomization of signs, {method}",
        f"inverted randomization, {interval_method}",
        "mean difference",
        None if exact and every else samples,
    )


def counts_exactly(differences: Differences, question: Question) -> bool:
    """Whether randomization goes through all signs: where that is asked for, else where it is feasible."""
    if question.exact is False:
        return False
    work = sum(map(exact_work, differences.integers.values))
    if question.exact and work > 100 * EXACT_WORK and differences.topics > EXACT_TOPICS:
        raise UsageError(f"the signs of {differences.topics} topics have too many patterns: leave exact=True out")
    return bool(question.exact) or work <= EXACT_WORK or differences.topics <= EXACT_TOPICS


def _sampled(
    rows: FloatArray, slack: float, question: Question, samples: int | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """p and the limits of the inverted test, from random signs, or from all patterns (``samples=None``)."""
    topics = rows.shape[1]
    replicates = 2**topics if samples is None else samples
    answers = []
    for block in np.array_split(rows, -(-len(rows) * replicates // BLOCK_VALUES)):
        flipped, balances = zip(*flipped_sums(block, question.seed, samples), strict=True)
        sums, balance = np.concatenate(flipped, axis=1), np.concatenate(balances)
        total = block.sum(axis=1, keepdims=True)
        reached = np.sum(_reaching(sums, total, question.alternative) >= -slack, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            parts = (total + sums) / (topics + balance), (total - sums) / (topics - balance)
        low, high = typical_value_interval(*parts, question.tails, exact=samples is None)
        answers.append((reached / replicates if samples is None else (reached + 1) / (samples + 1), low, high))
        question.report(sum(len(low) for _, low, _ in answers) / len(rows))
    p, low, high = (np.concatenate(column) for column in zip(*answers, strict=True))
    return p, low, high


def _reaching(sums: FloatArray, observed: FloatArray, alternative: str) -> FloatArray:
    """How far resampled sums go beyond the observed one, in the direction that is asked about."""
    if alternative == "two-sided":
        return np.asarray(np.abs(sums) - np.abs(observed), np.float64)
    return np.asarray(sums - observed if alternative == "greater" else observed - sums, np.float64)


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
        question.report((block[-1] + 1) / len(rows))
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
