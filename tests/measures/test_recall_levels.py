"""The recall-level family against trec_eval and against sums written out."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures.recall_levels import (
    AP,
    LINEAR,
    LINEAR_SHARE,
    NDCG,
    R_PRECISION,
    RECIPROCAL,
    RR,
    Exposure,
    RecallLevelMeasure,
    expected_partial,
    exposure_named,
    found_alike,
    geometric,
    normalized_cumulative_precision,
    rank_biased_precision,
    recall_at,
    search_efficiency,
)
from strategies import Grades, Scores, collections


@given(collections(grades=(0, 3)))
def test_the_family_gives_what_trec_eval_gives(made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    c = align(qrels, runs, precision="single")
    # trec_eval's nDCG takes grades as gains; with binary ones it is the recall-level measure.
    binary = {query: {document: min(grade, 1) for document, grade in grades.items()} for query, grades in qrels.items()}
    names = {"map": AP, "recip_rank": RR, "ndcg": NDCG, "Rprec": R_PRECISION, "recall_5": recall_at(5)}
    evaluator = pytrec_eval.RelevanceEvaluator(binary, {"map", "recip_rank", "ndcg", "Rprec", "recall"})
    ours = c.measure(*names.values())
    for s, run in enumerate(c.systems):
        expected = evaluator.evaluate(runs[run])
        for query, values in expected.items():
            for i, name in enumerate(names):
                assert ours.values[i, s, c.queries.index(query)] == pytest.approx(values[name], abs=1e-12)


@given(st.sets(st.integers(1, 30), min_size=1, max_size=6), st.integers(0, 3))
def test_a_measure_is_the_sum_of_exposure_times_normalisation(places: set[int], lost: int) -> None:
    p, m, n = sorted(places), len(places) + lost, 40
    harmonic = sum(1 / i for i in range(1, m + 1))
    sums: dict[RecallLevelMeasure, float] = {
        AP: sum(i / rank for i, rank in enumerate(p, 1)) / m,
        LINEAR_SHARE: sum(1 - rank / n for rank in p) / m,
        rank_biased_precision(0.8): sum(0.2 * 0.8 ** (rank - 1) for rank in p),
        expected_partial("inverse"): sum(1 / i * i / rank for i, rank in enumerate(p, 1)) / harmonic,
        expected_partial("inverse", found_alike): sum(1 / i * 1 / rank for i, rank in enumerate(p, 1)) / harmonic,
        expected_partial(lambda level: level == m, found_alike, LINEAR): 1 - p[-1] / n if not lost else 0.0,
        search_efficiency(LINEAR): 1 - p[-1] / n if not lost else 0.0,
        search_efficiency(geometric(0.7)): 0.3 * 0.7 ** (p[-1] - 1) if not lost else 0.0,
    }
    run = {f"x{rank}": -rank for rank in range(1, 31)} | {f"r{rank}": -rank for rank in p}
    for rank in p:
        del run[f"x{rank}"]
    qrels = {f"r{rank}": 1 for rank in p} | {f"lost{i}": 1 for i in range(lost)}
    c = align({"q": qrels}, {"run": {"q": run}}, corpus_size=n)
    for measure, expected in sums.items():
        assert measure.of([*p, *[math.inf] * lost], n) == pytest.approx(expected)
        assert measure(c).item() == pytest.approx(expected)


@pytest.mark.parametrize("measure", [recall_at(3), R_PRECISION], ids=["R@3", "Rprec"])
def test_recall_and_r_precision_are_at_the_boundary(measure: RecallLevelMeasure) -> None:
    # Their exposure does not fall from rank to rank (Definition 2.1).
    assert not measure.is_top_heavy()
    assert "exposure does not fall" in measure.why_not_top_heavy()


def test_a_measure_that_punishes_a_further_relevant_document_is_not_top_heavy() -> None:
    shrinking = RecallLevelMeasure("shrinking", RECIPROCAL, lambda _level, m: 1.0 / np.asarray(m) ** 3)
    assert shrinking.why_not_top_heavy() == "relevant at (1, 2) is worth less than relevant at (2,) alone"


@given(collections(), st.sampled_from(["ap", "rr", "ndcg", "rbp", "linear"]))
def test_total_search_efficiency_orders_rankings_alike_whatever_the_exposure(
    made: tuple[Grades, Scores], exposure: str
) -> None:
    c = align(*made, corpus_size=40)
    reference, values = (c.measure(name).values[0] for name in ("TSE", f"TSE(exposure='{exposure}')"))
    signs = [np.sign(each[:, None] - each) for each in (reference, values)]
    assert np.array_equal(*signs)


def test_total_search_efficiency_is_0_where_the_last_relevant_document_is_missing() -> None:
    # The first run found b, the second did not; the third lacks the topic.
    runs = {"all": {"q": {"a": 2, "b": 1}}, "some": {"q": {"a": 2}}, "none": {"other": {"a": 1}}}
    c = align({"q": {"a": 1, "b": 1}}, runs, corpus_size=10)
    for exposure, expected in {"ap": 1 / 2, "ndcg": 1 / math.log2(3), "rbp": 0.2 * 0.8, "linear": 0.8}.items():
        values = c.measure(f"TSE(exposure='{exposure}')").values[0].ravel()
        assert values.tolist() == pytest.approx([expected, 0, 0])


def test_a_topic_without_a_relevant_document_counts_as_0_and_one_with_a_single_one_is_its_rr() -> None:
    c = align({"m0": {"x": 0}, "m1": {"a": 1}}, {"run": {"m0": {"x": 1}, "m1": {"x": 2, "a": 1}}})
    assert c.measure("TSE", "RR", "NCP").values[:, 0].tolist() == [[0, 0.5]] * 3


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("TSE(exposure='dcg')", "no value of exposure is called 'dcg': did you mean ndcg"),
        ("TSE(exposure='ap', p=0.5)", "has no persistence"),
        ("TSE(exposure='rbp', p=1)", "between 0 and 1"),
        ("NCP(weights='linear')", "no value of weights is called 'linear'"),
        ("NCP(partial='rank')", "no value of partial is called 'rank': there are precision, reciprocal"),
    ],
)
def test_what_makes_no_sense_is_refused(name: str, problem: str) -> None:
    c = align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}})
    with pytest.raises(UsageError, match=problem):
        c.measure(name)


@given(collections())
def test_expected_precision_with_uniform_weights_is_average_precision(
    made: tuple[Grades, Scores],
) -> None:
    values = align(*made).measure("NCP", "AP").values
    np.testing.assert_allclose(values[0], values[1], rtol=1e-14)


@given(collections())
def test_users_who_all_want_one_document_give_rr_and_who_want_all_give_total_search_efficiency(
    made: tuple[Grades, Scores],
) -> None:
    c = align(*made)
    first = normalized_cumulative_precision(weights=lambda level: level == 1)
    last = normalized_cumulative_precision(weights=lambda level: 1e20**level, partial="reciprocal")
    values = c.measure(first, "RR", last, "TSE").values
    np.testing.assert_array_equal(values[0], values[1])
    np.testing.assert_allclose(values[2], values[3], atol=1e-15)


def test_weights_of_nobody_are_refused() -> None:
    c = align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}})
    for weights, problem in ((lambda level: level > 1, "above 0 at some level"), (lambda _: -1, "at least 0")):
        with pytest.raises(UsageError, match=problem):
            c.measure(normalized_cumulative_precision(weights=weights))


def test_an_unknown_exposure_is_an_unknown_name() -> None:
    with pytest.raises(UnknownNameError):
        exposure_named("harmonic")


@pytest.mark.parametrize("exposure", ["ap", "ndcg", "linear"])
def test_equal_to_a_separate_implementation(
    defined: Callable[[str], tuple[FloatArray, FloatArray]], exposure: str
) -> None:
    values, expected = defined(f"TSE(exposure='{exposure}')")
    np.testing.assert_allclose(values, expected, rtol=5e-12)


def test_an_exposure_of_ones_own_makes_a_measure_in_a_line() -> None:
    squared = RecallLevelMeasure("Squared", Exposure("squared", lambda rank, _m, _n: rank**-2.0), lambda _i, m: 1 / m)
    c = align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 2, "a": 1}}})
    assert c.measure(squared)["Squared"].item() == 1 / 8
