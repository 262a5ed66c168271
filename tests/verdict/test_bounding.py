"""Bounds under unjudged documents against random truths, and against every way of judging."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import UsageError
from rankdiff.ids import Ids
from rankdiff.verdict import bounds_of_all_pairs, unjudged_documents
from worlds import every_judging

MEASURES = (
    "P@3", "R@4", "relative_P@4", "RBP", "RBP(p=0.5)@3", "dcg@4", "nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@5",
    "nDCG(gains={1: 2, 2: 2})", "AP", "AP@4", "AP(rel=2)", "RR", "RR@3", "Success@3", "sgn(AP)", "sgn(nDCG@3)",
)  # fmt: skip
OF_RANKS = (
    "ASL", "ASL(missing='returned')", "ASL(missing='corpus')", "ASL(first=2)", "AtomizedP", "HarmonicP", "InvASL",
    "TSE", "TSE(exposure='linear')", "NCP", "Rprec", "Rprec_mult@0.5", "IPrec@0.5", "11pt_avg", "binG", "SetP", "SetF",
    "ISL", "TSL", "SL2(i=2)", "AverageRank", "LexiRecall", "LexiPrecision", "LexiRecallPlace", "LexiPrecisionPlace",
    "yaap", "ERR", "ERR@3", "sgn(ASL)", "sgn(TSE)",
)  # fmt: skip
LITTLE_KNOWN = (
    "Bpref", "infAP", "Judged@3", "G", "Rndcg", "utility", "RareP(alpha=1)@3", "AP(judged_only=True)", "rrLP", "rrLR",
    "OI", "sgn(G)",
)  # fmt: skip
PREFERENCES = ("RPP", "RPP(rel=1)", "RPP(weights='dcg', rel=1)", "RPP(weights='inverse')", "sgnLP", "sgnLR")
DOCUMENTS = 12


def truths(rng: np.random.Generator, topics: int, depth: int | None) -> tuple[rd.Collection, rd.Collection]:
    """Two random runs over many topics of twelve documents, all judged, and the same with some labels taken away.

    What neither run has in the first ``depth`` keeps its label, or has none.
    """
    rank = np.argsort(rng.random((2, topics, DOCUMENTS)), axis=2) + 1
    length = rng.integers(0, DOCUMENTS + 1, (2, topics))
    rank = np.where(rank <= length[:, :, None], rank, 0)
    grade = rng.integers(0, 4, (topics, DOCUMENTS)) * (rng.random((topics, DOCUMENTS)) < rng.random((topics, 1)))
    judged = rng.random((topics, DOCUMENTS)) < rng.random((topics, 1))
    limit = DOCUMENTS if depth is None else depth
    seen = np.any((rank > 0) & (rank <= limit), axis=0)
    grade = np.where(seen | judged, grade, 0.0)
    c = rd.Collection(
        systems=("old", "new"),
        queries=tuple(f"q{i:06}" for i in range(topics)),
        documents=Ids.of(range(topics * DOCUMENTS)),
        start=np.arange(topics + 1) * DOCUMENTS,
        grade=grade.ravel(),
        rank=rank.reshape(2, -1).astype(np.int32),
        depth=length,
        answered=np.ones((2, topics), bool),
        corpus_size=np.full(topics, 2 * DOCUMENTS),
    )
    return c.keep_labels((seen | judged).ravel()), c.keep_labels(judged.ravel())


@pytest.mark.parametrize("depth", [3, None])
@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("topics", [3000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_random_truths_lie_within_the_bounds_of_measures(name: str, depth: int | None, topics: int) -> None:
    whole, partly = truths(np.random.default_rng(len(name)), topics, depth)
    found = partly.bounds("old", "new", name, depth=depth)
    difference = whole.prefer(name)["new", "old"]
    assert np.all(found.lower <= difference + 1e-12)
    assert np.all(difference <= found.upper + 1e-12)
    np.testing.assert_allclose(found.differences, partly.prefer(name)["new", "old"], atol=1e-12)
    assert np.all((found.lower <= found.differences + 1e-12) & (found.differences <= found.upper + 1e-12))


@pytest.mark.parametrize("depth", [3, None])
@pytest.mark.parametrize("name", PREFERENCES)
@pytest.mark.parametrize("topics", [500, pytest.param(20_000, marks=pytest.mark.slow)])
def test_random_truths_lie_within_the_bounds_of_preferences(name: str, depth: int | None, topics: int) -> None:
    whole, partly = truths(np.random.default_rng(len(name)), topics, depth)
    found = partly.bounds("old", "new", name, depth=depth)
    difference = whole.prefer(name)["new", "old"]
    assert np.all(found.lower <= difference + 1e-12)
    assert np.all(difference <= found.upper + 1e-12)


@pytest.mark.parametrize("depth", [3, None])
@pytest.mark.parametrize("name", [*OF_RANKS, *LITTLE_KNOWN])
@pytest.mark.parametrize("topics", [300, pytest.param(20_000, marks=pytest.mark.slow)])
def test_random_truths_lie_within_the_bounds_of_whatever_can_be_compared(
    name: str, depth: int | None, topics: int
) -> None:
    whole, partly = truths(np.random.default_rng(len(name)), topics, depth)
    found = partly.bounds("old", "new", name, depth=depth)
    difference = whole.prefer(name)["new", "old"]
    there = ~np.isnan(difference)
    assert there.any()
    assert np.all((found.lower <= difference + 1e-12)[there])
    assert np.all((difference <= found.upper + 1e-12)[there])
    low, high = found.interval
    assert low <= np.mean(difference[there]) <= high


def test_of_what_little_is_known_topics_without_an_unjudged_document_are() -> None:
    qrels = {"q": {"a": 1, "b": 0}, "r": {"a": 1, "b": 0}}
    runs = {"old": {"q": {"b": 2, "a": 1}, "r": {"x": 2, "a": 1}}, "new": {"q": {"a": 2, "b": 1}, "r": {"a": 1}}}
    c = rd.align(qrels, runs)
    found = c.bounds("old", "new", "rrLP")
    assert (found.lower.tolist(), found.upper.tolist()) == ([0.5, -1.0], [0.5, 1.0])  # 1/1 − 1/2
    assert c.bounds("old", "new", "rrLP", depth=1).interval == (-0.25, 0.75)
    assert found.judge_first["narrows"].tolist() == [1.0]  # x, the only one: the mean of two topics
    endless = c.bounds("old", "new", "RareP(alpha=1)@3")
    assert "nothing limits it" in endless.sentence
    assert len(endless.judge_first) == 0


def test_a_deeper_peer_is_where_missing_documents_count() -> None:
    """Both runs lack a; x and y may be relevant or not. Missing documents count behind the 5 of the third run."""
    c = rd.align(
        {"q": {"a": 1}}, {"old": {"q": {"x": 1}}, "new": {"q": {"y": 1}}, "deep": {"q": dict.fromkeys("uvwzs", 1)}}
    )
    # As judged 5 for both. Were y relevant: old 5, new (1 + 4)/2.
    assert c.bounds("old", "new", "ASL").interval == (-2.5, 2.5)


@pytest.mark.parametrize("name", ["ASL", "ISL", "SL2(i=2)"])
def test_topics_that_have_no_value_yet_may_come_to_count(name: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(6):
        qrels = {f"q{t}": {f"d{i}": int(rng.random() < 0.3) for i in range(3)} for t in range(3)}
        qrels["q0"] |= {"d0": 1, "d1": 1}
        pool = [*(f"d{i}" for i in range(3)), "x", "y"]
        runs = {
            run: {
                t: {str(d): float(-i) for i, d in enumerate(rng.permutation(pool)[: rng.integers(1, 6)])} for t in qrels
            }
            for run in ("old", "new")
        }
        c = rd.align(qrels, runs, corpus_size=12)
        low, high = c.bounds("old", "new", name).interval
        seen = [(t, d) for t in qrels for d in ("x", "y") if any(d in run[t] for run in runs.values())]
        for labels in product((None, 0, 1), repeat=len(seen)):
            if None in labels and rng.random() < 0.9:
                continue
            given = {t: dict(documents) for t, documents in qrels.items()}
            for (topic, document), label in zip(seen, labels, strict=True):
                given[topic] |= {} if label is None else {document: label}
            mean = np.nanmean(rd.align(given, runs, corpus_size=12).prefer(name)["new", "old"])
            assert low - 1e-12 <= mean <= high + 1e-12


def one_topic(rng: np.random.Generator, grades: int, shared: bool) -> rd.Collection:
    """A topic of judged documents and up to ten unjudged ones, which both runs may have, or only one."""
    judged = {f"d{i}": int(rng.integers(0, grades + 1)) for i in range(4)} | {"top": grades, "low": 1}
    mine = {name: [f"{'s' if shared else name}{i}" for i in range(5 if grades == 1 else 3)] for name in ("old", "new")}
    runs = {}
    for name, unjudged in mine.items():
        ranking = rng.permutation([*judged, *unjudged])[: rng.integers(1, 12)]
        runs[name] = {"q": {str(document): float(-place) for place, document in enumerate(ranking)}}
    everything = {document for run in runs.values() for document in run["q"]} - judged.keys()
    c = rd.align({"q": judged | dict.fromkeys(everything, 0)}, runs, corpus_size=30)
    return c.keep_labels(np.array([document in judged for document in c.documents]))


@pytest.mark.parametrize("grades", [1, 2])
@pytest.mark.parametrize("name", [*MEASURES, *OF_RANKS, *PREFERENCES])
def test_the_bounds_are_attained_where_the_runs_share_no_unjudged_document(name: str, grades: int) -> None:
    if name == "AP(rel=2)" and grades == 1:
        return
    rng = np.random.default_rng(len(name) + grades)
    for _ in range(15):
        c = one_topic(rng, grades, shared=False)
        found = c.bounds("old", "new", name)
        differences = every_judging(c, range(grades + 1)).prefer(name)["new", "old"]
        assert found.lower[0] <= differences.min() + 1e-12
        assert differences.max() - 1e-12 <= found.upper[0]
        if name not in ("RPP", "RPP(weights='inverse')") or grades == 1:
            assert found.interval == pytest.approx((differences.min(), differences.max()), abs=1e-12)


@pytest.mark.parametrize("name", ["nDCG@3", "AP", "RPP(rel=1)", "sgnLR", "RPP"])
def test_documents_that_both_runs_have_only_widen_them(name: str) -> None:
    rng = np.random.default_rng(5)
    wider = 0
    for _ in range(40):
        c = one_topic(rng, 2, shared=True)
        low, high = c.bounds("old", "new", name).interval
        differences = every_judging(c, range(3)).prefer(name)["new", "old"]
        assert low <= differences.min() + 1e-12
        assert differences.max() <= high + 1e-12
        wider += high > differences.max() + 1e-9
    assert wider


def test_what_reaches_a_grade_reaches_those_below_it() -> None:
    """Were x of grade 2 but not of grade 1, the ideal would grow by more than its place gives the old run."""
    qrels = {"q": {"a": 1, "b": 1, "c": 1, "n": 0}, "r": {"z": 2}}
    runs = {"old": {"q": {"a": 3, "b": 2, "x": 1}, "r": {"z": 1}}, "new": {"q": {"n": 1}, "r": {"z": 1}}}
    c = rd.align(qrels, runs)
    second = 1 / np.log2(3)
    as_judged, at_grade_1 = -(1 + second) / (1 + second + 0.5), -1.0
    known = unjudged_documents(c, "old", "new", qrels, runs)
    for found in (c.bounds("old", "new", "nDCG@3"), c.bounds("old", "new", "nDCG@3", unjudged=known)):
        assert (found.lower[0], found.upper[0]) == pytest.approx((at_grade_1, as_judged), abs=1e-12)


@pytest.mark.parametrize("depth", [2, None])
@pytest.mark.parametrize("name", ["nDCG@3", "nDCG", "AP", "P@2", "RR"])
def test_all_pairs_are_the_pairs_one_by_one(name: str, depth: int | None) -> None:
    rng = np.random.default_rng(9)
    qrels = {f"q{i}": {f"d{j}": int(rng.integers(0, 3)) for j in range(5)} for i in range(4)}
    qrels["q0"]["d0"] = 2
    pool = [f"d{j}" for j in range(9)]
    runs = {}
    for name_of_run in "abcd":
        rankings = {topic: rng.permutation(pool)[: rng.integers(1, 9)] for topic in qrels}
        runs[name_of_run] = {t: {str(d): float(-i) for i, d in enumerate(docs)} for t, docs in rankings.items()}
    c = rd.align(qrels, runs)
    every = bounds_of_all_pairs(c, name, depth=depth)
    for i, ours in enumerate(c.systems):
        for j, theirs in enumerate(c.systems):
            if i != j:
                one = c.bounds(theirs, ours, name, depth=depth)
                assert (every.lower[i, j], every.upper[i, j]) == pytest.approx(one.interval, abs=1e-12)
                assert every.difference[i, j] == pytest.approx(one.difference, abs=1e-12)


def test_what_to_judge_first_narrows_the_bounds_by_as_much_as_it_says() -> None:
    qrels = {"q": {"a": 2, "b": 1}, "r": {"a": 1}}
    runs = {
        "old": {"q": {"x": 9, "a": 8, "y": 7}, "r": {"a": 1}},
        "new": {"q": {"a": 9, "z": 8, "b": 7}, "r": {"n": 9, "a": 8, "m": 7}},
    }
    c = rd.align(qrels, runs)
    before = c.bounds("old", "new", "nDCG@3")
    table = before.judge_first
    assert np.all(np.diff(table["narrows"]) <= 0)
    first = next(table.rows())
    assert (first["topic"], first["baseline rank"], first["candidate rank"]) == ("q", 1, None)
    after = rd.align(qrels | {"q": qrels["q"] | {"x": 0}}, runs).bounds("old", "new", "nDCG@3")
    shrunk = np.ptp(before.interval) - np.ptp(after.interval)
    assert first["narrows"] == pytest.approx(shrunk, abs=1e-12)
    assert (
        len(rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}, "y": {"q": {"a": 1}}}).bounds("x", "y").judge_first) == 0
    )


def test_a_verdict_that_nothing_can_turn_round_says_so() -> None:
    runs = {"old": {"q": {"b": 2, "a": 1}}, "new": {"q": {"a": 2, "b": 1}}}
    found = rd.align({"q": {"a": 1, "b": 0}}, runs).bounds("old", "new", "RR")
    assert found.holds
    assert found.sentence == "new is better than old however the unjudged documents fall"
    runs["old"]["q"]["x"] = 3.0
    found = rd.align({"q": {"a": 1, "b": 0}}, runs).bounds("new", "old", "RR", depth=1)
    assert not found.holds
    assert "could turn it round" in found.sentence
    assert found.interval == pytest.approx((1 / 3 - 1, 0))


def test_what_has_no_bounds_is_refused_by_name() -> None:
    c = rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}, "y": {"q": {"b": 1}}})
    for name in ("RPP", "ASL", "Bpref", "sgn(AP)"):
        with pytest.raises(UsageError, match="bounds of all pairs at once are not known"):
            bounds_of_all_pairs(c, name)
    with pytest.raises(UsageError, match="depth=0"):
        c.bounds("x", "y", depth=0)
    with pytest.raises(UsageError, match="judged_only"):
        c.condense().bounds("x", "y")
    with pytest.raises(UsageError, match="no_relevant"):
        rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}, "y": {"q": {"b": 1}}}, no_relevant="drop").bounds("x", "y")
    with pytest.raises(UsageError, match="below 0"):
        c.bounds("x", "y", "nDCG(gains={1: -1})")
