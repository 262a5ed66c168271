"""Confidence sequences of comparisons, and the option of ``compare`` that shows them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rankdiff as rd
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
