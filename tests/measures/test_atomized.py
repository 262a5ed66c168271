"""Atomized search length against loops over rankings and against the data folder; its trap, shown and guarded."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures import find
from rankdiff.measures.atomized import document_lengths, lifted, notices, relative_reduction, value_change
from strategies import Grades, Scores, collections

N = 40


def search_lengths(relevant: set[str], ranking: dict[str, float], missing: float) -> dict[str, float]:
    """Walk down a ranking: each relevant document gets the non-relevant ones above it plus 1."""
    order = sorted(ranking, key=lambda document: (ranking[document], document), reverse=True)
    lengths, irrelevant = {}, 0
    for document in order:
        if document in relevant:
            lengths[document] = irrelevant + 1.0
        else:
            irrelevant += 1
    return lengths | dict.fromkeys(sorted(relevant - lengths.keys()), missing)


def by_loop(qrels: Grades, runs: Scores, run: str, query: str, missing: str) -> dict[str, float]:
    """The search lengths of a query's relevant documents, in the order of rank."""
    relevant = {document for document, grade in qrels[query].items() if grade >= 1}
    ranking = runs[run].get(query, {})
    found = len(relevant & ranking.keys())
    deepest = max(len(other.get(query, {})) for other in runs.values())
    padded = max(deepest - found, 1) if deepest else math.nan
    rules = {
        "padded": padded,
        "returned": len(ranking) - found if query in runs[run] else padded,
        "corpus": N - len(relevant) + 1,
    }
    return search_lengths(relevant, ranking, rules[missing])


@given(collections(), st.sampled_from(["padded", "returned", "corpus"]), st.sampled_from([None, 1, 2, 10]))
def test_values_are_those_of_a_walk_down_each_ranking(
    made: tuple[Grades, Scores], missing: str, first: int | None
) -> None:
    qrels, runs = made
    c = rd.align(qrels, runs, corpus_size=N)
    names = [f"{name}(first={first}, missing='{missing}')" for name in ("ASL", "AtomizedP", "HarmonicP", "InvASL")]
    scores = c.measure(*names)
    documents = document_lengths(c, missing)
    for s, run in enumerate(c.systems):
        for q, query in enumerate(c.queries):
            by_document = by_loop(qrels, runs, run, query, missing)
            if not by_document:
                # No relevant document: no search length, and no precision.
                assert np.isnan(scores.values[[0, 3], s, q]).all()
                assert (scores.values[[1, 2], s, q] == 0).all()
                continue
            lengths = list(by_document.values())[:first]
            raised = np.maximum(lengths, 1).tolist()  # NaN stays
            expected = [
                sum(lengths) / len(lengths),
                sum(1 / length for length in raised) / len(lengths),
                len(lengths) / sum(raised),
                len(lengths) / sum(raised),
            ]
            assert scores.values[:, s, q].tolist() == pytest.approx(expected, nan_ok=True)
            among = c.relevant(1).start[q : q + 2]
            names_of = [c.documents[int(column)] for column in c.relevant(1).column[slice(*among)]]
            mine = dict(zip(names_of, documents[s, slice(*among)].tolist(), strict=True))
            assert mine == pytest.approx(by_document, nan_ok=True)
            if missing == "returned":
                assert lifted(c)[s, q] == sum(length < 1 for length in by_document.values())


@pytest.mark.parametrize("missing", ["", "missing='returned'", "missing='corpus'"])
@pytest.mark.parametrize("first", ["", "first=10"])
def test_equal_to_a_separate_implementation(
    defined: Callable[[str], tuple[FloatArray, FloatArray]], first: str, missing: str
) -> None:
    arguments = ", ".join(filter(None, (first, missing)))
    values, expected = defined(f"ASL({arguments})" if arguments else "ASL")
    np.testing.assert_allclose(values, expected, rtol=5e-12)


def test_the_first_relevant_document_alone(defined: Callable[[str], tuple[FloatArray, FloatArray]]) -> None:
    values, expected = defined("ASL(first=1)")
    assert np.array_equal(values, expected)


class TestTrap:
    """Taken literally, a run that finds nothing is perfect or better: the paper's eq. 3 counts what it returned."""

    QRELS: ClassVar = {"q": dict.fromkeys("abcd", 1)}
    RUNS: ClassVar = {
        "good": {"q": {"a": 9, "b": 8, "c": 7, "x": 6}},
        "poor": {"q": {"x": 9, "y": 8, "z": 7, "a": 6}},
        "wrong": {"q": {"x": 1}},
        "empty": {"q": {}},
    }

    def ranked(self, measure: str) -> list[str]:
        values = rd.align(self.QRELS, self.RUNS).measure(measure).values[0].ravel()
        return [self.systems[i] for i in np.argsort(values, kind="stable")]

    @property
    def systems(self) -> list[str]:
        return list(self.RUNS)

    def test_under_the_papers_letter_an_empty_ranking_beats_every_other(self) -> None:
        # good 1, wrong 1 (a single wrong document!), poor (4 + 3·3)/4, empty 0: below the optimum of 1.
        values = rd.align(self.QRELS, self.RUNS).measure("ASL(missing='returned')").values[0].ravel()
        assert values.tolist() == [1, 13 / 4, 1, 0]
        assert self.ranked("ASL(missing='returned')")[0] == "empty"

    @pytest.mark.parametrize("measure", ["ASL", "ASL@g1-1", "ASL@g10"])
    def test_by_default_it_comes_last(self, measure: str) -> None:
        assert self.ranked(measure)[0] == "good"
        assert self.ranked(measure)[-2:] == ["wrong", "empty"]  # they tie: both lack all four

    def test_a_run_gains_nothing_by_returning_less(self) -> None:
        c = rd.align(self.QRELS, self.RUNS)
        whole = c.measure("ASL").values[0, 1, 0]
        for kept in range(4):
            short = {"q": dict(list(self.RUNS["poor"]["q"].items())[:kept])}
            cut = rd.align(self.QRELS, self.RUNS | {"short": short})
            assert cut.measure("ASL").values[0, -1, 0] >= whole

    @given(collections(grades=(0, 2), systems=(2, 4)))
    def test_runs_of_equal_depth_keep_the_papers_values(self, made: tuple[Grades, Scores]) -> None:
        qrels, runs = made
        depth = 16
        full = {
            run: {
                query: runs[run].get(query, {})
                | {f"y{i}": -1.0 - i for i in range(depth - len(runs[run].get(query, {})))}
                for query in qrels
            }
            for run in runs
        }
        padded, returned = rd.align(qrels, full).measure("ASL", "ASL(missing='returned')").values
        assert np.array_equal(padded, returned, equal_nan=True)

    def test_a_run_deeper_than_the_reference_does_not_gain_by_it(self) -> None:
        old = rd.align(self.QRELS, {"old": {"q": {"x": 1}}})
        deep = {"q": {f"x{i}": -i for i in range(100)}}
        c = rd.align(self.QRELS, {"deep": deep, "good": self.RUNS["good"]}, reference=old)
        assert c.measure("ASL").values[0].ravel().tolist() == [100, 1]


def test_other_spellings() -> None:
    assert find("ASL@g10") == find("ASL@g1-10") == find("ASL(first=10)")
    assert find("ASL@g1-1").name == "ASL(first=1)"


def test_a_view_by_depth_and_by_systems_is_padded_anew() -> None:
    runs = {"deep": {"q": {f"x{i}": -i for i in range(50)}}, "short": {"q": {"x1": 1}}}
    c = rd.align({"q": {"a": 1}}, runs)
    assert c.measure("ASL").values.ravel().tolist() == [50, 50]
    assert c.cut(10).measure("ASL").values.ravel().tolist() == [10, 10]
    assert c.select(systems=["short"]).measure("ASL").values.ravel().tolist() == [1]


def test_the_inverse_of_the_mean_is_the_harmonic_mean_of_inverses(fifteen: Collection) -> None:
    scores = fifteen.measure("ASL", "InvASL", "HarmonicP")
    means = scores.summary()
    np.testing.assert_allclose(means[1], 1 / means[0], rtol=1e-12)
    assert (means[2] > means[1]).all()  # an arithmetic mean of rates is larger than the harmonic one


def test_a_topic_for_which_no_run_returned_anything_has_no_value() -> None:
    # All systems lack q2 entirely: there is no depth to pad to.
    c = rd.align({"q1": {"a": 1}, "q2": {"b": 1}}, {"run": {"q1": {"a": 1}}})
    assert np.isnan(c.measure("ASL", "ASL(missing='returned')", "AtomizedP").values[:, 0, 1]).all()
    assert any("no run returned anything for 1 of 2 topics" in notice for notice in notices(c))


def test_a_missing_topic_is_padded_under_the_papers_letter_and_counted() -> None:
    runs = {"run": {"q1": {"a": 1}}, "all": {"q1": {"a": 1}, "q2": {"x": 3, "y": 2, "b": 1}}}
    c = rd.align({"q1": {"a": 1}, "q2": {"b": 1}}, runs)
    assert c.measure("ASL(missing='returned')").values[0].tolist() == [[1, 3], [1, 3]]
    assert any("1 missing ranking counted as padded" in notice for notice in notices(c, missing="returned"))


def test_notices_tell_what_was_lifted_and_where_depths_differ() -> None:
    c = rd.align(TestTrap.QRELS, TestTrap.RUNS)
    padded, returned = notices(c), notices(c, missing="returned")
    assert len(padded) == 1
    assert "0 to 4 documents for topic q (depths differ in 1 of 1 topics)" in padded[0]
    assert any("4 missing documents below 1" in notice for notice in returned)
    assert notices(c.select(systems=["good", "poor"])) == ()


def test_a_table_of_means_carries_the_notices() -> None:
    c = rd.align(TestTrap.QRELS, TestTrap.RUNS)
    assert c.measure("ASL", "InvASL").mean().notes == notices(c)
    assert c.measure("AP").mean().notes == ()
    lifted_first = c.measure("ASL(first=1, missing='returned')").mean().notes[-1]
    assert lifted_first.startswith("search lengths: 1 missing document below 1")


def test_a_thousand_relevant_documents_none_of_them_found() -> None:
    c = rd.align({"q": {f"d{i}": 1 for i in range(1000)}}, {"run": {"q": {"x": 2, "y": 1}}})
    assert c.measure("ASL", "ASL@g10").values.ravel().tolist() == [2, 2]


@pytest.mark.parametrize(("name", "error"), [("ASL(missing='none')", UnknownNameError), ("ASL(first=0)", UsageError)])
def test_what_makes_no_sense_is_refused(name: str, error: type[Exception]) -> None:
    c = rd.align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}})
    with pytest.raises(error):
        c.measure(name)


@pytest.mark.parametrize(
    ("baseline", "candidate", "higher", "expected"),
    [
        # Table 1 of the paper, as far as its rounded values give the rounded percentages.
        (0.456, 0.594, True, 0.25),
        (0.401, 0.543, True, 0.24),
        (0.517, 0.706, True, 0.39),
        (14, 5, False, 0.69),
        (51, 6, False, 0.90),
        (39, 27, False, 0.32),
        (264, 215, False, 0.19),
        # Perfect baselines, and a search length below the optimum.
        (1, 1, False, 0),
        (0.5, 1, False, 0),
        (1, 2, False, -math.inf),
        (1, 0.5, True, -math.inf),
    ],
)
def test_relative_reduction_in_error(baseline: float, candidate: float, *, higher: bool, expected: float) -> None:
    assert relative_reduction(baseline, candidate, higher_is_better=higher) == pytest.approx(expected, abs=0.006)


def test_value_change_has_no_value_where_the_old_one_is_0() -> None:
    assert value_change(0.5, 0.1) == 0.2
    assert math.isnan(value_change(0, 1))
