"""Picking hits and adding them up, against loops over each ranking."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from twins import twin

DOCUMENTS = 90


class Made(NamedTuple):
    """Rankings of random length, and what each of their hits and documents is worth."""

    count: Any
    rank: Any
    column: Any
    marked: Any
    gain: Any
    values: Any


def made(systems: int, groups: int, seed: int) -> Made:
    rng = np.random.default_rng(seed)
    count = rng.integers(0, 9, (systems, groups)) * (rng.random((systems, groups)) < 0.8)
    of_rankings = [np.sort(rng.choice(40, n, replace=False)) + 1 for n in count.ravel().tolist()]
    rank = np.concatenate([np.zeros(0), *of_rankings]).astype(np.int32)
    column = rng.integers(0, DOCUMENTS, len(rank)).astype(np.int32)
    gain = rng.random(DOCUMENTS)
    return Made(count, rank, column, rng.random(DOCUMENTS) < 0.4, gain, rng.random(len(rank)))


def rankings(count: Any, *arrays: Any) -> list[list[tuple[Any, ...]]]:
    """The hits of each ranking, one after the other."""
    hits = list(zip(*(array.tolist() for array in arrays), strict=True))
    ends = np.cumsum(count).tolist()
    assert len(hits) == (ends[-1] if ends else 0)
    return [hits[end - n : end] for end, n in zip(ends, count.ravel().tolist(), strict=True)]


SIZES = [(1, 1), (3, 7), (20, 5), (0, 3), (3, 0)]


@pytest.mark.parametrize("size", SIZES)
def test_hits_of_marked_documents(kernel: Any, size: tuple[int, int]) -> None:
    for seed in range(20):
        m = made(*size, seed)
        picked = kernel.pick_hits(m.count, m.rank, m.column, m.marked)
        assert [array.dtype for array in picked] == [np.int64, np.int32, np.int32]
        assert picked[0].shape == size
        assert rankings(*picked) == [
            [(rank, column) for rank, column in ranking if m.marked[column]]
            for ranking in rankings(m.count, m.rank, m.column)
        ]


@pytest.mark.parametrize("size", SIZES)
def test_hits_down_to_the_last_rank_of_their_group(kernel: Any, size: tuple[int, int]) -> None:
    for seed in range(20):
        m = made(*size, seed)
        last = np.random.default_rng(seed).integers(0, 45, size[1])
        picked = kernel.top_hits(m.count, m.rank, m.column, last)
        assert [array.dtype for array in picked] == [np.int64, np.int32, np.int32]
        assert rankings(*picked) == [
            [hit for hit in ranking if hit[0] <= last[number % size[1]]]
            for number, ranking in enumerate(rankings(m.count, m.rank, m.column))
        ]


@pytest.mark.parametrize("size", SIZES)
def test_hits_are_numbered_from_the_top(kernel: Any, size: tuple[int, int]) -> None:
    m = made(*size, 1)
    numbers = kernel.number_hits(m.count, len(m.rank))
    assert numbers.dtype == np.int32
    assert rankings(m.count, numbers) == [[(i,) for i in range(1, n + 1)] for n in m.count.ravel().tolist()]


@pytest.mark.parametrize("size", SIZES)
def test_sums_are_those_of_a_loop_to_the_last_digit(kernel: Any, size: tuple[int, int]) -> None:
    discount = np.log2(np.arange(41) + 1.5)
    for seed in range(20):
        m = made(*size, seed)
        sums = kernel.sum_hits(m.count, m.values)
        assert sums.shape == size
        assert sums.ravel().tolist() == [sum(value for (value,) in ranking) for ranking in rankings(m.count, m.values)]
        gained = kernel.sum_gains(m.count, m.rank, m.column, m.gain, discount)
        assert gained.ravel().tolist() == [
            sum(float(m.gain[column] / discount[rank]) for rank, column in ranking)
            for ranking in rankings(m.count, m.rank, m.column)
        ]


def test_what_does_not_fit_together_is_refused() -> None:
    """A measure that somebody writes may get an array wrong; nothing is read beyond its end."""
    kernel = twin("native")
    count, two, three = np.array([[1, 2]]), np.ones(2, np.int32), np.ones(3, np.int32)
    for call in (
        lambda: kernel.number_hits(count, 2),
        lambda: kernel.sum_hits(count, np.ones(2)),
        lambda: kernel.pick_hits(count, three, two, np.ones(3, bool)),
        lambda: kernel.pick_hits(count, two, two, np.ones(3, bool)),
        lambda: kernel.top_hits(count, three, three, np.ones(1, np.int64)),
        lambda: kernel.top_hits(count, two, two, np.ones(2, np.int64)),
        lambda: kernel.sum_gains(count, two, three, np.ones(2), np.ones(2)),
    ):
        with pytest.raises(ValueError, match=r"as many as are counted|a last rank"):
            call()
