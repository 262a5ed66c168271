"""Rarity against the authors' own values, loops over nested dicts, and what it must reduce to."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures.rarity import document_counts, rarity_table
from rankdiff.peers import with_groups, with_reference
from rankdiff.read.counts import read_counts
from strategies import Grades, Scores, collections

Find = Callable[..., Path]
Rows = list[dict[str, str]]

TRACKS = [("deep_learning", "trec-dl-2021-passages", 1), ("deep_learning", "trec-dl-2021-passages", 2)]
TRACKS += [("covid", "trec-covid-round1", 1)]


@pytest.mark.parametrize(("which", "folder", "rel"), TRACKS)
def test_every_value_of_the_authors_code(
    request: pytest.FixtureRequest, rows: Callable[..., Rows], which: str, folder: str, rel: int
) -> None:
    c: Collection = request.getfixturevalue(which)
    expected = rows("rarity", folder, f"rarity.relevance-{rel}.tsv.gz")
    system = {run: s for s, run in enumerate(c.systems)}
    query = {topic: q for q, topic in enumerate(c.queries)}
    single = [row for row in expected if row["topic"] != "all"]
    mean = [row for row in expected if row["topic"] == "all"]
    assert len(single) == len(c.systems) * len(c.queries)
    assert len(mean) == len(c.systems)
    for alpha in ("0", "0.5", "1", "1/R"):
        ours = {"0": "0", "0.5": "0.5", "1": "1", "1/R": "'1/m'"}[alpha]
        scores = c.measure(f"RareP(alpha={ours}, rel={rel})@100", f"RareAP(alpha={ours}, rel={rel})@100")
        for i, column in enumerate((f"P@100 alpha={alpha}", f"AP@100 alpha={alpha}")):
            values = [scores.values[i, system[row["run"]], query[row["topic"]]] for row in single]
            np.testing.assert_allclose(values, [float(row[column]) for row in single], rtol=5e-12, atol=5e-13)
            means = [scores.summary()[i, system[row["run"]]] for row in mean]
            np.testing.assert_allclose(means, [float(row[column]) for row in mean], rtol=5e-12, atol=5e-13)


@pytest.mark.parametrize(("which", "folder", "rel"), TRACKS)
def test_every_count_of_the_authors_code(
    request: pytest.FixtureRequest, rows: Callable[..., Rows], which: str, folder: str, rel: int
) -> None:
    c: Collection = request.getfixturevalue(which)
    table = rarity_table(c, within=100, rel=rel)
    ours = {(row["query"], row["document"]): row["found_by"] for row in table.rows()}
    theirs = rows("rarity", folder, f"document-counts.relevance-{rel}.tsv.gz")
    assert ours == {(row["topic"], row["doc"]): int(row["S_d"]) for row in theirs}


@pytest.mark.parametrize("name", ["RareP", "RareAP"])
def test_the_revised_forms_equal_a_separate_implementation(
    defined: Callable[[str], tuple[FloatArray, FloatArray]], name: str
) -> None:
    values, expected = defined(f"{name}(alpha=0.5, revised=True)@100")
    np.testing.assert_allclose(values, expected, rtol=5e-12, atol=5e-13)


@given(collections(grades=(0, 2)), st.integers(1, 12), st.sampled_from(["revised=False", "revised=True"]))
def test_without_a_weight_rarity_is_precision_bit_for_bit(made: tuple[Grades, Scores], k: int, form: str) -> None:
    c = rd.align(*made)
    assume(len(c.systems) > 1)
    scores = c.measure(f"RareP(alpha=0, {form})@{k}", f"RareAP(alpha=0, {form})@{k}", f"P@{k}", f"AP@{k}")
    assert np.array_equal(scores.values[:2], scores.values[2:])


def loop(
    qrels: Grades, runs: Scores, k: int, counted: int, *, alpha: Callable[[int], float], revised: bool, weight: str
) -> tuple[FloatArray, FloatArray]:
    """P and AP with rarity, written out: topics in order, runs as given."""
    order = {
        run: {query: sorted(r, key=lambda d, r=r: (r[d], d), reverse=True) for query, r in topics.items()}
        for run, topics in runs.items()
    }
    systems, topics = len(runs), sorted(qrels)
    precision, average = np.zeros((systems, len(topics))), np.zeros((systems, len(topics)))
    for q, query in enumerate(topics):
        relevant = {document for document, grade in qrels[query].items() if grade >= 1}
        if not relevant:
            continue
        share = alpha(len(relevant))

        def worth(document: str, query: str = query, share: float = share) -> float:
            found = sum(document in ranked.get(query, [])[:counted] for ranked in order.values())
            if weight == "log":
                rarity = math.log(systems / max(found, 1)) / math.log(systems)
            elif revised:
                rarity = 1 - (max(found, 1) - 1) / (systems - 1)
            else:
                rarity = 1 - found / systems
            return 1 - share + share * rarity if revised else 1 + share * rarity

        for s, ranked in enumerate(order.values()):
            total = 0.0
            for rank, document in enumerate(ranked.get(query, [])[:k], 1):
                if document in relevant:
                    total += worth(document)
                    average[s, q] += total / rank / len(relevant)
            precision[s, q] = total / k
    return precision, average


ALPHAS: dict[str, Callable[[int], float]] = {
    "alpha=1": lambda _: 1.0,
    "alpha=0.3": lambda _: 0.3,
    "alpha='1/m'": lambda m: 1 / m,
    "mu=2.5": lambda m: 2.5 / (m + 2.5),
}


@given(
    made=collections(grades=(0, 2), systems=(2, 4)),
    k=st.integers(1, 12),
    counted=st.sampled_from([None, 1, 5, 100]),
    share=st.sampled_from(sorted(ALPHAS)),
    revised=st.booleans(),
    weight=st.sampled_from(["linear", "log"]),
)
def test_values_are_those_of_a_loop(
    *, made: tuple[Grades, Scores], k: int, counted: int | None, share: str, revised: bool, weight: str
) -> None:
    arguments = f"{share}, revised={revised}, weight='{weight}', counted={counted}"
    scores = rd.align(*made).measure(f"RareP({arguments})@{k}", f"RareAP({arguments})@{k}")
    expected = loop(*made, k, counted or k, alpha=ALPHAS[share], revised=revised, weight=weight)
    np.testing.assert_allclose(scores.values, expected, atol=1e-14)


@pytest.mark.parametrize("name", ["RareP", "RareAP"])
def test_a_large_weight_takes_it_as_far_as_it_goes(name: str) -> None:
    """1 + α R: what is said of the range must hold for every weight, as limits of intervals rest on it."""
    c = rd.align({"q": {"a": 1}}, {"finds": {"q": {"a": 1}}, "other": {"q": {"x": 1}}})
    measure = f"{name}(alpha=9)@1"
    assert c.measure(measure).values.ravel().tolist() == [1 + 9 / 2, 0]
    assert c.measure(measure).measures[0].definition.range[1] >= 1 + 9 / 2


def test_without_a_cutoff_it_is_100() -> None:
    ranking = {f"x{i}": -float(i) for i in range(100)} | {"a": -50.5, "b": -1000.0}
    c = rd.align({"q": {"a": 1, "b": 1}}, {"one": {"q": ranking}, "two": {"q": {"a": 1}}})
    assert c.measure("RareP").values.tolist() == c.measure("RareP@100").values.tolist()
    assert c.measure("RareP").values.ravel().tolist() == [1 / 100, 1 / 100]  # b stands at rank 102


def test_graded_gains_are_grades_over_the_largest_of_the_topic() -> None:
    # Grades with a hole and a fraction: 0.5 is relevant only for those who say so.
    c = rd.align({"q": {"a": 4, "b": 1, "c": 0.5}}, {"one": {"q": {"a": 3, "b": 2, "c": 1}}, "two": {"q": {"a": 1}}})
    values = c.measure("RareP(alpha=1, gains='graded')@2", "RareAP(alpha=1, gains='graded')@2").values[:, 0, 0]
    # a: gain 1, rarity 0; b: gain 1/4, rarity 1/2, so 3/8.
    assert values.tolist() == pytest.approx([(1 + 3 / 8) / 2, (1 + (1 + 3 / 8) / 2 / 4) / (1 + 1 / 4)])
    lower = c.measure("RareP(alpha=1, gains='graded', rel=0.5)@3").values[0, 0, 0]
    assert lower == pytest.approx((1 + 3 / 8 + 3 / 16) / 3)


class TestEdges:
    """Few systems, equal systems, systems that lack something."""

    def test_one_run_alone_finds_nothing_rare(self) -> None:
        c = rd.align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}})
        assert c.measure("RareP(alpha=1)@1", "RareP(alpha=1, weight='log')@1").values.ravel().tolist() == [1, 1]

    @pytest.mark.parametrize("name", ["RareP(revised=True)@10", "RareAP(revised=True)@10"])
    def test_revised_rarity_of_one_run_alone_is_refused_with_the_reason(self, name: str) -> None:
        c = rd.align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}})
        with pytest.raises(UsageError, match=r"how many of the other runs .* only one run"):
            c.measure(name)

    def test_identical_runs_find_nothing_rare_and_tie(self) -> None:
        c = rd.align({"q": {"a": 1, "b": 1}}, {"one": {"q": {"a": 1}}, "two": {"q": {"a": 1}}})
        assert c.measure("RareP(revised=True)@1").values.ravel().tolist() == [0, 0]

    def test_a_run_that_lacks_the_topic_counts_among_the_systems(self) -> None:
        runs = {"one": {"q": {"a": 1}}, "two": {"other": {"x": 1}}}
        c = rd.align({"q": {"a": 1}}, runs)
        assert c.measure("RareP(alpha=1)@1").values.ravel().tolist() == [1.5, 0]

    def test_a_topic_without_a_relevant_document_scores_0(self) -> None:
        c = rd.align({"m0": {"x": 0}, "m1": {"a": 1}}, {"run": {"m0": {"x": 1}, "m1": {"a": 1}}})
        assert c.measure("RareP(alpha='1/m')@1", "RareAP(mu=3)@1").values[:, 0].tolist() == [[0, 1], [0, 1]]

    @pytest.mark.parametrize(
        ("name", "problem"),
        [
            ("RareP(alpha=0.5, mu=2)@10", "alpha or mu, not both"),
            ("RareP(alpha=2, revised=True)@10", "0 to 1"),
            ("RareP(alpha=-1)@10", "alpha must be at least 0"),
            ("RareAP(alpha=-0.5)@10", "alpha must be at least 0"),
            ("RareP(alpha='m')@10", "a number or '1/m'"),
            ("RareP(mu=0)@10", "above 0"),
            ("RareP(counted=0)@10", "at least 1"),
            ("RareP(weight='idf')@10", "no value of weight is called 'idf'"),
            ("RareP(gains='exp')@10", "no value of gains is called 'exp'"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, name: str, problem: str) -> None:
        c = rd.align({"q": {"a": 1}}, {"one": {"q": {"a": 1}}, "two": {"q": {"a": 1}}})
        with pytest.raises(UsageError, match=problem):
            c.measure(name)

    def test_an_unknown_weight_is_an_unknown_name(self) -> None:
        c = rd.align({"q": {"a": 1}}, {"one": {"q": {"a": 1}}, "two": {"q": {"a": 1}}})
        with pytest.raises(UnknownNameError):
            c.measure("RareAP(weight='idf')")


QRELS = {"q": {"a": 1, "b": 1, "c": 1}}
TEAMS = {"x1": "X", "x2": "X", "y": "Y"}
RUNS = {"x1": {"q": {"a": 3, "b": 2}}, "x2": {"q": {"b": 2, "a": 1}}, "y": {"q": {"c": 2, "a": 1}}}


def test_the_table_lists_the_rarest_of_a_topic_first_and_who_finds_it() -> None:
    table = rarity_table(rd.align({"p": {"z": 1}, **QRELS}, RUNS), within=2, few=2)
    assert [(row["query"], row["document"], row["found_by"], row["which"]) for row in table.rows()] == [
        ("p", "z", 0, ""),
        ("q", "c", 1, "y"),
        ("q", "b", 2, "x1, x2"),
        ("q", "a", 3, ""),
    ]
    teams = rarity_table(rd.align(QRELS, RUNS, groups=TEAMS), within=2)
    assert teams["which"].tolist() == ["X", "Y", "X, Y"]
    assert teams["rarity"].tolist() == [0.5, 0.5, 0]


def test_blocks_of_systems_give_what_the_whole_gives(deep_learning: Collection) -> None:
    names = ("RareP@100", "RareAP(revised=True)@20")
    whole = deep_learning.measure(*names).values
    first = 0
    for block in deep_learning.blocks(cells=50_000):
        rows = slice(first, first := first + len(block.systems))
        assert np.array_equal(block.measure(*names).values, whole[:, rows])


def test_the_published_counts_of_a_track(deep_learning: Collection, data: Find) -> None:
    path = data("rarity", "trec-dl-2021-passages", "document-counts.relevance-1.tsv.gz")
    frozen = with_reference(deep_learning, read_counts(path, systems=63))
    names = ("RareP(alpha=0.5)@100", "RareAP(revised=True)@100")
    assert np.array_equal(frozen.measure(*names).values, deep_learning.measure(*names).values)


def test_real_teams_count_once(deep_learning: Collection, data: Find, rows: Callable[..., Rows]) -> None:
    file = ("trec-dl-2021-passages", "teams.tsv")
    c = with_groups(deep_learning, data(*file))
    teams = {row["run"]: row["team"] for row in rows(*file)}
    assert document_counts(c, 100).systems == len({teams[run] for run in c.systems})
