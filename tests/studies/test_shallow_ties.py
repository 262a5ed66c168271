"""Ties of random rankings that are cut short, against what chance says."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

import rankdiff as rd

N, DEPTH, M = 60, 25, 4


def tied_exactly(measure: str) -> float:
    """Both rankings place M documents at random among N; each placement is as probable as any other."""
    if measure == "sgnLR":  # the same ranks within the depth
        ways = [comb(DEPTH, k) * (comb(N - DEPTH, M - k) / comb(N, M)) ** 2 for k in range(M + 1)]
    elif measure == "TSE":  # the last document at the same rank within the depth, or below it in both
        last = [comb(i - 1, M - 1) / comb(N, M) for i in range(M, DEPTH + 1)]
        ways = [*(p**2 for p in last), (1 - sum(last)) ** 2]
    else:  # R@10
        ways = [(comb(10, k) * comb(N - 10, M - k) / comb(N, M)) ** 2 for k in range(M + 1)]
    return sum(ways)


@pytest.mark.parametrize("measure", ["sgnLR", "TSE", "R@10"])
def test_against_exact_probabilities(measure: str) -> None:
    options = {"samples": 3000, "rankings": 2, "n": N, "fewest": M, "most": M, "depths": [DEPTH]}
    value = rd.studies.shallow_ties([measure], seed=3, **options).table["value"][0]
    expected = tied_exactly(measure)
    assert abs(value - expected) < 4 * np.sqrt(expected * (1 - expected) / 3000)


def test_the_closed_form_where_nothing_is_cut() -> None:
    options = {"samples": 3000, "rankings": 2, "n": N, "fewest": M, "most": M, "depths": [N]}
    value = rd.studies.shallow_ties(["TSE"], seed=4, **options).table["value"][0]
    expected = rd.studies.tie_probability("TSE", n=N, m=M)
    assert abs(value - expected) < 4 * np.sqrt(expected * (1 - expected) / 3000)


def test_as_figure_6_has_it() -> None:
    """R@1000 and R-precision tie often at every depth, TSE ever more, AP and lexirecall hardly ever."""
    table = rd.studies.shallow_ties(depths=[250_000, 150_000]).table
    value = {(row["measure"], row["depth"]): row["value"] for row in table.rows()}
    assert value["R@1000", 250_000] == value["R@1000", 150_000] > 0.7
    assert value["Rprec", 250_000] > 0.95
    assert value["TSE", 250_000] < 0.01
    assert value["TSE", 150_000] > 0.9
    assert max(value[name, 150_000] for name in ("AP", "sgnLR")) < 0.01
