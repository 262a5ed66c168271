"""Ties against loops over all pairs, and against what others counted."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings

import rankdiff as rd
from plain import pairs, positions
from rankdiff.studies.published.lexiprecision import TABLE_2
from strategies import Grades, Scores, collections


def share(tied: list[bool]) -> float:
    return sum(tied) / len(tied)


@settings(max_examples=15)
@given(collections(grades=(0, 1), systems=(2, 4)))
def test_against_all_pairs(made: tuple[Grades, Scores]) -> None:
    c = rd.align(*made)
    table, found = rd.studies.ties(c, ["RR", "sgnLP"], depths=[2]).table, pairs(c)
    expected = {"RR": share([one[:1] == two[:1] for one, two in found]), "sgnLP": share([a == b for a, b in found])}
    for measure, value in expected.items():
        row = table.row(measure=measure, by="all")
        assert row["value"] == pytest.approx(value)
        assert row["low"] <= row["value"] + 1e-12
        assert row["value"] <= row["high"] + 1e-12


@settings(max_examples=15)
@given(collections(grades=(0, 1), systems=(2, 4)))
def test_by_recall_level_and_by_first_rank(made: tuple[Grades, Scores]) -> None:
    c = rd.align(*made)
    found = pairs(c)
    for row in rd.studies.ties(c, ["sgnLP"], depths=[]).table.rows():
        at = row["at"]
        if row["by"] == "recall level":
            tied = [one[at - 1] == two[at - 1] for one, two in found if len(one) >= at]
        elif row["by"] == "first relevant rank":
            tied = [one == two for pair in found for one, two in (pair, pair[::-1]) if one and one[0] == at]
        else:
            continue
        assert row["value"] == pytest.approx(share(tied))


@settings(max_examples=15)
@given(collections(grades=(0, 1), systems=(2, 4)))
def test_by_depth_is_of_rankings_cut_there(made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    shallow = {
        name: {
            query: dict(sorted(found.items(), key=lambda item: (item[1], item[0]))[-2:]) for query, found in run.items()
        }
        for name, run in runs.items()
    }
    cut = [
        row
        for row in rd.studies.ties(rd.align(qrels, runs), ["sgnLP"], depths=[2]).table.rows()
        if row["by"] == "depth"
    ]
    whole = rd.studies.ties(rd.align(qrels, shallow), ["sgnLP"]).table.row(by="all")
    assert [row["value"] for row in cut] in ([], [whole["value"]])


@pytest.mark.parametrize("rel", [1, 2])
def test_deep_pass_2021_as_others_counted(data: Callable[..., Path], rel: int) -> None:
    with data("papers", "reproduction.tsv").open() as lines:
        rows = {(row["table"], row["column"]): row for row in csv.DictReader(lines, delimiter="\t")}
    folder = data("trec-dl-2021-passages")
    c = rd.load(folder / "qrels.txt", folder / "runs", rel=rel)
    study = rd.studies.ties({"deep-pass (2021)": c}, ["RR", "sgnLP"], depths=[], as_paper=True)
    for measure, column in {"RR": "dRR1", "sgnLP": "rrLP, sgnLP"}.items():
        expected = float(rows["Table 2", column][f"relevance>={rel}"])
        assert 100 * study.table.row(measure=measure, by="all")["value"] == pytest.approx(expected, abs=0.005)
    (printed,) = study.printed
    assert printed.title == TABLE_2.source
    assert printed.row(dataset="deep-pass (2021)")["RR (paper)"] == 47.41


def test_one_run_has_no_pairs() -> None:
    c = rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}})
    with pytest.raises(rd.errors.UsageError, match="needs at least two"):
        rd.studies.ties(c)


def test_plain_positions() -> None:
    c = rd.align({"q": {"a": 1, "b": 2, "c": 0}}, {"x": {"q": {"c": 3, "b": 2}}})
    assert positions(c) == [[[2.0, float("inf")]]]
