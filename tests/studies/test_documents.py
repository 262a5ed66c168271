"""The studies that list documents: which few runs find, and how far down each stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rankdiff as rd
from rankdiff.errors import UnknownNameError

QRELS = {"p": {"a": 2, "b": 1, "c": 1, "x": 0}, "q": {"a": 1}}
RUNS = {
    "good": {"p": {"a": 5, "b": 4, "x": 3, "c": 2}, "q": {"a": 1}},
    "poor": {"p": {"x": 5, "a": 4, "y": 3}, "q": {"z": 2, "a": 1}},
    "none": {"p": {"y": 1}},
}


def test_finds_lists_the_rarest_of_a_topic_first_and_who_has_them() -> None:
    study = rd.studies.finds(rd.align(QRELS, RUNS), k=3)
    rows = [(row["query"], row["document"], row["found_by"], row["rarity"], row["which"]) for row in study.table.rows()]
    assert rows == [
        ("p", "c", 0, 1, ""),  # at rank 4 of one run, below the cutoff
        ("p", "b", 1, pytest.approx(2 / 3), "good"),
        ("p", "a", 2, pytest.approx(1 / 3), "good, poor"),
        ("q", "a", 2, pytest.approx(1 / 3), "good, poor"),
    ]
    assert "of 4 relevant documents one alone finds 1, and nobody 1 within the top 3" in study.table.notes[0]
    assert rd.studies.finds(rd.align(QRELS, RUNS), k=3, most=1).table["document"].tolist() == ["c", "b"]


def test_teams_count_once() -> None:
    c = rd.align(QRELS, RUNS, groups={"good": "ours", "poor": "ours", "none": "theirs"})
    table = rd.studies.finds(c).table
    assert table.row(query="p", document="a")["found_by"] == 1
    assert table.row(query="p", document="a")["which"] == "ours"
    assert set(table["systems"]) == {2}


@pytest.mark.parametrize("name", ["counts.tsv", "counts.csv"])
def test_the_saved_table_scores_a_new_run_on_the_command_line(command: Callable, tmp_path: Path, name: str) -> None:
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, docs in QRELS.items() for d, g in docs.items()))
    for run, topics in RUNS.items():
        lines = (f"{q} Q0 {d} 0 {s} t\n" for q, docs in topics.items() for d, s in docs.items())
        (tmp_path / run).write_text("".join(lines))
    qrels, old, new = tmp_path / "qrels", [tmp_path / "poor", tmp_path / "none"], tmp_path / "good"
    assert command("study", "finds", qrels, *old, "-o", tmp_path / name).code == 0
    asked = ("measure", qrels, new, "-m", "RareP@100", "-q", "--format", "csv", "--reference")
    by_table, by_runs = command(*asked, tmp_path / name), command(*asked, str(tmp_path / "[pn]o*"))
    assert by_table.code == 0
    # a: found by one of the two old runs; b and c by none: rarity 1.
    assert by_table.out.splitlines()[1] == f"good,p,RareP@100,{(1.5 + 2 + 2) / 100}"
    assert by_table.out == by_runs.out


def test_lengths_are_those_of_each_document_and_their_mean_is_the_measure() -> None:
    c = rd.align(QRELS, RUNS)
    table = rd.studies.lengths(c).table
    rows = {(row["run"], row["query"], row["document"]): (row["rank"], row["value"]) for row in table.rows()}
    # Depths 4, 3, 1 for p: a document of poor that is missing counts 4 − 1.
    assert rows == {
        ("good", "p", "a"): (1, 1), ("good", "p", "b"): (2, 1), ("good", "p", "c"): (4, 2), ("good", "q", "a"): (1, 1),
        ("poor", "p", "a"): (2, 2), ("poor", "p", "b"): (None, 3), ("poor", "p", "c"): (None, 3),
        ("poor", "q", "a"): (2, 2),
        ("good − poor", "p", "a"): (None, -1), ("good − poor", "p", "b"): (None, -2),
        ("good − poor", "p", "c"): (None, -1), ("good − poor", "q", "a"): (None, -1),
    }  # fmt: skip
    assert c.measure("ASL").values[0, 0].tolist() == [4 / 3, 1]


def test_runs_can_be_named_and_the_rule_chosen() -> None:
    c = rd.align(QRELS, RUNS)
    table = rd.studies.lengths(c, runs=["none"], absent="returned").table
    assert table["value"].tolist() == [1, 1, 1, 2]  # q is lacking altogether: padded
    with pytest.raises(UnknownNameError, match="did you mean good"):
        rd.studies.lengths(c, runs=["goood"])


def test_figures_count_documents() -> None:
    pytest.importorskip("altair")
    c = rd.align(QRELS, RUNS)
    assert "runs that find it" in str(rd.studies.finds(c).figure.to_dict())
    assert "change of search length" in str(rd.studies.lengths(c).figure.to_dict())
