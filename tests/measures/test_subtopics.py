"""Subtopic measures against ndeval and pyndeval, and against loops and brute force where those have no say."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Mapping
from itertools import permutations
from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.ids import Ids
from rankdiff.read import Subtopics

Find = Callable[..., Path]
YEARS = ("2013", "2014")


def rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize(
    ("expected", "ties", "tolerance"),
    [
        ("ndeval-4.5.rank-order", "rank", 5.1e-7),
        ("ndeval-4.5.traditional", "docid-desc", 5.1e-7),
        ("pyndeval-0.0.8.traditional", "docid-desc", 1e-11),
    ],
)
def test_ndevals_columns(data: Find, year: str, expected: str, ties: str, tolerance: float) -> None:
    folder = data("web-diversity", year)
    c = align(folder / "qrels.txt.gz", folder / "runs", ties=ties)
    whole = rows(folder / "expected" / f"{expected}.tsv.gz")
    table = [row for row in whole if row["topic"] != "999"]
    assert all(float(row["value"]) == 0 for row in whole if row["topic"] == "999")
    names = list(dict.fromkeys(row["measure"] for row in table))
    assert len(names) == 21
    zero, skip = (
        c.measure(*names),
        align(folder / "qrels.txt.gz", folder / "runs", ties=ties, missing="skip").measure(*names),
    )
    means = {"mean of all topics": zero.summary(), "mean of answered topics": skip.summary()}
    for row in table:
        measure, run = names.index(row["measure"]), c.systems.index(row["run"])
        if row["topic"] in means:
            ours = means[row["topic"]][measure, run]
        else:
            ours = zero.values[measure, run, c.queries.index(row["topic"])]
        assert ours == pytest.approx(float(row["value"]), rel=0, abs=tolerance), row


Grades = dict[str, dict[str, int]]
DOCUMENTS = "abcdef"
FACETS = "123"


def faceted(grades: Grades, ranking: list[str]) -> Collection:
    """One topic with its documents' grades by subtopic, and one run."""
    documents = sorted(grades)
    entries = [(d, int(t), g) for d, name in enumerate(documents) for t, g in sorted(grades[name].items())]
    document, name, grade = (np.array(column) for column in zip(*entries, strict=True))
    rank = [ranking.index(name) + 1 if name in ranking else 0 for name in documents]
    return Collection(
        systems=("run",),
        queries=("q",),
        documents=Ids.of(documents),
        start=np.array([0, len(documents)]),
        grade=np.array([max(grades[name].values()) for name in documents], np.float64),
        rank=np.array([rank], np.int32),
        depth=np.array([[len(ranking)]]),
        answered=np.array([[True]]),
        subtopics=Subtopics(Ids.of("0123"), document, name.astype(np.int32), grade.astype(np.float64)),
    )


judged = st.dictionaries(
    st.sampled_from(DOCUMENTS), st.dictionaries(st.sampled_from(FACETS), st.integers(0, 2), min_size=1), min_size=1
).filter(lambda grades: any(max(by_facet.values()) > 0 for by_facet in grades.values()))
shown = st.lists(st.sampled_from([*DOCUMENTS, "x", "y"]), unique=True)


def facets_of(grades: Grades) -> list[str]:
    return [facet for facet in FACETS if any(by_facet.get(facet, 0) > 0 for by_facet in grades.values())]


def gains_of(grades: Grades, order: list[str], alpha: float) -> list[float]:
    """What each document of a ranking adds for readers who tire of a facet by ``alpha``."""
    interest = dict.fromkeys(facets_of(grades), 1.0)
    gains = []
    for document in order:
        served = [facet for facet in interest if grades.get(document, {}).get(facet, 0) > 0]
        gains.append(sum(interest[facet] for facet in served))
        interest |= {facet: interest[facet] * (1 - alpha) for facet in served}
    return gains


def discounted(gains: list[float], k: int, discount: Callable[[int], float]) -> float:
    return sum(gain * discount(rank) for rank, gain in enumerate(gains[:k], 1))


DISCOUNTS: Mapping[str, Callable[[int], float]] = {
    "alpha_DCG": lambda rank: 1 / log2(rank + 1),
    "ERR_IA": lambda rank: 1 / rank,
}


@given(judged, shown, st.integers(1, 7), st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_novelty_measures_are_what_a_reader_going_down_collects(
    grades: Grades, ranking: list[str], k: int, alpha: float
) -> None:
    c = faceted(grades, ranking)
    for name, discount in DISCOUNTS.items():
        perfect = [len(facets_of(grades)) * (1 - alpha) ** rank for rank in range(k)]
        expected = discounted(gains_of(grades, ranking, alpha), k, discount) / discounted(perfect, k, discount)
        assert c.measure(f"{name}(alpha={alpha})@{k}").values.item() == pytest.approx(expected, abs=1e-12)


@given(judged, st.integers(1, 6))
def test_the_greedy_ranking_is_its_own_ideal_and_rarely_beaten(grades: Grades, k: int) -> None:
    """The best order of all by brute force gains at most what greed is proven to guarantee, 1/(1 - 1/e) as much."""
    best = max(
        discounted(gains_of(grades, list(order), 0.5), k, DISCOUNTS["alpha_DCG"]) for order in permutations(grades)
    )
    greedy: list[str] = []
    while len(greedy) < len(grades):
        left = sorted(set(grades) - set(greedy), reverse=True)
        greedy.append(max(left, key=lambda document: gains_of(grades, [*greedy, document], 0.5)[-1]))
    c = faceted(grades, greedy)
    assert c.measure(f"alpha_nDCG@{k}").values.item() == pytest.approx(1)
    assert c.measure(f"nERR_IA@{k}").values.item() == pytest.approx(1)
    assert c.measure("nNRBP").values.item() == pytest.approx(1)
    assert discounted(gains_of(grades, greedy, 0.5), k, DISCOUNTS["alpha_DCG"]) >= best * (1 - 1 / np.e)


@given(judged, shown, st.integers(1, 7), st.sampled_from(["log2", "exp-log2"]))
def test_ndcg_ia_is_the_mean_of_ndcg_by_facet_against_the_best_of_all_orders(
    grades: Grades, ranking: list[str], k: int, dcg: str
) -> None:
    def gain(document: str, facet: str) -> float:
        grade = grades.get(document, {}).get(facet, 0)
        return grade if dcg == "log2" else 2**grade - 1

    def value(order: list[str], facet: str) -> float:
        return discounted([gain(document, facet) for document in order], k, DISCOUNTS["alpha_DCG"])

    shares = [
        value(ranking, facet) / max(value(list(order), facet) for order in permutations(grades))
        for facet in facets_of(grades)
    ]
    ours = faceted(grades, ranking).measure(f"nDCG_IA(dcg='{dcg}')@{k}").values.item()
    assert ours == pytest.approx(sum(shares) / len(shares), abs=1e-12)


@given(judged, shown, st.integers(1, 7))
def test_with_one_facet_they_are_the_plain_measures(grades: Grades, ranking: list[str], k: int) -> None:
    one = {document: {"1": max(by_facet.values())} for document, by_facet in grades.items()}
    c = faceted(one, ranking)
    pairs = {"AP_IA": "AP", f"P_IA@{k}": f"P@{k}", f"StRecall@{k}": f"Success@{k}", f"nDCG_IA@{k}": f"nDCG@{k}"}
    for subtopic, plain in pairs.items():
        assert c.measure(subtopic).values == pytest.approx(c.measure(plain).values, abs=1e-12)


def test_a_file_without_subtopics_is_refused_and_told_how_to_have_them() -> None:
    c = align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}})
    with pytest.raises(UsageError, match="--subtopics"):
        c.measure("alpha_nDCG@10")


def test_views_take_their_subtopics_along(data: Find) -> None:
    folder = data("web-diversity", "2014")
    c = align(folder / "qrels.txt.gz", folder / "runs")
    kept = list(c.queries[10:30:3])
    view = c.select(systems=["good", "weak"], queries=kept)
    for name in ("alpha_nDCG@20", "nDCG_IA@10", "AP_IA"):
        of_view, of_all = view.measure(name).values[0], c.measure(name).values[0]
        rows_, columns = [c.systems.index(run) for run in view.systems], [c.queries.index(query) for query in kept]
        assert np.array_equal(of_view, of_all[np.ix_(rows_, columns)])


def test_a_label_that_was_taken_away_counts_for_no_facet() -> None:
    c = faceted({"a": {"1": 1, "2": 1}, "b": {"2": 1}}, ["a", "b"])
    without = c.keep_labels(np.array([False, True]))
    assert without.measure("StRecall@1").values.item() == 0
    assert without.measure("P_IA@2").values.item() == 0.5
