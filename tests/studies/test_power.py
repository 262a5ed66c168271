"""Discriminative power: tests as SciPy makes them, and the same numbers from scores and from a collection."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError
from rankdiff.hits import FloatArray
from rankdiff.statistics import all_pairs_preferences, discriminative_power
from rankdiff.studies.sampling import Sampling


@pytest.fixture
def c(data: Callable[..., Path]) -> Collection:
    folder = data("trec-covid-round1")
    return rd.load(folder / "qrels.txt", sorted((folder / "runs").glob("*.gz"))[:12])


def matrix(path: Path) -> FloatArray:
    """Topics are rows in the file; here they are columns."""
    return np.loadtxt(gzip.decompress(path.read_bytes()).decode().splitlines(), delimiter=",", skiprows=1).T


def counted(p: list[float], level: float) -> int:
    return int(np.sum(np.array(p) <= level))


def test_papers_tests_against_scipy(c: Collection) -> None:
    table = rd.studies.power(c, ["AP", "RPP", "sgnLP"], tests=["paired", "unpaired"], samples=1).table
    pairs = list(combinations(range(len(c.systems)), 2))
    ap, rpp, lp = c.measure("AP")["AP"], c.prefer("RPP"), c.prefer("sgnLP")
    rates = rpp.win_rates()

    def sign_test(values: FloatArray) -> float:
        wins, losses = int(np.sum(values > 0)), int(np.sum(values < 0))
        return stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0

    p = {
        ("AP", "paired"): [len(pairs) * stats.ttest_rel(ap[a], ap[b]).pvalue for a, b in pairs],
        ("AP", "unpaired"): [stats.ttest_ind(ap[a], ap[b]).pvalue for a, b in pairs],
        ("RPP", "paired"): [len(pairs) * stats.ttest_1samp(rpp.over(a, np.array([b]))[0], 0).pvalue for a, b in pairs],
        ("RPP", "unpaired"): [stats.ttest_ind(rates[a], rates[b]).pvalue for a, b in pairs],
        ("sgnLP", "paired"): [len(pairs) * sign_test(lp.over(a, np.array([b]))[0]) for a, b in pairs],
    }
    for (measure, test), values in p.items():
        for level in (0.05, 0.01):
            row = table.row(measure=measure, test=test, level=level)
            assert row["significant"] == counted(values, level), (measure, test, level)
            assert row["share"] == row["significant"] / row["pairs"] == row["significant"] / len(pairs)


def test_deep_pass_2021_as_others_counted(data: Callable[..., Path]) -> None:
    with data("papers", "reproduction.tsv").open() as lines:
        rows = {(row["table"], row["column"]): row for row in csv.DictReader(lines, delimiter="\t")}
    folder = data("trec-dl-2021-passages")
    c = rd.load(folder / "qrels.txt", folder / "runs")
    table = rd.studies.power(c, ["rrLP", "sgnLP", "RR"], tests=["paired"], samples=1).table
    for measure in ("rrLP", "sgnLP", "RR"):
        expected = float(rows["Table 3b", measure]["relevance>=1"])
        assert 100 * table.row(measure=measure, level=0.05)["share"] == pytest.approx(expected, abs=0.005)


def test_the_tukey_test_of_two_groups_is_the_unpaired_t_test(data: Callable[..., Path]) -> None:
    values = matrix(data("score-matrices", "urbano-sigir2019", "adhoc5_ap.csv.gz"))[:6]
    pairs = list(combinations(values, 2))
    p = [stats.tukey_hsd(one, two).pvalue[0, 1] for one, two in pairs]
    table = rd.studies.power_of_scores({"TREC-5": {"AP": values}}, tests=["unpaired"], samples=1).table
    assert table.row(level=0.05)["significant"] == counted(p, 0.05)


def test_preferences_are_tested_directly(c: Collection) -> None:
    row = rd.studies.power(c, "RPP", samples=1, permutations=500, seed=3).table.row(level=0.05)
    found = all_pairs_preferences(c.prefer("RPP"), samples=500, seed=3)
    assert row["significant"] == np.sum(found.significant(0.05)) // 2


def test_splits_add_up(c: Collection) -> None:
    """One sample is a split of `discriminative_power`; several are their sums."""
    scores, seed = c.measure("AP")["AP"], 5
    seeds = [int(Sampling(2, seed).generator(i).integers(2**31)) for i in range(2)]
    parts = [discriminative_power(scores, levels=(0.05,), splits=1, seed=each, test=flips(seed)) for each in seeds]
    row = rd.studies.power(c, "AP", levels=[0.05], samples=2, permutations=300, seed=seed).table.row(measure="AP")
    assert row["claims"] == sum(part.turned[0].of for part in parts) > 0
    for column, name in {"repeated": "repeated", "turned": "turned", "contradicted": "contradicted"}.items():
        expected = sum(getattr(part, name)[0].count for part in parts) / row["claims"]
        assert row[column] == pytest.approx(expected)


def flips(seed: int) -> Callable[[FloatArray], rd.statistics.AllPairs]:
    return lambda values: rd.statistics.all_pairs(values, samples=300, seed=seed)


def test_scores_give_what_the_collection_gives(c: Collection) -> None:
    values = dict(zip(("AP", "RR"), c.measure("AP", "RR").values, strict=True))
    options = {"samples": 2, "permutations": 300, "seed": 1, "tests": ["sign-flip", "randomized-hsd", "paired"]}
    by_scores = rd.studies.power_of_scores({"collection": values}, **options)
    assert by_scores.to_csv() == rd.studies.power(c, ["AP", "RR"], **options).to_csv()
    assert by_scores.signature.startswith(f"rankdiff {rd.__version__}|power|what:AP,RR|tests:sign-flip,randomized-hsd")


def test_the_papers_tables_stand_beside_scores(data: Callable[..., Path]) -> None:
    folder = data("score-matrices", "urbano-sigir2019")
    scores = {"web (2013)": {"nDCG": matrix(folder / "web2013_ndcg20.csv.gz")}}
    study = rd.studies.power_of_scores(scores, samples=1, permutations=200, as_paper=True)
    hsd = next(table for table in study.printed if table.title.startswith("Diaz & Ferraro 2022, Table 3a"))
    assert hsd.row(dataset="web (2013)")["nDCG (paper)"] == 41.53
    assert 0 < hsd.row(dataset="web (2013)")["nDCG"] < 100


def test_incomplete_topics_are_left_out() -> None:
    rng = np.random.default_rng(0)
    values = rng.random((4, 12))
    holes = np.hstack([values, np.full((4, 2), np.nan)])
    holes[0, -1] = 1.0
    tables = [rd.studies.power_of_scores({"x": {"AP": each}}, samples=1).to_csv() for each in (values, holes)]
    assert tables[0] == tables[1]


def test_an_unknown_test_is_refused(c: Collection) -> None:
    with pytest.raises(UnknownNameError, match="no test is called 'hsd'"):
        rd.studies.power(c, "AP", tests=["hsd"])


def test_the_sign_of_a_measure_does_not_matter(c: Collection) -> None:
    """A measure that is better where it is lower is turned, and its claims are the same."""
    shorter = replace(c, corpus_size=np.full(len(c.queries), 10**6))
    lengths = shorter.measure("AverageRank")["AverageRank"]
    found = rd.studies.power(shorter, "AverageRank", samples=2, permutations=200, levels=[0.05]).table
    turned = rd.studies.power_of_scores(
        {"collection": {"AverageRank": -lengths}}, samples=2, permutations=200, levels=[0.05]
    )
    assert found["turned"].tolist() == turned.table["turned"].tolist()
    assert found["significant"].tolist() == turned.table["significant"].tolist()
