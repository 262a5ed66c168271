"""Tables and figures as files: the extension of the name says in which format."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import Any

from rankdiff.errors import MissingExtraError, UsageError
from rankdiff.present.delimited import to_csv, to_tsv
from rankdiff.present.latex import to_latex
from rankdiff.present.markdown import to_markdown
from rankdiff.present.records import to_json, to_jsonl
from rankdiff.present.text import render
from rankdiff.results import Table

TEXTS = {
    ".csv": to_csv,
    ".tsv": to_tsv,
    ".json": to_json,
    ".jsonl": to_jsonl,
    ".tex": to_latex,
    ".md": to_markdown,
    ".txt": render,
}
FIGURES = frozenset({".svg", ".png", ".pdf", ".html"})


def save_table(table: Table, path: str | PathLike[str]) -> None:
    """Write a table: ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.parquet``, ``.tex``, ``.md`` or ``.txt``."""
    refuse_unknown(path)
    kind = PurePath(path).suffix.lower()
    if kind in TEXTS:
        save_text(TEXTS[kind](table), path)
    else:
        frame = table.to_arrow()
        import_module("pyarrow.parquet").write_table(frame, fspath(path))


def refuse_unknown(path: str | PathLike[str]) -> None:
    """Refuse a name that ends as nothing that can be written, or written only with an extra that is not installed."""
    kind, known = PurePath(path).suffix.lower(), (*TEXTS, ".parquet", *sorted(FIGURES))
    if kind not in known:
        ending = kind or "a name without extension"
        raise UsageError(f"{fspath(path)}: nothing is written as {ending} (use {' '.join(known)})")
    if kind == ".parquet" and find_spec("pyarrow") is None:
        raise MissingExtraError("Parquet files", "arrow")
    if kind in FIGURES:
        _require_drawing()


def _require_drawing() -> None:
    if find_spec("altair") is None or find_spec("vl_convert") is None:
        raise MissingExtraError("figures", "report")


def save_text(text: str, path: str | PathLike[str]) -> None:
    """Write text; ids that are not UTF-8 come out as the bytes they are."""
    Path(path).write_bytes(text.encode(errors="surrogateescape"))


def refuse_no_figure(path: str | PathLike[str]) -> None:
    """Refuse a name that does not end as a figure's, or any where figures cannot be written."""
    if PurePath(path).suffix.lower() not in FIGURES:
        raise UsageError(f"{fspath(path)}: a figure is written as {', '.join(sorted(FIGURES))}")
    _require_drawing()


def save_figure(chart: Any, path: str | PathLike[str]) -> None:
    """Write an Altair chart as ``.svg``, ``.png``, ``.pdf`` or as an ``.html`` page that works offline."""
    refuse_no_figure(path)
    kind = PurePath(path).suffix.lower()
    chart.save(fspath(path), **({"inline": True} if kind == ".html" else {}))
