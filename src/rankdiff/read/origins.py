"""What a source is: judgments or runs, in whichever form somebody holds them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from rankdiff.errors import InputError, UsageError
from rankdiff.read.foreign import begins_with_measures, is_foreign, ratings_of, run_of
from rankdiff.read.frames import is_frame, table_from_frame
from rankdiff.read.irds import IRDS, judgments, ranking
from rankdiff.read.json_files import parsed
from rankdiff.read.matrices import is_array, is_matrix_run, rows_of_matrix
from rankdiff.read.nested import judgments_of, rows_of_lists, table_of
from rankdiff.read.records import are_rows, table_of_records
from rankdiff.read.table_files import head_of, kind_of, names_runs, read_table
from rankdiff.read.tables import JUDGMENT, RANKING, Deferred, Table, rows_of, split_by_run

Origin: TypeAlias = str | Deferred


def is_path(source: Any) -> bool:
    """Whether something names a file, a folder or standard input."""
    return isinstance(source, (str, os.PathLike))


def qrels_in(source: Any, called: str = "") -> str | Table:
    """The judgments of a source as a table; a path where its text is TREC's. ``called`` is what messages call it.

    A folder stands for the judgments that BEIR keeps in it, ``qrels/test.tsv`` first.
    """
    if is_path(source):
        return _qrels_in_file(os.fspath(source))
    if isinstance(source, Table):
        return source
    if (ranx := sys.modules.get("ranx")) and isinstance(source, ranx.Qrels):
        source = source.to_dict()
    if isinstance(source, Mapping):
        rated = ratings_of(source, called or "dict")
        return judgments_of(source, called or "dict") if rated is None else rated
    if is_frame(source):
        return table_from_frame(source, JUDGMENT)
    rows = list(source) if isinstance(source, Iterator) else source
    if called or are_rows(rows):
        return table_of_records(rows, JUDGMENT, called or "rows")
    raise UsageError(
        f"judgments cannot be read from a {type(source).__name__}: expected a path, a data frame, a nested dict or rows"
    )


def runs_in(source: Any, called: str = "", path: str = "") -> dict[str, Origin]:
    """The runs of a source that is no dict of runs; the one that brings no name has the name ``called``.

    ``path`` is where the source was read from.
    """
    if is_path(source) and not path:
        return _runs_in_file(os.fspath(source), called)
    if (ranx := sys.modules.get("ranx")) and isinstance(source, ranx.Run):
        source, called = source.to_dict(), source.name or called
    if isinstance(source, Mapping):
        return _runs_in_dict(source, called, path or f"dict of run {called}")
    if is_array(source) and len(source.shape) == 2:
        source = range(len(source)), source
    if is_matrix_run(source):
        what = f"array of run {called}"
        return {called: Deferred(what, partial(rows_of_matrix, *source, source=what))}
    if isinstance(source, Table):
        return _runs_in_table(source, called)
    if is_frame(source):
        return _runs_in_table(table_from_frame(source, RANKING, f"data frame of run {called}"), called)
    rows = list(source) if isinstance(source, Iterator) else source
    if path or are_rows(rows):
        return _runs_in_table(table_of_records(rows, RANKING, path or f"rows of run {called}"), called)
    raise UsageError(
        f"a run cannot be read from a {type(source).__name__}: expected a path, a data frame, a nested dict, rows, "
        "or arrays (topics, documents) or (topics, documents, scores)"
    )


def holds_runs(source: Mapping[Any, Any]) -> bool:
    """Whether a dict holds runs by their names, and not the rankings of one run by topic."""
    if is_foreign(source):
        return False
    first = first_ranking(source)
    if isinstance(first, Mapping):
        inner = first_ranking(first)
        return is_foreign(first) or isinstance(inner, (Mapping, list, tuple)) or (is_array(inner) and inner.shape != ())
    if are_rows(first):
        return True
    return not (isinstance(first, list) or (isinstance(first, tuple) and not is_matrix_run(first)) or is_vector(first))


def holds_measures(path: str) -> bool:
    """Whether a file of JSON is one of BEIR's or MTEB's, which hold values of measures beside the rankings."""
    return path.endswith(".json") and begins_with_measures(head_of(path))


def first_ranking(source: Mapping[Any, Any]) -> Any:
    """The first value of a dict that is not an empty dict."""
    return next((value for value in source.values() if not (isinstance(value, Mapping) and not value)), {})


def is_vector(source: Any) -> bool:
    """Whether something is an array of one dimension."""
    return is_array(source) and len(source.shape) == 1


def _qrels_in_file(path: str) -> str | Table:
    if path.startswith(IRDS):
        return judgments(path.removeprefix(IRDS))
    if os.path.isdir(path):
        path = _beir_qrels(path)
    match kind_of(path):
        case "text":
            return path
        case "json":
            return qrels_in(parsed(path), path)
        case kind:
            return read_table(path, kind, JUDGMENT)


def _beir_qrels(folder: str) -> str:
    """The file of judgments in a folder of BEIR's."""
    places = Path(folder, "qrels"), Path(folder)
    found = next((files for place in places if (files := sorted(filter(_is_judgments, place.glob("*"))))), [])
    tests = [path for path in found if path.stem == "test"] or found
    if len(tests) == 1:
        return str(tests[0])
    raise InputError(
        "a folder is no file of judgments",
        source=folder,
        found=", ".join(path.name for path in tests) or "no qrels/test.tsv in it",
        expected="a file, or a folder of BEIR with qrels/test.tsv",
    )


def _is_judgments(path: Path) -> bool:
    return path.suffix in {".tsv", ".jsonl", ".parquet"} and path.stem not in {"corpus", "queries"}


def _runs_in_file(path: str, called: str) -> dict[str, Origin]:
    if path.startswith(IRDS):
        return {called: Deferred(path, lambda: rows_of(ranking(path.removeprefix(IRDS))))}
    kind = kind_of(path)
    if kind == "text":
        return {called: path}
    try:
        if kind == "json":
            return _runs_in_json(parsed(path), called, path)
        if names_runs(path, kind):
            return _runs_in_table(read_table(path, kind, RANKING), called)
    except InputError as problem:
        return {called: Deferred(path, partial(_fail, problem))}  # so that a bad run can be skipped
    return {called: Deferred(path, lambda: rows_of(read_table(path, kind, RANKING)))}


def _runs_in_json(content: Any, called: str, path: str) -> dict[str, Origin]:
    if not (isinstance(content, Mapping) and holds_runs(content)):
        return runs_in(content, called, path)
    return {name: origin for run, one in content.items() for name, origin in runs_in(one, str(run), path).items()}


def _runs_in_dict(source: Mapping[Any, Any], called: str, what: str) -> dict[str, Origin]:
    if is_foreign(source):
        name, run = run_of(source, what)
        return {name or called: Deferred(what, lambda: rows_of(run) if isinstance(run, Table) else table_of(run, what))}
    rows = table_of if isinstance(first_ranking(source), Mapping) else rows_of_lists
    return {called: Deferred(what, partial(rows, source, what))}


def _fail(problem: InputError) -> NoReturn:
    raise problem


def _runs_in_table(table: Table, called: str) -> dict[str, Origin]:
    tables = split_by_run(table) if "run" in table.columns else {called: table}
    return {name: Deferred(one.source, partial(rows_of, one)) for name, one in tables.items()}
