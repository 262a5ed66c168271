"""Sums, largest values and running totals over hits, against loops over each ranking."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.hits import Hits
from strategies import Grades, Scores, collections


def by_ranking(hits: Hits, values: np.ndarray) -> list[list[float]]:
    """The values of each ranking's hits, from the top down."""
    rankings = hits.shape[0] * hits.shape[1]
    return [values[hits.ranking == ranking].tolist() for ranking in range(rankings)]


@given(collections(), st.randoms(use_true_random=False))
def test_sums_and_running_totals_are_those_of_a_loop(made: tuple[Grades, Scores], random: np.random.Generator) -> None:
    hits = align(*made).judged_hits()
    values = np.array([random.random() for _ in hits.rank])
    per_ranking = by_ranking(hits, values)
    assert hits.sum(values).ravel().tolist() == [sum(part) for part in per_ranking]
    assert hits.max(values).ravel().tolist() == [max(part, default=0) for part in per_ranking]
    assert by_ranking(hits, hits.running(values)) == [np.cumsum(part).tolist() for part in per_ranking]
    assert by_ranking(hits, hits.running(values, np.multiply)) == [np.cumprod(part).tolist() for part in per_ranking]
    counted = hits.running(values > 0.5)
    assert by_ranking(hits, counted) == [np.cumsum(np.array(part) > 0.5).tolist() for part in per_ranking]


@given(collections(), st.integers(1, 5))
def test_the_top_is_what_stands_at_or_above_a_rank(made: tuple[Grades, Scores], k: int) -> None:
    hits = align(*made).judged_hits()
    assert np.array_equal(hits.top(k).count, hits.sum(hits.rank <= k))
    assert by_ranking(hits.top(k), hits.top(k).level) == [
        list(range(1, 1 + sum(rank <= k for rank in part))) for part in by_ranking(hits, hits.rank)
    ]
    assert hits.top(None) is hits


def test_hits_of_nothing() -> None:
    none = np.zeros(0, np.int64)
    hits = Hits((2, 3), none, none, none)
    assert hits.sum(none).tolist() == hits.max(none).tolist() == [[0.0] * 3] * 2
    assert hits.running(none).size == hits.running(none * 0.5).size == hits.top(3).level.size == 0


def test_many_rankings_of_unequal_length() -> None:
    length = np.arange(300) % 7
    ranking = np.repeat(np.arange(300), length)
    rank = np.concatenate([np.arange(1, n + 1) for n in length])
    hits = Hits((3, 100), ranking, rank, rank)
    halves = hits.running(np.full(len(rank), 0.5), np.multiply)
    assert halves == pytest.approx(0.5**rank, rel=0)
