"""Classic measures against plain loops down a ranking, for what no tool at hand computes, and at the edges."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter
from math import floor, log, log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.errors import CorpusSizeError, UsageError
from rankdiff.measures import Definition, catalog
from rankdiff.measures.gain import log2 as find_log2
from rankdiff.measures.relstring import relstring
from strategies import Grades, Scores, collections

Ranking = list[float | None]
"""The grade of each document down a ranking; None where it has none."""

Witness = Callable[[Ranking, list[float]], float]
"""From a ranking and the grades of its query to a value."""


def per_ranking(c: Collection, qrels: Grades, runs: Scores, witness: Witness) -> Any:
    """What a witness gives for each ranking and its query's grades, as a system × query array within 1e-12."""
    values = np.zeros(c.depth.shape)
    for s, run in enumerate(c.systems):
        for q, query in enumerate(c.queries):
            scores = runs[run].get(query, {})
            order = sorted(scores, key=lambda document: (scores[document], document), reverse=True)
            values[s, q] = witness([qrels[query].get(document) for document in order], list(qrels[query].values()))
    return pytest.approx(values, rel=1e-12, abs=1e-12)


def judged(grade: float | None) -> bool:
    return grade is not None and grade >= 0


def positive(grade: float | None) -> float:
    return max(grade or 0.0, 0.0)


def rbp(ranking: Ranking, _: list[float]) -> float:
    return sum(0.2 * 0.8**i for i, grade in enumerate(ranking) if positive(grade) >= 1)


def graded_rbp(ranking: Ranking, grades: list[float]) -> float:
    largest = max(1, *grades)
    return sum(0.1 * 0.9**i * positive(grade) / largest for i, grade in enumerate(ranking))


def rbp_residual(ranking: Ranking, _: list[float]) -> float:
    unjudged = [i for i, grade in enumerate(ranking) if not judged(grade)]
    return sum(0.1 * 0.9**i for i in unjudged) + 0.9 ** len(ranking) if unjudged else 0.0


def err(ranking: Ranking, _: list[float]) -> float:
    total, arrives = 0.0, 1.0
    for rank, grade in enumerate(ranking[:5], 1):
        satisfied = (2 ** positive(grade) - 1) / 2**4
        total += arrives * satisfied / rank
        arrives *= 1 - satisfied
    return total


def judged_share(ranking: Ranking, _: list[float]) -> float:
    top = ranking[:5]
    return sum(map(judged, top)) / len(top) if top else 0.0


def unjudged_share(ranking: Ranking, _: list[float]) -> float:
    return sum(not judged(grade) for grade in ranking[:5]) / 5


def sum_of_precisions(ranking: Ranking) -> float:
    found = [rank for rank, grade in enumerate(ranking, 1) if positive(grade) >= 1]
    return sum(i / rank for i, rank in enumerate(found, 1))


def yaap(ranking: Ranking, grades: list[float]) -> float:
    s, m = sum_of_precisions(ranking), sum(grade >= 1 for grade in grades)
    return log((1 + s) / (1 + m - s))


def interpolated(recall: float) -> Witness:
    def witness(ranking: Ranking, grades: list[float]) -> float:
        found = [rank for rank, grade in enumerate(ranking, 1) if positive(grade) >= 1]
        least = floor(recall * sum(grade >= 1 for grade in grades) + 0.5)
        return max([i / rank for i, rank in enumerate(found, 1) if i >= least], default=0.0)

    return witness


def eleven_points(ranking: Ranking, grades: list[float]) -> float:
    return sum(interpolated(tenth / 10)(ranking, grades) for tenth in range(11)) / 11


def dcg(gains: list[float], k: int | None = None) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains[:k], 1))


def ndcg(gain: Callable[[float], float], k: int | None) -> Witness:
    def worth(grade: float | None) -> float:
        return gain(grade) if grade is not None and grade >= 0 else 0.0

    def witness(ranking: Ranking, grades: list[float]) -> float:
        best = dcg(sorted((max(worth(grade), 0) for grade in grades), reverse=True), k)
        return dcg([worth(grade) for grade in ranking], k) / best if best > 0 else 0.0

    return witness


WITNESSES: dict[str, Witness] = {
    "RBP": rbp,
    "rbp": graded_rbp,
    "rbp_resid": rbp_residual,
    "ERR@5": err,
    "Judged@5": judged_share,
    "unj@5": unjudged_share,
    "yaap": yaap,
    "IPrec@0.25": interpolated(0.25),
    "IPrec@0.5": interpolated(0.5),
    "11pt_avg": eleven_points,
    "dcg@5": lambda ranking, _: dcg([positive(grade) for grade in ranking], 5),
    "ideal_dcg": lambda _, grades: dcg(sorted(map(positive, grades), reverse=True)),
    "nDCG(dcg='exp-log2')@5": ndcg(lambda grade: 2**grade - 1, 5),
    "nDCG(gains={1: 0.5, 3: 10})": ndcg({0: 0, 1: 0.5, 2: 2, 3: 10}.__getitem__, None),
    "nDCG(gains={0: -1, 2: 0})@5": ndcg({0: -1, 1: 1, 2: 0, 3: 3}.__getitem__, 5),
}


@given(collections())
def test_measures_are_what_a_loop_down_the_ranking_finds(made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    c = align(qrels, runs)
    for name, witness in WITNESSES.items():
        assert c.measure(name).values[0] == per_ranking(c, qrels, runs, witness), name


@given(collections())
def test_sums_run_down_the_ranking_so_that_not_even_the_last_digit_differs(made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    c = align(qrels, runs)
    sums = {
        "dcg": lambda ranking, _: dcg([positive(grade) for grade in ranking]),
        "AP": lambda ranking, grades: sum_of_precisions(ranking) / (sum(grade >= 1 for grade in grades) or 1),
    }
    for name, witness in sums.items():
        expected = per_ranking(c, qrels, runs, witness)
        assert np.array_equal(c.measure(name).values[0], expected.expected), name


@given(collections(), st.sampled_from([0.5, 0.3]))
def test_grades_may_be_fractions(made: tuple[Grades, Scores], scale: float) -> None:
    """Fractions as grades and fractions as gains of whole grades come to the same."""
    qrels, runs = made
    fractions = {query: {d: g * scale if g > 0 else g for d, g in grades.items()} for query, grades in qrels.items()}
    c, scaled = align(qrels, runs), align(fractions, runs, rel=0.1)
    gains = {grade: grade * scale for grade in (1, 2, 3)}
    for name in ("nDCG", "dcg", "ideal_dcg", "ndcg_rel", "Rndcg", "G"):
        expected = c.measure(f"{name}(gains={gains})").values
        assert scaled.measure(name).values == pytest.approx(expected, rel=1e-12, abs=1e-12), name


def defaults() -> list[Definition]:
    """The measures that need at most a cutoff to be asked for."""
    needed = {
        definition: [key for key, value in definition.defaults.items() if value is Parameter.empty]
        for definition in catalog().values()
    }
    return [definition for definition, keys in needed.items() if set(keys) <= {"k"}]


@given(collections(systems=(2, 4)))
def test_values_stay_within_the_declared_range(made: tuple[Grades, Scores]) -> None:
    c = align(*made, corpus_size=100)
    for definition in defaults():
        if definition.__module__ == "rankdiff.measures.subtopics":
            continue
        values = definition(3 if definition.defaults.get("k") is Parameter.empty else None)(c)
        low, high = definition.range
        counted = values[~np.isnan(values)]
        assert np.all((counted >= low - 1e-12) & (counted <= high + 1e-12)), definition.name


@given(collections())
def test_judged_only_in_a_name_is_judged_only_for_all(made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    condensed = align(qrels, runs, judged_only=True)
    for name in ("AP", "nDCG", "P", "IPrec", "Bpref", "SetP", "rbp_resid"):
        cutoff = {"P": "@3", "IPrec": "@0.5"}.get(name, "")
        ours = align(qrels, runs).measure(f"{name}(judged_only=True){cutoff}").values
        assert np.array_equal(ours, condensed.measure(name + cutoff).values)


def test_a_level_in_the_name_wins_over_the_collections() -> None:
    c = align({"q": {"a": 1, "b": 2}}, {"run": {"q": {"a": 2, "b": 1}}}, rel=2)
    scores = c.measure("AP", "AP(rel=1)", "AP(rel=2)")
    assert scores.values[:, 0, 0].tolist() == [0.5, 1.0, 0.5]


def test_a_query_without_a_relevant_document_is_worth_what_the_rules_say() -> None:
    qrels, runs = {"1": {"a": 1}, "2": {"a": 0}}, {"run": {"1": {"a": 1}, "2": {"a": 2, "x": 1}}}
    names = ["AP", "nDCG", "utility", "gm_map", "Judged@2", "unj@2", "NumRet"]
    zero, drop = align(qrels, runs), align(qrels, runs, no_relevant="drop")
    assert zero.measure(*names).values[:, 0, 1].tolist() == [0, 0, -2, 0, 0.5, 0.5, 2]
    assert np.isnan(drop.measure(*names).values[:, 0, 1]).all()
    assert drop.measure("AP").summary()[0, 0] == 1.0


def test_a_ranking_that_is_missing_scores_nothing_or_does_not_count() -> None:
    qrels, runs = {"1": {"a": 1}, "2": {"a": 1}}, {"run": {"1": {"a": 1}}}
    names = ["AP", "SetP", "SetAP", "SetF", "SetRelP", "IPrec@0", "11pt_avg", "Judged@2", "unj@2", "rbp_resid", "infAP"]
    assert align(qrels, runs).measure(*names).values[:, 0, 1].tolist() == [0.0] * len(names)
    assert np.isnan(align(qrels, runs, missing="skip").measure(*names).values[:, 0, 1]).all()


def test_ranks_beyond_any_table_have_logarithms() -> None:
    numbers = np.array([1, 2, 65_535, 65_536, 1_000_003])
    assert find_log2(numbers) == pytest.approx([log2(number) for number in numbers.tolist()], rel=1e-15)


def test_the_corpus_size_enters_utility_only_where_it_is_asked_for() -> None:
    c = align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 2, "x": 1}}})
    assert c.measure("utility(a=2, b=-0.5, c=-1)").values.item() == 2 - 0.5 - 1
    with pytest.raises(CorpusSizeError, match="corpus_size"):
        c.measure("utility(d=1)")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ERR@10", r"grade of 5: give ERR\(max_grade=5\)"),
        ("RBP(p=1)", "persistence p must be at least 0 and below 1, not 1"),
        ("nDCG(dcg='exp')@10", "dcg must be 'log2' or 'exp-log2', not 'exp'"),
        ("11pt_avg(points=())", "needs at least one recall point"),
    ],
)
def test_what_makes_no_sense_is_refused(name: str, message: str) -> None:
    c = align({"q": {"a": 5}}, {"run": {"q": {"a": 1}}})
    with pytest.raises(UsageError, match=message):
        c.measure(name)


def test_relstring_refuses_grades_that_are_no_digits() -> None:
    c = align({"q": {"a": 1.5}}, {"run": {"q": {"a": 1}}})
    with pytest.raises(UsageError, match=r"relstring .* grades such as 1\.5"):
        relstring(c)
