"""Confidence sequences of comparisons, and the option of ``compare`` that shows them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import UsageError
from rankdiff.read import topics_as_judged
from rankdiff.statistics import sequential
from rankdiff.verdict import stopping


def test_each_row_is_the_confidence_sequence_of_its_differences() -> None:
    rng = np.random.default_rng(3)
    qrels = {f"q{i:02}": {"a": 1, "b": 1} for i in range(40)}
    runs = {
        name: {topic: {d: float(s) for d, s in zip("abxy", rng.permutation(4) + bonus, strict=True)} for topic in qrels}
        for name, bonus in (("old", [0, 0, 2, 2]), ("new", [2, 2, 0, 0]))
    }
    comparison = rd.align(qrels, runs).compare("old", "new", measures=["RPP", "AP", "ASL", "sgnLR"])
    table = stopping(comparison)
    assert table["measure"].tolist() == ["RPP", "AP", "sgnLR"]  # an ASL has no largest value
    for row in table.rows():
        found = sequential(comparison[row["measure"]][0])
        assert (row["decided after"], row["topics"]) == (found.decided, 40)
        assert (row["low"], row["high"]) == pytest.approx((found.low[-1], found.high[-1]))


def test_the_option_of_compare(tmp_path: Path, command) -> None:
    (tmp_path / "qrels").write_text("".join(f"{topic} 0 a 1\n" for topic in range(20)))
    for name, rank in (("old", 2), ("new", 1)):
        (tmp_path / name).write_text(
            "".join(f"{topic} Q0 {d} 0 {s} {name}\n" for topic in range(20) for d, s in (("a", -rank), ("x", -1.5)))
        )
    files = [tmp_path / name for name in ("qrels", "old", "new")]
    assert "decided after" in command("compare", *files, "-m", "RR", "--sequential").out
    assert (
        "new, RR: decided after 12 topics"
        in command("compare", *files, "-m", "RR", "--sequential", "--format", "tsv").err
    )


def test_topics_come_in_the_order_of_their_judging(tmp_path: Path, command) -> None:
    """2 is judged before 10, though its name comes later; the sequence must not be shuffled when 10 is added."""
    topics = [str(number) for number in range(1, 31)]
    (tmp_path / "qrels").write_text("# judged\n" + "".join(f"{topic} 0 a 1\n" for topic in topics))
    better = {topic: int(topic) <= 14 for topic in topics}
    for name in ("old", "new"):
        lines = [
            f"{topic} Q0 {d} 0 {s} {name}\n"
            for topic in topics
            for d, s in (("a", 2 if better[topic] == (name == "new") else 0), ("x", 1))
        ]
        (tmp_path / name).write_text("".join(lines))
    files = [tmp_path / name for name in ("qrels", "old", "new")]
    assert topics_as_judged(tmp_path / "qrels") == tuple(topics)
    c = rd.load(*files[:1], files[1:])
    by_name, as_judged = (
        stopping(c.compare("old", "new", measures=["RPP"]), judged=judged)["decided after"][0]
        for judged in (None, topics)
    )
    values = np.array([1.0 if better[topic] else -1.0 for topic in topics])
    assert as_judged == sequential(values).decided == 7
    assert by_name != as_judged
    shown = command("compare", *files, "-p", "RPP", "--sequential", "--format", "tsv").err
    assert "new, RPP: decided after 7 topics" in shown
    with pytest.raises(UsageError, match="lacks 29 of 30 topics, such as 10"):
        stopping(c.compare("old", "new", measures=["RPP"]), judged=["1"])


def test_a_gate_may_be_asked_after_every_topic(tmp_path: Path, command) -> None:
    topics = [f"{number:02}" for number in range(20)]
    (tmp_path / "qrels").write_text("".join(f"{topic} 0 a 1\n" for topic in topics))
    for name, rank in (("good", 1), ("bad", 2)):
        lines = [f"{t} Q0 {d} 0 {s} {name}\n" for t in topics for d, s in (("a", -rank), ("x", -1.5))]
        (tmp_path / name).write_text("".join(lines))
    asked = ("-p", "RPP", "--sequential", "--fail-if-worse", "RPP")
    closed = command("compare", *(tmp_path / name for name in ("qrels", "good", "bad")), *asked)
    assert closed.code == 3
    assert "with 95 % confidence at any time at most" in closed.err
    assert command("compare", *(tmp_path / name for name in ("qrels", "bad", "good")), *asked).code == 0


def test_what_has_no_limits_is_left_out() -> None:
    qrels = {f"q{i}": {"a": 1} for i in range(5)}
    runs = {name: {topic: {"a": score, "x": 1} for topic in qrels} for name, score in (("old", 0), ("new", 2))}
    comparison = rd.align(qrels, runs).compare("old", "new", measures=["RR", "InvASL", "gm_map", "ASL"])
    assert stopping(comparison)["measure"].tolist() == ["RR"]
