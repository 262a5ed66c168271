"""Which runs there are, and how they are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from rankdiff.errors import InputError, UsageError
from rankdiff.read import read_runs


def write(folder: Path, *names: str) -> list[Path]:
    paths = [folder / name for name in names]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("7 Q0 d 1 1 t\n")
    return paths


def test_a_run_is_called_as_its_file_without_trimmings(tmp_path: Path) -> None:
    names = ["a", "b.run", "c.txt", "input.d", "e.run.gz", "input.f.txt.zst", "g.res", "h.v1.run", "i.xz", "run.bz2"]
    assert read_runs(write(tmp_path, *names)).names == ("a", "b", "c", "d", "e", "f", "g.res", "h.v1", "i", "run")


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    write(tmp_path, "b.run", "a.run", ".hidden", "within/c.run")
    runs = read_runs(tmp_path)
    assert runs.names == ("a", "b")
    assert [run.origin for run in runs.runs] == [str(tmp_path / "a.run"), str(tmp_path / "b.run")]


def test_globs_lists_and_files_combine(tmp_path: Path) -> None:
    write(tmp_path, "x1", "x2", "y", "sub/z")
    assert read_runs([tmp_path / "y", str(tmp_path / "x*"), tmp_path / "sub"]).names == ("y", "x1", "x2", "z")


def test_a_name_with_brackets_is_a_file_before_it_is_a_glob(tmp_path: Path) -> None:
    [path] = write(tmp_path, "bm25[k1=0.9].run")
    assert read_runs(path).names == ("bm25[k1=0.9]",)


def test_two_runs_of_one_name_are_told_apart_by_their_folder(tmp_path: Path) -> None:
    paths = write(tmp_path, "2021/bm25.run", "2022/bm25.run.gz", "2022/other")
    assert read_runs(paths).names == ("2021/bm25", "2022/bm25", "other")


def test_a_file_that_is_given_twice_is_told_as_that(tmp_path: Path) -> None:
    (path,) = write(tmp_path, "bm25.run")
    around = tmp_path / ".." / tmp_path.name / "bm25.run", tmp_path / "folder" / ".." / "bm25.run"
    (tmp_path / "folder").mkdir()
    for given in ([path, path], [tmp_path, path], *([path, other] for other in around)):
        with pytest.raises(InputError, match=r"bm25\.run: the same run is given twice \(leave one out\)"):
            read_runs(given)
    with pytest.raises(InputError, match="standard input: the same run is given twice"):
        read_runs(["-", "-"])


def test_two_runs_that_cannot_be_told_apart_are_refused_with_both_paths(tmp_path: Path) -> None:
    one, other = write(tmp_path, "bm25.run", "bm25.txt")
    with pytest.raises(InputError) as caught:
        read_runs([one, other])
    assert str(one) in str(caught.value)
    assert str(other) in str(caught.value)


def test_dicts_of_depth_two_and_three() -> None:
    ranking = {"7": {"d": 1.0}}
    assert read_runs(ranking).names == ("run",)
    assert read_runs({"a": ranking, 2: ranking}).names == ("a", "2")


@pytest.mark.parametrize(
    ("name", "message"),
    [("nowhere", "no such file or folder"), ("*.run", "no file matches"), ("", "the folder holds no run")],
)
def test_no_run_is_an_error_that_says_where(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_runs(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)


def test_a_folder_of_folders_says_that_it_is_one(tmp_path: Path) -> None:
    write(tmp_path, "within/a.run")
    with pytest.raises(InputError, match="holds no run, only folders"):
        read_runs(tmp_path)


def test_nothing_given_is_wrong_usage() -> None:
    for nothing in ([], {}):
        with pytest.raises(UsageError, match="no run was given"):
            read_runs(nothing)
