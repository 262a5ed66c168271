"""ranx's judgments, runs and fused runs in; its report out. ranx compiles itself when it is first used: slow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import UsageError

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::numba.NumbaTypeSafetyWarning")]

RANDOM = np.random.default_rng(5)
TOPICS = [f"q{i}" for i in range(25)]
QRELS = {topic: {f"d{d}": int(RANDOM.integers(0, 3)) for d in RANDOM.choice(30, 9, False)} for topic in TOPICS}
RUNS = {
    name: {topic: {f"d{d}": float(RANDOM.random()) for d in RANDOM.choice(30, 20, False)} for topic in TOPICS}
    for name in ("bm25", "splade", "colbert")
}
METRICS = ["ndcg@10", "ndcg", "ndcg_burges@5", "map", "map@5", "map-l2", "mrr", "mrr@3", "precision@5", "precision",
           "recall@10", "recall", "hit_rate@1", "r-precision", "bpref", "f1", "hits", "dcg@10"]  # fmt: skip


@pytest.fixture(scope="module")
def ranx() -> Any:
    """The library and its judgments and runs."""
    import ranx

    return ranx


@pytest.fixture(scope="module")
def qrels(ranx: Any) -> Any:
    return ranx.Qrels(QRELS)


@pytest.fixture(scope="module")
def runs(ranx: Any) -> list[Any]:
    return [ranx.Run(run, name=name) for name, run in RUNS.items()]


def test_judgments_runs_and_fused_runs_go_in_as_they_are(ranx: Any, qrels: Any, runs: list[Any]) -> None:
    front = rd.align(QRELS, RUNS)
    c = rd.align(qrels, runs)
    assert c.systems == front.systems
    assert np.array_equal(c.rank, front.rank)
    assert np.array_equal(rd.align(qrels, dict(zip("abc", runs, strict=True))).rank, front.rank)
    fused = ranx.fuse(runs, method="rrf")
    together = rd.align(qrels, [*runs, fused])
    assert together.systems == (*front.systems, "rrf")
    expected = rd.align(QRELS, {"rrf": {topic: dict(fused[topic]) for topic in TOPICS}})
    assert np.array_equal(together.rank[3:], expected.rank)


@pytest.mark.parametrize("metric", METRICS)
def test_its_measures_by_its_names(ranx: Any, qrels: Any, runs: list[Any], metric: str) -> None:
    from rankdiff.interop.ranx import measure_of

    expected = ranx.evaluate(qrels, runs[0], metric, return_mean=False)
    found = rd.align(qrels, runs[0]).measure(measure_of(metric)).values[0, 0]
    by_topic = dict(zip(runs[0].keys(), expected, strict=True))
    theirs = np.array([by_topic[topic] for topic in sorted(TOPICS)])
    defined = ~np.isnan(theirs)  # its bpref divides by nothing where no document is judged not relevant
    assert defined.sum() > 20
    assert found[defined] == pytest.approx(theirs[defined], rel=1e-9, abs=1e-12)


def test_the_report_is_that_of_ranx_with_our_numbers(ranx: Any, qrels: Any, runs: list[Any]) -> None:
    from rankdiff.interop.ranx import compare

    theirs = ranx.compare(qrels, runs, ["ndcg@10", "map"], max_p=0.3)
    ours = compare(qrels, runs, ["ndcg@10", "map"], max_p=0.3)
    assert str(ours) == str(theirs)
    assert ours.to_latex() == theirs.to_latex()
    assert ours.to_dict()["bm25"]["win_tie_loss"] == theirs.to_dict()["bm25"]["win_tie_loss"]
    for pair, found in theirs.comparisons._map.items():
        for metric, outcome in found.items():
            assert ours.comparisons[pair][metric]["p_value"] == pytest.approx(outcome["p_value"], rel=1e-9)


@pytest.mark.parametrize("test", ["fisher", "tukey", "sign-flip"])
def test_its_report_holds_our_measures_and_our_tests(qrels: Any, runs: list[Any], test: str) -> None:
    from rankdiff.interop.ranx import compare

    report = compare(qrels, runs, ["TSE", "map"], stat_test=test, n_permutations=2000, max_p=0.05)
    assert "TSE" in str(report)
    assert "TSE" in report.to_latex()
    scores = rd.align(qrels, runs).measure("AP")["AP"]
    p = report.comparisons["bm25", "colbert"]["map"]["p_value"]
    if test == "fisher":
        assert p == rd.statistics.paired(scores[0], scores[2], test="randomization", samples=2000, seed=42).p
    else:
        method = {"tukey": "tukey-hsd"}.get(test, test)
        assert p == rd.statistics.all_pairs(scores, method=method, samples=2000, seed=42).p[0, 2]


def test_what_is_refused(ranx: Any, qrels: Any, runs: list[Any]) -> None:
    from rankdiff.interop.ranx import compare, measure_of

    with pytest.raises(UsageError, match="ASL: in ranx's report larger is better"):
        compare(qrels, runs, "ASL")
    with pytest.raises(UsageError, match="two runs have the same name"):
        compare(qrels, [runs[0], runs[0]], "map")
    with pytest.raises(UsageError, match="takes 1 off every grade"):
        measure_of("ndcg@10-l2")
    with pytest.raises(UsageError, match="no such measure with a cutoff"):
        measure_of("f1@10")
    with pytest.raises(UsageError, match=r"RBP\(p=0.95\) is binary"):
        measure_of("rbp.95")
    with pytest.raises(UsageError, match="give a cutoff, as in hit_rate@10"):
        measure_of("hit_rate")
    with pytest.raises(UsageError, match="27 runs: ranx's report has letters for 26"):
        compare(qrels, [ranx.Run(RUNS["bm25"], name=f"run {i}") for i in range(27)], "map")
