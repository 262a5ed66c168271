"""Preferences that another package brings: a few lines, and known on the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = '''
"""Three preferences, as somebody else might ship them."""
from rankdiff.preferences import by_grade, by_label, everybody, expect, join, preference, reciprocal

@preference("PatientRPP", citation="a package of somebody else's")
def patient(c, patience=2, rel=1):
    """Users who want many documents."""
    return expect(c, everybody(c, rel), weights=lambda level: level**patience)

@preference("GenreRPP", citation="a package of somebody else's")
def of_genres(c, genres: "Mapping", rel=1):
    """Users of each genre, and of nothing else."""
    return expect(c, by_label(c, genres, rel), weights="dcg")

@preference("DepthGained", citation="a package of somebody else's")
def gained(c, rel=1):
    """By how much reciprocal ranks differ, for users of each grade."""
    return expect(c, by_grade(c, rel), compare=reciprocal)
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package on Python's path that offers them, and a collection in the folder that we work in."""
    (tmp_path / "patience.py").write_text(PLUGIN)
    metadata = tmp_path / "patience-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: patience\nVersion: 1.0\n")
    names = {"PatientRPP": "patient", "GenreRPP": "of_genres", "DepthGained": "gained"}
    offered = "".join(f"{name} = patience:{function}\n" for name, function in names.items())
    (metadata / "entry_points.txt").write_text(f"[rankdiff.preferences]\n{offered}")
    (tmp_path / "qrels").write_text("q 0 a 2\nq 0 b 1\n")
    (tmp_path / "x").write_text("q Q0 a 0 4 x\nq Q0 n 0 3 x\nq Q0 m 0 2 x\nq Q0 b 0 1 x\n")
    (tmp_path / "y").write_text("q Q0 n 0 4 y\nq Q0 a 0 3 y\nq Q0 b 0 2 y\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def rankdiff(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "rankdiff", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("package")
def test_they_are_known_by_name_with_their_parameters() -> None:
    asked = ("PatientRPP", "PatientRPP(patience=0)", "GenreRPP(genres={'a': 'film'})", "DepthGained", "sgn(PatientRPP)")
    done = rankdiff("prefer", "qrels", "x", "y", *(f"-p{name}" for name in asked), "--format", "csv")
    values = {line.rpartition(",")[0].split("all,")[1].strip('"'): float(line.rpartition(",")[2])
              for line in done.stdout.splitlines()[1:]}  # fmt: skip
    # Ranks 1 and 4 against 2 and 3. Weights 1 and 4; 1 and 1. Film: a alone. Grades: 1 of 3 users wants grade 2.
    expected = {
        "PatientRPP": (1 - 4) / 5,
        "PatientRPP(patience=0)": 0,
        "GenreRPP(genres={'a': 'film'})": 1,
        "DepthGained": 1 / 3 * (1 / 1 - 1 / 2) + 2 / 3 * ((1 / 1 - 1 / 2) + (1 / 4 - 1 / 3)) / 2,
        "sgn(PatientRPP)": -1,
    }
    assert values == pytest.approx(expected), done.stderr
    assert "Users who want many documents" in rankdiff("explain", "PatientRPP").stdout
    assert "GenreRPP" in rankdiff("explain").stdout
    mistyped = rankdiff("prefer", "qrels", "x", "y", "-p", "PatientRP")
    assert (mistyped.returncode, "did you mean PatientRPP" in mistyped.stderr) == (2, True)


def test_one_that_cannot_be_loaded_is_named(package: Path) -> None:
    """Where an unknown name makes us look; those of the house are found without."""
    for offered, problem in {
        "PatientRPP = patience:nobody": "cannot be loaded (AttributeError",
        "PatientRPP = patience:everybody": "is function, expected a function under @preference",
    }.items():
        (package / "patience-1.0.dist-info" / "entry_points.txt").write_text(f"[rankdiff.preferences]\n{offered}\n")
        done = rankdiff("prefer", "qrels", "x", "y", "-p", "PatientRPP")
        assert done.returncode == 2
        assert f"the plug-in {offered} {problem}" in done.stderr
        assert rankdiff("prefer", "qrels", "x", "y", "-p", "RPP").returncode == 0
