"""Writers: every one takes a table and gives text, or a frame of another library.

`FORMATS` are the names by which the command line knows those that a table alone is enough for.
"""

from __future__ import annotations

from collections.abc import Callable

from rankdiff.present.delimited import to_csv, to_tsv
from rankdiff.present.latex import to_latex
from rankdiff.present.markdown import to_markdown
from rankdiff.present.records import to_json, to_jsonl
from rankdiff.present.text import render
from rankdiff.results import Table

__all__ = ["FORMATS", "render", "to_csv", "to_json", "to_jsonl", "to_latex", "to_markdown", "to_tsv"]

FORMATS: dict[str, Callable[[Table], str]] = {
    "text": render,
    "tsv": to_tsv,
    "csv": to_csv,
    "json": to_json,
    "jsonl": to_jsonl,
    "latex": to_latex,
    "markdown": to_markdown,
}
