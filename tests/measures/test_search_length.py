"""Search lengths against loops over filled-up rankings, and against the data folder's separate implementation."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from strategies import Grades, Scores, collections

N = 40

FORMULAS: dict[str, Callable[[list[int], int], float]] = {
    "ISL": lambda p, _: p[0],
    "TSL": lambda p, _: p[-1],
    "SL2(i=2)": lambda p, m: p[1] - 2 if m >= 2 else math.nan,
    "SL3": lambda p, m: p[-1] - m,
    "AverageRank": lambda p, m: sum(p) / m,
    "RecallError": lambda p, m: sum(p) / m - (m + 1) / 2,
}


def filled_up(qrels: dict[str, int], ranking: dict[str, float], rel: int, n: int) -> list[int]:
    """The ranks of all relevant documents in a ranking of the whole corpus, the missed ones last."""
    order = sorted(ranking, key=lambda document: (ranking[document], document), reverse=True)
    relevant = {document for document, grade in qrels.items() if grade >= rel}
    found = [rank for rank, document in enumerate(order, 1) if document in relevant]
    lost = len(relevant) - len(found)
    return found + list(range(n - lost + 1, n + 1))


@given(collections(), st.integers(1, 3), st.sampled_from(sorted(FORMULAS)))
def test_search_lengths_are_their_formulas_on_filled_up_rankings(
    made: tuple[Grades, Scores], rel: int, name: str
) -> None:
    qrels, runs = made
    c = align(qrels, runs, corpus_size=N)
    values = c.at(rel).measure(name).values[0]
    for s, run in enumerate(c.systems):
        for q, query in enumerate(c.queries):
            p = filled_up(qrels[query], runs[run].get(query, {}), rel, N)
            # Without a relevant document there is nothing to search for.
            expected = FORMULAS[name](p, len(p)) if p else math.nan
            assert values[s, q] == pytest.approx(expected, nan_ok=True)


def test_the_pool_with_the_relevant_documents_is_the_corpus_by_default() -> None:
    runs = {"run": {"q": {"a": 3, "x": 2}}, "other": {"q": {"y": 1}}}
    c = align({"q": {"a": 1, "b": 1, "j": 0}}, runs, pool=True)
    assert c.n(1).tolist() == [4]  # a, x and y were returned, b is relevant; j is neither
    assert c.measure("TSL").values[0].ravel().tolist() == [4, 4]


def test_a_corpus_too_small_for_a_ranking_names_the_run_and_the_least_size() -> None:
    c = align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 3, "y": 2, "a": 1}}}, corpus_size=3)
    with pytest.raises(UsageError, match=r"(?s)run run .*at least 4"):
        c.measure("AverageRank")


def test_without_a_corpus_size_the_error_names_the_argument() -> None:
    c = align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}})
    with pytest.raises(UsageError, match="corpus_size"):
        c.measure("TSL")


def test_recall_levels_begin_at_1() -> None:
    c = align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}}, corpus_size=3)
    with pytest.raises(UsageError, match="recall levels begin at 1"):
        c.measure("SL2(i=0)")


def test_a_thousand_relevant_documents() -> None:
    documents = {f"d{i}": 1 for i in range(1000)}
    c = align({"q": documents}, {"half": {"q": {f"d{i}": -i for i in range(500)}}}, corpus_size=10_000)
    ranks = [*range(1, 501), *range(9501, 10_001)]
    assert c.measure("AverageRank").values.item() == np.mean(ranks)


@pytest.mark.parametrize("name", ["RecallError", "AverageRank"])
def test_equal_to_a_separate_implementation(defined: Callable[[str], tuple[FloatArray, FloatArray]], name: str) -> None:
    values, expected = defined(name)
    np.testing.assert_allclose(values, expected, rtol=5e-12)
