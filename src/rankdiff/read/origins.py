"""What a source is: judgments or runs, in whichever form somebody holds them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from rankdiff._kernel.results import Rows
from rankdiff.errors import InputError, UsageError
from rankdiff.read.frames import is_frame, table_from_frame
from rankdiff.read.json_files import qrels_in_json, runs_in_json
from rankdiff.read.matrices import is_array, is_matrix_run, rows_of_matrix
from rankdiff.read.nested import judgments_of, rows_of_lists, table_of
from rankdiff.read.table_files import kind_of, names_runs, read_table
from rankdiff.read.tables import JUDGMENT, RANKING, Deferred, Table, rows_of, split_by_run

Origin: TypeAlias = str | Deferred

IRDS = "irds:"


def is_path(source: Any) -> bool:
    """Whether something names a file, a folder or standard input."""
    return isinstance(source, (str, os.PathLike))


def qrels_in(source: Any) -> str | Table:
    """The judgments of a source as a table; a path where its text is TREC's.

    A folder stands for the judgments that BEIR keeps in it, ``qrels/test.tsv`` first.
    """
    if is_path(source):
        return _qrels_in_file(os.fspath(source))
    if isinstance(source, Table):
        return source
    if (ranx := sys.modules.get("ranx")) and isinstance(source, ranx.Qrels):
        source = source.to_dict()
    if isinstance(source, Mapping):
        return judgments_of(source, "dict")
    if is_frame(source):
        return table_from_frame(source, JUDGMENT)
    raise UsageError(
        f"judgments cannot be read from a {type(source).__name__}: expected a path, a data frame or a nested dict"
    )


def runs_in(source: Any, called: str = "") -> dict[str, Origin]:
    """The runs of a source that is no dict of runs; the one that brings no name has the name ``called``."""
    if is_path(source):
        return _runs_in_file(os.fspath(source), called)
    if (ranx := sys.modules.get("ranx")) and isinstance(source, ranx.Run):
        source, called = source.to_dict(), source.name or called
    if isinstance(source, Mapping):
        rows = table_of if isinstance(first_ranking(source), Mapping) else rows_of_lists
        what = f"dict of run {called}"
        return {called: Deferred(what, partial(rows, source, what))}
    if is_array(source) and len(source.shape) == 2:
        source = range(len(source)), source
    if is_matrix_run(source):
        what = f"array of run {called}"
        return {called: Deferred(what, partial(rows_of_matrix, *source, source=what))}
    if isinstance(source, Table):
        return _runs_in_table(source, called)
    if is_frame(source):
        return _runs_in_table(table_from_frame(source, RANKING, f"data frame of run {called}"), called)
    raise UsageError(
        f"a run cannot be read from a {type(source).__name__}: expected a path, a data frame, a nested dict, "
        "or arrays (topics, documents) or (topics, documents, scores)"
    )


def holds_runs(source: Mapping[Any, Any]) -> bool:
    """Whether a dict holds runs by their names, and not the rankings of one run by topic."""
    first = first_ranking(source)
    if isinstance(first, Mapping):
        inner = first_ranking(first)
        return isinstance(inner, (Mapping, list, tuple)) or (is_array(inner) and inner.shape != ())
    return not (isinstance(first, list) or (isinstance(first, tuple) and not is_matrix_run(first)) or is_row(first))


def first_ranking(source: Mapping[Any, Any]) -> Any:
    """The first value of a dict that is not an empty dict."""
    return next((value for value in source.values() if not (isinstance(value, Mapping) and not value)), {})


def is_row(source: Any) -> bool:
    """Whether something is an array of one dimension."""
    return is_array(source) and len(source.shape) == 1


def _qrels_in_file(path: str) -> str | Table:
    if path.startswith(IRDS):
        from rankdiff.read.irds import judgments

        return judgments(path.removeprefix(IRDS))
    if os.path.isdir(path):
        path = _beir_qrels(path)
    match kind_of(path):
        case "text":
            return path
        case "json":
            found = qrels_in_json(path)
            return found if isinstance(found, Table) else judgments_of(found, path)
        case kind:
            return read_table(path, kind, JUDGMENT)


def _beir_qrels(folder: str) -> str:
    """The file of judgments in a folder of BEIR's."""
    found = sorted(Path(folder, "qrels").glob("*.tsv")) or sorted(Path(folder).glob("*.tsv"))
    named = {path.name: path for path in found}
    if len(found) == 1 or "test.tsv" in named:
        return str(named.get("test.tsv", found[0]))
    raise InputError(
        "a folder is no file of judgments",
        source=folder,
        found=", ".join(named) or "no qrels/test.tsv in it",
        expected="a file, or a folder of BEIR with qrels/test.tsv",
    )


def _runs_in_file(path: str, called: str) -> dict[str, Origin]:
    if path.startswith(IRDS):
        from rankdiff.read.irds import ranking

        return {called: Deferred(path, lambda: rows_of(ranking(path.removeprefix(IRDS))))}
    kind = kind_of(path)
    if kind == "text":
        return {called: path}
    try:
        if kind == "json":
            found = runs_in_json(path)
            return {name or called: Deferred(path, partial(_rows, run, path)) for name, run in found.items()}
        if names_runs(path, kind):
            return _runs_in_table(read_table(path, kind, RANKING), called)
    except InputError as problem:
        return {called: Deferred(path, partial(_fail, problem))}  # so that a bad run can be skipped
    return {called: Deferred(path, lambda: rows_of(read_table(path, kind, RANKING)))}


def _rows(run: Any, source: str) -> Rows:
    return rows_of(run) if isinstance(run, Table) else table_of(run, source)


def _fail(problem: InputError) -> NoReturn:
    raise problem


def _runs_in_table(table: Table, called: str) -> dict[str, Origin]:
    tables = split_by_run(table) if "run" in table.columns else {called: table}
    return {name: Deferred(one.source, partial(rows_of, one)) for name, one in tables.items()}
