"""Every preference against its definition, spelled out in loops over nested dicts."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from math import inf, log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.preferences import everybody, expect, find, preference
from rankdiff.present.explanation import explain
from strategies import Grades, Scores, collections

Ranking = list[str]
Weight = Callable[[int], float]

WEIGHTS: dict[str, Weight] = {"uniform": lambda _: 1, "dcg": lambda i: 1 / log2(i + 1), "inverse": lambda i: 1 / i}


def sgn(x: float) -> int:
    return (x > 0) - (x < 0)


def order(ranking: dict[str, float]) -> Ranking:
    return sorted(ranking, key=lambda document: (ranking[document], document), reverse=True)


def positions(ranking: Ranking, wanted: set[str]) -> list[float]:
    found = [rank for rank, document in enumerate(ranking, 1) if document in wanted]
    return found + [inf] * (len(wanted) - len(found))


def levels(ours: Ranking, theirs: Ranking, wanted: set[str]) -> list[tuple[float, float]]:
    return list(zip(positions(ours, wanted), positions(theirs, wanted), strict=True))


def rpp(ours: Ranking, theirs: Ranking, wanted: set[str], weight: Weight) -> float:
    pairs = levels(ours, theirs, wanted)
    total = sum(weight(i) for i in range(1, len(pairs) + 1))
    return sum(weight(i) / total * (sgn(b - a) if a != b else 0) for i, (a, b) in enumerate(pairs, 1))


def graded(ours: Ranking, theirs: Ranking, grades: dict[str, int], weight: Weight) -> float:
    thresholds = {grade for grade in grades.values() if grade > 0}
    populations = [{d for d, grade in grades.items() if grade >= threshold} for threshold in thresholds]
    members = sum(map(len, populations))
    return sum(len(wanted) / members * rpp(ours, theirs, wanted, weight) for wanted in populations)


def lexicographic(ours: Ranking, theirs: Ranking, wanted: set[str], last: bool, magnitude: bool) -> float:
    differing = [(a, b) for a, b in levels(ours, theirs, wanted) if a != b]
    if not differing:
        return 0
    a, b = differing[-1 if last else 0]
    return 1 / a - 1 / b if magnitude else sgn(b - a)


def interleave(first: Ranking, second: Ranking) -> Ranking:
    """Balanced interleaving, Joachims 2002."""
    shown: Ranking = []
    for turn in range(2 * max(len(first), len(second))):
        ranking, rank = (first, second)[turn % 2], turn // 2
        if rank < len(ranking) and ranking[rank] not in shown:
            shown.append(ranking[rank])
    return shown


def clicks(first: Ranking, second: Ranking, wanted: set[str], weight: Weight) -> float:
    """The first ranking over the second, where the first begins."""
    shown = [document for document in interleave(first, second) if document in wanted]
    total = sum(weight(i) for i in range(1, len(wanted) + 1))
    value = 0.0
    for stop in range(1, len(shown) + 1):
        clicked = shown[:stop]
        k = min(ranking.index(clicked[-1]) + 1 for ranking in (first, second) if clicked[-1] in ranking)
        value += weight(stop) / total * sgn(len({*first[:k]} & {*clicked}) - len({*second[:k]} & {*clicked}))
    return value


def interleaved(ours: Ranking, theirs: Ranking, wanted: set[str], weight: Weight) -> float:
    return (clicks(ours, theirs, wanted, weight) - clicks(theirs, ours, wanted, weight)) / 2


def definition(name: str, weights: str = "uniform") -> Callable[[Ranking, Ranking, dict[str, int]], float]:
    weight = WEIGHTS[weights]

    def value(ours: Ranking, theirs: Ranking, grades: dict[str, int]) -> float:
        wanted = {document for document, grade in grades.items() if grade >= 1}
        if name == "graded":
            return graded(ours, theirs, grades, weight)
        if name == "binary":
            return rpp(ours, theirs, wanted, weight)
        if name == "interleaved":
            return interleaved(ours, theirs, wanted, weight)
        return lexicographic(ours, theirs, wanted, last=name.endswith("R"), magnitude=name.startswith("rr"))

    return value


DEFINITIONS = {
    **{f"RPP(weights='{weights}')": definition("graded", weights) for weights in WEIGHTS},
    **{f"RPP(weights='{weights}', rel=1)": definition("binary", weights) for weights in WEIGHTS},
    **{f"OI(browsing='{weights}')": definition("interleaved", weights) for weights in WEIGHTS},
    **{name: definition(name) for name in ("sgnLP", "rrLP", "sgnLR", "rrLR")},
}


@pytest.mark.parametrize("name", DEFINITIONS)
@settings(max_examples=50)
@given(made=collections(systems=(2, 4)))
def test_a_preference_is_what_its_definition_says(name: str, made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    preferences = align(qrels, runs).prefer(name)
    for run, ours in runs.items():
        for other, theirs in runs.items():
            expected = [
                DEFINITIONS[name](order(ours.get(topic, {})), order(theirs.get(topic, {})), qrels[topic])
                for topic in sorted(qrels)
            ]
            assert preferences[run, other] == pytest.approx(expected, abs=1e-12)


def by_labels(
    ours: Ranking, theirs: Ranking, grades: dict[str, int], labels: dict[str, set[str]], weight: Weight
) -> float:
    """Users of each label, and the background of all relevant documents, in proportion to their numbers."""
    relevant = {document for document, grade in grades.items() if grade >= 1}
    names = {label for document in relevant for label in labels[document]}
    populations = [{d for d in relevant if label in labels[d]} for label in names] + [relevant]
    members = sum(map(len, populations))
    return sum(len(wanted) / members * rpp(ours, theirs, wanted, weight) for wanted in populations if wanted)


@pytest.mark.parametrize("weights", WEIGHTS)
@settings(max_examples=50)
@given(made=collections(systems=(2, 3)), data=st.data())
def test_preferences_of_subtopics_are_what_their_definition_says(
    weights: str, made: tuple[Grades, Scores], data: st.DataObject
) -> None:
    """With labels that overlap, of one document or many, and documents that have none; and turned round, and summed."""
    qrels, runs = made
    sets = st.sets(st.sampled_from("xyz"), max_size=3)
    labels = {f"d{i}": data.draw(sets) for i in range(12)}
    if not any(grade >= 1 and labels[d] for grades in qrels.values() for d, grade in grades.items()):
        return  # no relevant document has a label, which is refused
    preferences = align(qrels, runs).prefer(find("STRPP").definition(labels=labels, weights=weights))
    rates = dict(zip(preferences.systems, preferences.win_rates(), strict=True))
    for run, ours in runs.items():
        values = []
        for other, theirs in runs.items():
            expected = [
                by_labels(order(ours.get(q, {})), order(theirs.get(q, {})), qrels[q], labels, WEIGHTS[weights])
                for q in sorted(qrels)
            ]
            assert preferences[run, other] == pytest.approx(expected, abs=1e-12)
            np.testing.assert_array_equal(preferences[run, other], -preferences[other, run])
            values.append(preferences[run, other])
        np.testing.assert_allclose(rates[run], sum(values) / (len(runs) - 1), atol=1e-12)


@given(made=collections(systems=(2, 3)))
def test_a_measure_is_a_preference_by_its_difference_or_its_sign(made: tuple[Grades, Scores]) -> None:
    c = align(*made)
    for name in ("AP", "nDCG@3", "RR"):
        values = c.measure(name)[name]
        for i, run in enumerate(c.systems):
            for j, other in enumerate(c.systems):
                difference = values[i] - values[j]
                np.testing.assert_array_equal(c.prefer(name)[run, other], difference)
                sign = np.sign(np.where(np.abs(difference) > 1e-12, difference, 0))
                np.testing.assert_array_equal(c.prefer(f"sgn({name})")[run, other], sign)


def test_lower_is_better_turns_the_preference() -> None:
    c = align({"q": {"a": 1}}, {"high": {"q": {"a": 1}}, "low": {"q": {"x": 2, "a": 1}}}, corpus_size=9)
    assert c.measure("ISL")["ISL"].tolist() == [[1], [2]]
    assert c.prefer("ISL")["high", "low"].tolist() == [1]
    assert c.prefer("sgn(ISL)")["low", "high"].tolist() == [-1]


@given(made=collections(systems=(2, 3)))
def test_users_add_preferences_of_their_own(made: tuple[Grades, Scores]) -> None:
    """From parts, as a few lines under ``@preference``; from two rankings' ranks; from a collection."""
    c = align(*made)

    @preference("HalfRPP", citation="nobody")
    def from_parts(c, rel=1):
        return expect(c, everybody(c, rel), weights=lambda level: level == 1)

    def of_ranks(ours, theirs):
        return float(ours[0] < theirs[0]) - float(ours[0] > theirs[0])

    def of_collection(c):
        return expect(c, everybody(c), weights=lambda level: level == 1)

    expected = c.prefer("sgn(RR)").matrix()
    for mine in (from_parts, from_parts(), of_ranks, of_collection):
        np.testing.assert_allclose(c.prefer(mine).matrix(), expected, atol=1e-15)
    assert c.prefer(of_ranks).preference.name.endswith("of_ranks")


def test_the_comparison_at_a_level_can_be_any_function_of_two_ranks() -> None:
    """Differences of discounts add up to the difference of a measure: here, of average precision."""
    c = align({"q": {"a": 1, "b": 1, "z": 1}}, {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"n": 2, "a": 1}}})
    relevant = everybody(c)

    def by_level(c):
        weight_level = relevant.level / 1.0
        return expect(c, relevant, compare=lambda ours, theirs: weight_level * (1 / ours - 1 / theirs))

    assert c.prefer(by_level)["x", "y"] == pytest.approx(c.prefer("AP")["x", "y"], abs=1e-15)


def test_functions_of_users_are_told_apart_by_what_they_compute() -> None:
    """All are called lambda, or are made by the same factory: none takes another's place, and signatures differ."""
    runs = {"x": {"q": {"a": 3, "n": 2, "b": 1}}, "y": {"q": {"n": 3, "a": 2, "b": 1}}}
    c = align({"q": {"a": 1, "b": 1}}, runs)

    def wanting(most):
        return lambda level: level <= most

    rpp = find("RPP").definition
    first, second = rpp(weights=lambda level: level == 1), rpp(weights=lambda level: level == 2)
    made = [rpp(weights=wanting(most)) for most in (1, 2)]
    made += [rpp(weights=partial(np.full_like, fill_value=value)) for value in (1, 2)]
    assert len({preference.name for preference in (first, second, *made)}) == 6
    assert len({c.prefer(preference).signature for preference in (first, second, *made)}) == 6
    assert rpp(weights=wanting(1)).name == made[0].name
    assert c.compare("y", "x", measures=[first, second]).values[:, 0, 0].tolist() == [1, 0]
    scores = c.measure(lambda c: c.hits(1).count, lambda c: 2.0 * c.hits(1).count)
    assert scores.values[:, 0, 0].tolist() == [2, 4]


def test_weights_can_be_listed_level_by_level(command: Callable[..., Any], tmp_path: Path) -> None:
    """In a name too, so on the command line; who is not listed is nobody."""
    runs = {"x": {"q": {"a": 9, "n": 3, "m": 2, "b": 1}}, "y": {"q": {"n": 9, "a": 3, "b": 2}}}
    c = align({"q": {"a": 1, "b": 1, "c": 1}}, runs)  # level 1: x; level 2: y; level 3: neither
    by_function = find("RPP").definition(weights=lambda level: np.where(level == 1, 3.0, np.where(level == 2, 1.0, 0)))
    for weights in ("[3, 1]", "(3, 1, 0)", "[6, 2, 0, 5]"):
        assert c.prefer(f"RPP(weights={weights})")["x", "y"].tolist() == [(3 - 1) / 4]
    assert c.prefer("RPP(weights=[3, 1, 4])")["x", "y"].tolist() == [(3 - 1) / 8]
    by_array = find("RPP").definition(weights=np.array([3, 1]))
    assert c.prefer(by_function)["x", "y"].tolist() == c.prefer(by_array)["x", "y"].tolist() == [(3 - 1) / 4]
    assert c.measure("NCP(weights=[3, 1])").values[0, :, 0].tolist() == [(3 + 2 / 4) / 4, (3 / 2 + 2 / 3) / 4]
    (tmp_path / "qrels").write_text("".join(f"q 0 {document} 1\n" for document in "abc"))
    for name, run in runs.items():
        (tmp_path / name).write_text("".join(f"q Q0 {d} 0 {score} t\n" for d, score in run["q"].items()))
    asked = ("-p", "RPP(weights=[3, 1])", "-p", "OI(browsing=[1])", "--format", "jsonl")
    lines = command("prefer", tmp_path / "qrels", tmp_path / "x", tmp_path / "y", *asked).out.splitlines()
    assert [json.loads(line)["value"] for line in lines] == [0.5, 1]


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        ("[]", "above 0 at some level"), ("[0, 0, 1]", "above 0 at some level"), ("[1, -1]", "at least 0"),
        ("{1: 2}", "a name, numbers or a function"), ("[[1], [2]]", "a name, numbers or a function"),
        ("[1, 'b']", "a name, numbers or a function"), ("2", "a name, numbers or a function"),
        ("'1/i'", "there are uniform, dcg, inverse"),
    ],
)  # fmt: skip
def test_weights_that_are_none_are_refused(weights: str, problem: str) -> None:
    c = align({"q": {"a": 1, "b": 1}}, {"x": {"q": {"a": 1}}})
    with pytest.raises(UsageError, match=problem):
        c.prefer(f"RPP(weights={weights})")


def test_what_is_no_preference_is_refused_at_once() -> None:
    """One that says the same both ways would depend on the order of the runs."""
    c = align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}, "y": {"q": {"n": 2, "a": 1}}})
    for mine in (lambda ours, theirs: ours[0] + theirs[0], lambda c: expect(c, everybody(c), compare=np.maximum)):
        with pytest.raises(UsageError, match="turn its sign when two rankings change places"):
            c.prefer(mine)
    with pytest.raises(UsageError, match="gave 'ndarray', expected the Pairs of 2 systems × 1 queries"):
        c.prefer(lambda c: c.hits(1).count)
    with pytest.raises(UsageError, match=r"gave those of shape \(1, 1\)"):
        c.prefer(lambda c: expect(c.select(["x"]), everybody(c)))


def test_names_are_understood_and_refused_as_those_of_measures_are() -> None:
    assert find("RPP(rel=1)").name == "RPP(rel=1)"
    assert find("RPP(weights='uniform')").name == "RPP"
    assert find("sgn(sgn(map))").name == "sgn(sgn(AP))"
    assert explain("sgn(RR)").startswith("sgn(RR): Which of two rankings RR prefers: 1, 0 or −1.\n\nOne over the rank")
    with pytest.raises(UnknownNameError, match="sgnLP"):
        find("snLP")
    with pytest.raises(UnknownNameError, match="nDCG"):
        find("nDGC@10")
    with pytest.raises(UnknownNameError, match="weights"):
        find("RPP(weight='dcg')")
    c = align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}})
    with pytest.raises(UnknownNameError, match="dcg"):
        c.prefer("RPP(weights='dgc')")
    with pytest.raises(UsageError, match="at least 0"):
        c.prefer(find("RPP").definition(weights=lambda level: -level))
    with pytest.raises(UsageError, match="above 0 at some level"):
        c.prefer(find("RPP").definition(weights=lambda level: level > 1))
    with pytest.raises(UsageError, match="subtopics"):
        c.prefer("STRPP")
