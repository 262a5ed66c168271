"""Who rises and who falls when the measure changes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau, ttest_rel

import rankdiff as rd
from rankdiff.errors import UsageError
from rankdiff.simulate import simulate
from rankdiff.studies.reorder import reorder


@pytest.fixture(scope="module")
def c(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    simulate(folder, systems=8, topics=15, depth=60, relevant=10, team_size=1, seed=8)
    return rd.load(folder / "qrels.txt", folder / "runs", no_relevant="drop")


def better(values: np.ndarray) -> np.ndarray:
    """How many systems are better than each, by the paper's words; values are higher-is-better."""
    counts = np.zeros(len(values))
    for one in range(len(values)):
        for other in range(len(values)):
            a, b = values[one].mean(), values[other].mean()
            if b > a and max(abs(a), abs(b)) >= 1.1 * min(abs(a), abs(b)) and np.any(values[one] != values[other]):
                counts[one] += ttest_rel(values[one], values[other]).pvalue <= 0.05
    return counts


def test_the_steps_from_map_to_search_length(c):
    table = reorder(c).table
    values = {name: c.measure(name).values[0] for name in ("AP", "AtomizedP", "HarmonicP", "ASL")}
    values = {name: of[:, ~np.isnan(of).any(axis=0)] for name, of in values.items()}
    tested = {**values, "InvASL": -values["ASL"]}
    means = {name: of.mean(axis=1) for name, of in values.items()} | {"InvASL": 1 / values["ASL"].mean(axis=1)}
    for one, other in [("AP", "AtomizedP"), ("AtomizedP", "HarmonicP"), ("HarmonicP", "InvASL"), ("AP", "InvASL")]:
        change = f"{one} → {other}"
        moved = 100 * np.abs(better(tested[one]) - better(tested[other])) / 8
        for name, places in zip(c.systems, moved, strict=True):
            assert table.row(change=change, run=name, quantity="ΔSort of a run")["value"] == places
        rows = {q: table.row(change=change, run="all", quantity=q)["value"] for q in ("ΔSort", "tau", "ΔValue")}
        assert rows["ΔSort"] == moved.max()
        assert rows["tau"] == pytest.approx(kendalltau(means[one], means[other]).statistic)
        assert rows["ΔValue"] == pytest.approx(np.mean(means[other] / means[one]))


def test_top_measures_against_search_lengths_at_the_top(c):
    table = reorder(c).table
    for one, other in [("P@20", "ASL(first=10)"), ("RR", "ASL(first=1)")]:
        before, after = (c.measure(name).summary()[0] for name in (one, other))
        tau = table.row(change=f"{one} → {other}", quantity="tau")["value"]
        assert tau == pytest.approx(kendalltau(before, -after).statistic)
        value = table.row(change=f"{one} → {other}", quantity="ΔValue")["value"]
        assert value == pytest.approx(np.mean(1 / after / before))


def test_a_measure_against_its_inverse(c):
    found = reorder(c, ["RR"], beside=[])
    values = c.measure("RR").values[0]
    values = values[:, ~np.isnan(values).any(axis=0)]
    lifted = np.maximum(values, values[values > 0].min())
    tau = found.table.row(change="RR → 1/(1/RR)", quantity="tau")["value"]
    assert tau == pytest.approx(kendalltau(values.mean(axis=1), -(1 / lifted).mean(axis=1)).statistic)
    zeros = int((values == 0).sum())
    assert any(f"{zeros} of " in note for note in found.table.notes) == (zeros > 0)
    assert "1/(1/RR)" not in str(reorder(c, ["RR", "AP"], inverse=False).table["change"])


def test_places_are_gained_by_the_means(c):
    table = reorder(c, ["AP", "P@5"], beside=[], inverse=False).table
    gained = {row["run"]: row["value"] for row in table.rows() if row["quantity"] == "places gained"}
    before, after = (c.measure(name).order() for name in ("AP", "P@5"))
    expected = {row.system: row.gain for row in rd.statistics.rank_differences(before, after)}
    assert gained == pytest.approx(expected)


def test_as_paper_prints_ranges(c):
    (printed,) = reorder({"one": c, "two": c}, as_paper=True).printed
    row = printed.row(change="AP → AtomizedP")
    assert row["ΔSort (paper)"] == "26 to 60"
    single = reorder(c, as_paper=True).table.row(change="AP → AtomizedP", quantity="ΔSort")["value"]
    assert row["ΔSort"] == f"{single:.3g}"


def test_wrong_usage(c):
    with pytest.raises(UsageError, match="one run has nobody to change places with"):
        reorder(c.select(systems=c.systems[:1]))
    with pytest.raises(UsageError, match="'RR ASL' names no change"):
        reorder(c, beside=["RR ASL"])
