"""What a collection can tell apart, gathered from several studies."""

from __future__ import annotations

import pytest

import rankdiff as rd
from rankdiff.simulate import simulate


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> list[rd.results.Study]:
    folder = tmp_path_factory.mktemp("made")
    simulate(folder, systems=6, topics=12, depth=40, relevant=8)
    c = rd.load(folder / "qrels.txt", folder / "runs")
    return [
        rd.studies.ties({"made": c}, ["RR", "sgnLP", "R@1000"], depths=[]),
        rd.studies.power({"made": c}, ["RR", "sgnLP"], samples=2, permutations=200),
        rd.studies.queries({"made": c}, ["RR", "sgnLP"], samples=2),
        rd.studies.labels({"made": c}, ["RR", "sgnLP"], samples=2, rates=[0.5]),
    ]


def test_each_number_is_the_studys_own(studies: list[rd.results.Study]) -> None:
    glance = rd.studies.at_a_glance(studies)
    ties, power, queries, labels = (study.table for study in studies)
    row = glance.row(measure="sgnLP")
    assert row == {
        "dataset": "made",
        "measure": "sgnLP",
        "rankings that tie": ties.row(measure="sgnLP", by="all")["value"],
        "pairs of runs told apart": power.row(measure="sgnLP", level=0.05)["share"],
        "of these, again on other topics": pytest.approx(
            power.row(measure="sgnLP", level=0.05)["repeated"], nan_ok=True
        ),
        "τ with half of the topics": queries.row(
            measure="sgnLP", rate=0.5, compared="with all queries", quantity="tau of systems"
        )["value"],
        "pairs of rankings kept with half of the labels": labels.row(
            measure="sgnLP", removed="uniform", rate=0.5, quantity="agreeing pairs"
        )["value"],
    }


def test_a_measure_that_one_study_alone_has_is_left_out(studies: list[rd.results.Study]) -> None:
    assert rd.studies.at_a_glance(studies)["measure"].tolist() == ["RR", "sgnLP"]
    assert rd.studies.at_a_glance(studies[:1])["measure"].tolist() == ["RR", "sgnLP", "R@1000"]


def test_nothing_is_left_where_no_study_came_out() -> None:
    assert len(rd.studies.at_a_glance([])) == 0
