"""Measures on Spark tables: logs of millions of users, evaluated where they are.

Topics are put into buckets by their hash; a bucket's judgments and rankings meet in one call of one function, Arrow
in, Arrow out, which does what `rankdiff.align` and ``c.measure`` do. All rankings of a topic are in its bucket, so that
what depends on the other runs is exact. Classic sessions and Spark Connect do alike.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from rankdiff import __version__
from rankdiff.errors import InputError, MissingExtraError, NoOverlapError, UsageError
from rankdiff.interop.collecting import collect
from rankdiff.measures import find
from rankdiff.read import read_qrels
from rankdiff.read.runs import run_name
from rankdiff.read.tables import JUDGMENT, RANKING, Table, roles
from rankdiff.results import Table as Result
from rankdiff.results.scores import GEOMETRIC_FLOOR
from rankdiff.results.table import column
from rankdiff.rules import Rules

BUCKETS = 200
VALUES = "run string, query string, measure string, value double"
MERGED = {"mean": "avg(value)", "sum": "sum(value)", "geometric": f"exp(avg(ln(greatest(value, {GEOMETRIC_FLOOR}))))"}
"""How the values of topics become one number, in Spark's words."""
LOCAL = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false"}
"""Of a session on this machine: it needs no network, and no name of the machine that can be looked up."""


def measure(
    spark: Any,
    judgments: Any,
    runs: Any,
    *measures: str,
    buckets: int = BUCKETS,
    output: str | None = None,
    corpus_size: int | None = None,
    **rules: Any,
) -> Result:
    """The table of runs and measures, from a Spark table of judgments and one of runs.

    Their columns are called as in PyTerrier, ir_datasets, ranx or BEIR (see docs/doors.md); a column ``run`` tells
    several runs apart. ``output`` is a folder into which the executors write the values of single topics as Parquet:
    run, query, measure, value. ``rules`` are ties, precision, duplicates, missing, no_relevant, rel, depth and
    judged_only, as in `rankdiff.align`.
    """
    asked = [find(name) for name in measures]
    if unmerged := [item.name for item in asked if item.aggregate not in MERGED]:
        raise UsageError(f"{unmerged[0]} has no mean over topics that parts of them could be merged to")
    if not asked:
        raise UsageError("no measure was named")
    names = tuple(item.name for item in asked)
    judged, ranked = _columns(judgments, JUDGMENT), _columns(runs, RANKING)
    with _failures_told():
        systems = tuple(sorted(row["run"] for row in ranked.select("run").distinct().collect()))
        block = Block(systems, names, Rules(**rules), corpus_size)
        together = _in_buckets(judged, buckets).cogroup(_in_buckets(ranked, buckets))
        values = together.applyInArrow(lambda judged, ranked: block.evaluate(judged, ranked), schema=VALUES)  # noqa: PLW0108
        if output is not None:
            values.write.mode("overwrite").parquet(output)
            values = spark.read.parquet(output)
        merged = values.groupBy("run", "measure").agg(*_aggregates()).collect()
        # Only where nothing was found is it worth another look at the tables whether anything could have been.
        found_nothing = not any(row["mean"] for row in merged)
        if found_nothing and ranked.join(judged, "topic", "left_semi").isEmpty():
            raise NoOverlapError(
                "the judgments and the runs have no topic in common",
                found=f"topics such as {_a_topic(judged)} in the judgments and such as {_a_topic(ranked)} in the runs",
                expected="the same topics in both",
            )
    found = {(row["run"], row["measure"]): row for row in merged}
    columns: dict[str, Any] = {"run": systems}
    columns |= {item.name: [_of(found.get((run, item.name)), item.aggregate) for run in systems] for item in asked}
    columns["queries"] = [
        max((found[run, n]["topics"] for n in names if (run, n) in found), default=0) for run in systems
    ]
    signature = [
        f"rankdiff {__version__}",
        ",".join(names),
        *block.rules.signature(),
        f"systems:{len(systems)}",
        "engine:spark",
    ]
    return Result({name: column(values) for name, values in columns.items()}, signature="|".join(signature))


@contextmanager
def session(master: str) -> Iterator[Any]:
    """A Spark session: ``local[2]`` on this machine, a cluster by its URL, or by ``sc://…`` through Spark Connect.

    One that is there already is used and stays; another ends with the block.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as missing:
        raise MissingExtraError("Spark's tables", "spark") from missing
    is_ours = SparkSession.getActiveSession() is None
    builder = SparkSession.builder.appName("rankdiff").config("spark.log.level", "ERROR")
    builder = builder.config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
    if master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # or workers take the first Python on the path
        for name, value in LOCAL.items():
            builder = builder.config(name, value)
    with warnings.catch_warnings(), _failures_told():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        made = (builder.remote if master.startswith("sc:") else builder.master)(master).getOrCreate()
        try:
            yield made
        finally:
            if is_ours:
                made.stop()


def parquet_runs(spark: Any, paths: Sequence[str]) -> Any:
    """One Spark table of several files or folders of Parquet; where no column names the run, the file's name does."""
    tables = [_columns(parquet(spark, path), RANKING, run_name(path)) for path in paths]
    shared = [name for name in tables[0].columns if all(name in table.columns for table in tables)]
    return reduce(lambda one, other: one.unionByName(other), (table.select(*shared) for table in tables))


def parquet(spark: Any, path: str) -> Any:
    """A Spark table of a file or a folder of Parquet."""
    with _failures_told(path):
        return spark.read.parquet(path)


def ship(spark: Any) -> None:
    """Give rankdiff to executors where it is not installed; NumPy and pyarrow must be there.

    They use the Python kernel: install rankdiff on them where speed matters.
    """
    folder = tempfile.mkdtemp(prefix="rankdiff-")  # Spark fetches the archive later, and so it must stay
    tree = Path(folder, "tree")
    left_out = shutil.ignore_patterns("*.so", "*.hpp", "*.cpp", "CMake*", "__pycache__")
    shutil.copytree(Path(__file__).parents[1], tree / "rankdiff", ignore=left_out)
    spark.addArtifacts(shutil.make_archive(os.path.join(folder, "rankdiff"), "zip", tree), pyfile=True)


@dataclass(frozen=True)
class Block:
    """What is done with a bucket of topics: plain values, so that executors get it in a few bytes."""

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    rules: Rules
    corpus_size: int | None

    def evaluate(self, judged: Any, ranked: Any) -> Any:
        """The values of all runs for the judged topics of a bucket: Arrow tables in, an Arrow table out."""
        import pyarrow as pa

        schema = pa.schema(
            [("run", pa.string()), ("query", pa.string()), ("measure", pa.string()), ("value", pa.float64())]
        )
        if not judged.num_rows:
            return schema.empty_table()
        c = collect(
            read_qrels(_table(judged, JUDGMENT)),
            _table(ranked, RANKING) if ranked.num_rows else None,
            self.rules,
            systems=self.systems,
            corpus_size=self.corpus_size,
        )
        long = c.measure(*self.measures).per_query()
        return pa.table({name: long[name].tolist() for name in schema.names}, schema=schema)


@contextmanager
def _failures_told(source: str = "") -> Iterator[None]:
    """What Spark raises becomes an error of ours: executors raise ours, in the midst of what Spark says of it."""
    try:
        yield
    except Exception as failure:
        if type(failure).__module__.partition(".")[0] not in {"pyspark", "py4j"}:
            raise
        text = str(failure).strip()
        said = re.search(r"rankdiff\.errors\.\w+: (.*)", text) or re.search(r"(\[[A-Z][A-Z_.]+\] .*)", text)
        raise InputError(said[1] if said else text.partition("\n")[0], source=source) from failure


def _columns(table: Any, wanted: Sequence[str], run: str = "run") -> Any:
    """The columns that matter, under the names of what they hold; ids are bytes, as Spark's strings may not be."""
    from pyspark.sql import functions as F  # noqa: N812

    of = roles(table.columns, wanted, "Spark table")
    numbers = {"grade", "score", "rank"}
    columns = [
        F.col(f"`{name}`").cast("double" if role in numbers else "string").alias(role) for role, name in of.items()
    ]
    chosen = table.select(*columns)
    if "rank" in of and "score" not in of:
        chosen = chosen.withColumn("score", -F.col("rank"))
    return chosen if "run" in of or "run" not in wanted else chosen.withColumn("run", F.lit(run))


def _in_buckets(table: Any, buckets: int) -> Any:
    from pyspark.sql import functions as F  # noqa: N812

    return table.groupBy(F.pmod(F.xxhash64("topic"), F.lit(buckets)).alias("bucket"))


def _a_topic(table: Any) -> str:
    return next((repr(row["topic"]) for row in table.select("topic").limit(1).collect()), "none at all")


def _aggregates() -> list[Any]:
    from pyspark.sql import functions as F  # noqa: N812

    return [F.expr(f"{formula} as {name}") for name, formula in {**MERGED, "topics": "count(value)"}.items()]


def _table(arrow: Any, wanted: Sequence[str]) -> Table:
    return Table({name: arrow.column(name) for name in wanted if name in arrow.column_names}, "Spark table")


def _of(row: Any, aggregate: str) -> float:
    return float(np.nan if row is None else row[aggregate])
