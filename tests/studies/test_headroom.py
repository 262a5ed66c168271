"""Headroom: best runs, what they take away of the error, and where the relevant documents stand."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
import vl_convert

import rankdiff as rd
from rankdiff.errors import UsageError
from rankdiff.simulate import simulate
from rankdiff.studies.headroom import EDGES, headroom


@pytest.fixture(scope="module")
def c(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    simulate(folder, systems=7, topics=9, depth=60, relevant=10, team_size=1, seed=8)
    return rd.load(folder / "qrels.txt", folder / "runs")


@pytest.mark.parametrize("name", ["P@20", "AP", "ASL", "ASL(first=10)"])
def test_the_best_run_against_the_median(c, name):
    table = headroom(c, name).table
    means = c.measure(name).summary()[0]
    ordered = np.sort(means) if name.startswith("ASL") else np.sort(means)[::-1]
    rows = {q: table.row(quantity=q, measure=name)["value"] for q in ("baseline", "candidate")}
    assert (rows["candidate"], rows["baseline"]) == pytest.approx((ordered[0], ordered[3]))
    expected = (ordered[0] - ordered[3]) / (1 - ordered[3])
    assert table.row(quantity="relative reduction of error")["value"] == pytest.approx(expected)


def test_groups_of_runs_are_named_by_patterns(c):
    some, others = c.systems[:2], c.systems[2:5]
    table = headroom(c, "AP", baseline=",".join(some), candidate=f"{others[0]},{others[1]}*").table
    means = c.measure("AP").summary()[0]
    assert table.row(quantity="baseline")["value"] == pytest.approx(means[:2].max())
    assert table.row(quantity="candidate")["run"] in others[:2]
    with pytest.raises(UsageError, match=r"no run is called 'bm25\*'"):
        headroom(c, "AP", baseline="bm25*")


def test_the_histograms_hold_every_relevant_document(c):
    table = headroom(c).table
    means = c.measure("ASL").summary()[0]
    best, median = (int(i) for i in np.argsort(means)[[0, 3]])
    relevant = np.flatnonzero(c.grade >= 1)
    ranks = c.rank[best, relevant]
    non_relevant_above = [
        1 + rank - np.sum((c.query_of[relevant] == q) & (ranks > 0) & (ranks <= rank))
        for rank, q in zip(ranks, c.query_of[relevant], strict=True)
        if rank
    ]
    counts = {
        row["bucket"]: row["value"] for row in table.rows() if row["quantity"] == "search lengths" and row["value"]
    }
    assert counts.pop("not retrieved") == np.sum(ranks == 0)
    expected: dict[str, int] = {}
    for length in non_relevant_above:
        low = max(edge for edge in EDGES if edge <= length)
        high = min(edge for edge in EDGES if edge > length) - 1
        bucket = f"{low}" if low == high else f"{low} to {high}"
        expected[bucket] = expected.get(bucket, 0) + 1
    assert counts == expected
    changes = [row for row in table.rows() if row["quantity"] == "changes of search length"]
    assert sum(row["value"] for row in changes) == len(relevant)
    assert {row["run"] for row in changes} == {f"{c.systems[best]} − {c.systems[median]}"}


def test_as_paper_counts_what_the_run_returned_and_prints_table_1(c):
    found = headroom({"deep-pass (2020)": c, "mine": c}, as_paper=True)
    returned = c.measure("ASL(missing='returned')").summary()[0]
    assert found.table.row(measure="ASL", quantity="candidate")["value"] == pytest.approx(returned.min())
    bm25, neural, reduction = found.printed
    assert bm25.row(measure="ASL")["deep-pass (2020) (paper)"] == 264
    assert neural.row(measure="ASL(first=10)")["deep-pass (2020) (paper)"] == 6
    assert reduction.row(measure="P@20")["deep-pass (2020) (paper)"] == 0.39
    assert np.isfinite(bm25.row(measure="AP")["mine"])


def test_the_papers_reductions_follow_from_its_values():
    from rankdiff.measures.atomized import relative_reduction
    from rankdiff.studies.published.atomized import TABLE_1

    bm25, neural, reduction = (table.numbers for table in TABLE_1)
    for (name, track), printed in reduction.items():
        of = bm25[name, track], neural[name, track]
        ours = relative_reduction(*of, higher_is_better=not name.startswith("ASL"))
        # The paper prints search lengths as whole numbers.
        assert ours == pytest.approx(printed, abs=0.03 if name.startswith("ASL") else 0.006)


def test_many_collections_are_counted_by_their_best_runs(c):
    datasets = {f"track {i}": c for i in range(13)}
    found = rd.studies.headroom(datasets, ["AP", "ASL"])
    drawn = found.figure.to_dict()["hconcat"]
    assert [part["encoding"]["x"]["title"] for part in drawn] == ["AP", "ASL"]
    svg = vl_convert.vegalite_to_svg(json.dumps(found.figure.to_dict()))
    assert len(re.findall("collections, by their best run: 13", svg)) == 2, "one bar of 13 for each measure"


def test_where_no_run_has_a_value_none_is_the_best():
    runs = {name: {"barren": {"a": 1.0}} for name in ("x", "y")}
    empty = rd.align({"q": {"a": 1}, "barren": {"a": 0}}, runs, missing="skip", no_relevant="drop")
    with pytest.raises(UsageError, match="no value for any of these runs"):
        headroom(empty, "AP")
