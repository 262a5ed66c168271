"""The four answers, their lists, and the subcommand."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import UsageError

QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1, "z": 0}, "3": {"a": 1}}
RUNS = {
    "old": {"1": {"b": 9, "c": 8, "a": 7}, "2": {"z": 2, "a": 1}, "3": {"a": 5}},
    "new": {"1": {"a": 9, "c": 8, "b": 7}, "2": {"a": 2}, "3": {"n": 6, "a": 5}},
    "other": {"1": {"x": 9, "b": 8}, "2": {"z": 1}, "3": {}},
}


def test_the_lists_name_topics_documents_grades_and_who_ranks_them_where() -> None:
    found = rd.align(QRELS, RUNS).flip("old", "new", "RR")
    # RR of new less old: 1/2, 1/2, −1/2. Without one of the first two topics the mean is 0.
    assert found.difference == pytest.approx(0.5 / 3)
    assert found.sign_by_topics is not None
    assert found.sign_by_topics.count == found.sign_by_topics.at_least == 1
    assert found.sign_by_judgments is not None
    (row,) = found.sign_by_judgments.table.rows()
    # Without a, both have the relevant c at rank 2 of topic 1. (Were b relevant, or z, one would do as well.)
    assert row == {
        "topic": "1",
        "document": "a",
        "grade": 2,
        "becomes": 0,
        "baseline rank": 3,
        "candidate rank": 1,
        "other runs": "0 of 1",
    }
    assert found.significance_by_topics is None
    assert "RR: new is better, by 0.1667, not significantly" in found.sentences
    assert [row["by"] for row in found.table.rows()] == ["topics", "judgments"]


def test_it_turns_round_with_the_runs() -> None:
    c = rd.align(QRELS, RUNS)
    one, other = c.flip("old", "new", "nDCG"), c.flip("new", "old", "nDCG")
    assert one.difference == -other.difference
    for mine, theirs in zip(one.answers, other.answers, strict=True):
        assert (mine.count, mine.at_least) == (theirs.count, theirs.at_least)


def test_runs_that_tie_have_nothing_to_undo() -> None:
    found = rd.align(QRELS, {"x": RUNS["old"], "y": RUNS["old"]}).flip("x", "y")
    assert found.answers == ()
    assert "nothing to undo" in found.sentences[0]
    assert len(found.table) == 0


def test_what_makes_no_sense_is_refused() -> None:
    c = rd.align(QRELS, RUNS)
    with pytest.raises(UsageError, match="cannot be compared with itself"):
        c.flip("old", "old")
    with pytest.raises(UsageError, match="subtopics"):
        c.flip("old", "new", "StRecall@5")
    with pytest.raises(UsageError, match="did you mean new"):
        c.flip("old", "nw")


def test_the_subcommand_prints_the_lists(tmp_path: Path, command) -> None:
    qrels = tmp_path / "qrels"
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for q, docs in QRELS.items() for d, g in docs.items()))
    for name, run in RUNS.items():
        lines = [f"{q} Q0 {d} 0 {s} {name}\n" for q, docs in run.items() for d, s in docs.items()]
        (tmp_path / name).write_text("".join(lines))
    files = [tmp_path / name for name in RUNS]
    outcome = command("flip", qrels, *files, "-m", "RR", "--format", "csv")
    assert outcome.code == 0
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    assert [row["by"] for row in rows] == ["topics", "judgments"]
    assert "1 judgment reversed undoes the sign" in outcome.err
    assert command("flip", qrels, files[0]).code == 2


@pytest.mark.slow
def test_on_a_track_the_bounds_hold_and_the_sets_do_it(data) -> None:
    folder = data("trec-dl-2021-passages")
    c = rd.load(folder / "qrels.txt", folder / "runs")
    order = np.argsort(-c.measure("nDCG@10")["nDCG@10"].mean(axis=1))
    first, second = (c.systems[order[i]] for i in (3, 9))
    for name in ("nDCG@10", "AP", "RPP", "sgnLR"):
        found = c.flip(second, first, name)
        for answer in found.answers:
            assert answer.count is not None
            assert answer.at_least <= answer.count
        if name == "nDCG@10":
            assert all(answer.exact for answer in found.answers)
