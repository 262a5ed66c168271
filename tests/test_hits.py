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


@given(collections(), st.randoms(use_true_random=False))
def test_some_of_the_hits(made: tuple[Grades, Scores], random: np.random.Generator) -> None:
    c = align(*made)
    hits = c.judged_hits()
    columns, ranks = by_ranking(hits, hits.column), by_ranking(hits, hits.rank)
    marked = np.array([random.random() < 0.5 for _ in c.grade])
    for kept in (hits.among(marked), hits.where(marked[hits.column])):
        assert by_ranking(kept, kept.column) == [[column for column in part if marked[column]] for part in columns]
    assert by_ranking(hits.first(), hits.first().rank) == [part[:1] for part in ranks]
    last = np.array([random.randrange(6) for _ in c.queries])
    limits = np.tile(last, len(c.systems)).tolist()
    assert by_ranking(hits, hits.of_group(last)) == [
        [limit] * len(part) for limit, part in zip(limits, ranks, strict=True)
    ]
    top = hits.down_to(last)
    assert by_ranking(top, top.rank) == [
        [rank for rank in part if rank <= limit] for limit, part in zip(limits, ranks, strict=True)
    ]


def test_a_value_for_every_document_and_rank() -> None:
    hits = Hits(np.array([[2]]), np.array([1, 5], np.int32), np.array([3, 2], np.int32))
    assert hits.sum_gains(np.arange(4.0), np.arange(6.0)).tolist() == [[3 / 1 + 2 / 5]]
    for few in (
        lambda: hits.sum_gains(np.ones(3), np.ones(6)),
        lambda: hits.sum_gains(np.ones(4), np.ones(5)),
        lambda: hits.among(np.ones(3, bool)),
    ):
        with pytest.raises(IndexError, match=r"values for what is numbered up to [35]"):
            few()


def test_hits_of_nothing() -> None:
    none = np.zeros(0, np.int32)
    hits = Hits(np.zeros((2, 3), np.int64), none, none)
    assert hits.sum(none).tolist() == hits.max(none).tolist() == [[0.0] * 3] * 2
    assert hits.running(none).size == hits.running(none * 0.5).size == 0
    assert hits.top(3).level.size == hits.first().rank.size == 0


def test_many_rankings_of_unequal_length() -> None:
    length = np.arange(300) % 7
    rank = np.concatenate([np.arange(1, n + 1, dtype=np.int32) for n in length])
    hits = Hits(length.reshape(3, 100), rank, rank)
    halves = hits.running(np.full(len(rank), 0.5), np.multiply)
    assert halves == pytest.approx(0.5**rank, rel=0)
