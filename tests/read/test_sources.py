"""Judgments and runs from arrays, lists, JSON of other tools, folders of BEIR, and ir_datasets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_datasets
import numpy as np
import pandas as pd
import pytest
from ir_datasets.datasets.base import Dataset
from ir_datasets.formats import TrecQrels, TrecScoredDocs, TrecSubQrels, TsvQueries
from ir_datasets.util import LocalDownload
from ir_measures import Qrel, ScoredDoc

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
        {"0": [("10", 0.5), ("9", 2.5)], "1": [("9", 2.0)]},
        {"0": [["9", 1], ["10", 0]], 1: [["9", np.float32(2)]]},
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
        ({"0": [("9", 1.0), ("10",)]}, "not a document and a score: found ('10',)"),
        ({"0": [("9", 1.0), ("10", None)]}, "a score is missing or no number: found None"),
        ({"0": [("9", 1.0), ("9", 0.5)]}, "duplicate document '9' in the ranking of topic '0'"),
        ({"0": pd.Series({"9": 2.5, "10": 0.5})}, ":1: a document is a floating-point number: found 2.5"),
        ({"0": {("9", "10"): 1.0}}, ":1: a document is missing or no id: found ('9', '10')"),
        ({"0": {9.0: 1.0}}, ":1: a document is a floating-point number: found 9.0"),
    ],
)
def test_arrays_and_dicts_that_are_no_run_are_refused(run: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        ranks(run)
    assert "of run run" in str(caught.value)
    assert message in str(caught.value)


JUDGED = [Qrel(topic, document, grade) for topic, grades in QRELS.items() for document, grade in grades.items()]
SCORED = [ScoredDoc(topic, document, score) for topic, scores in RUN.items() for document, score in scores.items()]


def test_rows_one_by_one() -> None:
    assert same(FRONT, rd.align(JUDGED, SCORED))
    assert same(FRONT, rd.align(iter(JUDGED), iter(SCORED)))
    assert same(FRONT, rd.align([row._asdict() for row in JUDGED], [row._asdict() for row in SCORED]))
    several = rd.align(JUDGED, {"a": SCORED, "b": iter(SCORED), "c": RUN})
    assert several.systems == ("a", "b", "c")
    assert several.rank.tolist() == FRONT.rank.tolist() * 3
    with pytest.raises(InputError, match="rows of run run: no column holds the scores: found columns qid, docno"):
        rd.align(JUDGED, [{"qid": "0", "docno": "9"}])


def same(one: rd.Collection, other: rd.Collection) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("rank", "grade", "depth"))


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
        for judged in (read_qrels(in_json(tmp_path, content)), read_qrels(content)):
            assert judged.documents == read_qrels(QRELS).documents
            assert judged.grade.tolist() == [2, 1, 1]


def test_what_their_clients_return_is_taken_as_it_is() -> None:
    predicted = {"mteb_model_meta": {"model_name": "org/neural", "revision": "1"}, "default": {"test": RUN}}
    assert same(FRONT, rd.align(RATED, HITS))
    assert rd.align(RATED, [predicted]).systems == ("org/neural",)
    several = rd.align(RATED, {"es": HITS, "mteb": predicted, "dict": RUN, "list": {"0": ["9", "10"], "1": ["9"]}})
    assert several.systems == ("es", "mteb", "dict", "list")
    assert several.rank.tolist() == FRONT.rank.tolist() * 4


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
        (
            '{"NDCG@10": {"test": {"mean": {"deep": 1}}}}',
            "document 'mean' of topic 'test' is not a number",
        ),
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
        read_qrels({"requests": [{"id": "1"}]})


@pytest.mark.parametrize("name", ["test.tsv", "test.jsonl", "test.parquet"])
def test_a_folder_of_beir_and_one_of_its_results(tmp_path: Path, name: str) -> None:
    """BEIR writes its rankings by ``save_runfile`` and beside them, by ``save_results``, the values of its measures."""
    (tmp_path / "qrels").mkdir()
    columns = pd.DataFrame(JUDGED).iloc[:, :3].set_axis(["query-id", "corpus-id", "score"], axis=1)
    write = {"tsv": lambda path: columns.to_csv(path, sep="\t", index=False), "parquet": columns.to_parquet,
             "jsonl": lambda path: columns.to_json(path, orient="records", lines=True)}  # fmt: skip
    write[name.partition(".")[2]](tmp_path / "qrels" / name)
    (tmp_path / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\n")
    (tmp_path / "queries.jsonl").write_text('{"_id": "0", "text": "some words"}\n')
    results = tmp_path / "results"
    results.mkdir()
    for run in ("bm25", "splade"):
        lines = (f"{topic} Q0 {d} 0 {score} {run}\n" for topic, found in RUN.items() for d, score in found.items())
        (results / f"{run}.run.trec").write_text("".join(lines))
        values = {
            kind: {f"{kind.upper()}@{k}": 0.5 for k in (1, 10)} for kind in ("ndcg", "map", "recall", "precision")
        }
        in_json(results, values, f"{run}.json")
    c = rd.load(tmp_path, results)
    assert c.systems == ("bm25", "splade")
    assert c.rank.tolist() == FRONT.rank.tolist() * 2
    assert sum("bm25.json holds values of measures, not rankings: passed over" in notice for notice in c.notices) == 1
    with pytest.raises(InputError, match=r"bm25\.json: holds values of measures, not rankings: found 'ndcg', 'map'"):
        rd.load(tmp_path, results / "bm25.json")


def test_a_folder_of_predictions_of_mteb(tmp_path: Path) -> None:
    """One folder a model, and in each a file a task: ``{task}_predictions.json``."""
    for model in ("org/small", "org/large"):
        folder = tmp_path / model.replace("/", "__")
        folder.mkdir()
        predicted = {"mteb_model_meta": {"model_name": model, "revision": "1"}, "default": {"test": RUN}}
        in_json(folder, predicted, "NFCorpus_predictions.json")
        in_json(folder, {"name": model, "revision": "1", "n_parameters": 7}, "model_meta.json")
        in_json(folder, {"dataset_revision": "1", "mteb_version": "2.0", "scores": {"test": []}}, "NFCorpus.json")
    c = rd.load(QRELS, f"{tmp_path}/*/NFCorpus_predictions.json")
    assert c.systems == ("org/large", "org/small")
    assert c.rank.tolist() == FRONT.rank.tolist() * 2
    assert rd.load(QRELS, tmp_path / "org__small").systems == ("org/small",)
    with pytest.raises(InputError, match="holds values of measures, not rankings"):
        rd.load(QRELS, tmp_path / "org__small" / "NFCorpus.json")


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
    assert rd.load(dataset, {"bm25": dataset, "dict": RUN}).rank.tolist() == FRONT.rank.tolist() * 2
    with pytest.raises(UsageError, match="ir_datasets has no dataset 'nowhere'"):
        rd.load("irds:nowhere", RUN)
    with pytest.raises(InputError, match="irds:ours/bare: the dataset has no scoreddocs"):
        rd.load(dataset, "irds:ours/bare")


def test_datasets_on_the_command_line(dataset: str, tmp_path: Path, command: Callable[..., Any]) -> None:
    measured = command("measure", dataset, dataset, "-m", "RR", "--format", "jsonl")
    assert [json.loads(line)["value"] for line in measured.out.splitlines()] == [FRONT.measure("RR").summary()[0, 0]]
    other = in_json(tmp_path, {"0": {"10": 1.0}, "1": {"10": 1.0}}, "other.json")
    assert command(dataset, dataset, other).out.startswith("other against ours/small")
    page = tmp_path / "report.html"
    assert command("report", dataset, dataset, other, "--titles", dataset, "-o", page).code == 0
    assert "text of 1" in page.read_text()


def test_subtopics_of_a_dataset(tmp_path: Path, dataset: str) -> None:
    del dataset  # it only puts the registry back
    (tmp_path / "diversity").write_text("0 1 9 1\n0 2 9 1\n0 2 10 1\n")
    diversity = TrecSubQrels(LocalDownload(tmp_path / "diversity"), {})
    ir_datasets.registry.register("ours/diversity", Dataset(diversity))
    from_file, from_dataset = read_qrels(tmp_path / "diversity"), read_qrels("irds:ours/diversity")
    assert from_dataset.subtopics is not None
    assert from_file.subtopics is not None
    assert from_dataset.subtopics.names == from_file.subtopics.names
    assert from_dataset.subtopics.document.tolist() == from_file.subtopics.document.tolist()
    assert from_dataset.subtopics.name.tolist() == from_file.subtopics.name.tolist()
