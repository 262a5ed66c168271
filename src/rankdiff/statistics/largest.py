"""Tests of many pairs by the largest difference that chance alone produces among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from rankdiff.hits import FloatArray
from rankdiff.statistics.chance import blocks
from rankdiff.statistics.families import Family, FamilyResult, PairFamily, RunFamily
from rankdiff.statistics.integers import Integers
from rankdiff.statistics.shuffles import shuffled_sums, shuffled_topics
from rankdiff.statistics.signflips import BLOCK_VALUES, flipped_sums
from rankdiff.statistics.stepdown import count_single, monotone_p, upper_quantile

INTERVAL_SAMPLES = 10_000
"""Simultaneous intervals rest on at most this many replicates."""

LARGEST_BLOCK = 4096
"""Replicates of a block stay in the processor's cache while the pairs are gone through."""


@dataclass(frozen=True)
class Plan:
    """How to resample: ``samples=None`` goes through all patterns of signs."""

    samples: int | None
    seed: int
    step_down: bool
    confidence: float
    progress: Callable[[float], None] | None = None


def sign_flip(family: Family, plan: Plan) -> FamilyResult:
    """Sign flips: a replicate gives every topic one random sign, for all runs and pairs.

    p of a pair tells how often the largest statistic of any pair reaches the pair's own. For runs the largest is the
    range of their means (a topic's level drops out of every difference, so no centering is needed); all differences
    keep their variances and correlations. The intervals come from the largest when each row's mean is taken out first.
    """
    topics = family.terms.shape[1]
    total = 2**topics if plan.samples is None else plan.samples
    p = _stepped(family, plan, _flips(family, plan.seed, plan.samples), total)
    residual = family.centered()
    few = None if plan.samples is None else min(plan.samples, INTERVAL_SAMPLES)
    largest = np.concatenate([residual.largest(sums) for sums in _flips(residual, plan.seed, few)])
    return FamilyResult(p, residual.margins(upper_quantile(largest, plan.confidence)))


def _flips(family: Family, seed: int, samples: int | None) -> Iterator[FloatArray]:
    block = min(LARGEST_BLOCK, max(256, BLOCK_VALUES // sum(family.terms.shape)))
    return (sums for sums, _ in flipped_sums(family.terms, seed, samples, block=block))


def randomized_hsd(family: RunFamily, plan: Plan) -> FamilyResult:
    """Randomized Tukey HSD (Carterette 2012): the runs' scores are shuffled within every topic.

    It tests whether the runs are exchangeable, not whether their means are equal: where runs of a team resemble each
    other, or variances differ, it finds differences between equal means far more often than its level says.
    """
    samples = plan.samples or 0
    ranges = []

    def noted(sums: FloatArray) -> FloatArray:
        ranges.append(family.largest(sums))
        return sums

    with closing(shuffled_sums(family.terms, plan.seed, samples, block=LARGEST_BLOCK)) as shuffles:
        p = _stepped(family, plan, map(noted, shuffles), samples)
    return FamilyResult(p, family.margins(upper_quantile(np.concatenate(ranges), plan.confidence)))


def shuffled_max_t(family: RunFamily, plan: Plan) -> FamilyResult:
    """Studentized max-T by shuffling within topics (Westfall and Young 1993; Boytsov, Belova and Westfall 2013).

    As randomized HSD, but every pair's difference is divided by its own standard error, in the data and in each
    replicate. What is compared is ``|Σ d| / √(Σ d²)``, which grows with t.
    """
    samples, (first, second) = plan.samples or 0, family.pairs
    differences = family.terms[first] - family.terms[second]
    studentized = family.studentized()
    units = np.ones(len(first)) if studentized.unit is None else studentized.unit
    pairs = PairFamily.of_t(Integers(differences / units[:, None], 1.0, 0.0), np.ones_like(differences))
    largest = []

    def shuffles() -> Iterator[FloatArray]:
        for start, count in blocks(samples, max(64, BLOCK_VALUES // (4 * len(first)))):
            sums, squares = np.zeros((2, len(first), count))
            for scores in shuffled_topics(family.terms, plan.seed, start, count):
                difference = scores[first] - scores[second]
                sums += difference
                squares += difference**2
            sums /= np.sqrt(np.where(squares > 0, squares, 1.0))
            largest.append(np.abs(sums).max(axis=0))
            yield sums

    p = _stepped(pairs, plan, shuffles(), samples)
    return FamilyResult(p, studentized.centered().margins(upper_quantile(np.concatenate(largest), plan.confidence)))


def _stepped(family: Family, plan: Plan, replicates: Iterator[FloatArray], total: int) -> FloatArray:
    """p of each pair, from blocks of resampled sums (row × replicate)."""
    observed = family.observed
    ascending = np.argsort(observed, kind="stable")
    thresholds = (observed - family.slack)[ascending]
    counts, done = np.zeros(len(observed), np.int64), 0
    for sums in replicates:
        if plan.step_down:
            counts += family.count(sums, ascending, thresholds)
        else:
            counts += count_single(family.largest(sums), thresholds)
        done += sums.shape[1]
        if plan.progress is not None:
            plan.progress(done / total)
    p = np.empty(len(observed))
    p[ascending] = monotone_p(counts, total, exact=plan.samples is None)
    return p
