"""Deciding levels against loops over all pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

import rankdiff as rd
from plain import pairs
from strategies import Grades, Scores, collections


def deciding(one: list[float], two: list[float], preference: str) -> int:
    """How many levels must be looked at; 0 if they never differ."""
    read = range(len(one)) if preference == "sgnLP" else reversed(range(len(one)))
    return next((step for step, i in enumerate(read, 1) if one[i] != two[i]), 0)


@settings(max_examples=40)
@given(collections(grades=(0, 1), systems=(2, 4)))
def test_against_all_pairs(made: tuple[Grades, Scores]) -> None:
    c = rd.align(*made)
    found = [pair for pair in pairs(c) if pair[0]]
    steps = {name: [deciding(*pair, name) for pair in found] for name in ("sgnLP", "sgnLR")}
    for row in rd.studies.depth(c).table.rows():
        every = np.array(steps[row["preference"]])
        differing = every[every > 0]
        if row["by"] == "ties":
            assert row["value"] == pytest.approx(np.mean(every == 0))
        elif row["by"] == "recall levels":
            assert row["value"] == pytest.approx(np.sum(differing <= row["at"]) / max(len(differing), 1))
        elif row["by"] == "share" and len(differing):
            enough = [level for level in range(1, 13) if np.mean(differing <= level) >= row["at"] - 1e-12]
            assert row["value"] == enough[0]
        elif row["by"] == "rank":
            seen = [
                min(one[step - 1], two[step - 1]) <= row["at"]
                for (one, two), step in zip(found, steps["sgnLP"], strict=True)
                if step
            ]
            assert row["value"] == pytest.approx(sum(seen) / max(len(seen), 1))


def test_lexirecall_is_decided_from_the_bottom() -> None:
    qrels = {"q": {"a": 1, "b": 1, "c": 1}}
    c = rd.align(qrels, {"x": {"q": {"a": 4, "n": 3, "b": 2}}, "y": {"q": {"a": 4, "b": 3}}})
    table = rd.studies.depth(c).table
    assert table.row(preference="sgnLR", by="share", at=0.5)["value"] == 2
    assert table.row(preference="sgnLP", by="share", at=0.5)["value"] == 2
    assert table.row(preference="sgnLP", by="rank", at=2.0)["value"] == 1
    assert not math.isnan(table.row(preference="sgnLP", by="rank", at=1.0)["value"])
