"""Measures that others bring: a package's, through its entry point, and a function of the user's own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray

PLUGIN = '''
"""Precision by the hyperbolic discount, as somebody else might ship it."""
from rankdiff import measure

@measure("Hyper", range=(0, 1), citation="a package of somebody else's")
def hyperbolic(c, k=None, rel=1, pull=1.0):
    """The share of 1/(pull + rank) that goes to relevant documents."""
    hits = c.hits(rel).top(k)
    return hits.sum(1 / (pull + hits.rank)) / sum(1 / (pull + r) for r in range(1, (k or 1000) + 1))
'''

QUESTIONS = """
import rankdiff as rd
from rankdiff.measures import find
c = rd.align({"q": {"a": 1}}, {"run": {"q": {"x": 2, "a": 1}}})
print(c.measure("Hyper(pull=0)@2").values.item(), find("Hyper(pull=0)@2").name, find("Hyper").higher_is_better)
for name in ("Hyp", "Hyper(pul=2)"):
    try:
        find(name)
    except rd.errors.UsageError as error:
        print(error)
"""


def test_an_installed_package_adds_a_measure(tmp_path: Path) -> None:
    (tmp_path / "hyper.py").write_text(PLUGIN)
    metadata = tmp_path / "hyper-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: hyper\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[rankdiff.measures]\nHyper = hyper:hyperbolic\n")
    program = f"import sys; sys.path.append({str(tmp_path)!r})\n{QUESTIONS}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout.splitlines(), done.stderr) == (
        [
            f"{(1 / 2) / (1 + 1 / 2)} Hyper(pull=0)@2 True",
            "no measure is called 'Hyp': did you mean Hyper?",
            "no parameter of Hyper is called 'pul': did you mean pull?",
        ],
        "",
    )


def relevant_share_of_the_judged(c: Collection) -> FloatArray:
    """A user's own measure: a plain function of a collection."""
    judged = c.judged_hits()
    return c.hits(1).count / np.maximum(judged.count, 1)


def test_a_function_of_a_collection_is_a_measure() -> None:
    runs = {"one": {"q": {"a": 3, "b": 2, "x": 1}}, "two": {"q": {"b": 1}}}
    scores = align({"q": {"a": 1, "b": 0}}, runs).measure("P@1", relevant_share_of_the_judged)
    assert scores[relevant_share_of_the_judged].tolist() == [[0.5], [0.0]]
    assert list(scores.mean().columns) == ["run", "P@1", "relevant_share_of_the_judged", "queries"]


def test_it_sees_all_runs_at_once() -> None:
    runs = {f"r{i}": {"q": {"a": 1}} for i in range(7)}
    c = align({"q": {"a": 1}}, runs)
    assert c.measure(lambda c: np.full(c.depth.shape, len(c.systems))).values.tolist() == [[[7.0]] * 7]


def test_an_array_of_the_wrong_shape_is_refused() -> None:
    c = align({"q": {"a": 1}}, {"run": {"q": {"a": 1}}})
    with pytest.raises(UsageError, match=r"average gave an array of shape \(1,\), expected system × query, \(1, 1\)"):
        c.measure(average)


def average(c: Collection) -> FloatArray:
    return c.hits(1).count.mean(axis=1)
