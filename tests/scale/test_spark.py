"""Spark tables give what the same tables give here, whatever the partitions."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import dataset

import rankdiff as rd
from rankdiff.collection import Rules
from rankdiff.errors import InputError, UsageError
from rankdiff.scale.spark import Block, measure, ship

pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, which is not installed"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
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


def test_a_bucket_without_judgments_or_without_rankings() -> None:
    block = Block(("a", "b"), ("AP",), Rules(), None)
    judged = pa.table({"topic": ["1"], "document": ["d"], "grade": [1.0]})
    ranked = pa.table({"topic": ["2"], "document": ["d"], "score": [1.0], "run": ["a"]})
    assert block.evaluate(judged.slice(1), ranked).num_rows == 0
    values = block.evaluate(judged, ranked.slice(1)).to_pylist()
    assert [(row["run"], row["value"]) for row in values] == [("a", 0.0), ("b", 0.0)]
