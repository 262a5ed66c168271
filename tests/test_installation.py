"""What users install: the wheel, and what the source becomes where no compiler works; all made without a network."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import sysconfig
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

import rankdiff as rd
from installations import NO_COMPILER, Bare, call, source_distribution, wheel
from rankdiff.cli.output import NUMPY_KERNEL

QRELS = "".join(f"{topic} 0 d{d} {d % 3}\n" for topic in range(20) for d in range(9))
RUN = "".join(f"{topic} Q0 d{(5 * d + topic) % 17} {d} {9 - d} x\n" for topic in range(20) for d in range(9))
MEASURES = ("nDCG@5", "AP", "ASL", "TSE")

SOURCE_ONLY = re.compile(r"\.(cpp|hpp|ninja|a|o)$|CMake|\.skbuild-info|(^|/)tests/")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return source_distribution(tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def plain(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is made where no compiler works."""
    return wheel(sdist, tmp_path_factory.mktemp("plain"), **NO_COMPILER)


def same_values(bare: Bare, folder: Path) -> None:
    """An installation's command line gives for a collection what this one gives, to the last digit."""
    qrels, run = folder / "qrels.txt", folder / "a.run"
    qrels.write_text(QRELS)
    run.write_text(RUN)
    asked = (part for name in MEASURES for part in ("-m", name))
    done = bare.run("-m", "rankdiff", "measure", qrels, run, *asked, "-q", "--format", "jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    expected = list(rd.load(qrels, run).measure(*MEASURES).per_query().rows())
    assert [row for row in found if row["query"] != "all"] == expected
    assert len(expected) == 20 * len(MEASURES)


def test_the_source_holds_what_a_build_needs_and_nothing_that_a_build_made(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for needed in ("LICENSE", "CITATION.cff", "CHANGELOG.md", "README.md", "Makefile", "src/rankdiff/py.typed",
                   "src/rankdiff/_kernel/main.cpp", "src/rankdiff/_kernel/CMakeLists.txt", "tests/test_installation.py",
                   "src/rankdiff/present/report/page/page.html"):  # fmt: skip
        assert needed in names
    made = re.compile(r"\.(so|a|o|ninja|pyc)$|CMakeCache|CMakeFiles|CMakeInit|\.skbuild-info|\.cmake/|\.venv")
    assert [name for name in names if made.search(name)] == []


def test_the_wheel_works_where_there_is_no_compiler(sdist: Path, tmp_path: Path) -> None:
    if not any(map(shutil.which, (os.environ.get("CXX", "c++"), "g++", "clang++"))):
        pytest.skip("no C++ compiler: the wheel with the native kernel cannot be built")
    made = wheel(sdist, tmp_path)
    version = sys.version_info
    own = f"cp{version.major}{version.minor}"
    free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    tag = f"{own}-{own}t" if free_threaded else "cp312-abi3" if version >= (3, 12) else f"{own}-{own}"
    assert f"-{tag}-" in made.name
    with ZipFile(made) as archive:
        names = archive.namelist()
    assert any(re.match(r"rankdiff/_kernel/_native\..*(so|pyd)$", name) for name in names)
    assert {"rankdiff/py.typed", "rankdiff/present/report/page/page.html"} < set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert [name for name in names if SOURCE_ONLY.search(name)] == []
    bare = Bare.make(tmp_path / "bare", made)
    shown = bare.run("-m", "rankdiff", "--version", cwd=tmp_path).stdout
    assert shown == f"rankdiff {rd.__version__} (native kernel)\n"
    assert call(bare.python.with_name("rankdiff"), "--version") == shown
    same_values(bare, tmp_path)
    demo = bare.run("-m", "rankdiff", "demo", cwd=tmp_path)
    assert demo.returncode == 0, demo.stderr
    assert "cedar-1 is better than hazel-2 by RPP" in demo.stdout
    (tmp_path / "a.csv").write_text("qid,docno,score\n1,d1,0.5\n")
    lacking = bare.run("-m", "rankdiff", "measure", "qrels.txt", "a.csv", cwd=tmp_path)
    assert lacking.returncode == 4
    assert "pip install 'rankdiff[arrow]'" in lacking.stderr


def test_where_no_compiler_works_the_same_numbers_come_from_numpy(plain: Path, tmp_path: Path) -> None:
    assert plain.name.endswith("-py3-none-any.whl")
    bare = Bare.make(tmp_path / "bare", plain)
    shown = bare.run("-m", "rankdiff", "--version", cwd=tmp_path).stdout
    assert shown == f"rankdiff {rd.__version__} ({NUMPY_KERNEL})\n"
    same_values(bare, tmp_path)


USERS = """
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import rankdiff as rd
from rankdiff.interop.pytrec_eval import RelevanceEvaluator

c = rd.load("qrels.txt", "runs/")
assert_type(c, rd.Collection)
assert_type(c.systems, tuple[str, ...])
scores = c.measure("nDCG@10", "AP")
assert_type(scores, rd.Scores)
assert_type(scores.mean(), rd.Table)
ap: NDArray[np.float64] = scores["AP"]
preferences = c.prefer("RPP")
assert_type(preferences, rd.Preferences)
assert_type(preferences.order("mc4"), rd.Order)
comparison = c.compare("bm25", "neural")
assert_type(comparison, rd.Comparison)
assert_type(comparison.verdict, str)
assert_type(rd.statistics.paired([0.5, 0.25], [0.25, 0.5]).p, float)
evaluated = RelevanceEvaluator({"q": {"d": 1}}, {"map"}).evaluate({"q": {"d": 0.5}})
assert_type(evaluated["q"]["map"], float)

c.nosuch  # type: ignore[attr-defined]
scores.mean(7)  # type: ignore[arg-type]
"""


def test_a_users_program_is_type_checked(plain: Path, tmp_path: Path) -> None:
    """mypy says nothing of what is right, and would say so if an error marked here were none."""
    bare = Bare.make(tmp_path / "bare", plain)
    (tmp_path / "user.py").write_text(USERS)
    checked = ("--strict", "--python-executable", bare.python, "--cache-dir", os.devnull, "user.py")
    assert "no issues found" in call(sys.executable, "-m", "mypy", *checked, cwd=tmp_path)
