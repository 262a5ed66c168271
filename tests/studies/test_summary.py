"""The collection at a glance: by hand, and the rows of the papers."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.studies.depth_class import depth_class


def test_by_hand() -> None:
    qrels = {"q1": {"a": 1, "b": 2, "n": 0}, "q2": {"a": 1}, "q3": {"n": 0}}
    runs = {"x": {"q1": {"a": 3, "u": 2, "n": 1}, "q2": {"u": 1}}, "y": {q: {"a": 2, "n": 1} for q in qrels}}
    table = rd.studies.summary(rd.align(qrels, runs)).table
    rows = {row["quantity"]: (row["value"], row["deviation"]) for row in table.rows()}
    assert rows["requests"][0] == 3
    assert rows["runs"][0] == 2
    assert rows["relevant"] == (1, np.std([2, 1, 0], ddof=1))
    assert rows["relevant retrieved"] == pytest.approx((np.mean([1, 0, 1, 1, 0]), np.std([1, 0, 1, 1, 0], ddof=1)))
    assert rows["documents"][0] == pytest.approx(np.mean([3, 1, 2, 2, 2]))
    assert rows["unjudged@10"][0] == pytest.approx(np.mean([1 / 3, 1, 0, 0.5, 0.5]))
    assert rows["requests without a relevant document"][0] == 1
    assert rows["runs that lack requests"][0] == 1
    assert rows["rankings lacking"][0] == 1
    assert table.row(quantity="documents")["class"] == "shallow"
    assert table.notes == ()


def test_the_row_of_table_5_but_for_the_relevant_documents(data: Callable[..., Path]) -> None:
    folder = data("trec-dl-2021-passages")
    c = rd.load(folder / "qrels.txt", folder / "runs")
    table_5, table_1, retrieved = rd.studies.summary({"deep-pass (2021)": c}, as_paper=True).printed
    row = table_5.row(dataset="deep-pass (2021)")
    assert (row["requests"], row["runs"], row["depth"]) == (53, 63, "shallow")
    assert row["documents"] == pytest.approx(row["documents (paper)"], abs=0.006)
    assert row["relevant"] == pytest.approx(6490 / 53)
    assert row["relevant (paper)"] == 191.96
    assert list(table_1.columns)[-2:] == ["relevant", "subtopics"]
    assert any("deep-pass (2020)" in note for note in table_1.notes), "it has no such row"
    assert retrieved.row(dataset="deep-pass (2021)")["relevant retrieved (paper)"] == 38.74


def test_subtopics_are_counted(data: Callable[..., Path]) -> None:
    folder = data("web-diversity", "2014")
    c = rd.load(folder / "qrels.txt.gz", folder / "runs", subtopics=True)
    lines = [line.split() for line in lines_of(folder / "qrels.txt.gz")]
    expected = len({(topic, subtopic) for topic, subtopic, _, grade in lines if int(grade) >= 1}) / len(c.queries)
    assert rd.studies.summary(c).table.row(quantity="subtopics")["value"] == pytest.approx(expected)


def lines_of(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


@pytest.mark.parametrize(
    ("documents", "expected"), [(1000.5, "deep"), (1000, "standard"), (100.1, "standard"), (100, "shallow")]
)
def test_depth_classes(documents: float, expected: str) -> None:
    assert depth_class(documents) == expected


def test_what_is_said_of_a_dataset_stands_where_it_is_there() -> None:
    c = rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}})
    notes = {
        name: " ".join(rd.studies.summary({name: c}, as_paper=True).printed[0].notes)
        for name in ("trec-dl-2021-passages", "web (2014)")
    }
    assert "deep-pass (2021): the released judgments hold 122.45" in notes["trec-dl-2021-passages"]
    assert "122.45" not in notes["web (2014)"]
