"""ir_measures with our measures in it, live."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
import pytest
from hypothesis import given
from ir_measures import Qrel, ScoredDoc

import rankdiff as rd
from rankdiff.collection import Rules
from rankdiff.errors import CorpusSizeError, UsageError
from rankdiff.interop.ir_measures import PUBLISHED, Provider
from rankdiff.measures import catalog
from strategies import Grades, Scores, collections

QRELS = {"q1": {"d1": 1, "d2": 2, "d3": 0}, "q2": {"d1": 0}, "q3": {"d2": 1, "d9": 1}}
RUN = {"q1": {"d3": 3.0, "d1": 2.0, "x": 1.0}, "q2": {"d1": 1.0}, "q9": {"d1": 1.0}}
NEEDED = {"R": "@10", "P": "@10", "Success": "@10", "IPrec": "@0.5", "relative_P": "@10", "Rprec_mult": "@0.5",
          "unj": "@10", "SL2": "(i=1)", "RBP": "(rel=1)", "WorstProvider": "(providers='owners.tsv')",
          "ProviderExposure": "(providers='owners.tsv', of='Ann')"}  # fmt: skip
OF_SUBTOPICS = {"alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall", "nDCG_IA"}
OF_MANY_RUNS = {"RareP", "RareAP"}
PLAIN = [*sorted(catalog().keys() - {"11pt_avg"} - OF_SUBTOPICS - OF_MANY_RUNS), "_11pt_avg"]


def values(metrics: Any) -> dict[tuple[str, str], float]:
    return {(str(metric.measure), metric.query_id): metric.value for metric in metrics}


@pytest.mark.parametrize("name", PLAIN)
def test_every_measure_is_parsed_and_gives_what_the_front_door_gives(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("owners.tsv").write_text("d1\tAnn\nd2\tBob\n")
    name += NEEDED.get(name, "")
    measure = ir_measures.parse_measure(name)
    provider = Provider(corpus_size=50)
    scores = rd.align(QRELS, RUN, corpus_size=50).measure(name)
    found = values(provider.iter_calc([measure], QRELS, RUN))
    expected = {
        (str(measure), query): value for query, value in zip(scores.queries, scores.values[0, 0].tolist(), strict=True)
    }
    assert found == pytest.approx(expected, nan_ok=True, rel=0)
    assert provider.calc_aggregate([measure], QRELS, RUN)[measure] == pytest.approx(scores.summary()[0, 0], rel=1e-12)


@given(collections(grades=(0, 3)))
def test_what_ir_measures_computes_itself_our_provider_gives_too(made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    names = [
        "AP",
        "AP(rel=2)",
        "nDCG@3",
        "P(rel=2)@2",
        "RR",
        "Rprec",
        "R@3",
        "SetF(beta=0.5)",
        "Success@1",
        "Bpref",
        "SetP(relative=True)",
        "nDCG(gains={1: 3})@5",
        "NumRet",
        "NumRet(rel=1)",
        "P(judged_only=True)@3",
        "infAP",
    ]
    asked = [ir_measures.parse_measure(name) for name in names]
    ours = Provider(Rules(precision="single"))
    for run in runs.values():
        theirs = values(ir_measures.pytrec_eval.iter_calc(asked, qrels, run))
        assert values(ours.iter_calc(asked, qrels, run)) == pytest.approx(theirs, rel=1e-12)
        means = ir_measures.pytrec_eval.calc_aggregate(asked, qrels, run)
        assert ours.calc_aggregate(asked, qrels, run) == pytest.approx(means, rel=1e-12)


def test_ours_and_theirs_in_one_call() -> None:
    asked = [ir_measures.AP, *map(ir_measures.parse_measure, ("ASL(first=1)", "TSE(exposure='rr')", "binG"))]
    expected = rd.align(QRELS, RUN).measure("AP", "ASL(first=1)", "TSE(exposure='rr')", "binG").summary()[:, 0]
    found = ir_measures.calc_aggregate(asked, QRELS, RUN)
    assert [found[measure] for measure in asked] == pytest.approx(expected.tolist(), rel=1e-12)


@pytest.mark.parametrize("form", ["dicts", "frames", "named tuples"])
def test_every_form_that_ir_measures_takes(form: str) -> None:
    judged = [Qrel(q, d, grade) for q, grades in QRELS.items() for d, grade in grades.items()]
    scored = [ScoredDoc(q, d, score) for q, run in RUN.items() for d, score in run.items()]
    qrels, run = {
        "dicts": (QRELS, RUN),
        "frames": (pd.DataFrame(judged), pd.DataFrame(scored)),
        "named tuples": (iter(judged), iter(scored)),
    }[form]
    measure = ir_measures.parse_measure("LexiPrecision")
    expected = rd.align(QRELS, RUN).measure("LexiPrecision")["LexiPrecision"][0]
    found = values(measure.iter_calc(qrels, run))
    assert [found["LexiPrecision", query] for query in sorted(QRELS)] == expected.tolist()


def test_subtopics_are_the_iterations(data: Callable[..., Path]) -> None:
    path = data("web-diversity", "2014", "qrels.txt.gz")
    run = data("web-diversity", "2014", "runs", "good.gz")
    measure = ir_measures.parse_measure("alpha_nDCG@20")
    given = ir_measures.read_trec_qrels(str(path)), ir_measures.read_trec_run(str(run))
    found = values(ir_measures.iter_calc([measure], *given))
    scores = rd.load(path, run).measure("alpha_nDCG@20")
    assert [found[str(measure), query] for query in scores.queries] == pytest.approx(scores.values[0, 0], rel=1e-12)


def test_a_topic_that_the_run_lacks_and_an_empty_run_count() -> None:
    lexi = ir_measures.parse_measure("LexiPrecision")
    for nothing in ({}, [], {"q1": {}}, pd.DataFrame(columns=["query_id", "doc_id", "score"])):
        assert values(lexi.iter_calc(QRELS, nothing)) == {("LexiPrecision", query): 0.0 for query in QRELS}
    assert list(lexi.iter_calc([], RUN)) == list(lexi.iter_calc({}, RUN)) == []
    assert lexi.calc_aggregate({"q": {"d": 0}}, RUN) == 0


def test_a_measure_that_needs_more_says_what() -> None:
    with pytest.raises(CorpusSizeError, match="corpus_size"):
        ir_measures.parse_measure("LexiRecall").calc_aggregate(QRELS, RUN)
    reference = rd.align(QRELS, {"a": RUN, "b": {"q3": {"d2": 1.0}}})
    rare = ir_measures.parse_measure("RareP(alpha=1)@2")
    found = Provider(reference=reference).calc_aggregate([rare], QRELS, RUN)[rare]
    assert found == rd.align(QRELS, RUN, reference=reference).measure("RareP(alpha=1)@2").summary()[0, 0]


def test_what_means_something_else_there_is_left_to_others() -> None:
    provider = ir_measures.providers.registry["rankdiff"]
    for name in ("RBP", "BPM(T=1.0, max_rel=2)@10", "Compat", "Accuracy"):
        assert not provider.supports(ir_measures.parse_measure(name))
    assert provider.supports(ir_measures.parse_measure("RBP(rel=1)"))
    with pytest.raises(AssertionError, match="unsupported params"):
        provider.supports(ir_measures.parse_measure("ASL(depth=3)"))


def test_our_collections_take_their_objects() -> None:
    c = rd.align(QRELS, RUN)
    asked = (ir_measures.nDCG @ 10, ir_measures.AP(rel=2), ir_measures.MRR, PUBLISHED["ASL"](first=2))
    assert [measure.name for measure in c.measure(*asked).measures] == ["nDCG@10", "AP(rel=2)", "RR", "ASL(first=2)"]


def test_every_measure_of_the_house_is_there() -> None:
    there = ir_measures.measures.registry
    assert {name for name in catalog() if name not in there} == {"11pt_avg"}  # no name in Python: it has another
    assert ir_measures.parse_measure("_11pt_avg").calc_aggregate(QRELS, RUN) == pytest.approx(
        rd.align(QRELS, RUN).measure("11pt_avg").summary()[0, 0]
    )


def test_published_measures_are_attributes() -> None:
    from rankdiff.interop import ir_measures as module

    assert module.ASL is ir_measures.measures.registry["ASL"]
    with pytest.raises(AttributeError, match="has no attribute 'BSL'"):
        _ = module.BSL


def test_averaged_ties_are_left_to_the_front_door() -> None:
    with pytest.raises(UsageError, match="ties='average' reads the runs twice"):
        Provider(Rules(ties="average")).calc_aggregate([ir_measures.AP], QRELS, RUN)
