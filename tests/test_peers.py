"""Runs compared in groups, and frozen by a reference."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankdiff as rd
from rankdiff.errors import InputError, UsageError
from rankdiff.measures.rarity import document_counts, rarity_table
from rankdiff.peers import with_groups, with_reference
from strategies import Grades, Scores, collections

QRELS = {"q": {"a": 1, "b": 1, "c": 1}}
TEAMS = {"x1": "X", "x2": "X", "y": "Y"}
RUNS = {"x1": {"q": {"a": 3, "b": 2}}, "x2": {"q": {"b": 2, "a": 1}}, "y": {"q": {"c": 2, "a": 1}}}


class TestGroups:
    """Runs of a team count once, in S and in every S_d."""

    def test_near_identical_runs_no_longer_make_a_document_common(self) -> None:
        c = rd.align(QRELS, RUNS, groups=TEAMS)
        counts = document_counts(c, 2)
        assert (counts.found.tolist(), counts.systems) == ([2, 1, 1], 2)
        assert rd.align(QRELS, RUNS).measure("RareP@2").values[0, 0, 0] == pytest.approx((1 + 4 / 3) / 2)
        assert c.measure("RareP@2").values[0, 0, 0] == (1 + 3 / 2) / 2

    @given(collections(grades=(0, 2)), st.integers(1, 9), st.lists(st.sampled_from("XYZ"), min_size=4, max_size=4))
    def test_a_group_finds_what_any_of_its_runs_finds(
        self, made: tuple[Grades, Scores], k: int, teams: list[str]
    ) -> None:
        c = rd.align(*made)
        groups = dict(zip(c.systems, teams, strict=False))
        found = {
            (groups[c.systems[s]], int(document))
            for s in range(len(c.systems))
            for document in np.flatnonzero((c.rank[s] > 0) & (c.rank[s] <= k))
        }
        expected = [sum(document == d for _, document in found) for d in range(len(c.documents))]
        counts = document_counts(with_groups(c, groups), k)
        assert counts.found.tolist() == expected
        assert counts.systems == len(set(groups.values()))

    def test_they_are_read_from_a_file_with_or_without_a_header(self, tmp_path: Path) -> None:
        lines = "".join(f"{run}\t{team}\n" for run, team in TEAMS.items())
        for name, text in {"plain.tsv": lines, "header.tsv": "run\tteam\n" + lines + "other\tZ\n"}.items():
            (tmp_path / name).write_text(text)
            assert rd.align(QRELS, RUNS, groups=tmp_path / name).groups == ("X", "X", "Y")

    def test_a_run_without_a_group_is_named(self) -> None:
        with pytest.raises(InputError, match="run y has no group"):
            rd.align(QRELS, RUNS, groups={"x1": "X", "x2": "X"})

    def test_a_run_with_two_groups_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "teams").write_text("x1 X\nx1 Y\nx2 X\ny Y\n")
        with pytest.raises(InputError, match="run x1 has two groups: found X, Y"):
            rd.align(QRELS, RUNS, groups=tmp_path / "teams")

    def test_views_and_signatures_know_them(self) -> None:
        c = rd.align(QRELS, RUNS, groups=TEAMS)
        assert document_counts(c.select(systems=["x2", "x1"]), 2).systems == 1
        assert document_counts(c.select(queries=["q"]), 2).systems == 2
        other = rd.align(QRELS, RUNS, groups={**TEAMS, "x2": "Y"})
        assert len({c.sign(), other.sign(), rd.align(QRELS, RUNS).sign()}) == 3

    def test_alone_in_one_group_there_is_nothing_to_compare(self) -> None:
        c = rd.align(QRELS, RUNS, groups=dict.fromkeys(RUNS, "all"))
        with pytest.raises(UsageError, match="only one run"):
            c.measure("RareP(revised=True)@2")


class TestReference:
    """New runs against an old track, of which there are runs or only saved counts."""

    NEW: ClassVar = {"new": {"q": {"b": 3, "c": 2, "a": 1}}}

    def test_an_old_run_keeps_its_values(self) -> None:
        old = rd.align(QRELS, RUNS)
        again = rd.align(QRELS, {**self.NEW, "y": RUNS["y"]}, reference=old)
        for name in ("RareP@2", "RareAP(revised=True)@2", "ASL"):
            assert again.measure(name).values[0, 1] == old.measure(name).values[0, 2]

    def test_the_set_is_frozen(self) -> None:
        old = rd.align({"q": {"a": 1, "b": 1, "c": 1}}, {"x": RUNS["x1"], "y": {"q": {"a": 1}}})
        alone = rd.align(QRELS, self.NEW, reference=old)
        # c was found by none of the two old runs, b by one, a by both.
        assert alone.measure("RareP@3").values.item() == pytest.approx((1.5 + 2 + 1) / 3)
        assert alone.measure("RareP(revised=True)@3").values.item() == pytest.approx((1 + 1 + 0) / 3)
        both = rd.align(QRELS, {**self.NEW, "more": RUNS["y"]}, reference=old)
        assert both.measure("RareP@3").values[0, 0] == alone.measure("RareP@3").values[0, 0]

    def test_what_is_done_to_the_runs_is_done_to_the_reference(self) -> None:
        """Cut at a depth, or condensed, the new run is compared with the old ones cut and condensed alike."""
        deep = {f"x{i}": -float(i) for i in range(50)} | {"a": -60.0}
        old = rd.align({"q": {"a": 1, "b": 1, "x1": 0}}, {"deep": {"q": deep}})
        new = {"new": {"q": {"x": 2, "a": 1}}}
        qrels = {"q": {"a": 1, "b": 1, "x1": 0}}
        whole = rd.align(qrels, new, reference=old)
        assert whole.measure("ASL").values.item() == (2 + 51 - 1) / 2
        for cut in (rd.align(qrels, new, reference=old, depth=10), whole.cut(10)):
            assert cut.measure("ASL").values.item() == (2 + 10 - 1) / 2
        # Of judged documents the old run returned two, x1 and a; the new one has a alone.
        for judged in (rd.align(qrels, new, reference=old, judged_only=True).measure("ASL"),
                       whole.measure("ASL(judged_only=True)")):  # fmt: skip
            assert judged.values.item() == (1 + 2 - 1) / 2

    def test_topics_and_documents_are_found_by_their_ids(self) -> None:
        old = rd.align(
            {"p": {"a": 1}, "q": {"0": 0, "a": 1, "c": 1}}, {"x": {"q": {"c": 2, "0": 1}}, "y": {"p": {"a": 1}}}
        )
        new = rd.align(QRELS, self.NEW, reference=old)
        counts = document_counts(new, 100)
        assert (counts.found.tolist(), counts.systems) == ([0, 0, 1], 2)
        assert new.notices[-1].startswith("the reference does not know 1 of 3 relevant documents")
        assert new.peers.depth.tolist() == [[2], [0]]

    def test_a_view_by_topics_keeps_it(self) -> None:
        qrels, run = {"p": {"z": 1}, **QRELS}, {**self.NEW["new"], "p": {"z": 1}}
        old = rd.align(qrels, RUNS)
        new = rd.align(qrels, {"new": run}, reference=old)
        names = ("RareP@2", "ASL")
        for query in new.queries:
            part = new.select(queries=[query]).measure(*names).values[:, :, 0]
            assert np.array_equal(part, new.measure(*names).values[:, :, new.queries.index(query)])

    def test_another_track_altogether_is_refused(self) -> None:
        old = rd.align({"q": {"elsewhere": 1}}, {"x": {"q": {"elsewhere": 1}}})
        with pytest.raises(InputError, match="knows none of the relevant documents"):
            rd.align(QRELS, self.NEW, reference=old)

    def test_groups_are_those_of_the_reference(self) -> None:
        old = rd.align(QRELS, RUNS)
        c = rd.align(QRELS, self.NEW, reference=old, groups=TEAMS)
        assert document_counts(c, 2).systems == 2
        assert document_counts(rd.align(QRELS, self.NEW, reference=with_groups(old, TEAMS)), 2).systems == 2

    def test_the_signature_tells_references_apart(self) -> None:
        old = rd.align(QRELS, RUNS)
        new = rd.align(QRELS, self.NEW)
        fewer = old.select(systems=["x1", "y"])
        table = rarity_table(old)
        signatures = {new.sign()} | {with_reference(new, item).sign() for item in (old, fewer, table)}
        assert len(signatures) == 4

    def test_a_table_of_rarity_serves_as_reference(self, tmp_path: Path) -> None:
        old = rd.align(QRELS, RUNS)
        table = rarity_table(old, within=2)
        (tmp_path / "counts.csv").write_text(table.to_csv())
        expected = rd.align(QRELS, self.NEW, reference=old).measure("RareP(counted=2)@3").values
        for reference in (table, tmp_path / "counts.csv"):
            c = rd.align(QRELS, self.NEW, reference=reference)
            assert "freezes rarity alone" in c.notices[-1]
            assert np.array_equal(c.measure("RareP(counted=2)@3").values, expected)
            with pytest.raises(UsageError, match=r"within the top 2, asked for is 3: set counted=2"):
                c.measure("RareP@3")
