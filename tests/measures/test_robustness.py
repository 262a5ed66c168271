"""The worst-off of all users and of all providers by brute force, and the closed forms of orientation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest

from rankdiff.errors import UsageError
from rankdiff.measures.recall_levels import (
    AP,
    LINEAR,
    LINEAR_SHARE,
    LOGARITHMIC,
    NDCG,
    R_PRECISION,
    RECIPROCAL,
    RR,
    Exposure,
    RecallLevelMeasure,
    expected_partial,
    found_alike,
    geometric,
    rank_biased_precision,
    recall_at,
    search_efficiency,
)
from rankdiff.measures.robustness import (
    cumulative_exposure,
    precision_orientation,
    recall_orientation,
    utilities,
    worst_case,
)

N, M = 9, 5
TOP_HEAVY = [
    AP,
    RR,
    NDCG,
    LINEAR_SHARE,
    rank_biased_precision(0.8),
    rank_biased_precision(0.3),
    expected_partial(),
    expected_partial("inverse"),
    expected_partial("dcg", found_alike, LOGARITHMIC),
    *(search_efficiency(exposure) for exposure in (RECIPROCAL, LOGARITHMIC, LINEAR, geometric(0.5))),
]


def name_of(value: object) -> str:
    return f"{value.name}, {value.exposure.name}" if isinstance(value, RecallLevelMeasure) else str(value)


def arrangements(m: int, n: int) -> list[tuple[float, ...]]:
    """Every way to place some of m relevant documents among n and to miss the others."""
    return [(*found, *[math.inf] * (m - k)) for k in range(min(m, n) + 1) for found in combinations(range(1, n + 1), k)]


@pytest.mark.parametrize("measure", TOP_HEAVY, ids=name_of)
def test_the_worst_case_of_all_users_is_total_search_efficiency(measure: RecallLevelMeasure) -> None:
    assert measure.is_top_heavy()
    sizes = range(1, N + 1) if measure.exposure.needs_corpus else [N]
    for n in sizes:
        for places in (places for m in range(1, M + 1) for places in arrangements(m, n)):
            expected = search_efficiency(measure.exposure).of(places, n)
            assert worst_case(measure, places, n) == pytest.approx(expected, abs=1e-15)


def leximin(values: Sequence[float]) -> list[float]:
    """Utilities from the worst-off up, so that lists compare as leximin does; rounding is no difference."""
    return sorted(round(value, 12) for value in values)


@pytest.mark.parametrize("measure", [AP, RR, NDCG, LINEAR_SHARE, rank_biased_precision(0.6)], ids=name_of)
@pytest.mark.parametrize("m", range(1, M + 1))
def test_the_leximin_order_of_all_users_is_the_order_from_the_last_relevant_document_up(
    measure: RecallLevelMeasure, m: int
) -> None:
    places = arrangements(m, N)
    corpus = N + M  # room for what was missed: a document found at the very end would tie with a miss
    by_utility = sorted(places, key=lambda p: leximin(utilities(measure, p, corpus)))
    assert by_utility == sorted(places, key=lambda p: p[::-1], reverse=True)


@pytest.mark.parametrize("exposure", [RECIPROCAL, LOGARITHMIC, LINEAR, geometric(0.6)], ids=lambda e: e.name)
def test_the_worst_off_of_all_providers_gets_total_search_efficiency(exposure: Exposure) -> None:
    """Every set of relevant documents has an owner, who gets the sum of their exposures."""
    for places in (places for m in range(1, M + 1) for places in arrangements(m, N)):
        at = [0.0 if math.isinf(p) else float(exposure(p, 1, N)) for p in places]
        owned = [subset for size in range(1, len(at) + 1) for subset in combinations(at, size)]
        assert utilities(cumulative_exposure(exposure), places, N) == pytest.approx([sum(each) for each in owned])
        worst = worst_case(cumulative_exposure(exposure), places, N)
        assert worst == pytest.approx(min(at), rel=1e-15)
        assert worst == search_efficiency(exposure).of(places, N)


@pytest.mark.parametrize("m", range(1, M + 1))
def test_the_leximin_order_of_all_providers_is_that_of_lexirecall_too(m: int) -> None:
    places, exposed = arrangements(m, N), cumulative_exposure(RECIPROCAL)
    by_exposure = sorted(places, key=lambda p: leximin(utilities(exposed, p)))
    assert by_exposure == sorted(places, key=lambda p: p[::-1], reverse=True)


def test_r_precision_has_users_worse_off_than_its_last_document_says() -> None:
    places = (1, 2)  # perfect, yet who needs only the second finds nothing at rank 1
    assert search_efficiency(R_PRECISION.exposure).of(places) == 1
    assert worst_case(R_PRECISION, places) == 0


def test_too_many_users_are_refused() -> None:
    with pytest.raises(UsageError, match="at most 12 documents"):
        worst_case(AP, range(1, 14))


class TestOrientation:
    """The closed forms of Figure 3 of the lexirecall paper, m from 1 to 15."""

    @pytest.mark.parametrize("m", [1, 2, 5, 15])
    def test_of_precision(self, m: int) -> None:
        n = 10**5
        assert precision_orientation(RR, m, n) == pytest.approx(1 - 1 / (n - m + 1))
        assert precision_orientation(AP, m, n) == pytest.approx(float(1 - Fraction(1, n - m + 1)) / m)
        assert precision_orientation(recall_at(1000), m, n) == pytest.approx(1 / m)
        assert precision_orientation(R_PRECISION, m, n) == pytest.approx(1 / m)
        assert precision_orientation(rank_biased_precision(0.8), m, n) == pytest.approx(0.2)
        assert precision_orientation(search_efficiency(RECIPROCAL), m, n, scaled=True) == (1 if m == 1 else 0)

    @pytest.mark.parametrize("m", [1, 2, 5, 15])
    def test_of_recall(self, m: int) -> None:
        n = 10**5
        assert recall_orientation(RR, m, n) == (pytest.approx(1 - 1 / n) if m == 1 else 0)
        assert recall_orientation(AP, m, n) == pytest.approx((1 - m / n) / m)
        assert recall_orientation(recall_at(1000), m, n) == pytest.approx(1 / m)
        for exposure in (RECIPROCAL, LOGARITHMIC, LINEAR):
            assert recall_orientation(search_efficiency(exposure), m, n, scaled=True) == 1
