"""Stability on halves of the topics."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.hits import FloatArray
from rankdiff.studies.sampling import Sampling

KINDS = ("absolute", "relative", "sd")


def collection_of(scores: FloatArray) -> tuple[rd.Collection, Callable[[rd.Collection], FloatArray]]:
    """A collection, and a measure that gives these scores, system × query."""
    systems, queries = scores.shape
    qrels = {f"q{i}": {"a": 1} for i in range(queries)}
    c = rd.align(qrels, {f"run {i}": {query: {"a": 1} for query in qrels} for i in range(systems)})
    return c, lambda view: scores[[c.systems.index(name) for name in view.systems]]


@pytest.mark.parametrize("kind", KINDS)
def test_against_all_halves(kind: str) -> None:
    """Every half of six topics, by hand; the draws come near to it."""
    scores = np.random.default_rng(1).random((3, 6)) + np.array([[0.0], [0.1], [0.5]])
    halves = [list(half) for half in combinations(range(6), 3)]
    stable = []
    for one, other in combinations(scores, 2):
        leads = []
        for half in halves:
            a, b = one[half].mean(), other[half].mean()
            pooled = np.sqrt((one.var(ddof=1) + other.var(ddof=1)) / 2)
            margin = {"absolute": 0.05, "relative": 0.05 * max(a, b), "sd": 0.05 * pooled}[kind]
            leads.append((a > b + margin, b > a + margin))
        stable.append(np.mean(leads, axis=0).max())
    c, measure = collection_of(scores)
    row = rd.studies.stability(c, measure, samples=20).table.row(fuzziness=kind)
    assert row["stable"] == pytest.approx(np.mean(stable), abs=0.03)
    assert row["stable"] + row["turned"] + row["tied"] == pytest.approx(1)


def test_one_sample_is_a_hundred_draws() -> None:
    scores = np.random.default_rng(2).random((4, 9))
    c, measure = collection_of(scores)
    table = rd.studies.stability(c, measure, samples=1, seed=6).table
    seed = int(Sampling(1, 6).generator(0).integers(2**31))
    for kind in KINDS:
        expected = rd.statistics.stability(scores, draws=100, kind=kind, seed=seed)
        row = table.row(fuzziness=kind)
        assert [row[name] for name in ("stable", "turned", "tied")] == pytest.approx(
            [expected.stability, expected.other, expected.ties]
        )


def test_preferences_enter_by_win_rates(data: Callable[..., Path]) -> None:
    folder = data("trec-covid-round1")
    c = rd.load(folder / "qrels.txt", sorted((folder / "runs").glob("*.gz"))[:6])
    rates = c.prefer("RPP").win_rates()
    given, measure = collection_of(rates)
    found, expected = (rd.studies.stability(*each, samples=2).table for each in ((c, "RPP"), (given, measure)))
    for column in ("stable", "turned", "tied"):
        assert found[column].tolist() == pytest.approx(expected[column].tolist())


def test_the_paper_stands_beside_ours() -> None:
    c = rd.align({f"q{i}": {"a": 1} for i in range(4)}, {"x": {"q0": {"a": 1}}, "y": {"q1": {"a": 1}}})
    (printed,) = rd.studies.stability({"TREC-8": c}, ["AP@100", "RareAP@100"], samples=1, as_paper=True).printed
    assert printed.row(measure="AP@100")["TREC-8 (paper)"] == 0.58
    assert 0 <= printed.row(measure="RareAP@100")["TREC-8"] <= 1
