"""Spark tables give what the same tables give here, whatever the partitions."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import dataset

import rankdiff as rd
from rankdiff.collection import Rules
from rankdiff.errors import InputError, NoOverlapError, UsageError
from rankdiff.scale.spark import Block, measure, ship

pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, which is not installed"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    # PySpark 4.0 leaves the closing of its sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore:Exception ignored in. <socket:pytest.PytestUnraisableExceptionWarning"),
]

RANDOM = np.random.default_rng(2)
TOPICS = [str(number) for number in range(40)]
JUDGED = [(topic, f"d{d}", int(RANDOM.integers(-1, 3))) for topic in TOPICS for d in RANDOM.choice(40, 8, False)]
RANKED = [
    (run, topic, f"d{d}", round(RANDOM.random(), 1))
    for run in ("bm25", "neural", "short")
    for topic in (TOPICS[:5] if run == "short" else [*TOPICS, "unjudged"])
    for d in RANDOM.choice(60, 20, False)
]
QRELS = pd.DataFrame(JUDGED, columns=["query_id", "doc_id", "relevance"])
RUNS = pd.DataFrame(RANKED, columns=["run", "qid", "docno", "score"])
MEASURES = ("AP", "nDCG@10", "ASL", "NumRelRet", "gm_map", "RareP(alpha=1)@10")


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One session for all tests: two threads of this machine, nothing on the network."""
    patch = pytest.MonkeyPatch()
    patch.setenv("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master("local[2]").appName("rankdiff")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()
    patch.undo()


@pytest.fixture(scope="module")
def tables(spark: Any) -> tuple[Any, Any]:
    return spark.createDataFrame(QRELS), spark.createDataFrame(RUNS)


@pytest.mark.parametrize("buckets", [1, 7])
def test_the_table_is_that_of_one_machine(spark: Any, tables: tuple[Any, Any], tmp_path: Path, buckets: int) -> None:
    output = str(tmp_path / "values")
    found = measure(spark, *tables, *MEASURES, buckets=buckets, output=output)
    scores = rd.align(QRELS, RUNS).measure(*MEASURES)
    expected = scores.mean()
    assert found["run"].tolist() == expected["run"].tolist() == ["bm25", "neural", "short"]
    assert found["queries"].tolist() == expected["queries"].tolist()
    for name in (item.name for item in scores.measures):
        assert found[name].tolist() == pytest.approx(expected[name].tolist(), rel=1e-12)
    written = dataset.dataset(output).to_table().to_pylist()
    values = {(row["run"], row["query"], row["measure"]): row["value"] for row in written}
    assert values == {(row["run"], row["query"], row["measure"]): row["value"] for row in scores.per_query().rows()}


def test_rules_and_one_run_without_a_name(spark: Any, tables: tuple[Any, Any]) -> None:
    rules: dict[str, Any] = {"missing": "skip", "rel": 2, "precision": "single", "depth": 10}
    one = tables[1].where("run = 'short'").drop("run")
    found = measure(spark, tables[0], one, "AP", "LexiRecall", corpus_size=500, **rules)
    local = rd.align(QRELS, RUNS[RUNS.run == "short"], corpus_size=500, **rules).measure("AP", "LexiRecall").mean()
    assert found["run"].tolist() == ["run"]
    assert (found["AP"][0], found["LexiRecall"][0]) == pytest.approx(
        (local["AP"][0], local["LexiRecall"][0]), rel=1e-12
    )
    assert found["queries"].tolist() == local["queries"].tolist() == [5]


def test_the_package_can_be_shipped(spark: Any, tables: tuple[Any, Any]) -> None:
    ship(spark)
    assert measure(spark, *tables, "AP")["AP"].tolist() == pytest.approx(
        rd.align(QRELS, RUNS).measure("AP").mean()["AP"]
    )


def test_what_is_refused(spark: Any, tables: tuple[Any, Any]) -> None:
    with pytest.raises(UsageError, match="no measure was named"):
        measure(spark, *tables)
    with pytest.raises(UsageError, match="InvASL has no mean over topics"):
        measure(spark, *tables, "InvASL")
    with pytest.raises(InputError, match="Spark table: no column holds the grades"):
        measure(spark, tables[1].drop("score"), tables[1], "AP")


def test_tables_without_a_topic_in_common_are_refused(spark: Any, tables: tuple[Any, Any]) -> None:
    others = spark.createDataFrame(QRELS.assign(query_id="other " + QRELS["query_id"]))
    with pytest.raises(NoOverlapError, match=r"no topic in common.*'other "):
        measure(spark, others, tables[1], "AP", buckets=3)
    worst = spark.createDataFrame(pd.DataFrame([("worst", TOPICS[0], "x", 1.0)], columns=RUNS.columns))
    assert measure(spark, tables[0], worst, "AP", buckets=3)["AP"].tolist() == [0]


def test_a_bucket_without_judgments_or_without_rankings() -> None:
    block = Block(("a", "b"), ("AP",), Rules(), None)
    judged = pa.table({"topic": ["1"], "document": ["d"], "grade": [1.0]})
    ranked = pa.table({"topic": ["2"], "document": ["d"], "score": [1.0], "run": ["a"]})
    assert block.evaluate(judged.slice(1), ranked).num_rows == 0
    values = block.evaluate(judged, ranked.slice(1)).to_pylist()
    assert [(row["run"], row["value"]) for row in values] == [("a", 0.0), ("b", 0.0)]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Judgments, two runs in one file, and a run that the name of its file tells, in the order of its ranks."""
    qrels, both, alone = (tmp_path / f"{name}.parquet" for name in ("qrels", "both", "short"))
    QRELS.to_parquet(qrels)
    RUNS[RUNS.run != "short"].to_parquet(both)
    short = RUNS[RUNS.run == "short"].sort_values(["qid", "score", "docno"], ascending=[True, False, False])
    short.assign(rank=short.groupby("qid").cumcount() + 1).drop(columns=["run", "score"]).to_parquet(alone)
    return qrels, both, alone


def values(text: str) -> list[tuple[str, str, str, float]]:
    return [
        (row["run"], row["query"], row["measure"], pytest.approx(row["value"], rel=1e-12))
        for row in map(json.loads, text.splitlines())
    ]


ASKED = ("-m", "AP", "-m", "nDCG@10", "-m", "NumRelRet", "--rel", "2", "--format", "jsonl")


def test_the_command_prints_what_it_prints_without_spark(
    spark: Any, files: tuple[Path, Path, Path], command: Callable[..., Any]
) -> None:
    output = files[0].with_name("values")
    local = command("measure", *files, *ASKED)
    found = command("measure", *files, *ASKED, "--engine", "spark", "--output", output)
    assert found.code == local.code == 0
    assert values(found.out) == values(local.out)
    assert "|rel:2|systems:3|engine:spark" in found.err
    written = dataset.dataset(output).to_table().to_pylist()
    expected = [json.loads(line) for line in command("measure", *files, *ASKED, "-q").out.splitlines()]
    assert {(row["run"], row["query"], row["measure"]): row["value"] for row in written} == {
        (row["run"], row["query"], row["measure"]): row["value"] for row in expected if row["query"] != "all"
    }
    assert spark.range(3).count() == 3  # a session that was there already stays


def test_what_executors_refuse_is_told_in_our_words(
    spark: Any, files: tuple[Path, Path, Path], command: Callable[..., Any]
) -> None:
    assert spark is not None
    pd.concat([RUNS, RUNS[:1]]).to_parquet(files[1])
    topic, document = RUNS.iloc[0][["qid", "docno"]]
    found = command("measure", *files[:2], "-m", "AP", "--engine", "spark")
    assert found.code == 1
    assert f"duplicate document '{document}'" in found.err
    assert f"'{topic}'" in found.err
    missing = command("measure", files[0], "nowhere.parquet", "--engine", "spark")
    assert missing.code == 1
    assert "rankdiff: nowhere.parquet: [PATH_NOT_FOUND]" in missing.err
    files[1].write_text("1 Q0 d1 1 0.5 bm25\n")
    text = command("measure", *files, "--engine", "spark")
    assert text.code == 1
    assert "both.parquet: [FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER]" in text.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-q",), "--engine spark has no --per-query; --output writes the values of every query"),
        (("--pool",), "--engine spark has no --pool"),
        (("--format", "trec"), "--engine spark has no --format trec"),
    ],
)
def test_options_that_spark_lacks_are_refused(
    options: tuple[str, ...], message: str, command: Callable[..., Any]
) -> None:
    found = command("measure", "qrels.parquet", "run.parquet", "--engine", "spark", *options)
    assert found.code == 2
    assert message in found.err
    assert command("measure", "q", "r", "--ship").code == 2


@pytest.mark.slow
def test_the_command_starts_a_session_of_its_own(files: tuple[Path, Path, Path]) -> None:
    program = [sys.executable, "-m", "rankdiff", "measure", *map(str, files), *ASKED]
    local = subprocess.run(program, capture_output=True, text=True, check=True)
    spark = subprocess.run(
        [*program, "--engine", "spark", "--master", "local[2]"], capture_output=True, text=True, check=True
    )
    assert values(spark.stdout) == values(local.stdout)
    assert "pandas" not in spark.stderr
