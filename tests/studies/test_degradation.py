"""Fewer queries, fewer runs, one team left out: against collections read anew."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.results.preferences import Preferences
from rankdiff.simulate import simulate
from rankdiff.studies import labels, queries, reuse, systems
from rankdiff.studies.labels import removal_order, remove


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    simulate(folder, systems=8, topics=12, depth=50, relevant=10, team_size=2, seed=4)
    return folder


@pytest.fixture(scope="module")
def c(folder) -> Collection:
    return rd.load(folder / "qrels.txt", folder / "runs")


def order(c: Collection, name: str):
    return c.prefer(name).order() if name in ("RPP", "sgnLR") else c.measure(name).order()


def drawn(seed: int, sample: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(sample,)))


@pytest.mark.parametrize("name", ["AP", "ASL", "RPP", "sgnLR", "gm_map"])
def test_fewer_queries(c, name):
    table = queries(c, name, rates=[0.25, 0.7], samples=3, seed=2).table
    for rate, size in {0.25: 9, 0.7: 4}.items():
        shuffles = [np.array(c.queries)[drawn(2, sample).permutation(12)] for sample in range(3)]
        few = [order(c.select(queries=list(shuffle[:size])), name) for shuffle in shuffles]
        expected = np.mean([rd.statistics.tau(each, order(c, name)) for each in few])
        canonical = rd.measures.find(name).name if name not in ("RPP", "sgnLR") else name
        row = table.row(measure=canonical, rate=rate, compared="with all queries", quantity="tau of systems")
        assert (row["queries"], row["value"]) == (size, pytest.approx(expected))
        if size == 4:
            others = [order(c.select(queries=list(shuffle[-size:])), name) for shuffle in shuffles]
            expected = np.mean([rd.statistics.tau(a, b) for a, b in zip(few, others, strict=True)])
            row = table.row(rate=rate, compared="with as many other queries", quantity="tau of systems")
            assert row["value"] == pytest.approx(expected)
    assert len(table) == 6


def leaders(c: Collection, name: str) -> dict[tuple[str, str], float]:
    """Which run of each pair is better: 1, 0 or -1, by the means, or by the mean preference."""
    values = c.prefer(name) if name in ("RPP", "rrLP", "sgnLR") else c.measure(name)[rd.measures.find(name).name]
    found = {}
    for (i, one), (j, other) in combinations(enumerate(c.systems), 2):
        change = values[one, other].mean() if isinstance(values, Preferences) else values[i].mean() - values[j].mean()
        found[one, other] = np.sign(np.round(change, 9)) * (-1 if name == "ASL" else 1)
    return found


def kept_leaders(now: dict[tuple[str, str], float], before: dict[tuple[str, str], float]) -> float:
    return float(np.mean([now[pair] == lead for pair, lead in before.items() if lead]))


@pytest.mark.parametrize("name", ["AP", "ASL", "RPP", "rrLP", "sgnLR"])
@pytest.mark.parametrize("target", ["", "RR"])
def test_which_run_is_better_with_fewer_queries(c, name, target):
    table = queries(c, name, rates=[0.7], samples=3, seed=2, target=target).table
    shuffles = [np.array(c.queries)[drawn(2, sample).permutation(12)] for sample in range(3)]
    few, others = ([leaders(c.select(queries=list(part)), name) for part in parts]
                   for parts in zip(*((shuffle[:4], shuffle[-4:]) for shuffle in shuffles), strict=True))  # fmt: skip
    full = leaders(c, target or name)
    expected = {
        "with all queries": np.mean([kept_leaders(each, full) for each in few]),
        "with as many other queries": np.mean([kept_leaders(*pair) for pair in zip(few, others, strict=True)]),
    }
    for compared, value in expected.items():
        row = table.row(compared=compared, quantity="agreeing systems")
        assert row["value"] == pytest.approx(value), compared


@pytest.mark.parametrize("name", ["AP", "RPP", "rrLP", "sgnLR"])
def test_which_run_is_better_with_fewer_labels(c, name):
    table = labels(c, name, rates=[0.6], samples=2, seed=5, removed=["uniform"]).table
    views = [remove(c, removal_order(c, drawn(5, sample)), 0.6) for sample in range(2)]
    expected = np.mean([kept_leaders(leaders(view, name), leaders(c, name)) for view in views])
    assert table.row(rate=0.6, quantity="agreeing systems")["value"] == pytest.approx(expected)
    assert table.row(rate=0.0, quantity="agreeing systems")["value"] == 1.0


def test_too_few_queries_have_no_halves(c):
    with pytest.raises(UsageError, match="3 topics have no halves"):
        queries(c.select(queries=c.queries[:3]))


@pytest.mark.parametrize("name", ["RareP@20", "RPP", "ASL"])
def test_fewer_systems_is_algorithm_1(folder, c, name):
    table = systems(c, name, sizes=[3, 5, 8], samples=4, seed=6).table
    expected: dict[int, list[float]] = {3: [], 5: []}
    for sample in range(4):
        rng = drawn(6, sample)
        for size, values in expected.items():
            some = sorted(rng.permutation(8)[:size])
            few = rd.load(folder / "qrels.txt", [folder / "runs" / f"{c.systems[i]}.run" for i in some])
            whole = order(c, name).position
            values.append(rd.statistics.tau(-order(few, name).position.astype(float), -whole[some].astype(float)))
    for size, values in expected.items():
        assert table.row(systems=size)["value"] == pytest.approx(np.mean(values))
    assert set(table["systems"]) == {3, 5}


def test_a_measure_of_single_rankings_does_not_change(c):
    assert set(systems(c, "AP", samples=3).table["value"].round(12)) == {1.0}


def test_the_paper_stands_beside_where_the_track_is_its(c):
    first, second = systems({"TREC-8": c}, ["RareP@100", "RareAP@100"], samples=2, as_paper=True).printed
    assert first.row(systems=4)["TREC-8 (paper)"] == 0.976
    assert second.row(systems=2)["TREC-8 (paper)"] == 0.970


def test_the_papers_conditions_are_a_thousand_draws_of_its_measures(c):
    few = c.select(systems=c.systems[:3])
    found = systems({"TREC-8": few}, as_paper=True)
    assert found.parameters["samples"] == 1000
    assert set(found.table["measure"]) == {"RareP@100", "RareAP@100"}
    assert systems(few, as_paper=True, samples=2).parameters["samples"] == 2
    assert systems(few).parameters["samples"] == 10


def test_a_team_left_out_is_scored_without_what_only_it_found(folder, c):
    teams = dict(line.split() for line in (folder / "teams.tsv").read_text().splitlines()[1:])
    table = reuse(c, ["AP", "RareP@20"], groups=str(folder / "teams.tsv"), within=20).table
    qrels: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.txt").read_text().splitlines():
        query, _, document, grade = line.split()
        grades = qrels.setdefault(query, {})
        grades[document] = max(int(grade), grades.get(document, 0))
    for team in set(teams.values()):
        inside = np.array([teams[name] == team for name in c.systems])
        found = (c.rank > 0) & (c.rank <= 20)
        only = found[inside].any(axis=0) & ~found[~inside].any(axis=0) & (c.grade >= 1)
        fewer = {query: dict(documents) for query, documents in qrels.items()}
        for column in np.flatnonzero(only):
            del fewer[c.queries[c.query_of[column]]][c.documents[int(column)]]
        runs = {name: folder / "runs" / f"{name}.run" for name in c.systems}
        others = [path for name, path in runs.items() if teams[name] != team]
        for name in np.array(c.systems)[inside]:
            row = table.row(run=name, measure="AP")
            assert (row["group"], row["unique"]) == (team, only.sum())
            again = rd.align(fewer, [runs[name]])
            assert row["left_out"] == pytest.approx(again.measure("AP").summary()[0, 0])
            assert row["value"] == pytest.approx(c.measure("AP").values[0, c.systems.index(name)].mean())
            late = rd.align(fewer, [runs[name]], reference=rd.align(fewer, others))
            rare = table.row(run=name, measure="RareP@20")
            assert rare["left_out"] == pytest.approx(late.measure("RareP@20").summary()[0, 0])


def test_ranks_count_those_that_are_better(c):
    table = reuse(c, "AP").table
    means = c.measure("AP").summary()[0]
    for row in table.rows():
        assert row["rank"] == 1 + np.sum(means > means[c.systems.index(row["run"])])
        assert row["group"] == row["run"]
