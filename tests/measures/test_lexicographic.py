"""Metric lexirecall and lexiprecision against enumerations of all rankings and against the preferences' definitions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.errors import UsageError
from rankdiff.measures.lexicographic import integer_ranks, precision_rank, recall_rank
from strategies import Grades, Scores, collections

SIZES = [(n, m) for n in (1, 4, 9) for m in range(1, min(n, 5) + 1)]


@pytest.mark.parametrize(("n", "m"), SIZES)
def test_integer_ranks_count_the_worse_rankings(n: int, m: int) -> None:
    places = list(combinations(range(1, n + 1), m))
    # Worst first: lexirecall compares from the last position up, lexiprecision from the first down.
    by_recall = sorted(places, key=lambda p: p[::-1], reverse=True)
    by_precision = sorted(places, reverse=True)
    assert [recall_rank(p, m, n) for p in by_recall] == list(range(math.comb(n, m)))
    assert [precision_rank(p, m, n) for p in by_precision] == list(range(math.comb(n, m)))


@pytest.mark.parametrize(("n", "m"), SIZES)
def test_missed_documents_stand_at_the_end_of_the_corpus(n: int, m: int) -> None:
    for k in range(m):
        for found in combinations(range(1, n - m + k + 1), k):
            whole = (*found, *range(n - m + k + 1, n + 1))
            assert recall_rank(found, m, n) == recall_rank(whole, m, n)
            assert precision_rank(found, m, n) == precision_rank(whole, m, n)


def signs_by_level(p: list[int], other: list[int], m: int) -> list[int]:
    """At each recall level, which of two rankings has it earlier; a missed document is behind everything."""
    filled = [np.array([*ranks, *[10**9] * (m - len(ranks))]) for ranks in (p, other)]
    return [int(sign) for sign in np.sign(filled[1] - filled[0]) if sign]


@given(collections(grades=(0, 2), systems=(2, 4)), st.integers(30, 10**7))
def test_integer_ranks_order_rankings_as_the_preferences_do(made: tuple[Grades, Scores], n: int) -> None:
    qrels, runs = made
    c = align(qrels, runs, corpus_size=n)
    recall, precision = integer_ranks(c, "recall"), integer_ranks(c, "precision")
    for q, query in enumerate(c.queries):
        relevant = {document for document, grade in qrels[query].items() if grade >= 1}
        found = []
        for run in c.systems:
            ranking = runs[run].get(query, {})
            order = sorted(ranking, key=lambda document, s=ranking: (s[document], document), reverse=True)
            found.append([rank for rank, document in enumerate(order, 1) if document in relevant])
        m = len(relevant)
        for a, b in combinations(range(len(found)), 2):
            signs = [int(np.sign(int(ranks[a, q]) - int(ranks[b, q]))) for ranks in (recall, precision)]
            by_level = signs_by_level(found[a], found[b], m) or [0]
            # sgnLR is the sign at the last recall level where they differ, sgnLP that at the first.
            assert signs == [by_level[-1], by_level[0]]
            assert 0 <= recall[a, q] < math.comb(n, m)


def exact_lexirecall(p: tuple[int, ...], n: int, epsilon: Fraction) -> Fraction:
    """The paper's formula in exact arithmetic."""
    m, step = len(p), 1 / (n + epsilon)
    weights = [(step / (1 + step)) ** (m - 1)]
    weights += [step ** (m - i) / (1 + step) ** (m + 1 - i) for i in range(2, m + 1)]
    assert sum(weights) == 1
    return sum(w * Fraction(n - rank, n) for w, rank in zip(weights, p, strict=True))


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1, 10)])
def test_the_papers_float_is_its_formula_and_orders_small_corpora(epsilon: Fraction) -> None:
    n, m = 9, 3
    places = sorted(combinations(range(1, n + 1), m), key=lambda p: p[::-1], reverse=True)
    runs = {
        str(number): {"q": {f"r{p.index(rank)}" if rank in p else f"x{rank}": -rank for rank in range(1, n + 1)}}
        for number, p in enumerate(places)
    }
    c = align({"q": {"r0": 1, "r1": 1, "r2": 1}}, runs, corpus_size=n)
    values = c.measure(f"LexiRecall(epsilon={float(epsilon)})").values[0].ravel()
    assert values.tolist() == pytest.approx([float(exact_lexirecall(p, n, epsilon)) for p in places], rel=1e-14)
    assert all(worse < better for worse, better in pairwise(values))
    precision = c.measure("LexiPrecision").values[0].ravel()
    assert precision.tolist() == [sum(2.0**-rank for rank in p) for p in places]


def test_where_the_float_runs_out_of_digits_the_integer_does_not() -> None:
    # The runs differ at the first of four recall levels only: a weight of 1e-18.
    runs = {
        "better": {"q": {"a": 9, "x": 8, "y": 7, "b": 6, "c": 5, "d": 4}},
        "worse": {"q": {"x": 9, "a": 8, "y": 7, "b": 6, "c": 5, "d": 4}},
    }
    c = align({"q": dict.fromkeys("abcd", 1)}, runs, corpus_size=1_000_000)
    better, worse = c.measure("LexiRecall").values.ravel()
    assert better == worse
    better, worse = integer_ranks(c, "recall").ravel()
    assert better == worse + 1


def test_at_the_smallest_corpus_a_hit_at_the_very_end_ties_with_a_miss() -> None:
    # n = documents returned + relevant ones missed: the last place is the imputed one.
    runs = {"hit": {"q": {"x": 2, "a": 1}}, "miss": {"q": {"x": 2}}}
    c = align({"q": {"a": 1}}, runs, corpus_size=2)
    assert integer_ranks(c, "recall").ravel().tolist() == [0, 0]


def test_a_thousand_relevant_documents_and_a_topic_with_none() -> None:
    documents = {f"d{i:04}": 1 for i in range(1000)}
    runs = {"half": {"q": {f"d{i:04}": -i for i in range(500)}}, "none": {"q": {"x": 1}}}
    c = align({"q": documents, "m0": {"x": 0}}, runs, corpus_size=100_000)
    half, none = integer_ranks(c, "recall")[:, 1]
    assert none == 0 < half < math.comb(100_000, 1000)
    assert c.measure("LexiRecall").values[0, :, 0].tolist() == [0, 0]


def test_epsilon_lies_between_0_and_1() -> None:
    c = align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}}, corpus_size=5)
    with pytest.raises(UsageError, match="between 0 and 1"):
        c.measure("LexiRecall(epsilon=1)")


def test_metric_lexiprecision_is_rbp_with_a_half() -> None:
    c = align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}})
    assert c.measure("LexiPrecision").values.item() == c.measure("RBP(p=0.5)").values.item()
