"""Locality: the paper's Table 1, and correlations and regressions as NumPy has them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.studies.published.lexiprecision import TABLE_1


@pytest.fixture(scope="module")
def c() -> Collection:
    rng = np.random.default_rng(5)
    qrels = {f"q{i}": {f"d{j}": 1 for j in range(int(rng.integers(3, 11)))} for i in range(40)}
    documents = [f"d{j}" for j in range(14)]
    runs = {
        f"run {s}": {query: dict(zip(documents, rng.permutation(14).tolist(), strict=True)) for query in qrels}
        for s in range(5)
    }
    return rd.align(qrels, runs, depth=12)


def changes(c: Collection, levels: int, enough: int) -> np.ndarray:
    """``1/p_i − 1/p'_i`` for all ordered pairs, and the queries with enough levels: (pair, query) × level."""
    rows = []
    for query in range(len(c.queries)):
        part = c.rank[:, c.start[query] : c.start[query + 1]].astype(float)
        if part.shape[1] >= enough:
            part[part == 0] = np.inf
            reciprocal = 1 / np.sort(part, axis=1)[:, :levels]
            rows += [reciprocal[a] - reciprocal[b] for a, b in permutations(range(len(part)), 2)]
    return np.array(rows)


def test_table_1_comes_out_exactly(data: Callable[..., Path]) -> None:
    folder = data("trec-dl-2021-passages")
    c = rd.load(folder / "qrels.txt", folder / "runs")
    (printed,) = rd.studies.locality({"deep-pass (2021)": c}, as_paper=True).printed
    row = printed.row(dataset="deep-pass (2021)")
    for column in ("sgnLP", "RR at level 2"):
        assert round(row[column], 2) == row[f"{column} (paper)"] == TABLE_1.numbers["deep-pass (2021)", column]


@pytest.mark.parametrize(("level", "other"), [(1, 2), (1, 5), (4, 8)])
def test_correlations(c: Collection, level: int, other: int) -> None:
    values = changes(c, other, other)
    expected = np.corrcoef(values[:, level - 1], values[:, other - 1])[0, 1]
    found = rd.studies.locality(c).table.row(quantity="correlation", level=level, other=other)
    assert found["value"] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_regressions(c: Collection, level: int) -> None:
    values = changes(c, level + 4, level + 4)
    target, following = values[:, level - 1], values[:, level:]
    tied = (values[:, : level - 1] == 0).all(axis=1)
    expected = {
        "regression": np.linalg.lstsq(following, target)[0],
        "cascaded regression": np.linalg.lstsq(following[tied], target[tied])[0],
        "regression of the sign": np.linalg.lstsq(following, np.sign(target))[0],
    }
    table = rd.studies.locality(c).table
    for quantity, coefficients in expected.items():
        found = [table.row(quantity=quantity, level=level, other=level + ahead)["value"] for ahead in range(1, 5)]
        assert found == pytest.approx(coefficients.tolist(), rel=1e-6, abs=1e-9)


def test_levels_that_no_query_has_are_left_out() -> None:
    c = rd.align({"q": {"a": 1, "b": 1}}, {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"n": 2, "b": 1}}})
    table = rd.studies.locality(c).table
    assert "regression" not in table["quantity"]
    assert np.isnan(table.row(quantity="correlation", level=1, other=3)["value"])
