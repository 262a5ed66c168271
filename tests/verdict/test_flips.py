"""The four answers, their lists, and the subcommand."""

from __future__ import annotations

import csv
import io
import json
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
    assert "RR: new is better than old, by 0.1667, not significantly" in found.sentences
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


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Judgments and runs as files; `other` ranks two documents that nobody judged."""
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, docs in QRELS.items() for d, g in docs.items()))
    for name, run in RUNS.items():
        lines = [f"{q} Q0 {d} 0 {s} {name}\n" for q, docs in run.items() for d, s in docs.items()]
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "segments").write_text("1 long\n2 short\n3 short\n")
    return [tmp_path / "qrels", *(tmp_path / name for name in RUNS)]


def test_the_subcommand_prints_one_list_for_programs(files: list[Path], command) -> None:
    outcome = command("flip", *files, "-m", "RR", "--format", "csv")
    assert outcome.code == 0
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    assert [row["by"] for row in rows] == ["topics", "judgments"]
    assert "1 judgment reversed undoes the sign" in outcome.err
    assert {name: rows[1][name] for name in ("topic", "document", "grade", "becomes")} == {
        "topic": "1", "document": "a", "grade": "2", "becomes": "0",
    }  # fmt: skip
    assert command("flip", files[0], files[1]).code == 2


def test_people_get_a_list_for_each_question(files: list[Path], command) -> None:
    shown = command("flip", *files, "-m", "RR").out
    assert shown.startswith(
        "RR: new is better than old, by 0.1667, not significantly: 1 topic removed undoes the sign\n"
    )
    assert "rank in old  rank in new  other runs" in shown
    assert "judged to   lower   upper  it holds\nall        0.1667  0.3333  yes" in shown
    assert "have no unjudged documents" in command("flip", *files, "-m", "RR", "--judged-only").out
    with_pipe = command("flip", files[0], files[1], "/dev/null")
    assert with_pipe.code == 1


def test_what_has_no_list_is_said_in_words(files: list[Path], command) -> None:
    lines = files[0].read_text().splitlines(keepends=True)
    (files[0].parent / "one").write_text("".join(line for line in lines if line.startswith("1 ")))
    shown = command("flip", files[0].parent / "one", *files[1:], "-m", "RR").out
    assert "no topics removed undo the sign, however many\n" in shown  # as there is only one
    (files[1].parent / "copy").write_text(files[1].read_text())
    tied = command("flip", files[0], files[1], files[1].parent / "copy", "-m", "InvASL")
    assert (tied.code, tied.out.splitlines()[0]) == (0, "InvASL: copy and old tie: there is nothing to undo")


def test_what_could_turn_it_round_stands_at_the_end_with_names(files: list[Path], command) -> None:
    # y of topic 2 is unjudged: were it relevant, third and new would have 1 there, and the mean would be 0.
    third = files[1].read_text() + "2 Q0 y 0 3 old\n"
    (files[1].parent / "third").write_text(third)
    asked = ("flip", files[0], files[1].parent / "third", files[2], "-m", "RR")
    rows = list(csv.DictReader(io.StringIO(command(*asked, "--format", "csv").out)))
    first, second = (row for row in rows if row["by"] == "unjudged")
    assert (first["topic"], first["document"], first["baseline rank"], first["candidate rank"]) == ("2", "y", "1", "")
    assert (second["topic"], second["document"], second["candidate rank"]) == ("3", "n", "1")
    assert [float(row["narrows"]) for row in (first, second)] == pytest.approx([2 / 9, 1 / 6])
    shown = command(*asked).out
    assert "all        0.0000  0.3889  no" in shown
    assert "To be judged first: what narrows the bounds most\n\ntopic  document  rank in third  rank in new" in shown


def test_segments_have_lists_of_their_own(files: list[Path], command) -> None:
    asked = ("flip", *files, "-m", "RR", "--segments", files[0].parent / "segments")
    rows = list(csv.DictReader(io.StringIO(command(*asked, "--format", "csv").out)))
    # Of the short topics one is won and one lost by as much: there is nothing to undo.
    assert {(row["segment"], row["by"]) for row in rows if row["by"] != "unjudged"} == {
        ("all", "topics"), ("all", "judgments"), ("long", "judgments"),
    }  # fmt: skip
    shown = command(*asked).out
    assert "short: RR: new and old tie: there is nothing to undo" in shown
    records = json.loads(command(*asked, "--format", "json").out)
    assert [record["segment"] for record in records] == ["all", "long", "short"]
    whole = rd.load(files[0], files[1:])
    alone = whole.select(queries=["1"]).flip("old", "new", "RR")
    assert records[1]["sign_by_judgments"]["judgments"] == list(alone.sign_by_judgments.table.rows())
    assert records[1]["bounds"][-1]["interval"] == list(whole.select(queries=["1"]).bounds("old", "new", "RR").interval)
    single = json.loads(command("flip", *files, "-m", "RR", "--format", "json").out)
    assert single["sign_by_topics"]["count"] == 1
    assert single["significance_by_topics"] is None


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
