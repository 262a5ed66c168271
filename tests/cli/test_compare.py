"""``compare`` on the command line: gates and their exit codes, segments, and what it hands to programs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

TOPICS = [f"t{i:02}" for i in range(20)]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    """Three runs: ``new`` finds the relevant document first, ``old`` third, ``short`` as ``new`` but for two topics."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("".join(f"{t} 0 a 1\n" for t in TOPICS))
    for name, rank, topics in (("old", 3, TOPICS), ("new", 1, TOPICS), ("short", 1, TOPICS[2:])):
        names = ["x", "y", "z"]
        names[rank - 1] = "a"
        lines = (f"{t} Q0 {d} {i} {9 - i} {name}\n" for t in topics for i, d in enumerate(names, 1))
        Path(name).write_text("".join(lines))
    Path("segments").write_text("".join(f"{t}\t{'long' if t < 't05' else 'short'}\n" for t in TOPICS[:15]))
    return tmp_path


@pytest.mark.parametrize(
    ("runs", "gates", "code", "words"),
    [
        (["old", "new"], ["--fail-if-worse", "RR"], 0, "passed: --fail-if-worse RR (new)"),
        (["new", "old"], ["--fail-if-worse", "RR"], 3, "FAILED: --fail-if-worse RR (old)"),
        (["new", "old"], ["--require-noninferior", "RR=0.7"], 0, "which is above -0.7"),
        (["new", "old"], ["--require-noninferior", "RR=0.1"], 3, "which is not above -0.1"),
        (["new", "old"], ["--require-noninferior", "nDCG(gains={1: 3})@10=0.9"], 0, "nDCG(gains={1: 3})@10=0.9 (old)"),
        (["old", "short"], ["--fail-if-worse", "RR"], 3, "short lacks topics (--missing says what they are worth)"),
        (["old", "short"], ["--fail-if-worse", "RR", "--missing", "zero"], 0, "passed"),
    ],
)
def test_gates_decide_the_exit_code_and_say_why(command, runs, gates, code, words):
    outcome = command("compare", "qrels", *runs, "-m", "RR", *gates)
    assert outcome.code == code, outcome.err
    assert words in outcome.err
    assert "difference" in outcome.err


def test_json_has_the_gates_the_verdict_and_what_changed(command):
    found = json.loads(
        command("qrels", "new", "short", "-m", "RR", "-p", "RPP", "--fail-if-worse", "AP", "--format", "json").out
    )
    assert [gate["measure"] for gate in found["gates"]] == ["AP"]
    assert found["gates"][0]["passed"] is False
    assert found["lacking"] == {"short": ["t00", "t01"]}
    assert found["verdict"][0].startswith("short is not shown to differ from new by RR")
    assert [row["query"] for row in found["changed"]["short"]] == ["t00", "t01"]
    assert {row["role"] for row in found["rows"]} == {"primary", "exploratory"}


def test_long_formats_have_a_row_for_each_candidate_and_measure(command):
    lines = command(
        "compare", "qrels", "old", "new", "short", "-m", "RR", "-m", "AP", "--format", "tsv"
    ).out.splitlines()
    header = lines[0].split("\t")
    assert len(lines) == 5
    assert header[:3] == ["candidate", "measure", "role"]
    assert "p" in header
    assert "low" in header


@pytest.mark.parametrize("subcommand", ["measure", "prefer", "order", "compare"])
def test_segments_are_shown_beside_all_topics(command, subcommand):
    outcome = command(subcommand, "qrels", "old", "new", "--segments", "segments", "--format", "jsonl")
    records = [json.loads(line) for line in outcome.out.splitlines()]
    assert list(dict.fromkeys(record["segment"] for record in records)) == ["all", "long", "short"]
    assert "5 of 20 topics have no segment" in outcome.err
    text = command(subcommand, "qrels", "old", "new", "--segments", "segments").out
    assert "long" in text
    assert "short" in text
    assert (
        len(json.loads(command("order", "qrels", "old", "new", "--segments", "segments", "--format", "json").out)) == 3
    )
    if subcommand == "compare":
        assert [row["queries"] for row in records if row["measure"] == "AP"] == [20, 5, 10]


def test_what_is_asked_besides_stands_there_for_each_segment(command):
    Path("owners").write_text("a\tstudio\n")
    Path("segments").write_text("".join(f"{t}\t{'won' if t < 't05' else 'lost'}\n" for t in TOPICS))
    rankings = {"old": ["xay"] * 20, "new": ["axy"] * 5 + ["xya"] * 15}
    for name, ranked in rankings.items():
        lines = [
            f"{t} Q0 {d} 0 {-i} {name}" for t, docs in zip(TOPICS, ranked, strict=True) for i, d in enumerate(docs)
        ]
        Path(name).write_text("\n".join(lines))
    besides = ("--sequential", "--profile", "--providers", "owners", "--detect", "RPP=0.1")
    asked = ("compare", "qrels", "old", "new", "-p", "RPP", "--segments", "segments", *besides)
    records = json.loads(command(*asked, "--format", "json").out)
    assert [record["segment"] for record in records] == ["all", "lost", "won"]
    for record in records:
        topics = {"all": 20, "lost": 15, "won": 5}[record["segment"]]
        profile = record["profile"]["new"]
        assert [row["queries"] for row in profile["level"]] == [topics]
        assert record["providers"]["new"][0]["queries"] == topics
        assert [row["topics"] for row in record["sequential"]] == [topics]
        assert sum(row["preference"] for row in profile["share"]) == pytest.approx(record["rows"][0]["difference"])
        assert ("segment" in profile) == (record["segment"] == "all")
    assert {row["segment"]: row["queries"] for row in records[0]["profile"]["new"]["segment"]} == {"lost": 15, "won": 5}
    text = command(*asked).out
    for heading in ("Who prefers new to old, by share", "For whose users new is better", "After how many topics"):
        assert text.count(heading) == 3
    assert text.count("by segment") == 1
    latex = command(*asked, "--format", "latex").out
    assert "won: Who prefers new to old, by share" in latex


def test_the_profile_is_drawn(command):
    pytest.importorskip("vl_convert")
    assert command("compare", "qrels", "old", "new", "-o", "profile.svg").code == 0
    assert "bars: each tenth" in Path("profile.svg").read_text()
    assert command("compare", "qrels", "old", "new", "-o", "profile.csv").code == 2


def test_groups_and_a_saved_table_freeze_what_rarity_counts(command):
    Path("teams.tsv").write_text("old\tone\nnew\tone\nshort\ttwo\n")
    alone = command("measure", "qrels", "old", "new", "short", "-m", "RareP@5", "--format", "jsonl").out
    teams = command(
        "measure", "qrels", "old", "new", "short", "-m", "RareP@5", "--groups", "teams.tsv", "--format", "jsonl"
    ).out
    assert alone != teams
    Path("saved.tsv").write_text("query\tdocument\tfound_by\tsystems\n" + "".join(f"{t}\ta\t1\t4\n" for t in TOPICS))
    found = command("measure", "qrels", "new", "-m", "RareP@1", "--reference", "saved.tsv", "--format", "jsonl")
    assert json.loads(found.out)["value"] == pytest.approx(1 + 3 / 4)


def test_providers_say_whose_users_are_served(command):
    Path("owners").write_text("a\tstudio\n")
    out = command("compare", "qrels", "old", "new", "-m", "RR", "--providers", "owners").out
    assert "For whose users new is better than old" in out
    assert "studio" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--require-noninferior", "RR"], "no measure and number"),
        (["--require-noninferior", "RR=-1"], "no measure and number"),
        (["--fail-if-worse", "RR", "--test", "sign"], "a gate is about the mean difference"),
        (["--correction", "holm"], "two runs are one comparison"),
        (["--level", "7"], "level=7"),
    ],
)
def test_wrong_usage_exits_with_2(command, options, message):
    outcome = command("compare", "qrels", "old", "new", *options)
    assert outcome.code == 2
    assert message in outcome.err


def test_the_same_seed_gives_the_same_bytes(command):
    asked = ("compare", "qrels", "old", "new", "short", "--samples", "500", "--seed", "5")
    assert command(*asked).out == command(*asked).out
    assert "|seed:5|" in command(*asked).out


def test_what_the_interval_is_of_is_said_where_it_is_not_the_mean(command):
    command("simulate", "made", "--topics", "12")
    asked = ["compare", "made/qrels.txt", "made/runs/hazel-2.run", "made/runs/cedar-1.run", "-m", "ASL"]
    signs = command(*asked, "--test", "sign").out
    assert "interval: Clopper-Pearson, of the net win rate among the topics that differ\n" in signs
    assert "chance alone would split the topics at least this unevenly in" in " ".join(signs.split())
    assert (
        "interval: means of two differences, of the pseudomedian difference\n"
        in command(*asked, "--test", "wilcoxon").out
    )
    assert "interval: Student's t\n" in command(*asked).out


def test_the_pages_show_what_comes_out(command):
    command("simulate", "made")
    runs = (f"made/runs/{name}.run" for name in ("hazel-2", "cedar-1"))
    shown = command("made/qrels.txt", *runs).out.rpartition("\n\n")[0]
    root = Path(__file__).parents[2]
    assert shown in (root / "docs" / "compare.md").read_text()
    assert shown.partition("339 ")[0] in (root / "README.md").read_text()


def interrupted(asked: list[str]) -> float:
    """Seconds until a program that is at work ends, when it is interrupted."""
    # Tests that a shell put in the background ignore interrupts, and what they start would, too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    program = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ)
    signal.signal(signal.SIGINT, before)
    time.sleep(4)
    assert program.poll() is None, program.communicate()
    program.send_signal(signal.SIGINT)
    began = time.monotonic()
    try:
        _, err = program.communicate(timeout=20)
    finally:
        program.kill()
    assert program.returncode == 130
    assert b"interrupted" in err
    return time.monotonic() - began


def test_an_interrupt_ends_it_within_a_second():
    topics = [f"t{i:02}" for i in range(60)]  # of 20, all patterns of signs would be counted in no time
    Path("qrels").write_text("".join(f"{t} 0 a 1\n" for t in topics))
    for i in range(40):
        order = ["a", "x", "y", "z"][i % 4 :] + ["a", "x", "y", "z"][: i % 4]
        lines = (f"{t} Q0 {d} {j} {9 - j} r{i}\n" for t in topics for j, d in enumerate(order, 1))
        Path(f"r{i:02}.run").write_text("".join(lines))
    runs = sorted(map(str, Path().glob("*.run")))
    asked = [sys.executable, "-m", "rankdiff", "compare", "qrels", *runs, "--samples", "10000000000", "-m", "RR"]
    # Where other processes compete, one try may be late.
    assert any(interrupted(asked) < 2 for _ in range(3))
