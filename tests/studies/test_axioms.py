"""Formal properties: the paper's Table 6, and counterexamples checked in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import UsageError
from rankdiff.results.study import Study
from rankdiff.studies.axioms import claims, class_of
from rankdiff.studies.criteria import resolve
from rankdiff.studies.properties import PROPERTIES, Positions, impute, swapped_up, two_steps_up

CONCAVE, STRICTLY_CONCAVE = "concavity in contiguous swap depth", "strict concavity in contiguous swap depth"
STRICTLY_UP = "strictly increasing in swapping up"


@pytest.fixture(scope="module")
def found() -> Study:
    return rd.studies.axioms(samples=1, draws=200, as_paper=True)


def test_where_paper_and_computation_disagree(found: Study) -> None:
    contradictions = {
        (row["measure"], row["property"], row["reading"])
        for row in found.table.rows()
        if row["verdict"] == "contradicts the paper"
    }
    assert contradictions == {
        ("AP", CONCAVE, "as worded"),
        ("AP", STRICTLY_CONCAVE, "as worded"),
        ("TSE", CONCAVE, "as worded"),
        ("TSE(exposure='ndcg')", CONCAVE, "as worded"),
        ("sgnLR", STRICTLY_UP, "as worded and proven"),
    }


def test_every_theorem_holds_as_it_is_proven(found: Study) -> None:
    for row in found.table.rows():
        if row["claim"] == "yes" and row["reading"] != "as worded":
            assert row["outcome"] == "holds", row


def test_what_classes_do_not_guarantee_but_some_measures_have(found: Study) -> None:
    beyond = {
        (row["measure"], row["property"]) for row in found.table.rows() if row["verdict"] == "holds beyond the paper"
    }
    measures = set(found.table["measure"]) - {"sgnLR"}
    assert beyond == {(measure, "boundedness") for measure in measures} | {("RR", "realizability")}


def test_a_straight_exposure_is_not_strictly_concave(found: Study) -> None:
    row = found.table.row(measure="Linear", property=STRICTLY_CONCAVE, reading="as proven")
    assert (row["outcome"], row["verdict"]) == ("fails", "outside the paper's condition")


def test_every_case_of_small_rankings_is_tried_and_drawn_ones_besides(found: Study) -> None:
    swaps = sum(len(list(swapped_up(n, ranks, list))) for n, ranks in rankings(9, 4))
    row = found.table.row(measure="AP", property=STRICTLY_UP)
    assert swaps < row["tested"] <= swaps + 200
    assert found.table.row(measure="sgnLR", property="boundedness")["outcome"] == "not asked"


def rankings(n: int, m: int) -> Iterator[tuple[int, Positions]]:
    sizes = ((size, relevant) for size in range(1, n + 1) for relevant in range(1, min(m, size) + 1))
    return ((size, ranks) for size, relevant in sizes for ranks in combinations(range(1, size + 1), relevant))


def average_precision(ranks: Positions) -> Fraction:
    return sum((Fraction(i, p) for i, p in enumerate(ranks, 1)), Fraction(0)) / len(ranks)


def test_the_smallest_counterexample_to_the_concavity_of_ap(found: Study) -> None:
    def violated(n: int, ranks: Positions) -> bool:
        return any(
            average_precision(a[1]) - average_precision(b[1]) < average_precision(c[1]) - average_precision(d[1])
            for b, a, d, c in two_steps_up(n, ranks, list)
        )

    smallest = next((n, ranks) for n, ranks in rankings(9, 4) if violated(n, ranks))
    assert smallest == (8, (6, 8))
    example = found.table.row(measure="AP", property=CONCAVE, reading="as worded")["counterexample"]
    assert example.startswith("relevant at 6, 8 of 8: 0.208333; at 5, 8 of 8")


def test_lexirecall_sees_every_swap() -> None:
    """By the definition: the deepest relevant document that differs stands higher after the swap."""
    for n, ranks in rankings(8, 4):
        for (_, before), (_, after) in swapped_up(n, ranks, list):
            assert after[::-1] < before[::-1]


@pytest.mark.parametrize("n", range(2, 8))
def test_swaps_are_all_pairs_of_a_relevant_document_and_another_above_it(n: int) -> None:
    for ranks in combinations(range(1, n + 1), 2):
        labels = [int(rank in ranks) for rank in range(1, n + 1)]
        expected = set()
        for i, j in combinations(range(n), 2):
            if labels[i] < labels[j]:
                exchanged = labels.copy()
                exchanged[i], exchanged[j] = labels[j], labels[i]
                expected.add(tuple(rank for rank, label in enumerate(exchanged, 1) if label))
        assert {after[1] for _, after in swapped_up(n, ranks, list)} == expected


def test_imputation_is_that_of_the_papers_example() -> None:
    assert impute(20, 6, (2, 3, 8)) == (20, (2, 3, 8, 18, 19, 20))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("RR", "THRL"),
        ("AP", "THRL, z > 0"),
        ("RBP(p=0.5)", "THRL, z > 0"),
        ("TSE(exposure='rbp')", "TSE"),
        ("sgnLR", "LR"),
        ("R@1000", ""),
        ("Rprec", ""),
        ("ERR@20", ""),
        ("RPP", ""),
    ],
)
def test_classes(name: str, kind: str) -> None:
    assert class_of(resolve(name)) == kind


def test_measures_that_the_paper_does_not_classify_are_tried_as_well() -> None:
    table = rd.studies.axioms(["R@3", "SL3", "RPP", "sgnLP"], n=6, samples=1, draws=5).table
    outcome = {(row["measure"], row["property"], row["reading"]): row["outcome"] for row in table.rows()}
    both = "as worded and proven"
    assert outcome["R@3", "prefix invariance", both] == "holds"
    assert outcome["R@3", "suffix invariance", both] == "fails"  # in a corpus of four
    assert outcome["R@3", STRICTLY_UP, both] == "fails"
    assert outcome["SL3", "increasing in swapping up", both] == "holds"  # lower is better
    assert outcome["SL3", "boundedness", both] == "fails"
    assert outcome["RPP", STRICTLY_UP, both] == "holds"
    assert outcome["sgnLP", STRICTLY_UP, both] == "holds"
    assert set(table["claim"]) == {""}


def test_table_6_is_whole() -> None:
    assert set(claims()) == {prop.name for prop in PROPERTIES}
    assert len({prop.name for prop in PROPERTIES}) == 15


def test_the_papers_layout_marks_and_names_what_contradicts_it(found: Study) -> None:
    (printed,) = found.printed
    row = printed.row(property=CONCAVE, reading="as worded")
    assert (row["AP"], row["nDCG"], row["sgnLR"], row["THRL, z > 0 (paper)"]) == ("– ≠", "✓", "NA", "✓")
    assert any(note.startswith("sgnLR, strictly increasing in swapping up") for note in printed.notes)
    assert len(printed.notes) == 5


@pytest.mark.slow
def test_a_hundred_thousand_draws_find_nothing_that_small_rankings_hide(found: Study) -> None:
    many = rd.studies.axioms(samples=100, seed=3)
    assert many.table["outcome"].tolist() == found.table["outcome"].tolist()
    assert np.all(many.table["tested"][many.table["outcome"] != "not asked"] >= 9)


def test_an_unknown_measure_is_refused() -> None:
    with pytest.raises(UsageError, match="APP"):
        rd.studies.axioms(["APP"])
