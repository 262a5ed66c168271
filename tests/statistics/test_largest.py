"""Shuffled tests of all pairs: exact values by dynamic programming, PermTest's outputs, and a plain version."""

from itertools import combinations

import numpy as np
import pytest

from rankdiff.statistics.many import all_pairs
from rankdiff.statistics.shuffles import shuffled_topics


def upper(matrix):
    return np.asarray(matrix)[np.triu_indices(len(matrix), 1)]


def exact_hsd(scores):
    """p of each pair over all within-topic permutations of three runs of integers, by dynamic programming."""
    ways = {(0, 0): 1}
    for a, b, c in scores.T.tolist():
        step = {}
        for (x, y), count in ways.items():
            for u, v, w in ((a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)):
                place = (x + u - w, y + v - w)
                step[place] = step.get(place, 0) + count
        ways = step
    ranges = np.array([max(x, y, 0) - min(x, y, 0) for x, y in ways])
    chance = np.array(list(ways.values()), float) / 6.0 ** scores.shape[1]
    totals = scores.sum(axis=1)
    return [chance[ranges >= abs(totals[i] - totals[j])].sum() for i, j in combinations(range(3), 2)]


def test_sakai_hsd(sakai, meets):
    case = "sakai-20x3: randomised Tukey HSD"
    exact = exact_hsd(np.rint(sakai * 10).astype(int))
    sampled = all_pairs(sakai, "randomized-hsd")
    classical = all_pairs(sakai, "tukey-hsd")
    for pair, target, p, q in zip(("X-Y", "X-Z", "Y-Z"), exact, upper(sampled.p), upper(classical.p), strict=True):
        meets(target, case, f"p {pair}, exact")
        assert p == pytest.approx(target, abs=4 * np.sqrt(target * (1 - target) / 100_000))
        meets(p, case, f"p {pair}, Monte Carlo, >= with a tolerance of 1e-9")
        meets(q, "sakai-20x3: Tukey HSD", f"p {pair}, two-way (topics as blocks) Tukey HSD, studentised range q, df=38")


NAMES = ("BM25", "BM25+PageRank", "BM25+morphology", "BM25+close pairs")


@pytest.mark.parametrize("measure", ["map", "err", "ndcg", "P_10", "Rprec"])
def test_permtest(measure, permtest, meets, expected):
    """PermTest's own outputs; its closed test is, for maxima, what stepping down computes."""
    scores = permtest(measure)
    case = next(row["case"] for row in expected if row["case"].startswith(f"permtest: {measure},"))
    together = all_pairs(scores, "shuffled-max-t", samples=20_000)
    baseline = all_pairs(scores, "shuffled-max-t", samples=20_000, against=0)
    for first, second in combinations(range(4), 2):
        pair = f"p {NAMES[first]} - {NAMES[second]}"
        alone = unadjusted(scores, first, second)
        meets(alone, case, f"{pair}, unadjusted, 10000 permutations")
        meets(together.p[first, second], case, f"{pair}, maxT, all pairs, 10000 permutations")
        if first == 0:
            meets(baseline.p[first, second], case, f"{pair}, maxT against BM25, 10000 permutations")
            meets(baseline.p[first, second], case, f"{pair}, closed test against BM25, 10000 permutations")


def unadjusted(scores, first, second):
    """One pair's t with all four systems shuffled, as PermTest does."""
    sums, squares = np.zeros((2, 40_000))
    for topic in shuffled_topics(scores, 1, 0, 40_000):
        difference = topic[first] - topic[second]
        sums += difference
        squares += difference**2
    observed = scores[first] - scores[second]
    return np.mean(np.abs(sums) / np.sqrt(squares) >= abs(observed.sum()) / np.sqrt((observed**2).sum()) - 1e-12)


def plain_randomized_hsd(scores, samples, rng):
    """Carterette's algorithm as one would write it down."""
    means = scores.mean(axis=1)
    observed = np.abs(means[:, None] - means[None])
    reached = np.zeros_like(observed)
    for _ in range(samples):
        shuffled = rng.permuted(scores, axis=0).mean(axis=1)
        reached += np.ptp(shuffled) >= observed - 1e-12
    return (reached + 1) / (samples + 1)


@pytest.mark.parametrize("name", ["adhoc8_ap", "web2013_err20", "adhoc6_p10"])
def test_randomized_hsd_is_the_plain_one(urbano, name):
    scores = urbano(name)[10:28]
    theirs = plain_randomized_hsd(scores, 3000, np.random.default_rng(1))
    ours = all_pairs(scores, "randomized-hsd", samples=3000).p
    noise = np.sqrt(2 * theirs * (1 - theirs) / 3000)
    assert np.all(np.abs(upper(ours - theirs)) <= 4.5 * upper(noise) + 2 / 3000)
