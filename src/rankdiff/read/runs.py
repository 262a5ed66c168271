"""Runs: which there are, how they are called, and where each comes from. Their text is read when they are placed."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterator, KeysView, Mapping, Set, ValuesView
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from rankdiff.errors import InputError, UsageError
from rankdiff.read.irds import IRDS
from rankdiff.read.matrices import is_matrix_run
from rankdiff.read.origins import Origin, holds_measures, holds_runs, is_path, runs_in
from rankdiff.read.records import are_rows

RunsSource: TypeAlias = Any
"""A path, a folder or a glob; a nested dict, a data frame, arrays; a list or a dict of these."""

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
TRIMMED = (".run", ".txt", ".trec", ".csv", ".tsv", ".json", ".jsonl", ".parquet", ".feather", ".arrow", ".arrows")


SEVERAL = (list, tuple, Set, KeysView, ValuesView, Iterator)


@dataclass(frozen=True)
class Run:
    """One run: its name, and the path of a text (``-`` is standard input) or a table."""

    name: str
    origin: Origin

    @property
    def source(self) -> str:
        """What messages call the place that the run comes from."""
        if self.origin == "-":
            return "standard input"
        return self.origin if isinstance(self.origin, str) else self.origin.source


@dataclass(frozen=True)
class Runs:
    """Runs in the order given; the files of a folder or glob in the order of their names."""

    runs: tuple[Run, ...]
    notices: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each run."""
        return tuple(run.name for run in self.runs)

    def __len__(self) -> int:
        return len(self.runs)


def read_runs(source: RunsSource) -> Runs:
    """The runs in files, folders, globs, on standard input (``-``), or in what Python holds.

    Files can be TREC's, Parquet, Arrow, CSV or TSV with a header, JSON or JSON lines: their content tells.
    A folder stands for the files in it, but not for hidden ones, for folders within, nor for the values of measures
    that BEIR and MTEB write beside the rankings. In memory, one run is

    - a dict ``{topic: {document: score}}``, ``{topic: [(document, score), …]}`` or
      ``{topic: documents in ranking order}``; rows (named tuples or dicts); a ``ranx.Run``; a rank-eval response;
    - a data frame, whose columns are called as in PyTerrier, ir_datasets, ranx or BEIR;
    - arrays ``(topics, documents)`` or ``(topics, documents, scores)``, where ``documents`` is a matrix of ids with a
      row for each topic.

    It is called ``run``; ``{name: one run}`` are several, as is a list of ``ranx.Run``, and a table with a column
    ``run``.

    A run is called as its file, without ``.gz`` and the like, ``.run``, ``.txt`` … at its end and ``input.`` at its
    beginning; two runs of one name are told apart by their folder.

    >>> read_runs({"bm25": {"7": {"d1": 1.5}}, "neural": {"7": {"d2": 0.5}}}).names
    ('bm25', 'neural')
    """
    if isinstance(source, Mapping) and not source:
        raise UsageError("no run was given: the dict is empty")
    notices: list[str] = []
    if isinstance(source, Mapping) and holds_runs(source):
        found = [run for name, one in source.items() for run in _called(str(name), one)]
    else:
        given = list(source) if isinstance(source, SEVERAL) and not is_matrix_run(source) else [source]
        found = [run for item in ([given] if are_rows(given) else given) for run in _runs_of(item, notices)]
    if not found:
        raise UsageError("no run was given")
    return Runs(_told_apart(found), tuple(notices))


def run_name(path: str | os.PathLike[str]) -> str:
    """The name of the run in a file.

    >>> run_name("runs/input.bm25.run.gz"), run_name("runs/neural.run.trec"), run_name("-")
    ('bm25', 'neural', 'stdin')
    """
    name = Path(path).name
    if name == "-":
        return "stdin"
    for endings in (COMPRESSED, TRIMMED, (".run",)):
        ending = next((ending for ending in endings if name.endswith(ending) and name != ending), "")
        name = name.removesuffix(ending)
    return name.removeprefix("input.") or name


def _called(name: str, source: Any) -> list[Run]:
    """The run to which a dict gives this name; several where its table holds several."""
    found = runs_in(source, name)
    return [Run(name if len(found) == 1 else f"{name}/{inner}", origin) for inner, origin in found.items()]


def _runs_of(item: Any, notices: list[str]) -> list[Run]:
    """The runs of one argument; what is passed over is noticed."""
    if not is_path(item):
        return [Run(name, origin) for name, origin in runs_in(item, "run").items()]
    given = os.fspath(item)
    if given.startswith(IRDS):
        return _called(given.removeprefix(IRDS), given)
    return [
        Run(name, origin) for path in _expand(given, notices) for name, origin in runs_in(path, run_name(path)).items()
    ]


def _expand(given: str, notices: list[str]) -> list[str]:
    """The files that a path, folder or glob stands for."""
    if given == "-":
        return [given]
    if os.path.isdir(given):
        found = [os.path.join(given, name) for name in sorted(os.listdir(given)) if not name.startswith(".")]
        measured = [path for path in found if holds_measures(path)]
        notices += [f"{path} holds values of measures, not rankings: passed over" for path in measured]
        files = [path for path in found if not os.path.isdir(path) and path not in measured]
        if not files:
            within = ", only values of measures" if measured else ", only folders" if found else ""
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


def _told_apart(runs: list[Run]) -> tuple[Run, ...]:
    """The runs, those of one name called by their folder, too."""
    often = {name for name, times in Counter(run.name for run in runs).items() if times > 1}
    named = [
        replace(run, name=f"{Path(os.path.abspath(run.source)).parent.name}/{run.name}")
        if run.name in often and os.path.exists(run.source)
        else run
        for run in runs
    ]
    first: dict[str, str] = {}
    for run in named:
        if run.name in first:
            if _same(first[run.name], run):
                raise InputError("the same run is given twice", source=run.source, advice="leave one out")
            raise InputError(
                f"two runs would both be called {run.name!r}: {first[run.name]} and {run.source}",
                advice="rename one or put them into folders of different names; in Python, give {name: run}",
            )
        first[run.name] = run.source
    return tuple(named)


def _same(source: str, run: Run) -> bool:
    """Whether a run comes from a source that was named before, perhaps by another path."""
    if run.origin == "-":
        return source == run.source
    return os.path.exists(source) and os.path.exists(run.source) and os.path.samefile(source, run.source)
