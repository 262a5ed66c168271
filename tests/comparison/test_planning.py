"""What the topics at hand show and how many it would take, beside the functions that answer for one row."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.statistics import smallest_difference, topics_needed

OLD = [3, 4, 2, 5, 3, 4, 6, 2, 3, 5] * 4
NEW = [rank - 1 if i % 3 else rank + 1 for i, rank in enumerate(OLD)]
THIRD = [rank + i % 2 - i % 3 // 2 for i, rank in enumerate(OLD)]


def test_every_row_and_candidate_has_its_own_answer(place):
    found = place(old=OLD, new=NEW, third=THIRD).compare("old", "new", "third", measures=["RR", "RPP"], samples=100)
    table = found.plan({"recip_rank": 0.05}, power=0.9)
    assert [(row["candidate"], row["measure"]) for row in table.rows()] == [
        ("new", "RR"), ("new", "RPP"), ("third", "RR"), ("third", "RPP"),
    ]  # fmt: skip
    for row in table.rows():
        pilot = found[row["measure"]][found.candidates.index(row["candidate"])]
        smallest = smallest_difference(pilot, power=0.9)
        assert (row["topics"], row["they show"]) == (40, smallest.difference)
        if row["measure"] == "RR":
            needed = topics_needed(pilot, 0.05, power=0.9)
            takes = row["to see"], row["takes topics"], row["takes at most"]
            assert takes == (0.05, needed.topics, needed.topics_upper)
        else:
            assert row["to see"] is row["takes topics"] is None


def test_the_number_of_topics_keeps_its_promise(place):
    """Differences of the pilot's kind with the named mean, shifted there instead of tilted, are seen about as often."""
    found = place(old=OLD, new=NEW).compare("old", "new", measures=["RR"])
    pilot, named = found["RR"][0], 0.06
    topics = found.plan({"RR": named}).row(measure="RR")["takes topics"]
    drawn = np.random.default_rng(1).choice(pilot - pilot.mean() + named, (4000, topics))
    assert np.mean(stats.ttest_1samp(drawn, 0, axis=1).pvalue <= 0.05) == pytest.approx(0.8, abs=0.1)


def test_what_cannot_be_planned_says_why(place):
    found = place(old=OLD, new=NEW).compare("old", "new", measures=["RR", "RPP"])
    with pytest.raises(UsageError, match="RR: a mean difference of 5 cannot be planned"):
        found.plan({"RR": 5})
    with pytest.raises(UnknownNameError, match="no measure in this comparison is called 'AP'"):
        found.plan({"AP": 0.1})
    one = place(old=[3], new=[1]).compare("old", "new", measures=["RR"]).plan()
    assert one["they show"].tolist() == [None]


def test_detect_on_the_command_line(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng, topics = np.random.default_rng(2), [f"t{i:02}" for i in range(30)]
    (tmp_path / "qrels").write_text("".join(f"{topic} 0 a 1\n" for topic in topics))
    for name in ("old", "new"):
        tops = ((topic, rng.integers(1, 4)) for topic in topics)
        lines = (f"{t} Q0 {d} 0 {9 - abs(i - top)} {name}\n" for t, top in tops for i, d in enumerate("xayz", 1))
        (tmp_path / name).write_text("".join(lines))
    asked = ("compare", "qrels", "old", "new", "-m", "RR", "--detect", "RR=0.05")
    text = command(*asked).out
    assert "What so many topics show against old with 80 % power" in text
    plan = json.loads(command(*asked, "--format", "json").out)["plan"][0]
    assert f"to see 0.05 takes {plan['takes topics']} topics" in command(*asked, "--format", "tsv").err
    more = json.loads(command(*asked, "--power", "0.95", "--format", "json").out)["plan"][0]
    assert more["takes topics"] > plan["takes topics"]
    assert command(*asked[:-1], "RR").code == command(*asked[:-1], "RR=0").code == 2
