"""Contributions of recall levels: they add up to the difference, and shares are those of loops."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings

import rankdiff as rd
from rankdiff.errors import CorpusSizeError, UsageError
from rankdiff.studies.contributions import contribution
from rankdiff.studies.criteria import differences, resolve
from rankdiff.studies.levels import LEVELS, RELATIVE_SIZES
from strategies import Grades, Scores, collections

MEASURES = ("AP", "nDCG", "dcg", "RBP(p=0.5)", "RR", "Rprec", "R@2", "TSE", "ISL", "TSL", "AverageRank")
PREFERENCES = ("RPP", "RPP(weights='dcg')", "RPP(weights='inverse')", "sgnLP", "rrLP", "sgnLR", "rrLR")


@pytest.mark.parametrize("name", MEASURES + PREFERENCES)
@settings(max_examples=30)
@given(made=collections(grades=(0, 1), systems=(2, 4)))
def test_contributions_add_up_to_the_difference(name: str, made: tuple[Grades, Scores]) -> None:
    c = rd.align(*made, corpus_size=40, no_relevant="drop")
    item, population = resolve(name), c.relevant(1)
    shape, expected = contribution(item), differences(c, item)
    worth = shape.of_runs(c)
    for (a, b), change in zip(combinations(range(len(c.systems)), 2), expected, strict=True):
        added = np.bincount(population.group, shape.compare(worth[a], worth[b], population), len(c.queries))
        assert added[~np.isnan(change)] == pytest.approx(change[~np.isnan(change)], abs=1e-12)


@settings(max_examples=30)
@given(collections(grades=(0, 1), systems=(2, 4)))
def test_shares_of_a_collection_against_loops(made: tuple[Grades, Scores]) -> None:
    c = rd.align(*made)
    shape = contribution(resolve("AP"))
    worth, start = shape.of_runs(c), c.relevant(1).start
    upto, sizes, largest = [], [], {}
    for query, (first, last) in enumerate(pairwise(start)):
        of_pairs = [np.abs(worth[a, first:last] - worth[b, first:last]) for a, b in combinations(range(len(worth)), 2)]
        largest[query] = max((found.max() for found in of_pairs if len(found)), default=0)
        upto += [[found[:level].sum() / found.sum() for level in LEVELS] for found in of_pairs if found.sum()]
        sizes += [[np.sum(found <= size * largest[query]) for size in RELATIVE_SIZES] for found in of_pairs]
    table = rd.studies.levels(c, "AP").table
    cells = len(worth) * (len(worth) - 1) // 2 * worth.shape[1]
    found = {view: [row["value"] for row in table.rows() if row["view"] == view] for view in table["view"]}
    assert found["up to level"] == pytest.approx(np.mean(upto, axis=0) if upto else [0.0] * len(LEVELS))
    assert found["relative size"] == pytest.approx(np.sum(sizes, axis=0) / cells)


def test_one_request_by_hand() -> None:
    qrels = {"q": {"a": 1, "b": 1, "c": 1}, "r": {"a": 1}}
    runs = {"x": {"q": {"a": 3, "n": 2, "b": 1}}, "y": {"q": {"n": 2, "c": 1}}}
    table = rd.studies.levels(rd.align(qrels, runs), ["RPP", "RR"], request="q", runs=("y", "x")).table
    rows = [(row["view"], row["measure"], row["at"], row["value"]) for row in table.rows()]
    assert rows[:3] == [("precision", "y", 1, 0.5), ("precision", "x", 1, 1.0), ("precision", "x", 2, 2 / 3)]
    one = [row for row in rows if row[0] == "one request"]
    assert [row[3] for row in one] == pytest.approx([-1 / 3, -1 / 3, 0, -0.5, 0, 0])
    assert table.notes == ("collection: one request: q, y less x",)


def test_search_lengths_need_a_corpus() -> None:
    runs = {"x": {"q": {"a": 1}}, "y": {"q": {"n": 2, "a": 1}}}
    with pytest.raises(CorpusSizeError, match="pool=True"):
        rd.studies.levels(rd.align({"q": {"a": 1}}, runs), ["RR", "ISL"])
    found = rd.studies.levels(rd.align({"q": {"a": 1}}, runs, pool=True), ["RR", "ISL"]).table
    assert found.row(view="one request", measure="ISL")["value"] == 1


@pytest.mark.parametrize("name", ["ERR@20", "RPP(rel=2)", "OI", "AP@10"])
def test_what_is_no_sum_over_levels_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="not known as a sum over recall levels"):
        rd.studies.surfaces(name)


def test_the_same_run_twice_is_refused() -> None:
    c = rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}})
    with pytest.raises(UsageError, match="two runs are compared, not 1: x"):
        rd.studies.levels(c, "RR")


def test_surfaces_are_antisymmetric() -> None:
    table = rd.studies.surfaces(deepest=6).table
    for measure in set(table["measure"]):
        square = table["value"][table["measure"] == measure].reshape(6, 6)
        assert np.array_equal(square, -square.T)
        assert (square[np.triu_indices(6, 1)] > 0).all()
