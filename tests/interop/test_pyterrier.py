"""PyTerrier with our measures, tests, preferences and verdicts; its retrieval engine is not needed for that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyterrier as pt
import pytest
from scipy import stats

import rankdiff as rd
from rankdiff.errors import UsageError
from rankdiff.interop.pyterrier import Experiment, measure, paired_test

RANDOM = np.random.default_rng(3)
TOPICS = pd.DataFrame({"qid": [str(i) for i in range(20)], "query": "words"})
JUDGED = [(qid, f"d{d}") for qid in TOPICS.qid for d in RANDOM.choice(30, 8, False)]
QRELS = pd.DataFrame(JUDGED, columns=["qid", "docno"]).assign(label=RANDOM.integers(0, 3, len(JUDGED)))


def results(seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    rows = [(qid, f"d{d}", random.random()) for qid in TOPICS.qid for d in random.choice(30, 15, False)]
    frame = pd.DataFrame(rows, columns=["qid", "docno", "score"]).assign(query="words", docid=0)
    return frame.assign(rank=frame.groupby("qid").score.rank(ascending=False) - 1)


FRAMES = {"bm25": results(1), "splade": results(2), "colbert": results(3)}


class Retriever(pt.Transformer):
    """Looks its results up."""

    def __init__(self, name: str) -> None:
        self.name = name

    def transform(self, inp: pd.DataFrame) -> pd.DataFrame:
        found = FRAMES[self.name]
        return found[found.qid.isin(inp.qid)]

    def transform_outputs(self, input_columns: list[str]) -> list[str]:
        return [*input_columns, *FRAMES[self.name].columns]

    def __repr__(self) -> str:
        return self.name


SYSTEMS = [Retriever(name) for name in FRAMES]
C = rd.align(QRELS, FRAMES)


def test_result_frames_are_runs() -> None:
    dicts = {
        name: {q: dict(zip(g.docno, g.score, strict=True)) for q, g in f.groupby("qid")} for name, f in FRAMES.items()
    }
    nested = {q: dict(zip(g.docno, g.label.tolist(), strict=True)) for q, g in QRELS.groupby("qid")}
    assert np.array_equal(C.rank, rd.align(nested, dicts).rank)


def test_its_own_experiment_takes_our_measures_and_tests() -> None:
    asked = [pt.measures.nDCG @ 10, measure("TSE(exposure='rr')"), measure("ASL")]
    table = pt.Experiment(SYSTEMS, TOPICS, QRELS, asked, baseline=0, test=paired_test("randomization", seed=1))
    scores = C.measure("nDCG@10", "TSE(exposure='rr')", "ASL")
    assert table["TSE(exposure='rr')"].tolist() == pytest.approx(scores.summary()[1].tolist(), rel=1e-12)
    assert table["ASL"].tolist() == pytest.approx(scores.summary()[2].tolist(), rel=1e-12)
    ndcg = scores["nDCG@10"]
    expected = rd.statistics.paired(ndcg[1], ndcg[0], test="randomization", seed=1).p
    assert table["nDCG@10 p-value"][1] == pytest.approx(expected, rel=1e-12)


def test_our_experiment_adds_preferences_and_a_verdict() -> None:
    table = Experiment(SYSTEMS, TOPICS, QRELS, ["nDCG@10", "map", "TSE"], baseline=0, preferences=("RPP", "sgnLR"))
    theirs = pt.Experiment(SYSTEMS, TOPICS, QRELS, ["map"], baseline=0)
    assert table.name.tolist() == list(FRAMES)
    for column in ("map", "map +", "map -", "map p-value"):
        assert table[column].tolist() == pytest.approx(theirs[column].tolist(), rel=1e-9, nan_ok=True)
    over = C.prefer("RPP")["colbert", "bm25"]
    row = table[table.name == "colbert"].iloc[0]
    assert row["RPP"] == pytest.approx(over.mean())
    assert (row["RPP +"], row["RPP -"]) == ((over > 0).sum(), (over < 0).sum())
    assert row["RPP p-value"] == pytest.approx(stats.ttest_1samp(over, 0).pvalue)
    assert row["verdict"].endswith(C.profile("bm25", "colbert").sentence)
    assert "(nDCG@10, p = " in row["verdict"]
    assert table[table.name == "bm25"].verdict.isna().all()


@pytest.mark.parametrize(
    "options",
    [
        {"batch_size": 7},
        {"plan": "tree", "verbose": False},
        {"correction": "holm"},
        {"round": 2},
        {"validate": "error"},
        {"filter_by_qrels": True},
        {"test": "wilcoxon"},
        {"test": stats.ttest_rel},
    ],
    ids=" ".join,
)
def test_it_takes_the_arguments_of_pyterriers_own(options: dict[str, Any]) -> None:
    table = Experiment(SYSTEMS, TOPICS, QRELS, ["map"], baseline=1, **options)
    assert table["RPP"].tolist() == pytest.approx(
        [C.prefer("RPP")["bm25", "splade"].mean(), np.nan, C.prefer("RPP")["colbert", "splade"].mean()], nan_ok=True
    )
    if "test" not in options:
        theirs = pt.Experiment(SYSTEMS, TOPICS, QRELS, ["map"], baseline=1, **options)
        pd.testing.assert_frame_equal(table[theirs.columns], theirs, rtol=1e-9)


def test_names_dicts_frames_and_results_on_disk(tmp_path: Path) -> None:
    mixed = {"bm25": FRAMES["bm25"], "splade": SYSTEMS[1]}
    first = Experiment(mixed, TOPICS, QRELS, ["map"], baseline="bm25", save_dir=str(tmp_path))
    again = Experiment(mixed, TOPICS, QRELS, ["map"], baseline="bm25", save_dir=str(tmp_path), save_mode="reuse")
    pd.testing.assert_frame_equal(first, again)
    assert (tmp_path / "splade.res.gz").exists()
    plain = Experiment(SYSTEMS, TOPICS, QRELS, ["map"], names=["a", "b", "c"])
    pd.testing.assert_frame_equal(plain, pt.Experiment(SYSTEMS, TOPICS, QRELS, ["map"], names=["a", "b", "c"]))
    both = Experiment(SYSTEMS, TOPICS, QRELS, ["map"], perquery="both")
    assert len(both.perquery) == 60
    with pytest.raises(UsageError, match="two systems have the same name"):
        Experiment([SYSTEMS[0], SYSTEMS[0]], TOPICS, QRELS, ["map"], baseline=0)


def test_where_smaller_is_better_the_verdict_knows() -> None:
    perfect = QRELS[QRELS.label > 0].assign(score=QRELS.label * 1.0)
    worst = perfect.assign(score=0.1, docno="x" + perfect.docno)
    table = Experiment({"worst": worst, "perfect": perfect}, TOPICS, QRELS, ["ASL"], baseline="worst")
    assert table.verdict[1].startswith("better than worst (ASL, p = ")
    assert "perfect is better for all users" in table.verdict[1] or "better" in table.verdict[1]


def test_topics_outside_are_left_out_as_there() -> None:
    some = TOPICS[:10]
    table = Experiment(SYSTEMS, some, QRELS, ["map"], baseline=0)
    over = C.prefer("RPP")["splade", "bm25"]
    assert table["RPP"][1] == pytest.approx(np.mean([over[C.queries.index(qid)] for qid in some.qid]))
