"""Runs: which there are, how they are called, and where each comes from. Their text is read when they are placed."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from rankdiff.errors import InputError, UsageError

Rankings: TypeAlias = Mapping[Any, Mapping[Any, float]]
RunsSource: TypeAlias = (
    str | os.PathLike[str] | Iterable["str | os.PathLike[str]"] | Mapping[Any, "Rankings | Mapping[Any, float]"]
)

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
TRIMMED = (".run", ".txt")


@dataclass(frozen=True)
class Run:
    """One run: its name, and a path (``-`` is standard input) or a dict ``{topic: {document: score}}``."""

    name: str
    origin: str | Rankings

    @property
    def source(self) -> str:
        """What messages call the place that the run comes from."""
        if self.origin == "-":
            return "standard input"
        return self.origin if isinstance(self.origin, str) else f"dict of run {self.name}"


@dataclass(frozen=True)
class Runs:
    """Runs in the order given; the files of a folder or glob in the order of their names."""

    runs: tuple[Run, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each run."""
        return tuple(run.name for run in self.runs)

    def __len__(self) -> int:
        return len(self.runs)


def read_runs(source: RunsSource) -> Runs:
    """The runs in files, folders, globs, on standard input (``-``), or in nested dicts.

    A dict ``{topic: {document: score}}`` is one run, called ``run``; ``{name: {topic: {document: score}}}`` are
    several. A folder stands for the files in it, but not for hidden ones nor for folders within.

    A run is called as its file, without ``.gz`` and the like, ``.run`` or ``.txt`` at its end and ``input.`` at its
    beginning; two runs of one name are told apart by their folder.

    >>> read_runs({"bm25": {"7": {"d1": 1.5}}, "neural": {"7": {"d2": 0.5}}}).names
    ('bm25', 'neural')
    """
    if isinstance(source, Mapping):
        return Runs(_from_dict(source))
    given = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    paths = [path for item in given for path in _expand(os.fspath(item))]
    if not paths:
        raise UsageError("no run was given")
    names = _tell_apart(paths)
    return Runs(tuple(Run(name, path) for name, path in zip(names, paths, strict=True)))


def run_name(path: str | os.PathLike[str]) -> str:
    """The name of the run in a file.

    >>> run_name("runs/input.bm25.run.gz"), run_name("runs/neural.txt"), run_name("-")
    ('bm25', 'neural', 'stdin')
    """
    name = Path(path).name
    if name == "-":
        return "stdin"
    for endings in (COMPRESSED, TRIMMED):
        ending = next((ending for ending in endings if name.endswith(ending) and name != ending), "")
        name = name.removesuffix(ending)
    return name.removeprefix("input.") or name


def _expand(given: str) -> list[str]:
    """The files that a path, folder or glob stands for."""
    if given == "-":
        return [given]
    if os.path.isdir(given):
        found = [os.path.join(given, name) for name in sorted(os.listdir(given)) if not name.startswith(".")]
        files = [path for path in found if not os.path.isdir(path)]
        if not files:
            within = ", only folders" if found else ""
            raise InputError(
                f"the folder holds no run{within}", source=given, expected="run files in the folder itself"
            )
        return files
    if os.path.lexists(given):
        return [given]
    files = sorted(path for path in glob.glob(given) if not os.path.isdir(path))
    if not files:
        kind = "no file matches" if glob.has_magic(given) else "there is no such file or folder"
        raise InputError(kind, source=given)
    return files


def _tell_apart(paths: list[str]) -> list[str]:
    """A name for each run, with its folder where another run has the same."""
    plain = [run_name(path) for path in paths]
    often = {name for name, times in Counter(plain).items() if times > 1}
    names = [
        f"{Path(path).absolute().parent.name}/{name}" if name in often else name
        for name, path in zip(plain, paths, strict=True)
    ]
    first: dict[str, str] = {}
    for name, path in zip(names, paths, strict=True):
        if name in first:
            raise InputError(
                f"two runs would both be called {name!r}: {first[name]} and {path}",
                advice="rename one, or put them into folders of different names",
            )
        first[name] = path
    return names


def _from_dict(nested: Mapping[Any, Mapping[Any, Any]]) -> tuple[Run, ...]:
    if not nested:
        raise UsageError("no run was given: the dict is empty")
    if any(isinstance(value, Mapping) for inner in nested.values() for value in inner.values()):
        names = [str(name) for name in nested]
        if len(set(names)) < len(names):
            raise InputError("two runs of a dict have the same name as text", source="dict")
        return tuple(Run(name, run) for name, run in zip(names, nested.values(), strict=True))
    return (Run("run", nested),)
