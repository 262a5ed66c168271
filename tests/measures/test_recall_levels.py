"""The recall-level family against trec_eval, against sums written out, and its worst case by brute force."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import ClassVar

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import FloatArray
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
    cumulative_precision,
    exposure_named,
    geometric,
    rank_biased_precision,
    recall_at,
    search_efficiency,
)
from rankdiff.measures.robustness import (
    precision_orientation,
    provider_exposure,
    recall_orientation,
    utilities,
    worst_case,
    worst_provider,
)
from strategies import Grades, Scores, collections

N = 9
TOP_HEAVY = [
    AP,
    RR,
    NDCG,
    LINEAR_SHARE,
    rank_biased_precision(0.8),
    rank_biased_precision(0.3),
    cumulative_precision(),
    cumulative_precision(RECIPROCAL),
    *(search_efficiency(exposure) for exposure in (RECIPROCAL, LOGARITHMIC, LINEAR, geometric(0.5))),
]


def name_of(value: object) -> str:
    return f"{value.name}, {value.exposure.name}" if isinstance(value, RecallLevelMeasure) else str(value)


def arrangements(largest: int = 5) -> list[tuple[float, ...]]:
    """Every way to place up to five relevant documents among nine, and to miss some of them."""
    found = [places for k in range(largest + 1) for places in combinations(range(1, N + 1), k)]
    return [
        (*places, *[math.inf] * lost) for places in found for lost in range(largest - len(places) + 1) if places or lost
    ]


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
        cumulative_precision(RECIPROCAL): sum(1 / i * i / rank for i, rank in enumerate(p, 1)) / harmonic,
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


@pytest.mark.parametrize("measure", TOP_HEAVY, ids=name_of)
def test_the_worst_case_of_all_users_is_total_search_efficiency(measure: RecallLevelMeasure) -> None:
    assert measure.is_top_heavy()
    for places in arrangements(4):
        expected = search_efficiency(measure.exposure).of(places, N)
        assert worst_case(measure, places, N) == pytest.approx(expected, abs=1e-15)


def leximin(values: Sequence[float]) -> list[float]:
    """Utilities from the worst-off up, so that lists compare as leximin does; rounding is no difference."""
    return sorted(round(value, 12) for value in values)


@pytest.mark.parametrize("measure", [AP, RR, NDCG, LINEAR_SHARE, rank_biased_precision(0.6)], ids=name_of)
@pytest.mark.parametrize("m", [1, 2, 3])
def test_the_leximin_order_of_all_users_is_the_order_from_the_last_relevant_document_up(
    measure: RecallLevelMeasure, m: int
) -> None:
    places = list(combinations(range(1, N + 1), m))
    by_utility = sorted(places, key=lambda p: leximin(utilities(measure, p, N)))
    assert by_utility == sorted(places, key=lambda p: p[::-1], reverse=True)


@pytest.mark.parametrize("measure", [recall_at(3), R_PRECISION], ids=name_of)
def test_recall_and_r_precision_are_at_the_boundary(measure: RecallLevelMeasure) -> None:
    # Their exposure does not fall from rank to rank (Definition 2.1).
    assert not measure.is_top_heavy()
    assert "exposure does not fall" in measure.why_not_top_heavy()


def test_r_precision_has_users_worse_off_than_its_last_document_says() -> None:
    places = (1, 2)  # perfect, yet who needs only the second finds nothing in his top 1
    assert search_efficiency(R_PRECISION.exposure).of(places) == 1
    assert worst_case(R_PRECISION, places) == 0


def test_a_measure_that_punishes_a_further_relevant_document_is_not_top_heavy() -> None:
    shrinking = RecallLevelMeasure("shrinking", RECIPROCAL, lambda _level, m: 1.0 / np.asarray(m) ** 3)
    assert shrinking.why_not_top_heavy() == "relevant at (1, 2) is worth less than relevant at (2,) alone"


def test_too_many_users_are_refused() -> None:
    with pytest.raises(UsageError, match="at most 12 documents"):
        worst_case(AP, range(1, 14))


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
        ("TSE(exposure='dcg')", "no exposure is called 'dcg': did you mean ndcg"),
        ("TSE(exposure='ap', p=0.5)", "has no persistence"),
        ("TSE(exposure='rbp', p=1)", "between 0 and 1"),
        ("NCP(weights='linear')", "no weight over recall levels is called 'linear'"),
    ],
)
def test_what_makes_no_sense_is_refused(name: str, problem: str) -> None:
    c = align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}})
    with pytest.raises(UsageError, match=problem):
        c.measure(name)


def test_an_unknown_exposure_is_an_unknown_name() -> None:
    with pytest.raises(UnknownNameError):
        exposure_named("harmonic")


@pytest.mark.parametrize("exposure", ["ap", "ndcg", "linear"])
def test_equal_to_a_separate_implementation(
    defined: Callable[[str], tuple[FloatArray, FloatArray]], exposure: str
) -> None:
    values, expected = defined(f"TSE(exposure='{exposure}')")
    np.testing.assert_allclose(values, expected, rtol=5e-12)


class TestProviders:
    """Providers own relevant documents; their exposure is summed by hand."""

    RUNS: ClassVar = {"one": {"q": {"a": 4, "x": 3, "b": 2, "c": 1}}, "two": {"q": {"c": 2, "a": 1}}}

    def collection(self) -> Collection:
        return align({"q": {"a": 1, "b": 1, "c": 1, "x": 0}, "empty": {"y": 0}}, self.RUNS, corpus_size=10)

    def test_exposure_adds_up_over_what_a_provider_owns(self) -> None:
        table = provider_exposure(self.collection(), {"a": "Ann", "b": "Ann", "c": ["Bob", "Ann"], "x": "Ann"})
        found = {(row["run"], row["provider"]): (row["documents"], row["exposure"]) for row in table.rows()}
        # x is not relevant and earns nothing; c belongs to two.
        assert found == {
            ("one", "Ann"): (3, pytest.approx(1 + 1 / 3 + 1 / 4)),
            ("one", "Bob"): (1, 1 / 4),
            ("two", "Ann"): (3, 1 / 2 + 1),
            ("two", "Bob"): (1, 1),
        }

    def test_the_worst_off_has_nothing_where_his_document_is_missing(self) -> None:
        worst = worst_provider(self.collection(), {"a": "Ann", "b": "Bob", "c": "Ann"}, LINEAR)
        np.testing.assert_allclose(worst, [[np.nan, 0.7], [np.nan, 0]])

    @given(collections())
    def test_with_a_provider_for_each_document_the_worst_off_is_total_search_efficiency(
        self, made: tuple[Grades, Scores]
    ) -> None:
        c = align(*made)
        worst = worst_provider(c, {document: document for document in c.documents})
        has = c.relevant(1).size > 0
        assert np.array_equal(worst[:, has], c.measure("TSE").values[0][:, has])


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


def test_an_exposure_of_ones_own_makes_a_measure_in_a_line() -> None:
    squared = RecallLevelMeasure("Squared", Exposure("squared", lambda rank, _m, _n: rank**-2.0), lambda _i, m: 1 / m)
    c = align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 2, "a": 1}}})
    assert c.measure(squared)["Squared"].item() == 1 / 8
