"""The stand-in against pytrec_eval itself, and what its own tests expect."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import assume, given
from hypothesis import strategies as st

from rankdiff.errors import InputError, UsageError
from rankdiff.interop import pytrec_eval as ours
from strategies import Grades, Scores, collections

QRELS = {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q2": {"d2": 1, "d3": 1}}


def assert_same(found: dict[str, dict[str, float]], expected: dict[str, dict[str, float]]) -> None:
    assert found.keys() == expected.keys()
    for query, values in expected.items():
        # The original divides by nothing where a ranking is empty.
        defined = {name: 0.0 if math.isnan(value) else value for name, value in values.items()}
        assert found[query] == pytest.approx(defined, rel=1e-12, abs=1e-12)


@given(collections(grades=(-1, 3)), st.integers(1, 3), st.booleans())
def test_everything_it_supports(made: tuple[Grades, Scores], level: int, judged_only: bool) -> None:
    qrels, runs = made
    # Where all grades of a topic are negative, trec_eval reads memory that it never wrote.
    assume(all(max(grades.values()) >= 0 for grades in qrels.values()))
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures, level, judged_only)
    evaluator = ours.RelevanceEvaluator(qrels, pytrec_eval.supported_measures, level, judged_only)
    for run in runs.values():
        assert_same(evaluator.evaluate(run), theirs.evaluate(run))


@pytest.mark.parametrize(
    "measures",
    [
        {"P.5,10", "ndcg_cut_3", "recall.2"},
        {"P", "P_7"},
        {"map", "map_cut_1,3"},
        {"set_F_0.5", "iprec_at_recall_0.25,0.1", "Rprec_mult.0.2", "success.2"},
        {"11pt_avg.0.25,0.5"},
        ["official"],
        {"set", "ndcg"},
        {"all_trec"},
        set(),
    ],
    ids=lambda measures: " ".join(sorted(measures)),
)
def test_names_parameters_and_nicknames(measures: Iterable[str]) -> None:
    run = {"q1": {"d1": 4.0, "d2": 2.0, "d3": 1.5}, "q2": {"d2": 1.0, "x": 1.0}, "q3": {"d1": 1.0}}
    expected = pytrec_eval.RelevanceEvaluator(QRELS, measures).evaluate(run)
    assert_same(ours.RelevanceEvaluator(QRELS, measures).evaluate(run), expected)


@pytest.mark.parametrize(
    ("scores", "ndcg"),
    [((1.0, 0.0, 1.5), 0.5), ((1.0, 2.0, 1.5), 1.0), ((4.0, 2.0, 1.5), 0.6309297535714575)],
)
def test_its_own_expectations_of_ndcg(scores: tuple[float, ...], ndcg: float) -> None:
    run = {"q1": dict(zip(("d1", "d2", "d3"), scores, strict=True)), "q2": {}}
    evaluator = ours.RelevanceEvaluator(QRELS, {"map", "ndcg", "ndcg_cut.1,2,3,1000"})
    values = evaluator.evaluate(run)["q1"]
    assert values["ndcg"] == values["ndcg_cut_3"] == values["ndcg_cut_1000"] == pytest.approx(ndcg)
    assert values["ndcg_cut_1"] == (1.0 if ndcg == 1 else 0.0)
    assert evaluator.evaluate({"q1": run["q1"]})["q1"] == values


@pytest.mark.parametrize(
    ("run", "qrels", "output", "level"),
    [("results.test", "qrels.test", "out.test", 1), ("results.test", "qrels.rel_level", "out.test.aql", 2)],
)
def test_its_own_expectations_of_nists_files(
    data: Callable[..., Path], run: str, qrels: str, output: str, level: int
) -> None:
    printed = data("trec-eval-tests", output).read_text()
    expected = {name: float(value) for name, value in re.findall(r"^(\S+)\s+all\s+([-.e0-9]+)$", printed, re.MULTILINE)}
    of_version_10 = {name for name in expected if name.startswith(("rbp", "unj", "iprec", "11pt"))}
    with data("trec-eval-tests", qrels).open() as judged, data("trec-eval-tests", run).open() as ranked:
        evaluator = ours.RelevanceEvaluator(ours.parse_qrel(judged), {"all_trec"}, relevance_level=level)
        results = evaluator.evaluate(ours.parse_run(ranked))
    assert len(expected) > 25
    for name in expected.keys() - of_version_10 - ours.TEXT:
        mean = ours.compute_aggregated_measure(name, [values[name] for values in results.values()])
        assert mean == pytest.approx(expected[name], abs=5e-4), name


def test_what_stops_the_original_works() -> None:
    evaluator = ours.RelevanceEvaluator({7: {1: np.int64(2), b"d2": np.float32(0.5), "d3": -1}}, ["map"])
    assert evaluator.evaluate({7: {np.int32(1): np.float32(1), "d2": 2}, 8: {"d3": 1}}) == {7: {"map": 0.5}}
    assert evaluator.evaluate(pd.DataFrame({"qid": [7], "docno": [1], "score": [3]})) == {"7": {"map": 1.0}}
    negative = ours.RelevanceEvaluator({"q1": {"d1": -1, "d2": -2}}, pytrec_eval.supported_measures)
    values = negative.evaluate({"q1": {"d1": 1.0, "d3": 0.5}})["q1"]
    assert all(math.isfinite(value) for value in values.values())
    assert (values["map"], values["num_ret"], values["num_rel"]) == (0, 2, 0)


def test_nothing_to_evaluate_gives_nothing() -> None:
    assert ours.RelevanceEvaluator({}, {"map"}).evaluate({"q1": {"d1": 1.0}}) == {}
    assert ours.RelevanceEvaluator({"q1": {}}, {"map"}).evaluate({"q1": {"d1": 1.0}}) == {}
    assert ours.RelevanceEvaluator(QRELS, {"map"}).evaluate({}) == {}
    assert ours.RelevanceEvaluator(QRELS, {"map"}).evaluate({"q9": {"d1": 1.0}}) == {}
    assert ours.RelevanceEvaluator(QRELS, {"map", "P_5"}).evaluate({"q1": {}}) == {"q1": {"map": 0.0, "P_5": 0.0}}


def test_scores_that_differ_only_in_double_precision_are_tied_as_in_trec_eval_9() -> None:
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1 + 1e-12, "b": 1.0}}
    expected = pytrec_eval.RelevanceEvaluator(qrels, {"map"}).evaluate(run)
    assert ours.RelevanceEvaluator(qrels, {"map"}).evaluate(run) == expected == {"q": {"map": 0.5}}


def test_utility_takes_its_four_parameters() -> None:
    run = {"q2": {"d2": 1.0, "x": 0.5}}
    assert ours.RelevanceEvaluator(QRELS, {"utility.3,-2,-1,0"}).evaluate(run) == {"q2": {"utility": 0.0}}


def test_supported_measures_and_nicknames_hold_those_of_the_original() -> None:
    assert ours.supported_measures >= pytrec_eval.supported_measures
    for name, members in ours.supported_nicknames.items():
        assert members == set(pytrec_eval.supported_nicknames[name])


@pytest.mark.parametrize("values", [[0.5, 0.25, 1.0], [-1.0, -11.5]])
@pytest.mark.parametrize("name", ["map", "num_ret", "gm_map"])
def test_aggregates(name: str, values: list[float]) -> None:
    expected = pytrec_eval.compute_aggregated_measure(name, values)
    assert ours.compute_aggregated_measure(name, values) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", ["foo", "map.", "P_x", "ndcg_cut", "P"])
def test_a_measure_that_is_unknown_is_a_value_error_as_there(name: str) -> None:
    if name in pytrec_eval.supported_measures:
        assert ours.RelevanceEvaluator(QRELS, {name})
        return
    with pytest.raises(ValueError, match="no measure of trec_eval is called"):
        ours.RelevanceEvaluator(QRELS, {name})


def refused(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_what_is_refused() -> None:
    refused(
        lambda: ours.RelevanceEvaluator(QRELS, {"map"}, 0), UsageError, "relevance_level=0: expected a grade above 0"
    )
    refused(
        lambda: ours.parse_run(["q Q0 d 1 0.5"]), InputError, "line 1: not a line of this format: found 'q Q0 d 1 0.5'"
    )
    refused(
        lambda: ours.parse_qrel(["q 0 d 1", "q 0 d 2"]), InputError, "line 2: document 'd' of topic 'q' stands twice"
    )
