"""Partial orders: against measures and exposures, and the diagrams made of them."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from math import comb

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import UsageError
from rankdiff.measures.recall_levels import AP, NDCG, RR, RecallLevelMeasure, rank_biased_precision
from rankdiff.studies.posets import Above, Element, covers, heights, provider_above, subsets, user_above

M = 5


def random_ranks(count: int) -> list[list[int]]:
    rng = np.random.default_rng(5)
    spread = (int(n) for n in rng.choice([6, 10, 100, 10_000], count))
    return [sorted((rng.choice(n, M, replace=False) + 1).tolist()) for n in spread]


@pytest.mark.parametrize("measure", [AP, NDCG, RR, rank_biased_precision(0.8), rank_biased_precision(0.3)])
def test_no_top_heavy_measure_contradicts_the_order_of_users(measure: RecallLevelMeasure) -> None:
    for ranks in random_ranks(60):
        worth = [(user, measure.of([ranks[level - 1] for level in user])) for user in subsets(M)]
        for (one, ours), (other, theirs) in product(worth, repeat=2):
            assert not user_above(one, other) or ours >= theirs - 1e-12


def test_providers_are_ordered_where_every_exposure_says_so_and_nowhere_else() -> None:
    rng = np.random.default_rng(3)
    exposures = -np.sort(-(rng.random((4000, M)) ** rng.choice([0.2, 1, 8], (4000, 1))), axis=1)
    members = np.array([[level in provider for level in range(1, M + 1)] for provider in subsets(M)], float)
    received = exposures @ members.T
    for i, one in enumerate(subsets(M)):
        for j, other in enumerate(subsets(M)):
            assert provider_above(one, other) == bool(np.all(received[:, i] >= received[:, j] - 1e-12)), (one, other)


@pytest.mark.parametrize("above", [user_above, provider_above])
def test_the_last_recall_level_alone_is_the_worst_off(above: Above) -> None:
    assert all(above(element, (M,)) for element in subsets(M))


@pytest.mark.parametrize("above", [user_above, provider_above])
def test_a_diagram_has_the_edges_between_which_nothing_lies(above: Above) -> None:
    elements = subsets(4)

    def strictly(one: Element, other: Element) -> bool:
        return one != other and above(one, other)

    expected = {
        (i, j)
        for i, one in enumerate(elements)
        for j, other in enumerate(elements)
        if strictly(one, other) and not any(strictly(one, k) and strictly(k, other) for k in elements)
    }
    edges = covers(elements, above)
    assert {(i, j) for i, j in np.argwhere(edges).tolist()} == expected
    height = heights(edges)
    assert all(height[i] > height[j] for i, j in expected)


def test_reciprocal_rank_has_few_levels_and_lexiprecision_one_for_each_arrangement() -> None:
    found = rd.studies.drawings()
    nodes = [row for row in found.table.rows() if row["above"] is None]
    levels = {name: len({row["y"] for row in nodes if row["drawing"] == name}) for name in ("RR", "lexiprecision")}
    assert levels == {"RR": 7 - 5 + 1, "lexiprecision": comb(7, 5)}
    assert sum(row["drawing"] == "users" for row in nodes) == 2**M - 1
    chain = [row for row in found.table.rows() if row["drawing"] == "lexiprecision" and row["above"]]
    arrangements = ["".join(map(str, ranks)) for ranks in combinations(range(1, 8), 5)]
    assert [(row["element"], row["above"]) for row in chain] == list(pairwise(arrangements))


def test_drawings_are_drawn_from_the_table() -> None:
    chart = rd.studies.drawings(m=3, n=4).figure.to_dict()
    assert [side["title"] for row in chart["vconcat"] for side in row["hconcat"]] == [
        "RR",
        "lexiprecision",
        "users",
        "providers",
    ]


def test_more_relevant_documents_than_documents_are_refused() -> None:
    with pytest.raises(UsageError, match="5 relevant documents cannot be arranged among 4"):
        rd.studies.drawings(m=5, n=4)
