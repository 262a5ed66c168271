"""The edges of the papers' measures: each a case that goes wrong easily, with what must come out and why."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.measures import find

HIGHER = ("TSE", "TSE(exposure='ndcg')", "TSE(exposure='rbp')", "NCP", "NCP(weights='dcg')", "LexiPrecision",
          "RareP@10", "RareAP@10", "RareP(revised=True, alpha=0.5)@10", "AtomizedP", "HarmonicP")  # fmt: skip
"""Those that need nothing but the runs, higher being better."""
OF_A_CORPUS = ("TSE(exposure='linear')", "LexiRecall", "ISL", "TSL", "SL2(i=1)", "SL3", "AverageRank", "RecallError",
               "ASL(missing='corpus')")  # fmt: skip
LENGTHS = ("ISL", "TSL", "SL3", "AverageRank", "RecallError", "ASL", "ASL(missing='corpus')", "ASL(first=1)")
"""Lower is better."""
EVERY = (*HIGHER, *OF_A_CORPUS, "ASL", "ASL(first=1)")
BY_RANKS = ("TSE", "NCP", "LexiPrecision", "RareP@10", "RareAP@10", "EffectiveShare", "TSE(exposure='linear')",
            "LexiRecall", *LENGTHS[:5])  # fmt: skip
"""Those that see where the relevant documents stand and nothing else."""


def made(qrels: Any, runs: Any, **rules: Any) -> Collection:
    return rd.align(qrels, runs, **({"corpus_size": 2000} | rules))


def values(c: Collection, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    return dict(zip(names, c.measure(*names).values, strict=True))


def test_without_a_relevant_document_the_better_higher_score_0_and_search_lengths_have_no_value() -> None:
    """m = 0: nothing can be found; 0 is the worst of the one kind, and would be better than perfect for the other."""
    qrels = {"none": {"a": 0}, "one": {"a": 1}}
    runs = {"x": {"none": {"a": 1}, "one": {"a": 1}}, "y": {"none": {"b": 1}, "one": {"b": 2, "a": 1}}}
    counted, dropped = made(qrels, runs), made(qrels, runs, no_relevant="drop")
    for name, found in values(counted, EVERY).items():
        expected = 0 if find(name).higher_is_better else np.nan
        np.testing.assert_array_equal(found[:, 0], [expected] * 2, err_msg=name)
    assert np.isnan(counted.measure("EffectiveShare", "InvASL").values[:, :, 0]).all()
    assert np.isnan(dropped.measure(*EVERY).values[:, :, 0]).all()


@pytest.mark.parametrize("rank", [1, 2, 7])
def test_one_relevant_document_makes_one_measure_of_many(rank: int) -> None:
    """m = 1: the first relevant document is the last."""
    ranking = {f"x{i}": -i for i in range(1, 10) if i != rank} | {"a": -rank}
    c = made({"q": {"a": 1}}, {"run": {"q": ranking}, "other": {"q": {}}})
    names = (*EVERY, "RR", "AP", "EffectiveShare", "InvASL")
    found = {name: value[0].item() for name, value in values(c, names).items()}
    for name in ("TSE", "NCP", "NCP(weights='dcg')", "AP", "AtomizedP", "HarmonicP", "InvASL"):
        assert found[name] == found["RR"] == 1 / rank, name
    for name in ("ISL", "TSL", "AverageRank", "ASL", "ASL(first=1)", "ASL(missing='corpus')"):
        assert found[name] == rank, name
    assert found["SL3"] == found["RecallError"] == found["SL2(i=1)"] == rank - 1
    assert found["EffectiveShare"] == 1
    assert found["LexiRecall"] == 1 - rank / 2000


def test_one_system_is_compared_with_itself_alone() -> None:
    """Nothing is rare, and there is no deeper run to be padded to."""
    c = made({"q": {"a": 1, "b": 1}}, {"alone": {"q": {"x": 3, "a": 2}}})
    found = values(c, ("RareP@2", "P@2", "RareAP@2", "AP@2", "ASL", "ASL(missing='returned')"))
    assert found["RareP@2"] == found["P@2"]
    assert found["RareAP@2"] == found["AP@2"]
    assert found["ASL"] == (2 + 2 - 1) / 2
    assert found["ASL(missing='returned')"] == (2 + 1) / 2


def test_two_identical_systems_have_the_same_values_and_tie() -> None:
    """The order of the runs, or their names, break no tie."""
    same = {"q": {"a": 3, "n": 2, "b": 1}}
    c = made({"q": {"a": 1, "b": 2}}, {"x": same, "twin": same, "z": {"q": {"n": 1}}})
    for name, found in values(c, EVERY).items():
        assert found[0] == found[1], name
        order = c.measure(name).order()
        assert (order["x"], order["twin"], order["z"]) == (1, 1, 3), name


def test_a_system_that_returns_nothing_is_last_under_every_measure() -> None:
    """It ties with one that returns only what nobody wants, and never beats a run that finds something."""
    qrels = {"q": {"a": 1, "b": 1}}
    runs = {"empty": {"q": {}}, "blind": {"q": {"n": 1}}, "finds": {"q": {"n": 3, "a": 2, "b": 1}}}
    for name, found in values(made(qrels, runs), EVERY).items():
        better = found * (1 if find(name).higher_is_better else -1)
        assert better[2] > better[0] == better[1], name


def test_a_topic_that_a_run_lacks_is_an_empty_ranking_or_left_out() -> None:
    qrels = {"q": {"a": 1}, "r": {"a": 1}}
    runs = {"all": {"q": {"a": 1}, "r": {"n": 2, "a": 1}}, "half": {"q": {"n": 2, "a": 1}}}
    empty = {**runs, "half": {**runs["half"], "r": {}}}
    lacking, answered = made(qrels, runs).measure(*EVERY).values, made(qrels, empty).measure(*EVERY).values
    np.testing.assert_array_equal(lacking, answered)
    skipped = made(qrels, runs, missing="skip").measure(*EVERY)
    assert np.isnan(skipped.values[:, 1, 1]).all()
    assert skipped.counted()[:, 1].tolist() == [1] * len(EVERY)


def test_what_stands_behind_the_last_relevant_document_changes_no_measure_of_their_ranks() -> None:
    """All systems at different depths: only padded search lengths look at how much was returned, and only where
    something is missing."""
    tail = {f"n{i}": -float(i) for i in range(1, 40)}
    qrels = {"q": {"a": 1, "b": 1}}
    runs = {"short": {"q": {"a": 2, "b": 1}}, "other": {"q": {"x": 3, "a": 2}}}
    longer = {**runs, "short": {"q": {**runs["short"]["q"], **tail}}}
    before, after = made(qrels, runs), made(qrels, longer)
    for name in BY_RANKS:
        np.testing.assert_array_equal(before.measure(name).values, after.measure(name).values, err_msg=name)
    assert before.measure("ASL").values.ravel().tolist() == [1, (2 + 2 - 1) / 2]
    assert after.measure("ASL").values.ravel().tolist() == [1, (2 + 41 - 1) / 2]


def test_a_document_in_two_subtopics_counts_once_with_its_best_grade(tmp_path: Path) -> None:
    """Grades 0 and 2 in two subtopics: relevant, and of grade 2."""
    (tmp_path / "qrels").write_text("q 1 a 2\nq 2 a 0\nq 2 b 1\n")
    runs = {"run": {"q": {"a": 3, "n": 2, "b": 1}}, "other": {"q": {"n": 1}}}
    by_subtopic, plain = made(tmp_path / "qrels", runs), made({"q": {"a": 2, "b": 1}}, runs)
    for rel in (1, 2):
        ours, theirs = (c.at(rel).measure(*EVERY).values for c in (by_subtopic, plain))
        np.testing.assert_array_equal(ours, theirs)
    assert by_subtopic.measure("TSE", "TSE(rel=2)").values[:, 0, 0].tolist() == [1 / 3, 1]


@pytest.mark.parametrize("grades", [(4, 2, 0), (2.25, 1.5, 0.5)], ids=["holes", "floats"])
def test_a_level_between_two_grades_is_that_of_the_higher_one(grades: tuple[float, float, float]) -> None:
    """Grades 0 to 4 with holes, and float grades: relevance is a comparison, no index."""
    high, low, none = grades
    runs = {"run": {"q": {"n": 3, "high": 2, "low": 1}}, "other": {"q": {"low": 1}}}
    c = made({"q": {"high": high, "low": low, "n": none}}, runs)
    between, at = (c.at(level).measure(*EVERY).values for level in ((high + low) / 2, high))
    np.testing.assert_array_equal(between, at)
    assert not np.array_equal(at, c.measure(*EVERY).values)
    assert c.measure("RareP(gains='graded', alpha=1)@3").values[0, 0, 0] == pytest.approx((1.5 + low / high) / 3)


def test_a_thousand_relevant_documents_have_their_closed_forms() -> None:
    documents = [f"d{i:04}" for i in range(1000)]
    perfect = {document: 1000.0 - i for i, document in enumerate(documents)}
    c = made({"q": dict.fromkeys(documents, 1)}, {"perfect": {"q": perfect}, "late": {"q": {"n": 2000.0, **perfect}}})
    found = values(c, (*EVERY, "EffectiveShare"))
    expected = {
        "TSE": (1 / 1000, 1 / 1001), "NCP": (1, np.mean([i / (i + 1) for i in range(1, 1001)])),
        "ASL": (1, 2), "AtomizedP": (1, 1 / 2), "HarmonicP": (1, 1 / 2), "AverageRank": (500.5, 501.5),
        "RecallError": (0, 1), "SL3": (0, 1), "ISL": (1, 2), "TSL": (1000, 1001), "LexiPrecision": (1, 1 / 2),
        "TSE(exposure='linear')": (1 / 2, 1 - 1001 / 2000),
    }  # fmt: skip
    for name, pair in expected.items():
        assert found[name].ravel() == pytest.approx(pair, rel=1e-12), name
    # All precisions are 1: the first alone has their mean, and the smaller number counts on a tie.
    assert found["EffectiveShare"].ravel()[0] == 1 / 1000


def test_ties_in_scores_among_relevant_documents_change_nothing() -> None:
    """Which of them stands first is a matter of their names; that one of them does is not."""
    tied = {"q": {"n": 9, "a": 5, "b": 5, "c": 5, "m": 1}}
    clear = {"q": {"n": 9, "a": 7, "b": 6, "c": 5, "m": 1}}
    c = made({"q": dict.fromkeys("abc", 1)}, {"tied": tied, "clear": clear, "other": {"q": {"n": 1}}})
    for name, found in values(c, EVERY).items():
        assert found[0] == found[1], name


@pytest.mark.parametrize("name", OF_A_CORPUS)
def test_a_corpus_too_small_for_a_run_is_refused_by_the_runs_name(name: str) -> None:
    """n = 3: the deep run returned three and missed one, so that there are at least four documents."""
    runs = {"fits": {"q": {"a": 1}}, "deep": {"q": {"x": 3, "y": 2, "a": 1}}}
    with pytest.raises(UsageError, match=r"run deep returned and missed 4 documents .*at least 4"):
        made({"q": {"a": 1, "b": 1}}, runs, corpus_size=3).measure(name)
    assert np.isfinite(made({"q": {"a": 1, "b": 1}}, runs, corpus_size=4).measure(name).values).all()


def test_the_separate_implementation_agrees_in_the_mean(
    fifteen: Collection, rows: Callable[..., list[dict[str, str]]]
) -> None:
    table = rows("definitions", "trec-dl-2021-passages", "measures.mean.tsv.gz")
    scores = fifteen.measure(*dict.fromkeys(row["measure"] for row in table))
    means = scores.summary()
    for row in table:
        measure = scores.measures[[item.name for item in scores.measures].index(find(row["measure"]).name)]
        place = scores.measures.index(measure), fifteen.systems.index(row["run"])
        kept = float(row["mean over queries with a relevant document"])
        zero = float(row["mean over all queries, 0 without a relevant document"])
        assert means[place] == pytest.approx(kept, rel=5e-12), row
        assert np.nan_to_num(scores.values[place]).mean() == pytest.approx(zero, rel=5e-12), row
        assert np.isnan(scores.values[place]).sum() == int(row["queries without a value"])
    assert math.isfinite(means.sum())


def test_the_separate_implementation_sees_as_many_documents(
    fifteen: Collection, definitions: list[dict[str, str]]
) -> None:
    """How many are relevant, and in the corpus; how deep the deepest run goes, and how many of one run nobody wants."""
    numbers = {
        "m": fifteen.relevant(1).size,
        "n": fifteen.n(1),
        "depth": fifteen.depth.max(axis=0),
        "max_nonrelevant": (fifteen.depth - fifteen.hits(1).count).max(axis=0),
    }
    for name, of_query in numbers.items():
        ours = dict(zip(fifteen.queries, of_query.tolist(), strict=True))
        assert [ours[row["query"]] for row in definitions] == [int(row[name]) for row in definitions]
