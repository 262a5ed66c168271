"""Measures and preferences of one topic as loops over plain lists: witnesses that share no code with the package.

A ranking is a list of documents, the best first; grades are a dict, in which an unjudged document is missing. All
follow the definitions of the papers and of trec_eval; each returns the candidate's value over the baseline's, turned so
that positive is better, and NaN where a topic has none.
"""

from __future__ import annotations

import math
from collections.abc import Callable

Ranking = list[str]
Grades = dict[str, float]
Difference = Callable[[Ranking, Ranking, Grades], float]
FOREVER = 10**9


def levels(ranking: Ranking, grades: Grades, rel: float) -> list[int]:
    """The ranks of the relevant documents in ascending order; those not retrieved are behind everything."""
    relevant = [document for document, grade in grades.items() if grade >= rel]
    return sorted(ranking.index(d) + 1 if d in ranking else FOREVER for d in relevant)


def precision(k: int, rel: float = 1) -> Difference:
    def value(ranking: Ranking, grades: Grades) -> float:
        return sum(grades.get(document, -1) >= rel for document in ranking[:k]) / k

    return _by(value)


def average_precision(rel: float = 1) -> Difference:
    def value(ranking: Ranking, grades: Grades) -> float:
        ranks = levels(ranking, grades, rel)
        return sum(i / rank for i, rank in enumerate(ranks, 1) if rank < FOREVER) / max(len(ranks), 1)

    return _by(value)


def reciprocal_rank(rel: float = 1) -> Difference:
    def value(ranking: Ranking, grades: Grades) -> float:
        ranks = levels(ranking, grades, rel)
        return 1 / ranks[0] if ranks and ranks[0] < FOREVER else 0.0

    return _by(value)


def ndcg(k: int | None = None) -> Difference:
    def value(ranking: Ranking, grades: Grades) -> float:
        gains = [max(grades.get(document, 0), 0) for document in ranking][:k]
        best = sorted((max(grade, 0) for grade in grades.values()), reverse=True)[:k]
        got, ideal = (sum(gain / math.log2(i + 2) for i, gain in enumerate(some)) for some in (gains, best))
        return got / ideal if ideal else 0.0

    return _by(value)


def expected_reciprocal_rank() -> Difference:
    """gdeval's: a document satisfies with the probability (2^g − 1)/2^4."""

    def value(ranking: Ranking, grades: Grades) -> float:
        total, unsatisfied = 0.0, 1.0
        for i, document in enumerate(ranking, 1):
            chance = (2 ** max(grades.get(document, 0), 0) - 1) / 16
            total += unsatisfied * chance / i
            unsatisfied *= 1 - chance
        return total

    return _by(value)


def rank_biased_precision(p: float = 0.8, rel: float = 1) -> Difference:
    def value(ranking: Ranking, grades: Grades) -> float:
        return sum((1 - p) * p**i * (grades.get(document, -1) >= rel) for i, document in enumerate(ranking))

    return _by(value)


def atomized_search_length(rel: float = 1) -> Difference:
    """Both rankings padded to the deeper of the two; lower is better, and no value without a relevant document."""

    def difference(candidate: Ranking, baseline: Ranking, grades: Grades) -> float:
        depth = max(len(candidate), len(baseline))
        lengths = []
        for ranking in (candidate, baseline):
            ranks = levels(ranking, grades, rel)
            if not ranks or depth == 0:
                return math.nan
            found = [rank for rank in ranks if rank < FOREVER]
            each = [rank - above for above, rank in enumerate(found)]
            each += [max(depth - len(found), 1)] * (len(ranks) - len(found))
            lengths.append(sum(each) / len(each))
        return lengths[1] - lengths[0]

    return difference


def recall_paired(weight: Callable[[int], float] | None = None, rel: float = 1, graded: bool = False) -> Difference:
    """Σ w(i) sgn(p'_i − p_i), Σ w = 1; graded, for each grade that the topic has, each in proportion to its m."""

    def binary(candidate: Ranking, baseline: Ranking, grades: Grades, least: float) -> tuple[float, int]:
        ours, theirs = (levels(ranking, grades, least) for ranking in (candidate, baseline))
        weights = [weight(i) if weight else 1.0 for i in range(1, len(ours) + 1)]
        won = sum(w * ((theirs[i] > ours[i]) - (theirs[i] < ours[i])) for i, w in enumerate(weights))
        return (won / sum(weights) if weights else 0.0), len(ours)

    def difference(candidate: Ranking, baseline: Ranking, grades: Grades) -> float:
        reached = sorted({grade for grade in grades.values() if grade >= rel}) if graded else [rel]
        parts = [binary(candidate, baseline, grades, least) for least in reached]
        total = sum(size for _, size in parts)
        return sum(value * size for value, size in parts) / total if total else 0.0

    return difference


def lexicographic(from_bottom: bool, rel: float = 1) -> Difference:
    """The sign at the first level that differs, or the last."""

    def difference(candidate: Ranking, baseline: Ranking, grades: Grades) -> float:
        pairs = list(zip(*(levels(ranking, grades, rel) for ranking in (candidate, baseline)), strict=True))
        for ours, theirs in reversed(pairs) if from_bottom else pairs:
            if ours != theirs:
                return 1.0 if ours < theirs else -1.0
        return 0.0

    return difference


def _by(value: Callable[[Ranking, Grades], float]) -> Difference:
    return lambda candidate, baseline, grades: value(candidate, grades) - value(baseline, grades)


def every_difference(rel: float = 1, graded: bool = True) -> dict[str, Difference]:
    """By the names of the package; ``graded`` says whether the judgments hold several relevant grades."""
    return {
        "nDCG@3": ndcg(3),
        "nDCG": ndcg(),
        "P@2": precision(2, rel),
        "AP": average_precision(rel),
        "RR": reciprocal_rank(rel),
        "ERR": expected_reciprocal_rank(),
        "RBP": rank_biased_precision(rel=rel),
        "ASL": atomized_search_length(rel),
        "RPP": recall_paired(rel=rel, graded=graded),
        "RPP(rel=1)": recall_paired(),
        "RPP(weights='dcg')": recall_paired(lambda i: 1 / math.log2(i + 1), rel, graded),
        "sgnLP": lexicographic(False, rel),
        "sgnLR": lexicographic(True, rel),
    }
