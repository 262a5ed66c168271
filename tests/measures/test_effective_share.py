"""The effective share against fractions, the paper's appendix and a separate implementation."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.hits import FloatArray
from rankdiff.measures.effective_share import effective_count, swapped_lengths
from strategies import Grades, Scores, collections

APPENDIX = [1, 1, 1, 2, 4, 5, 10, 10_000, 10_000]


def exact_count(lengths: list[Fraction], target: Fraction) -> int:
    """The number of shortest lengths whose mean is nearest to the target, the smaller on a tie; in fractions."""
    shortest = sorted(lengths)
    return min(range(1, len(shortest) + 1), key=lambda j: (abs(sum(shortest[:j]) / j - target), j))


@given(collections(grades=(0, 2)))
def test_the_share_is_that_of_exact_arithmetic(made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    c = align(qrels, runs)
    values = c.measure("EffectiveShare").values[0]
    for s, run in enumerate(c.systems):
        for q, query in enumerate(c.queries):
            relevant = {document for document, grade in qrels[query].items() if grade >= 1}
            ranking = runs[run].get(query, {})
            order = sorted(ranking, key=lambda document, r=ranking: (r[document], document), reverse=True)
            ranks = [rank for rank, document in enumerate(order, 1) if document in relevant]
            if not ranks:
                assert np.isnan(values[s, q])  # AP = 0: there is no search length that it stands for
                continue
            lengths = [Fraction(rank, level) for level, rank in enumerate(ranks, 1)]
            target = len(relevant) / sum(1 / length for length in lengths)
            assert values[s, q] == exact_count(lengths, target) / len(relevant)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=12))
def test_a_list_of_lengths_is_counted_alike(lengths: list[int]) -> None:
    exact = [Fraction(length) for length in lengths]
    assert effective_count(lengths) == exact_count(exact, len(exact) / sum(1 / length for length in exact))


def test_the_papers_example() -> None:
    assert effective_count(APPENDIX) == 6
    swapped = swapped_lengths(APPENDIX)
    # 2.778 stands where the paper prints 2.9.
    expected = [1, 1, 1, 2.111, 2.667, 2.778, 3.000, 3.222, 3.222]
    np.testing.assert_allclose(swapped, expected, atol=5e-4)
    assert swapped.mean() == pytest.approx(len(APPENDIX) / sum(1 / length for length in APPENDIX))


@pytest.mark.parametrize(("track", "share"), [("deep_learning", 0.34), ("covid", 0.44)])
def test_the_share_of_two_tracks_is_what_the_page_says(
    request: pytest.FixtureRequest, track: str, share: float
) -> None:
    assert round(float(request.getfixturevalue(track).measure("EffectiveShare").summary().mean()), 2) == share


def test_equal_to_a_separate_implementation(defined: Callable[[str], tuple[FloatArray, FloatArray]]) -> None:
    values, expected = defined("EffectiveShare")
    np.testing.assert_allclose(values, expected, rtol=5e-12)
