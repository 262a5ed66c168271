"""Closed forms of tie probabilities: counted out, in exact arithmetic, by simulation, and as the papers print them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import UnknownNameError, UsageError

tie_probability = rd.studies.tie_probability

VALUES: dict[str, Callable[[tuple[int, ...], int], Any]] = {
    "RR": lambda positions, _: positions[0],
    "TSE": lambda positions, _: positions[-1],
    "R": lambda positions, k: sum(p <= k for p in positions),
    "RP": lambda positions, _: sum(p <= len(positions) for p in positions),
    "LR": lambda positions, _: positions,
}


SIZES = [(n, m) for n in range(1, 8) for m in range(1, n + 1)]


@pytest.mark.parametrize("measure", VALUES)
@pytest.mark.parametrize("k", [1, 3, 20])
def test_every_pair_of_rankings_counted(measure: str, k: int) -> None:
    for n, m in SIZES:
        counts = Counter(VALUES[measure](positions, k) for positions in combinations(range(1, n + 1), m))
        expected = sum(count**2 for count in counts.values()) / comb(n, m) ** 2
        assert tie_probability(measure, n=n, m=m, k=k) == pytest.approx(expected, rel=1e-14)


def test_every_ranking_that_ties_with_a_first_rank_counted() -> None:
    for n, m in SIZES:
        firsts = Counter(positions[0] for positions in combinations(range(1, n + 1), m))
        expected = [firsts[first] / comb(n, m) for first in range(1, n + 2)]
        assert tie_probability("RR", n=n, m=m, first=np.arange(1, n + 2)) == pytest.approx(expected, rel=1e-14, abs=0)


def exactly(measure: str, n: int, m: int, k: int, first: int) -> Fraction:
    pairs = comb(n, m) ** 2
    if measure == "TSE":
        return Fraction(sum(comb(i - 1, m - 1) ** 2 for i in range(m, n + 1)), pairs)
    if measure in {"R", "RP"}:
        depth = k if measure == "R" else m
        return Fraction(sum((comb(depth, i) * comb(n - depth, m - i)) ** 2 for i in range(m + 1)), pairs)
    return Fraction(comb(n - first, m - 1) if measure == "RR" else 1, comb(n, m))


@pytest.mark.parametrize("measure", VALUES)
@pytest.mark.parametrize(("n", "m"), [(1000, 10), (2000, 700), (3000, 1000), (10**4, 50)])
def test_whole_numbers_of_any_size_agree(measure: str, n: int, m: int) -> None:
    probability = exactly(measure, n, m, k=1000, first=40)
    expected = log(probability.numerator) - log(probability.denominator)
    first = 40 if measure == "RR" else None
    assert tie_probability(measure, n=n, m=m, first=first, log=True) == pytest.approx(expected, rel=1e-13, abs=2e-12)


@pytest.mark.parametrize("m", [1, 5, 1000])
def test_large_corpora_neither_overflow_nor_lose_mass(m: int) -> None:
    n = 10**6
    by_first = tie_probability("RR", n=n, m=m, first=np.arange(1, n + 1))
    assert by_first.sum() == pytest.approx(1, rel=1e-11)
    # Squared, they are the tie of two random rankings; and the last relevant document mirrors the first.
    assert np.sum(by_first**2) == pytest.approx(tie_probability("TSE", n=n, m=m), rel=1e-10)
    for measure in VALUES:
        assert 0 <= tie_probability(measure, n=n, m=m) <= 1
        assert -np.inf < tie_probability(measure, n=n, m=m, log=True) <= 0


def test_one_relevant_document_stands_anywhere() -> None:
    for measure in ("RR", "TSE", "LR"):
        assert tie_probability(measure, n=10**6, m=1) == pytest.approx(1e-6, rel=1e-12)
    assert tie_probability("R", n=10**6, m=1) == pytest.approx(0.001**2 + 0.999**2, rel=1e-12)


@pytest.mark.parametrize("measure", ["RR", "TSE", "R", "RP"])
def test_simulated_rankings_tie_as_often(measure: str) -> None:
    rng, n, m, k, trials = np.random.default_rng(11), 30, 4, 8, 4000
    positions = np.argsort(rng.random((2, trials, n)), axis=2)[:, :, :m] + 1
    values = [[VALUES[measure](tuple(sorted(row)), k) for row in side.tolist()] for side in positions]
    ties = np.mean(np.array(values[0]) == np.array(values[1]))
    expected = tie_probability(measure, n=n, m=m, k=k)
    assert abs(ties - expected) < 4 * np.sqrt(expected * (1 - expected) / trials)


def test_printed_digits(data: Callable[..., Path]) -> None:
    with data("papers", "published.tsv").open() as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["table"] in {"Table 3", "Table 4"}]
    checked = 0
    for row in rows:
        if not row["note"].startswith("closed form") or row["paper"] != "lexirecall":
            continue
        size = dict(part.split("=") for part in row["dataset"].split(", "))
        measure = row["column"].removesuffix("@1000")
        value = tie_probability(measure, n=int(size["n"]), m=int(size["m"]), k=1000)
        assert value == pytest.approx(float(row["note"].split()[2]), rel=1e-5)
        if "differs from the printed digits" not in row["note"]:
            assert f"{value:.3f}" == row["value"]
        checked += 1
    assert checked == 36


def test_papers_tables_stand_beside_ours() -> None:
    table_3, table_4 = rd.studies.random_ties(as_paper=True).printed
    assert table_3.row(n=10**4)["R (paper)"] == 0.313
    assert table_4.row(m=50)["R (paper)"] == 0.907
    for table in (table_3, table_4):
        off = {
            (row[next(iter(row))], name)
            for row in table.rows()
            for name in ("TSE", "R", "RP", "LR")
            if f"{row[name]:.3f}" != f"{row[f'{name} (paper)']:.3f}"
        }
        assert off == ({(1000, "RP")} if table is table_3 else {(10, "R")})


def test_a_tie_gets_rarer_with_the_rank_of_the_first_relevant_document() -> None:
    table = rd.studies.random_ties(n=[1000], points=20).table
    for m in (1, 50):
        values = table["value"][(table["measure"] == "RR") & (table["m"] == m)]
        assert len(values) == 20
        assert np.all(np.diff(values) <= 0)
        assert values[0] == pytest.approx(m / 50_000)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n": 3, "m": 4}, "more relevant documents"),
        ({"n": 3, "m": 0}, "m must be a whole number of at least 1, not 0"),
        ({"n": 3.5, "m": 1}, "n must be a whole number"),
        ({"n": 3, "m": 1, "first": 0}, "first must be"),
    ],
)
def test_impossible_sizes_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        tie_probability("RR", **given)


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean TSE"):
        tie_probability("TS", n=3, m=1)
