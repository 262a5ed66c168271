"""Places among all rankings, by listing all rankings."""

from __future__ import annotations

import math
from functools import cmp_to_key
from itertools import combinations

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import UsageError

N = 7


def worse_first(from_bottom: bool) -> dict[int, list[tuple[int, ...]]]:
    """All ways to place m documents among seven, ordered level by level, the worst first."""

    def compare(ours: tuple[int, ...], theirs: tuple[int, ...]) -> int:
        levels = list(zip(ours, theirs, strict=True))
        for p, other in reversed(levels) if from_bottom else levels:
            if p != other:
                return 1 if p < other else -1
        return 0

    return {m: sorted(combinations(range(1, N + 1), m), key=cmp_to_key(compare)) for m in range(1, N + 1)}


@pytest.mark.parametrize(("name", "from_bottom"), [("LexiRecallPlace", True), ("LexiPrecisionPlace", False)])
def test_each_ranking_has_its_place_among_all(name: str, from_bottom: bool) -> None:
    for m, ordered in worse_first(from_bottom).items():
        runs = {}
        for positions in ordered:
            at = dict(zip(positions, (f"d{i}" for i in range(m)), strict=True))
            runs[str(positions)] = {"q": {at.get(rank, f"n{rank}"): float(-rank) for rank in range(1, N + 1)}}
        c = rd.align({"q": {f"d{i}": 1 for i in range(m)}}, runs, corpus_size=N)
        scores = c.measure(name, f"{name}(scale='log')")
        last = max(len(ordered) - 1, 1)
        linear = dict(zip(c.systems, scores[name][:, 0], strict=True))
        logarithmic = dict(zip(c.systems, scores[f"{name}(scale='log')"][:, 0], strict=True))
        for place, positions in enumerate(ordered):
            expected = place / last if len(ordered) > 1 else 1.0
            assert linear[str(positions)] == pytest.approx(expected, abs=1e-15)
            in_bits = math.log(place + 1) / math.log(last + 1) if len(ordered) > 1 else 1.0
            assert logarithmic[str(positions)] == pytest.approx(in_bits, abs=1e-15)


def test_numbers_of_rankings_beyond_any_float_do_no_harm() -> None:
    qrels = {"q": {f"d{i:03}": 1 for i in range(400)}}
    runs = {"all": {"q": {d: float(-i) for i, d in enumerate(qrels["q"])}}, "one": {"q": {"d000": 1.0}}}
    c = rd.align(qrels, runs, corpus_size=1_000_000)
    values = c.measure("LexiRecallPlace", "LexiRecallPlace(scale='log')", "LexiPrecisionPlace(scale='log')").values
    assert values[:, 0, 0] == pytest.approx([1, 1, 1])
    assert values[0, 1, 0] == 0.0
    # One of 400 found: log C(n − 399, 1) of log C(n, 400) bits.
    assert values[1, 1, 0] == pytest.approx(math.log(999_601) / math.log(math.comb(1_000_000, 400)))
    assert np.all((values >= 0) & (values <= 1))


def test_there_are_two_scales() -> None:
    c = rd.align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}}, corpus_size=2)
    with pytest.raises(UsageError, match="'linear' or 'log'"):
        c.measure("LexiRecallPlace(scale='square')")
