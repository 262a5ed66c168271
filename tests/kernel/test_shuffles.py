"""The shuffles behind randomized HSD: their definition number by number, and that every order is as likely."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from rankdiff._kernel.results import Floats
from twins import twin

GOLDEN, ALL, HALF = 0x9E3779B97F4A7C15, 2**64, 2**32


def mixed(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % ALL
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % ALL
    return z ^ (z >> 31)


def four_numbers(word: int, bounds: list[int]) -> list[int]:
    """Numbers below four bounds from the halves of a word, which is replaced where they would not be uniform."""
    numbers = []
    for half, (bound, other) in zip((word % HALF, word // HALF), (bounds[:2], bounds[2:]), strict=True):
        first, left = divmod(half * bound, HALF)
        second, left = divmod(left * other, HALF)
        if left < HALF % (bound * other):
            return four_numbers(mixed((word + GOLDEN) % ALL), bounds)
        numbers += [first, second]
    return numbers


def plain_order(scores: list[float], seed: int, place: int) -> list[float]:
    """One topic's scores, shuffled by the words from a place on."""
    order, systems = list(scores), len(scores)
    for first in range(0, systems, 4):
        word = mixed((seed + (place + first // 4 + 1) * GOLDEN) % ALL)
        bounds = [max(systems - first - step, 1) for step in range(4)]
        for here, distance in zip(range(first, systems), four_numbers(word, bounds), strict=False):
            order[here], order[here + distance] = order[here + distance], order[here]
    return order


def random_scores(systems: int, topics: int) -> Floats:
    return np.random.default_rng(systems).integers(-(2**40), 2**40, (systems, topics)).astype(np.float64)


@pytest.mark.parametrize("systems", [1, 2, 5, 8, 31, 2500])
def test_the_definition(kernel: Any, systems: int) -> None:
    scores, words = random_scores(systems, 3), -(-systems // 4)
    places = [[(replicate * 7 + topic) * words for topic in (2, 3, 4)] for replicate in (40, 41)]
    expected = [
        np.sum([plain_order(column, ALL - 9, at) for column, at in zip(scores.T.tolist(), row, strict=True)], axis=0)
        for row in places
    ]
    assert kernel.shuffled_sums(scores, ALL - 9, 40, 2, topic=2, topics=7).T.tolist() == np.array(expected).tolist()


def test_words_are_replaced_where_numbers_would_not_be_uniform(kernel: Any) -> None:
    """With 50,000 runs nearly half of the words have too little left over."""
    scores = random_scores(50_000, 1)
    assert kernel.shuffled_sums(scores, 5, 3, 1, topic=0, topics=1).ravel().tolist() == plain_order(
        scores.ravel().tolist(), 5, 3 * 12_500
    )


def test_both_twins_shuffle_alike() -> None:
    scores = random_scores(110, 20)
    ours, theirs = (
        twin(name).shuffled_sums(scores, 1, 10**6, 300, topic=0, topics=20) for name in ("python", "native")
    )
    assert np.array_equal(ours, theirs)


def test_topics_and_replicates_can_be_taken_piece_by_piece(kernel: Any) -> None:
    scores = random_scores(13, 19)
    whole = kernel.shuffled_sums(scores, 6, 0, 50, topic=0, topics=19)
    assert np.array_equal(kernel.shuffled_sums(scores, 6, 30, 20, topic=0, topics=19), whole[:, 30:])
    pieces = [np.ascontiguousarray(piece) for piece in np.split(scores, [9], axis=1)]
    parts = [
        kernel.shuffled_sums(piece, 6, 0, 50, topic=at, topics=19) for piece, at in zip(pieces, (0, 9), strict=True)
    ]
    assert np.array_equal(parts[0] + parts[1], whole)


def test_every_order_is_as_likely(kernel: Any) -> None:
    scores = np.array([[1.0], [10.0], [100.0], [1000.0], [10000.0]])
    orders = kernel.shuffled_sums(scores, 3, 0, 60_000, topic=0, topics=1).T
    found, counts = np.unique(orders, axis=0, return_counts=True)
    assert found.tolist() == sorted(map(list, permutations(scores.ravel().tolist())))
    assert stats.chisquare(counts).pvalue > 0.001


def test_topics_and_replicates_are_independent(kernel: Any) -> None:
    """Two topics of two runs: the four outcomes of a pair of coins, and no memory from one replicate to the next."""
    sums = kernel.shuffled_sums(np.array([[1.0, 3.0], [0.0, 0.0]]), 8, 0, 40_000, topic=0, topics=2)[0]
    found, counts = np.unique(sums, return_counts=True)
    assert found.tolist() == [0, 1, 3, 4]
    assert stats.chisquare(counts).pvalue > 0.001
    assert abs(np.corrcoef(sums[1:], sums[:-1])[0, 1]) < 0.02


def test_nothing_to_shuffle(kernel: Any) -> None:
    assert kernel.shuffled_sums(np.zeros((3, 0)), 1, 0, 2, topic=0, topics=0).tolist() == [[0, 0]] * 3
    assert kernel.shuffled_sums(np.zeros((3, 2)), 1, 0, 0, topic=0, topics=2).shape == (3, 0)


def test_too_many_runs_are_refused(kernel: Any) -> None:
    with pytest.raises(ValueError, match="more than 65536 runs cannot be shuffled"):
        kernel.shuffled_sums(np.zeros((65_537, 1)), 1, 0, 1, topic=0, topics=1)
