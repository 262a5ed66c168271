"""Agreement of measures against loops over pairs, and of orders against SciPy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

import rankdiff as rd
from rankdiff.collection import Collection
from strategies import Grades, Scores, collections

SAYS = {1: "win", 0: "tie", -1: "loss"}


@settings(max_examples=40)
@given(collections(grades=(0, 2), systems=(2, 4)))
def test_the_nine_shares_against_loops(made: tuple[Grades, Scores]) -> None:
    c = rd.align(*made)
    ap, rr = c.measure("AP", "RR").values.round(12)
    pairs = [
        (np.sign(ap[a, q] - ap[b, q]), np.sign(rr[a, q] - rr[b, q]))
        for one, two in combinations(range(len(c.systems)), 2)
        for a, b in ((one, two), (two, one))
        for q in range(len(c.queries))
    ]
    table = rd.studies.agreement(c, ["AP", "RR"]).table
    found = dict(zip(table["quantity"], table["value"], strict=True))
    for (i, j), count in Counter(pairs).items():
        assert found[f"{SAYS[i]}, {SAYS[j]}"] == pytest.approx(count / len(pairs))
    assert sum(found[f"{i}, {j}"] for i in SAYS.values() for j in SAYS.values()) == pytest.approx(1)
    for quantity, at in {"first": 0, "second": 1}.items():
        apart = [pair for pair in pairs if pair[at]]
        expected = np.mean([i == j for i, j in apart]) if apart else np.nan
        assert found[f"agreement, where {quantity} differs"] == pytest.approx(expected, nan_ok=True)


@pytest.fixture
def c(data: Callable[..., Path]) -> Collection:
    folder = data("trec-covid-round1")
    runs = sorted((folder / "runs").glob("*.gz"))[:25]
    return rd.load(folder / "qrels.txt", runs)


def test_orders_and_differences_against_scipy(c: Collection) -> None:
    table = rd.studies.agreement({"covid": c}, ["AP", "nDCG", "RPP"], by="winrate").table
    means = {"AP": c.measure("AP")["AP"].mean(axis=1), "RPP": c.prefer("RPP").win_rates().mean(axis=1)}
    expected = stats.kendalltau(means["AP"], means["RPP"]).statistic
    assert table.row(first="AP", second="RPP", quantity="tau")["value"] == pytest.approx(expected)
    ap, ndcg = c.measure("AP", "nDCG").values
    pairs = [(a, b) for a in range(len(ap)) for b in range(len(ap)) if a != b]
    x, y = (np.concatenate([values[a] - values[b] for a, b in pairs]) for values in (ap, ndcg))
    assert table.row(first="AP", second="nDCG", quantity="r")["value"] == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_table_2a_is_a_mean_over_datasets(c: Collection) -> None:
    halves = np.arange(len(c.queries)) % 2 == 0
    datasets = {"even": c.select(queries=halves), "odd": c.select(queries=~halves)}
    study = rd.studies.agreement(datasets, ["AP", "RR"], as_paper=True)
    (printed,) = study.printed
    values = study.table["value"][study.table["quantity"] == "tau"]
    row = printed.row(first="RR")
    assert row["AP"] == pytest.approx(values.mean())
    assert row["AP (paper)"] == 0.49


def test_lexirecall_and_its_first_levels_agree(c: Collection) -> None:
    """Where R@1000 tells rankings of 1000 documents apart, lexirecall says the same."""
    table = rd.studies.agreement(c.cut(1000), ["sgnLR", "R@1000", "sgnLP", "RR"]).table
    where = {"quantity": "agreement, where second differs"}
    assert table.row(first="sgnLR", second="R@1000", **where)["value"] == 1
    assert table.row(first="sgnLP", second="RR", **where)["value"] == 1


def test_points_are_differences_of_one_query(c: Collection) -> None:
    table = rd.studies.scatter(c, ["RPP", "RR"], samples=2, seed=2).table
    rr, rpp = c.measure("RR")["RR"], c.prefer("RPP")
    known = {
        (round(float(x), 9), round(float(y), 9))
        for a in range(len(rr))
        for x, y in zip(rpp.over(a, np.arange(len(rr))).ravel(), (rr[a] - rr).ravel(), strict=True)
    }
    assert len(table) == 2 * 50
    assert all((round(row["x"], 9), round(row["y"], 9)) in known for row in table.rows())
    assert set(table["agree"]) == {"yes", "no"}


def test_a_scatter_needs_two() -> None:
    c = rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}, "y": {"q": {"a": 1}}})
    with pytest.raises(rd.errors.UsageError, match="two measures or preferences"):
        rd.studies.scatter(c, "AP")
