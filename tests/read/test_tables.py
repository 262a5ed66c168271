"""Judgments and runs from tables: through every door come the same collections as through the front door."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import csv, feather, ipc, parquet

import rankdiff as rd
from rankdiff.errors import InputError, MissingExtraError, UsageError
from rankdiff.ids import Ids
from rankdiff.read import read_qrels, read_runs
from rankdiff.read.columns import ids_of, numbered
from strategies import Grades, Scores, collections

QRELS = {"1": {"10": 2, "9": 1, "d é": 0}, "02": {"10": 1}}
RUN = {"1": {"10": 0.25, "9": 1.5, "x": 1.5, "d é": -3.0}, "02": {"9": 2.0, "10": 1.0}, "7": {"10": 1.0}}

Values = Mapping[str, Mapping[str, float]]
Column = dict[str, list[Any]]


def flat(nested: Values, names: tuple[str, str, str]) -> Column:
    rows = [(topic, document, value) for topic, inner in nested.items() for document, value in inner.items()]
    return {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


def same(one: rd.Collection, other: rd.Collection) -> bool:
    """Whether the judgments and the ranks are the same, whatever the run is called."""
    return (
        one.queries == other.queries
        and one.documents == other.documents
        and all(
            np.array_equal(getattr(one, name), getattr(other, name))
            for name in ("start", "grade", "rank", "depth", "answered")
        )
    )


FRONT = rd.align(QRELS, RUN)

NAMES = {
    "PyTerrier": (("qid", "docno", "label"), ("qid", "docno", "score")),
    "ir_datasets": (("query_id", "doc_id", "relevance"), ("query_id", "doc_id", "score")),
    "ranx": (("q_id", "doc_id", "score"), ("q_id", "doc_id", "score")),
    "BEIR": (("query-id", "corpus-id", "score"), ("query-id", "corpus-id", "score")),
    "TREC": (("topic", "document", "grade"), ("Topic", "Document", "SCORE")),
}
FRAMES: dict[str, Callable[[Column], Any]] = {
    "pandas": pd.DataFrame,
    "pandas of objects": lambda columns: pd.DataFrame(columns, dtype=object),
    "pandas of categories": lambda columns: pd.DataFrame(columns).astype({next(iter(columns)): "category"}),
    "pandas with an index": lambda columns: pd.DataFrame(columns).set_index(list(columns)[:2]),
    "polars": pl.DataFrame,
    "lazy polars": pl.LazyFrame,
    "Arrow": pa.table,
    "Arrow batch": pa.record_batch,
    "Arrow stream": lambda columns: pa.table(columns).to_reader(),
    "DuckDB": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("tool", NAMES)
def test_frames_of_every_library_by_the_names_of_every_tool(frame: str, tool: str) -> None:
    of_qrels, of_run = NAMES[tool]
    make = FRAMES[frame]
    assert same(FRONT, rd.align(make(flat(QRELS, of_qrels)), make(flat(RUN, of_run))))


def write(path: Path, columns: Column) -> Path:
    table = pa.table(columns)
    match path.suffix:
        case ".parquet":
            parquet.write_table(table, path)
        case ".feather":
            feather.write_feather(table, str(path))
        case ".arrows":
            with ipc.new_stream(str(path), table.schema) as stream:
                stream.write_table(table)
        case ".csv":
            csv.write_csv(table, path)
        case ".tsv":
            path.write_text(
                "\n".join("\t".join(map(str, row)) for row in [columns, *zip(*columns.values(), strict=True)])
            )
        case ".gz":
            path.write_bytes(gzip.compress(write(path.with_suffix(""), columns).read_bytes()))
        case ".jsonl":
            path.write_text("\n".join(json.dumps(row) for row in table.to_pylist()))
        case ".json":
            path.write_text(json.dumps(table.to_pylist(), indent=1))
    return path


SUFFIXES = (".parquet", ".feather", ".arrows", ".csv", ".tsv", ".csv.gz", ".jsonl", ".json")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_of_tables_are_known_by_their_content(tmp_path: Path, suffix: str) -> None:
    judged = write(tmp_path / f"qrels{suffix}", flat(QRELS, NAMES["BEIR"][0]))
    retrieved = write(tmp_path / f"bm25{suffix}", flat(RUN, NAMES["PyTerrier"][1]))
    assert same(FRONT, by_name := rd.load(judged, retrieved))
    assert by_name.systems == ("bm25",)
    assert same(FRONT, rd.load(judged.rename(tmp_path / "qrels"), str(retrieved.rename(tmp_path / "run"))))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(collections())
def test_any_collection_is_the_same_as_dicts_frames_and_lists(collection: tuple[Grades, Scores]) -> None:
    qrels, runs = collection
    front = rd.align(qrels, runs)
    rows = [
        (name, *row) for name, run in runs.items() for row in zip(*flat(run, ("a", "b", "c")).values(), strict=True)
    ]
    long = pl.DataFrame(rows, schema=["run", "qid", "docno", "score"], orient="row")
    frames = rd.align(pa.table(flat(qrels, NAMES["ranx"][0])), long)
    assert frames.systems == front.systems
    assert same(front, frames)
    assert same(front, rd.align(qrels, {name: in_order(run) for name, run in runs.items()}))


def in_order(run: Values) -> dict[str, list[str]]:
    return {
        topic: sorted(found, key=lambda document: (found[document], document))[::-1] for topic, found in run.items()
    }


def test_a_real_run_gives_the_same_as_text_and_as_parquet(tmp_path: Path, data: Callable[..., Path]) -> None:
    qrels = data("trec-dl-2021-passages", "qrels.txt")
    [path, *_] = sorted(data("trec-dl-2021-passages", "runs").glob("*.gz"))
    columns = ["qid", "q0", "docno", "rank", "score", "tag"]
    run = pl.read_csv(gzip.decompress(path.read_bytes()), separator="\t", has_header=False, new_columns=columns)
    run.write_parquet(tmp_path / "run.parquet")
    assert same(rd.load(qrels, path), rd.load(qrels, tmp_path / "run.parquet"))
    assert same(rd.load(qrels, path, ties="rank"), rd.load(qrels, tmp_path / "run.parquet", ties="rank"))


def test_subtopics_come_from_a_column(data: Callable[..., Path]) -> None:
    path = data("web-diversity", "2014", "qrels.txt.gz")
    columns = ["query_id", "subtopic_id", "doc_id", "relevance"]
    frame = pd.read_csv(path, sep=r"\s+", names=columns, dtype={"query_id": str, "subtopic_id": str})
    text, table = read_qrels(path), read_qrels(frame)
    assert text.subtopics is not None
    assert table.subtopics is not None
    assert text.queries == table.queries
    assert text.documents == table.documents
    assert text.subtopics.names == table.subtopics.names
    for name in ("document", "name", "grade"):
        assert np.array_equal(getattr(text.subtopics, name), getattr(table.subtopics, name))
    with pytest.raises(UsageError, match="holds no subtopics: a column `subtopic`"):
        read_qrels(frame.drop(columns="subtopic_id").drop_duplicates(["query_id", "doc_id"]), subtopics=True)


@pytest.mark.parametrize(
    "ids",
    [
        [7, 12],
        [np.int64(7), np.str_("12")],
        [b"7", "12"],
        np.array([7, 12], np.uint16),
        np.array(["7", "12"]),
        np.array([b"7", b"12"]),
        np.array(["7", 12], object),
        pa.array([7, 12]),
        pa.array(["7", "12"], pa.large_string()),
        pa.array(["7", "12"], pa.string_view()),
        pa.array([b"7", b"12"]),
        pa.chunked_array([["7"], ["12"]]).dictionary_encode(),
        pa.array(["x", "7", "12"]).slice(1),
        duckdb.sql("SELECT sum(i) FROM (VALUES (7), (12)) t(i) GROUP BY i ORDER BY i").to_arrow_table().column(0),
    ],
    ids=lambda ids: f"{type(ids).__name__} {getattr(ids, 'dtype', getattr(ids, 'type', ''))}",
)
def test_ids_of_every_type_are_the_same_document(ids: Any) -> None:
    blob, offsets = ids_of(ids, "document", "test")
    assert (blob.tobytes(), offsets.tolist()) == (b"712", [0, 1, 3])
    names, numbers = numbered(ids, "topic", "test")
    assert [names[number] for number in numbers] == [b"7", b"12"]


@given(st.lists(st.integers(0, 2**64 - 1)), st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_integers_are_their_digits(unsigned: list[int], signed: list[int]) -> None:
    for numbers, kind in ((unsigned, np.uint64), (signed, np.int64)):
        ids = Ids(*ids_of(np.array(numbers, kind), "document", "test"))
        assert list(ids) == [str(number) for number in numbers]


def test_a_rank_stands_for_a_score_and_is_kept_beside_one() -> None:
    rows = {"qid": ["1"] * 3, "docno": ["10", "9", "x"], "rank": [2, 0, 1]}
    assert rd.align(QRELS, pd.DataFrame(rows)).rank.tolist() == rd.align(QRELS, {"1": ["9", "x", "10"]}).rank.tolist()
    scored = pd.DataFrame(rows | {"score": [1.0, 1.0, 1.0]})
    assert rd.align(QRELS, scored).rank.tolist() == rd.align(QRELS, {"1": ["x", "9", "10"]}).rank.tolist()
    assert rd.align(QRELS, scored, ties="rank").rank.tolist() == rd.align(QRELS, pd.DataFrame(rows)).rank.tolist()


def test_grades_may_be_yes_or_no() -> None:
    frame = pd.DataFrame(flat(QRELS, ("qid", "docno", "label")))
    assert read_qrels(frame.assign(label=frame.label > 0)).grade.tolist() == [1, 1, 1, 0]


def test_of_two_columns_with_one_meaning_pyterriers_counts() -> None:
    frame = pd.DataFrame(flat(RUN, ("qid", "docno", "score"))).assign(docid=range(7), query="some words", text="")
    assert same(FRONT, rd.align(QRELS, frame))


def test_a_topic_that_no_row_has_any_more_was_not_answered() -> None:
    frame = pd.DataFrame(flat(RUN, ("qid", "docno", "score"))).astype({"qid": "category"})
    assert rd.align(QRELS, frame[frame.qid == "1"]).answered.tolist() == [[False, True]]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"user": ["1"], "docno": ["9"], "score": [1.0]},
            "no column holds the topics: found columns user, docno, score, e",
        ),
        (
            {"qid": ["1"], "text": ["9"], "score": [1.0]},
            "no column holds the documents: found columns qid, text, score",
        ),
        (
            {"qid": ["1"], "docno": ["9"]},
            "no column holds the scores: found columns qid, docno, expected one of score (or",
        ),
        ({"qid": ["1"], "QID": ["1"], "docno": ["9"], "score": [1.0]}, "two columns of one name, 'qid' and 'QID'"),
        ({"qid": ["1", "1"], "docno": ["9", "10"], "score": [1.0, None]}, ":2: a score is missing or no number"),
        ({"qid": ["1", None], "docno": ["9", "10"], "score": [1.0, 2.0]}, ":2: a topic is missing"),
        (
            {"qid": [1.0, 2.0], "docno": ["9", "10"], "score": [1.0, 2.0]},
            "the topic column cannot be used: found values",
        ),
        (
            {"qid": ["1"], "docno": ["9"], "score": ["high"]},
            "found values of type string, such as 'high', expected num",
        ),
        ({"qid": ["1", "1"], "docno": ["9", "9"], "score": [1.0, 2.0]}, ":2: duplicate document '9' in the ranking"),
        ({"qid": pa.array([], pa.string()), "docno": [], "score": []}, "holds no ranking, it has no rows"),
    ],
)
def test_a_table_that_is_no_run_is_refused(columns: Column, message: str) -> None:
    with pytest.raises(InputError) as caught:
        rd.align(QRELS, {"bm25": pa.table(columns)})
    assert "data frame of run bm25" in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"qid": ["1"], "docno": ["9"], "rank": [1]},
            "no column holds the grades: found columns qid, docno, rank, expected",
        ),
        (
            {"qid": ["1", "1"], "docno": ["9", 9], "label": [1, 2]},
            "document '9' of topic '1' has two grades: found 1 and 2",
        ),
        ({"qid": [1.5], "docno": ["9"], "label": [1]}, "the topic column cannot be used: found values of type double"),
        (
            {"qid": ["1", 1.5], "docno": ["9", "8"], "label": [1, 1]},
            ":2: a topic is a floating-point number: found 1.5",
        ),
    ],
)
def test_a_table_that_is_no_judgments_is_refused(columns: Column, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_qrels(pd.DataFrame(columns))
    assert message in str(caught.value)


def test_the_same_judgment_twice_is_a_notice() -> None:
    judged = read_qrels(pd.DataFrame({"qid": [1, 1, 1], "docno": [9, 9, 8], "label": [1, 1, 0]}))
    assert judged.notices == ("data frame: 1 judgment said again with the same grade",)
    assert judged.grade.tolist() == [0, 1]


def test_what_is_nothing_we_know_is_refused() -> None:
    with pytest.raises(UsageError, match="judgments cannot be read from a int"):
        read_qrels(7)
    with pytest.raises(UsageError, match="a run cannot be read from a int"):
        read_runs([7])
    with pytest.raises(InputError, match="two runs would both be called 'run': data frame of run run and"):
        read_runs([pd.DataFrame(flat(RUN, ("qid", "docno", "score")))] * 2)


def test_a_file_that_is_damaged_can_be_skipped(tmp_path: Path) -> None:
    write(tmp_path / "good.parquet", flat(RUN, NAMES["ranx"][1]))
    (tmp_path / "bad.parquet").write_bytes((tmp_path / "good.parquet").read_bytes()[:50])
    (tmp_path / "again.json").write_text('{"1": {"d": 1}, "1": {}}')
    with pytest.raises(InputError, match=r"again\.json: the key '1' stands twice in one object"):
        rd.align(QRELS, tmp_path)
    c = rd.align(QRELS, tmp_path, on_bad_run="skip")
    assert same(FRONT, c)
    assert any("bad.parquet: cannot be read as parquet" in notice for notice in c.notices)


def test_without_pyarrow_frames_are_read_all_the_same_but_files_need_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "run.csv", flat(RUN, NAMES["ranx"][1]))
    frames = [pl.DataFrame(flat(RUN, NAMES["ranx"][1])), pd.DataFrame(flat(RUN, NAMES["ranx"][1]), dtype=object)]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for frame in frames:
        assert same(FRONT, rd.align(QRELS, frame))
    with pytest.raises(MissingExtraError, match=r"pip install 'rankdiff\[arrow\]'"):
        rd.align(QRELS, path)
