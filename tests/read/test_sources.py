"""Judgments and runs from arrays, lists, JSON of other tools, folders of BEIR, and ir_datasets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ir_datasets
import numpy as np
import pytest
from ir_datasets.datasets.base import Dataset
from ir_datasets.formats import TrecQrels, TrecScoredDocs, TsvQueries
from ir_datasets.util import LocalDownload

import rankdiff as rd
from rankdiff.errors import InputError, UsageError
from rankdiff.read import read_qrels, read_runs
from rankdiff.read.irds import topics

QRELS = {"0": {"10": 2, "9": 1}, "1": {"10": 1}}
RUN = {"0": {"9": 2.5, "10": 0.5}, "1": {"9": 2.0}}
IDS = np.array([[9, 10], [9, -1]])
SCORES = np.array([[2.5, 0.5], [2.0, np.nan]])
FRONT = rd.align(QRELS, RUN)


def ranks(run: Any) -> list[list[int]]:
    return rd.align(QRELS, {"run": run}).rank.tolist()


@pytest.mark.parametrize(
    "run",
    [
        IDS,
        ([0, 1], IDS),
        (np.array(["0", "1"]), IDS, SCORES),
        ((b"0", "1"), IDS, SCORES.tolist()),
        (np.array([1, 0]), IDS[::-1].astype(np.int32), SCORES[::-1].astype(np.float32)),
        (["0", "1"], np.array([["9", "10"], ["9", "x"]])),
        {"0": ["9", "10"], "1": ["9"]},
        {0: (9, 10), 1: (9,)},
        {"0": np.array([9, 10]), "1": np.array([9])},
    ],
    ids=lambda run: type(run).__name__,
)
def test_arrays_and_lists_of_ids(run: Any) -> None:
    assert ranks(run) == FRONT.rank.tolist()


def test_scores_decide_where_there_are_some() -> None:
    assert ranks(([0, 1], IDS, -np.nan_to_num(SCORES))) == ranks({"0": ["10", "9"], "1": ["9"]})


def test_one_run_needs_no_name_and_several_have_one() -> None:
    assert read_runs((["0", "1"], IDS)).names == read_runs({"0": ["9"]}).names == read_runs(IDS).names == ("run",)
    assert read_runs({"a": IDS, "b": (["0", "1"], IDS), "c": RUN, "d": {"0": ["9"]}}).names == ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (([0], IDS), "topics and rows of the matrix do not match: found 1 and 2"),
        (([0, 1], IDS, SCORES[:, :1]), "ids and scores differ in shape: found (2, 2) and (2, 1)"),
        (([0, 1], IDS, np.full((2, 2), np.nan)), "a score is missing"),
        (IDS.astype(float), "the document column cannot be used: found values of type float64, expected text or whole"),
        (np.array([[9, 9], [1, 2]]), "duplicate document '9' in the ranking of topic '0'"),
    ],
)
def test_arrays_that_are_no_run_are_refused(run: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        ranks(run)
    assert "array of run run" in str(caught.value)
    assert message in str(caught.value)


def in_json(folder: Path, content: Any, name: str = "bm25.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(content))
    return path


HITS = {
    "metric_score": 0.5,
    "details": {
        topic: {
            "metric_score": 0.5,
            "unrated_docs": [],
            "hits": [
                {"hit": {"_index": "a", "_id": document, "_score": score}, "rating": None}
                for document, score in run.items()
            ],
        }
        for topic, run in RUN.items()
    },
    "failures": {},
}
RATED = {
    "requests": [
        {
            "id": topic,
            "request": {},
            "ratings": [{"_index": "a", "_id": d, "rating": grade} for d, grade in judged.items()],
        }
        for topic, judged in QRELS.items()
    ]
}


def test_json_of_pytrec_eval_ranx_mteb_and_elasticsearch(tmp_path: Path) -> None:
    meta = {"model_name": "org/neural", "revision": "1"}
    for content, names in (
        (RUN, ("bm25",)),
        ({"a": RUN, "b": RUN}, ("a", "b")),
        ({"mteb_model_meta": meta, "default": {"test": RUN}}, ("org/neural",)),
        (HITS, ("bm25",)),
        ({"qid": "0", "docno": "9", "score": 1.0}, ("bm25",)),
    ):
        runs = read_runs(in_json(tmp_path, content))
        assert runs.names == names
        assert rd.align(QRELS, runs).rank[0, 1] == FRONT.rank[0, 1]
    for content in (QRELS, RATED):
        judged = read_qrels(in_json(tmp_path, content))
        assert judged.documents == read_qrels(QRELS).documents
        assert judged.grade.tolist() == [2, 1, 1]


def test_hits_without_scores_stand_in_their_order(tmp_path: Path) -> None:
    unscored = json.loads(json.dumps(HITS))
    for detail in unscored["details"].values():
        for hit in detail["hits"]:
            hit["hit"]["_score"] = None
    assert rd.align(QRELS, in_json(tmp_path, unscored)).rank.tolist() == FRONT.rank.tolist()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no JSON, {", "is neither JSON nor lines of it"),
        ('{"NDCG@10": {"test": {"mean": {"deep": 1}}}}', "holds neither rankings nor judgments"),
        ('[{"qid": 1, "docno": 2, "score": 3}, 4]', ":2: not a row: found 4"),
        ('{"mteb_model_meta": {}, "en": {"dev": {}, "test": {}}}', "found en/dev, en/test, expected one"),
        ('{"metric_score": 1, "details": {"q": {}}}', "a rank-eval response without hits"),
    ],
)
def test_json_that_is_no_run_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text("{" + content if content.startswith("no") else content)
    with pytest.raises(InputError) as caught:
        rd.align(QRELS, path)
    assert f"{path}" in str(caught.value)
    assert message in str(caught.value)


def test_json_that_is_no_judgments_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ratings of retrieved documents only: expected the request"):
        read_qrels(in_json(tmp_path, HITS))
    with pytest.raises(InputError, match="a rank-eval request without ratings"):
        read_qrels(in_json(tmp_path, {"requests": [{"id": "1"}]}))


def test_a_folder_of_beir_and_one_of_its_results(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    rows = [(topic, document, grade) for topic, judged in QRELS.items() for document, grade in judged.items()]
    lines = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, row)) for row in rows)]
    (tmp_path / "qrels" / "test.tsv").write_text("\n".join(lines) + "\n")
    (tmp_path / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\n")
    (tmp_path / "results").mkdir()
    in_json(tmp_path / "results", RUN, "bm25.json")
    in_json(tmp_path / "results", RUN, "splade.json")
    c = rd.load(tmp_path, tmp_path / "results")
    assert c.systems == ("bm25", "splade")
    assert c.rank.tolist() == FRONT.rank.tolist() * 2


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of a dataset that needs no download."""
    parts = {
        "qrels": "".join(f"{topic} 0 {d} {grade}\n" for topic, judged in QRELS.items() for d, grade in judged.items()),
        "queries": "".join(f"{topic}\ttext of {topic}\n" for topic in QRELS),
        "run": "".join(f"{topic} Q0 {d} 0 {score} tag\n" for topic, run in RUN.items() for d, score in run.items()),
    }
    for name, text in parts.items():
        (tmp_path / name).write_text(text)
    qrels, queries, run = (LocalDownload(tmp_path / name) for name in parts)
    monkeypatch.setattr(ir_datasets.registry, "_registered", dict(ir_datasets.registry._registered))
    ir_datasets.registry.register("ours/small", Dataset(TrecQrels(qrels, {}), TsvQueries(queries), TrecScoredDocs(run)))
    ir_datasets.registry.register("ours/bare", Dataset(TsvQueries(queries)))
    return "irds:ours/small"


def test_datasets_of_ir_datasets(dataset: str) -> None:
    c = rd.load(dataset, dataset)
    assert c.systems == ("ours/small",)
    assert c.rank.tolist() == FRONT.rank.tolist()
    assert topics("ours/small") == {"0": "text of 0", "1": "text of 1"}
    with pytest.raises(UsageError, match="ir_datasets has no dataset 'nowhere'"):
        rd.load("irds:nowhere", RUN)
    with pytest.raises(InputError, match="irds:ours/bare: the dataset has no scoreddocs"):
        rd.load(dataset, "irds:ours/bare")
