"""The collections of the data folder, each read once, and what a separate implementation gives on one of them."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.hits import FloatArray

Find = Callable[..., Path]
Rows = list[dict[str, str]]


@pytest.fixture(scope="session")
def rows(data: Find) -> Callable[..., Rows]:
    """The rows of a tab-separated table of the data folder, compressed or not."""

    def read(*parts: str) -> Rows:
        path = data(*parts)
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
            return list(csv.DictReader(lines, delimiter="\t"))

    return read


@pytest.fixture(scope="session")
def deep_learning(data: Find) -> Collection:
    """The 63 runs of trec-dl-2021-passages."""
    return align(data("trec-dl-2021-passages", "qrels.txt"), data("trec-dl-2021-passages", "runs"))


@pytest.fixture(scope="session")
def covid(data: Find) -> Collection:
    """The 143 runs of trec-covid-round1."""
    return align(data("trec-covid-round1", "qrels.txt"), data("trec-covid-round1", "runs"))


@pytest.fixture(scope="session")
def definitions(rows: Callable[..., Rows]) -> Rows:
    """Values of a separate implementation, a row for each run and query."""
    return rows("definitions", "trec-dl-2021-passages", "measures.by-query.tsv.gz")


@pytest.fixture(scope="session")
def fifteen(data: Find, definitions: Rows) -> Collection:
    """The 15 runs of that table alone: what depends on the runs compared comes from them."""
    names = dict.fromkeys(row["run"] for row in definitions)
    paths = [data("trec-dl-2021-passages", "runs", f"{name}.gz") for name in names]
    return align(data("trec-dl-2021-passages", "qrels.txt"), paths, pool=True)


@pytest.fixture(scope="session")
def defined(fifteen: Collection, definitions: Rows) -> Callable[[str], tuple[FloatArray, FloatArray]]:
    """Our values of a measure and those of the table, in one order; NaN where there is none."""

    def both(name: str) -> tuple[FloatArray, FloatArray]:
        ours = fifteen.measure(name).values[0]
        place = {
            (run, query): (s, q) for s, run in enumerate(fifteen.systems) for q, query in enumerate(fifteen.queries)
        }
        where = [place[row["run"], row["query"]] for row in definitions]
        theirs = [float(row[name]) if row[name] else np.nan for row in definitions]
        return np.array([ours[at] for at in where]), np.array(theirs)

    return both
