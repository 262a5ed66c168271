"""The worst-off user: the paper's simulation, and optimal rankings against enumeration."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.measures import find
from rankdiff.measures.recall_levels import AP, NDCG, RR, RecallLevelMeasure, rank_biased_precision
from rankdiff.measures.robustness import worst_case
from rankdiff.studies.optimal import deterministic_utilities, recall_level_form, stochastic_utilities
from rankdiff.studies.published.lexirecall import TABLE_2

PAPER_PAIRS = 10_000
FORMS = [AP, NDCG, RR, rank_biased_precision(0.8), rank_biased_precision(0.5)]


def within_four_errors(samples: int) -> None:
    table = rd.studies.robustness(samples=samples, seed=1, optimal=1).table
    for (size, name), printed in TABLE_2.numbers.items():
        quantity = "share of all pairs" if name != "TSE" else "share of pairs where the worst case differs"
        ours = table.row(n=int(size), measure=name, quantity=quantity)["value"]
        variance = max(printed * (1 - printed), 0.0005)
        assert abs(ours - printed) <= 4 * np.sqrt(variance * (1 / samples + 1 / PAPER_PAIRS)), (size, name)


def test_table_2_within_four_standard_errors() -> None:
    within_four_errors(1_000)


@pytest.mark.slow
def test_table_2_within_four_standard_errors_at_the_papers_size() -> None:
    within_four_errors(PAPER_PAIRS)


def test_worst_cases_tie_as_often_as_the_closed_form_says() -> None:
    samples, sizes = 2_000, np.arange(5, 51)
    table = rd.studies.robustness("RR", samples=samples, n=[100, 1000], optimal=1).table
    for n in (100, 1000):
        expected = float(np.mean(rd.studies.tie_probability("TSE", n=n, m=sizes)))
        tied = table.row(n=n, measure="tied")["value"]
        assert abs(tied - expected) <= 4 * np.sqrt(expected * (1 - expected) / samples)


def test_what_agrees_with_the_worst_case_by_construction() -> None:
    table = rd.studies.robustness(["TSE(exposure='ndcg')", "sgnLR", "R@200"], samples=300, n=[200], optimal=1).table
    quantity = "share of pairs where the worst case differs"
    for name, share in {"TSE(exposure='ndcg')": 1.0, "sgnLR": 1.0, "R@200": 0.0}.items():
        assert table.row(measure=name, quantity=quantity)["value"] == share


def test_the_paper_stands_beside_ours() -> None:
    study = rd.studies.robustness(samples=20, as_paper=True)
    (printed,) = study.printed
    assert printed.row(n=1000)["Rprec (paper)"] == 0.285
    assert printed.row(n=10**6)["tied (paper)"] == 0.0
    assert "RBP(p=0.8)" in study.table["measure"]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("m", range(1, 7))
def test_optimal_rankings_against_every_user_and_every_shuffle(form: RecallLevelMeasure, m: int) -> None:
    assert deterministic_utilities(form, m).min() == pytest.approx(worst_case(form, range(1, m + 1)))
    expected = [np.mean([form.of(ranks) for ranks in combinations(range(1, m + 1), size)]) for size in range(1, m + 1)]
    assert stochastic_utilities(form, m) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_shuffling_never_leaves_the_worst_off_worse(form: RecallLevelMeasure) -> None:
    for m in range(1, 26):
        fixed, shuffled = deterministic_utilities(form, m).min(), stochastic_utilities(form, m).min()
        assert shuffled >= fixed - 1e-12
        assert fixed == pytest.approx(float(form.exposure(m)))


def test_the_figure_names_the_persistence_of_rbp() -> None:
    table = rd.studies.robustness(["RBP", "RBP(p=0.5)"], samples=2, n=[100], optimal=3).table
    assert set(table["measure"]) == {"RBP(p=0.8)", "RBP(p=0.5)", "tied", "random"}
    assert table.row(measure="RBP(p=0.5)", rankings="optimal, fixed", m=3)["value"] == 0.125


@pytest.mark.parametrize("name", ["AP", "nDCG", "RR", "Rprec", "R@3", "RBP(p=0.5)", "TSE(exposure='rbp', p=0.5)"])
def test_forms_are_the_measures_they_stand_for(name: str) -> None:
    measure = find(name)
    form = recall_level_form(measure)
    assert form is not None
    qrels = {f"q{i}": {f"d{p}": 1 for p in ranks} for i, ranks in enumerate([(1, 2, 5), (3,), (2, 4, 6, 7)])}
    run = {query: {f"d{p}": -p for p in range(1, 9)} for query in qrels}
    c = rd.align(qrels, {"run": run})
    assert c.measure(form).values == pytest.approx(c.measure(measure).values)


@pytest.mark.parametrize("name", ["ERR@20", "AP@10", "AP(rel=2)", "R(rel=2)@5", "P@3"])
def test_other_measures_have_no_such_form(name: str) -> None:
    assert recall_level_form(find(name)) is None
