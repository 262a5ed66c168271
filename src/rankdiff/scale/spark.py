"""Measures on Spark tables: logs of millions of users, evaluated where they are.

Topics are put into buckets by their hash; a bucket's judgments and rankings meet in one call of one function, Arrow
in, Arrow out, which does what `rankdiff.align` and ``c.measure`` do. All rankings of a topic are in its bucket, so that
what depends on the other runs is exact. Classic sessions and Spark Connect do alike.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rankdiff.errors import UsageError
from rankdiff.interop.collecting import collect
from rankdiff.measures import find
from rankdiff.read import read_qrels
from rankdiff.read.tables import JUDGMENT, RANKING, Table, roles
from rankdiff.results import Table as Result
from rankdiff.results.scores import GEOMETRIC_FLOOR
from rankdiff.rules import Rules

BUCKETS = 200
VALUES = "run string, query string, measure string, value double"
MERGED = {"mean": "avg(value)", "sum": "sum(value)", "geometric": f"exp(avg(ln(greatest(value, {GEOMETRIC_FLOOR}))))"}
"""How the values of topics become one number, in Spark's words."""


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
    judged, ranked = _columns(judgments, JUDGMENT), _columns(runs, RANKING)
    systems = tuple(sorted(row["run"] for row in ranked.select("run").distinct().collect()))
    block = Block(systems, tuple(item.name for item in asked), Rules(**rules), corpus_size)
    together = _in_buckets(judged, buckets).cogroup(_in_buckets(ranked, buckets))
    values = together.applyInArrow(lambda judged, ranked: block.evaluate(judged, ranked), schema=VALUES)  # noqa: PLW0108
    if output is not None:
        values.write.mode("overwrite").parquet(output)
        values = spark.read.parquet(output)
    merged = values.groupBy("run", "measure").agg(*_aggregates())
    found = {(row["run"], row["measure"]): row for row in merged.collect()}
    return Result.of(
        run=list(systems),
        **{item.name: [_of(found.get((run, item.name)), item.aggregate) for run in systems] for item in asked},
        queries=[
            max((found[run, item.name]["topics"] for item in asked if (run, item.name) in found), default=0)
            for run in systems
        ],
    )


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


def _columns(table: Any, wanted: Sequence[str]) -> Any:
    """The columns that matter, under the names of what they hold; ids are bytes, as Spark's strings may not be."""
    from pyspark.sql import functions as F  # noqa: N812

    of = roles(table.columns, wanted, "Spark table")
    numbers = {"grade", "score", "rank"}
    columns = [
        F.col(f"`{name}`").cast("double" if role in numbers else "string").alias(role) for role, name in of.items()
    ]
    chosen = table.select(*columns)
    return chosen if "run" in of or "run" not in wanted else chosen.withColumn("run", F.lit("run"))


def _in_buckets(table: Any, buckets: int) -> Any:
    from pyspark.sql import functions as F  # noqa: N812

    return table.groupBy(F.pmod(F.xxhash64("topic"), F.lit(buckets)).alias("bucket"))


def _aggregates() -> list[Any]:
    from pyspark.sql import functions as F  # noqa: N812

    return [F.expr(f"{formula} as {name}") for name, formula in {**MERGED, "topics": "count(value)"}.items()]


def _table(arrow: Any, wanted: Sequence[str]) -> Table:
    return Table({name: arrow.column(name) for name in wanted if name in arrow.column_names}, "Spark table")


def _of(row: Any, aggregate: str) -> float:
    return float(np.nan if row is None else row[aggregate])
