"""The expected values of the data folder, and the matrices they belong to."""

import csv
import gzip

import numpy as np
import pytest


@pytest.fixture(scope="session")
def expected(data):
    """The rows of statistics/expected.tsv."""
    with data("statistics", "expected.tsv").open() as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    assert rows
    return rows


@pytest.fixture(scope="session")
def sakai(data):
    """Three systems × twenty topics (Sakai 2015, Table 5.1)."""
    return np.genfromtxt(data("statistics", "sakai-20x3.tsv"), skip_header=1, usecols=(1, 2, 3)).T


@pytest.fixture(scope="session")
def urbano(data):
    """A score matrix of a TREC track, system × topic, by name."""

    def load(name):
        with gzip.open(data("score-matrices", "urbano-sigir2019", f"{name}.csv.gz"), "rt") as lines:
            return np.genfromtxt(lines, delimiter=",", skip_header=1).T

    return load


@pytest.fixture(scope="session")
def permtest(data):
    """Four systems' scores of one measure, system × query, by measure."""

    def load(measure):
        path = data("statistics", "permtest", f"scores.{measure}.tsv")
        return np.genfromtxt(path, delimiter="\t", skip_header=1, usecols=(1, 2, 3, 4)).T

    return load


def values(rows, case, quantity):
    """Every (value, tolerance) that the file gives for a quantity of a case."""
    found = [
        (float(row["value"]), float(row["tolerance"]))
        for row in rows
        if row["case"].startswith(case) and row["quantity"] == quantity
    ]
    assert found, f"the data folder has no {quantity!r} of {case!r}"
    return found


@pytest.fixture(scope="session")
def meets(expected):
    """Assert that a number meets every value the file gives for it."""

    def check(number, case, quantity):
        for value, tolerance in values(expected, case, quantity):
            assert number == pytest.approx(value, abs=tolerance, rel=0), f"{case}: {quantity}"

    return check
