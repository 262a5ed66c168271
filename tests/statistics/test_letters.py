"""Letters beside their definition: two runs share one exactly where they are not shown to differ."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.statistics.letters import letters


@given(size=st.integers(1, 7), seed=st.integers(0, 10_000), density=st.floats(0, 1))
def test_two_runs_share_a_letter_exactly_where_they_are_not_shown_to_differ(
    size: int, seed: int, density: float
) -> None:
    rng = np.random.default_rng(seed)
    above = np.triu(rng.random((size, size)) < density, 1)
    differs = above | above.T
    marks = letters(differs, rng.random(size))
    assert marks is not None
    for one in range(size):
        for other in range(size):
            if one != other:
                assert bool(set(marks[one]) & set(marks[other])) != differs[one, other]
        assert marks[one]


def test_no_letter_is_within_another() -> None:
    differs = np.zeros((4, 4), bool)
    differs[0, 3] = differs[3, 0] = differs[0, 2] = differs[2, 0] = True
    assert letters(differs, np.array([4.0, 3, 2, 1])) == ["a", "ab", "b", "b"]


def test_an_alphabet_that_is_too_short_gives_no_letters() -> None:
    # Ten pairs that each differ within, and nothing else: a group for each choice of one from every pair.
    differs = np.zeros((20, 20), bool)
    for run in range(0, 20, 2):
        differs[run, run + 1] = differs[run + 1, run] = True
    assert letters(differs, np.arange(20.0)) is None
