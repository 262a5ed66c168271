"""Tests of one difference that need no resampling: Student's t, Wilcoxon's signed ranks, the sign test."""

from __future__ import annotations

import numpy as np

from rankdiff.hits import FloatArray, IntArray
from rankdiff.statistics.intervals import signed_rank_interval
from rankdiff.statistics.outcome import Differences, Outcome, Question
from rankdiff.statistics.signflips import exact_tail

EXACT_RANKS = 100
"""Up to this many topics that differ, Wilcoxon's distribution is counted, ties and all."""


def student_t(differences: Differences, question: Question) -> Outcome:
    """Student's t of the mean difference: ``t = mean / (sd / √n)`` with n − 1 degrees of freedom.

    Where all differences are equal there is no spread to judge by: p = 1 if they are zero, else 0. One topic proves
    nothing: p = 1 and an endless interval.
    """
    from scipy.stats import t as student

    n, mean = differences.topics, differences.numbers.mean(axis=1)
    if n == 1:
        p, error, quantiles = np.ones(len(mean)), np.ones(len(mean)), (-np.inf, np.inf)
        statistic = np.full(len(mean), np.nan)
    else:
        constant = differences.constant
        error = np.where(constant, 0.0, differences.numbers.std(axis=1, ddof=1) / np.sqrt(n))
        certain = np.where(differences.integers.values[:, 0] == 0, 0.0, np.copysign(np.inf, mean))
        statistic = np.divide(mean, error, out=certain, where=~constant)
        p = _student_p(statistic, n - 1, question.alternative)
        below, above = question.tails
        quantiles = student.ppf(below, n - 1), student.isf(above, n - 1)
    low, high = (mean + (quantile * error if np.isfinite(quantile) else quantile) for quantile in quantiles)
    return Outcome(p, low, high, "Student's t", "Student's t", "mean difference", statistic=statistic)


def _student_p(statistic: FloatArray, freedom: int, alternative: str) -> FloatArray:
    from scipy.stats import t as student

    if alternative == "two-sided":
        return np.asarray(2 * student.sf(np.abs(statistic), freedom), np.float64)
    return np.asarray(student.sf(statistic if alternative == "greater" else -statistic, freedom), np.float64)


def wilcoxon(differences: Differences, question: Question) -> Outcome:
    """Wilcoxon's signed ranks. Ranks of equal magnitudes are averaged; zeros are dropped ("wilcox") or ranked and
    then dropped ("pratt").

    p is exact, ties counted, for up to 100 topics that differ, else the normal approximation. The interval is of the
    pseudomedian, the median of all means of two differences.
    """
    rows = differences.integers.values
    exact = [_counts_exactly(row, question) for row in rows]
    found = []
    for row, exactly in zip(rows, exact, strict=True):
        found.append((_wilcoxon_p(row, question, exactly), *signed_rank_interval(row, question.tails)))
        question.report(len(found) / len(rows))
    p, *limits = np.array(found).T
    kinds = {True: "exact", False: "normal approximation" + (", continuity-corrected" if question.continuity else "")}
    how = " or ".join(kinds[kind] for kind in sorted(set(exact), reverse=True))
    zeros = {"wilcox": "zeros dropped", "pratt": "zeros by Pratt"}[question.zeros]
    method = f"Wilcoxon signed ranks, {how}, {zeros}"
    smaller = np.array([_smaller_rank_sum(row, question.zeros) for row in rows])
    estimand = "pseudomedian difference"
    low, high = (limit * differences.integers.step for limit in limits)
    return Outcome(p, low, high, method, "means of two differences", estimand, statistic=smaller)


def _counts_exactly(row: FloatArray, question: Question) -> bool:
    return int(np.count_nonzero(row)) <= EXACT_RANKS if question.exact is None else question.exact


def _signed_ranks(row: FloatArray, zeros: str) -> FloatArray:
    from scipy.stats import rankdata

    kept = row[row != 0] if zeros == "wilcox" else row
    return np.asarray(rankdata(np.abs(kept)) * np.sign(kept), np.float64)


def _smaller_rank_sum(row: FloatArray, zeros: str) -> float:
    ranks = _signed_ranks(row, zeros)
    return float(min(ranks[ranks > 0].sum(), -ranks[ranks < 0].sum()))


def _wilcoxon_p(row: FloatArray, question: Question, exactly: bool) -> float:
    from scipy.stats import wilcoxon as scipy_wilcoxon

    if not row.any():
        return 1.0
    if not exactly:
        result = scipy_wilcoxon(
            row,
            zero_method=question.zeros,
            correction=question.continuity,
            alternative=question.alternative,
            method="approx",
        )
        return float(result.pvalue)
    return signed_sum_p(2 * _signed_ranks(row, question.zeros), question.alternative)


def signed_sum_p(terms: FloatArray, alternative: str, slack: float = 0.0) -> float:
    """The exact p of the sum of integer terms under random signs; sums within ``slack`` are equal."""
    observed = float(terms.sum())
    if alternative == "two-sided":
        return min(1.0, 2 * exact_tail(terms, abs(observed) - slack)) if abs(observed) > slack else 1.0
    return exact_tail(terms, (observed if alternative == "greater" else -observed) - slack)


def sign_test(differences: Differences, question: Question) -> Outcome:
    """The binomial test of wins against losses. Ties are dropped; without a win or a loss p = 1.

    The interval (Clopper and Pearson) is of the net win rate among the topics that differ: (wins − losses) over
    their number, from −1 to 1.
    """
    from scipy.stats import beta, binom

    wins, losses = wins_and_losses(differences, question.ties_within)
    trials, (below, above) = wins + losses, question.tails
    p = {
        "two-sided": np.minimum(1.0, 2 * binom.cdf(np.minimum(wins, losses), trials, 0.5)),
        "greater": binom.sf(wins - 1, trials, 0.5),
        "less": binom.cdf(wins, trials, 0.5),
    }[question.alternative]
    low = np.where((wins > 0) & (below > 0), beta.ppf(below, np.maximum(wins, 1), losses + 1), 0.0)
    high = np.where((losses > 0) & (above > 0), beta.isf(above, wins + 1, np.maximum(losses, 1)), 1.0)
    method, estimand = "sign test, exact binomial, ties dropped", "net win rate among the topics that differ"
    limits = 2 * low - 1, 2 * high - 1
    return Outcome(np.asarray(p), *limits, method, "Clopper-Pearson", estimand, statistic=np.asarray(wins, np.float64))


def wins_and_losses(differences: Differences, ties_within: float = 0.0) -> tuple[IntArray, IntArray]:
    """How many topics each pair wins and loses; differences of at most ``ties_within`` are ties."""
    least = ties_within / differences.integers.step * (1 + 1e-12)
    values = differences.integers.values
    return np.sum(values > least, axis=1), np.sum(values < -least, axis=1)
