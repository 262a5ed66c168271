"""How measures are declared and bound, and how blocks of systems come together again."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures import evaluate, find, measure
from rankdiff.measures.gain import ndcg
from rankdiff.measures.precision import average_precision, precision
from strategies import Grades, Scores, collections


def test_a_declared_function_makes_measures() -> None:
    assert precision(10) == precision(k=10) == precision(cutoff=10) == find("P@10")
    assert precision(10, rel=2).name == "P(rel=2)@10"
    assert average_precision().name == "AP"
    assert ndcg(gains={1: 3}, dcg="log2").name == "nDCG(gains={1: 3})"
    assert {precision(10), find("P_10"), find("Precision@10")} == {find("P@10")}
    assert repr(find("AP")) == "Measure('AP')"


def test_it_still_reads_as_the_function_it_was() -> None:
    assert precision.__doc__ == precision.function.__doc__
    assert list(inspect.signature(precision).parameters) == ["c", "k", "rel"]


@measure("Depth", range=(0, np.inf), citation="this test", higher_is_better=False, aliases=("shown", "deep_{least}"))
def depth(c: Collection, least: int = 0) -> FloatArray:
    return np.maximum(c.depth, least)


def test_what_is_better_low_is_undefined_without_a_relevant_document() -> None:
    c = align({"1": {"a": 1}, "2": {"a": 0}}, {"run": {"1": {"a": 1}, "2": {"a": 1}}})
    assert np.array_equal(depth()(c), [[1, np.nan]], equal_nan=True)
    assert np.array_equal(depth(least=3)(c), [[3, np.nan]], equal_nan=True)
    assert depth(least=3).name == "Depth(least=3)"


def test_spellings_carry_parameters() -> None:
    assert [spelling.read("deep_3") for spelling in depth.spellings] == [None, {"least": 3}]


NAMES = ("AP", "nDCG@3", "RR", "Bpref", "infAP", "ndcg_rel", "ERR@5", "RBP", "num_ret")


@given(collections(systems=(3, 6)))
def test_blocks_of_systems_give_what_the_whole_gives(made: tuple[Grades, Scores]) -> None:
    c = align(*made)
    whole = evaluate(c, NAMES).values
    by_block = np.concatenate([evaluate(block, NAMES).values for block in c.blocks(cells=1)], axis=1)
    assert np.array_equal(whole, by_block)


def test_nothing_to_evaluate_is_refused() -> None:
    c = align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}})
    with pytest.raises(UsageError, match="no measure was named"):
        c.measure()


def test_a_measure_that_is_asked_for_twice_is_computed_once() -> None:
    c = align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}})
    assert [item.name for item in c.measure("AP", "map", "MAP").measures] == ["AP"]
