"""The shuffles behind randomized HSD: their definition in plain Python, and that every order is as likely."""

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from rankdiff.statistics.chance import draws, signs
from rankdiff.statistics.shuffles import shuffled_sums

GOLDEN, ALL = 0x9E3779B97F4A7C15, 2**64


def plain_sums(scores, seed, replicate):
    """One replicate, number by number, in the arithmetic of a language with 64-bit words."""
    systems, topics = scores.shape
    words = -(-(systems - 1) // 4)
    sums = [0] * systems
    for topic in range(topics):
        order = scores[:, topic].tolist()
        for step, place in enumerate(range(systems - 1, 0, -1)):
            if step % 4 == 0:
                counter = (replicate * topics + topic) * words + step // 4 + 1
                z = (seed + counter * GOLDEN) % ALL
                z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % ALL
                z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % ALL
                word = z ^ (z >> 31)
            at, word = word * (place + 1) >> 64, word * (place + 1) % ALL
            order[at], order[place] = order[place], order[at]
        sums = [a + b for a, b in zip(sums, order, strict=True)]
    return sums


@pytest.mark.parametrize("systems", [2, 5, 6, 31])
def test_the_definition(systems):
    scores = np.random.default_rng(systems).integers(0, 2**40, (systems, 7)).astype(float)
    sums = shuffled_sums(scores, 17, 40, 5)
    assert [plain_sums(scores, 17, 40 + r) for r in range(5)] == sums.T.astype(int).tolist()


def test_every_order_is_as_likely():
    scores = np.array([[1.0], [10.0], [100.0], [1000.0]])
    sums = shuffled_sums(np.hstack([scores, np.zeros((4, 1))]), 3, 0, 24_000)
    orders = [tuple(order) for order in sums.T]
    counts = [orders.count(order) for order in permutations((1.0, 10.0, 100.0, 1000.0))]
    assert stats.chisquare(counts).pvalue > 0.001


def test_topics_and_replicates_are_independent():
    """Two topics of two runs: the four outcomes of a pair of coins, and no memory from one replicate to the next."""
    sums = shuffled_sums(np.array([[1.0, 3.0], [0.0, 0.0]]), 8, 0, 40_000)[0]
    counts = [np.sum(sums == value) for value in (0, 1, 3, 4)]
    assert stats.chisquare(counts).pvalue > 0.001
    assert abs(np.corrcoef(sums[1:], sums[:-1])[0, 1]) < 0.02


def test_draws_and_signs_are_fair():
    drawn = draws(5, 0, 3000, 7)
    assert drawn.shape == (3000, 7)
    assert stats.chisquare(np.bincount(drawn.ravel(), minlength=7)).pvalue > 0.001
    bits = signs(5, 0, 3000, 70)
    assert abs(bits.mean() - 0.5) < 4 * 0.5 / np.sqrt(bits.size)
    assert np.abs(np.corrcoef(bits.T) - np.eye(70)).max() < 5 / np.sqrt(3000)
    assert np.array_equal(signs(5, 100, 10, 70), bits[100:110])
