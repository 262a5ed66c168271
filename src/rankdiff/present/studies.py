"""Studies as JSON, and as a folder: every table and figure, and a page of all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from rankdiff.present.files import save_text
from rankdiff.present.records import value
from rankdiff.results.study import Study

INDEX = "index.html"
SHOWN_ROWS = 40
"""Rows of a table that the page holds; longer ones stand in their file alone."""

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #222 }
h2 { border-top: 1px solid #ccc; margin-top: 2.5rem; padding-top: 1rem }
img { max-width: 100% } pre { overflow-x: auto; font-size: 12px } .signature { color: #666; font-size: 12px }
"""


def to_json(study: Study) -> str:
    """A study by the names of its fields, its tables as records.

    >>> import rankdiff as rd
    >>> to_json(rd.studies.orientation("RR", most=1, n=2))[:42]
    '{"name": "orientation", "parameters": {"wh'
    """
    record = {
        "name": study.name,
        "parameters": dict(study.parameters),
        "seed": study.seed,
        "table": list(study.table.rows()),
        "printed": [{"title": table.title, "rows": list(table.rows())} for table in study.printed],
        "notes": study.table.notes,
        "interrupted": study.interrupted,
        "signature": study.signature,
    }
    return value(record) + "\n"


@dataclass(frozen=True)
class Entry:
    """A study on the page: what came out, or why nothing did."""

    name: str
    question: str
    study: Study | None = None
    reason: str = ""


def save_study(study: Study, folder: Path) -> None:
    """Its tidy table (``NAME.csv``), the tables that people read (``NAME.txt``, ``NAME.tex``) and its figure."""
    for kind in ("csv", "txt", "tex", "svg"):
        study.save(folder / f"{study.name}.{kind}")


def save_index(entries: Iterable[Entry], folder: Path) -> Path:
    """The page that shows the figures and tables of a folder; the path it was written to."""
    parts = [_contents(entry) for entry in entries]
    page = f"<!doctype html><meta charset=utf-8><title>Studies</title><style>{_STYLE}</style><h1>Studies</h1>\n"
    save_text(page + "\n".join(parts) + "\n", folder / INDEX)
    return folder / INDEX


def _contents(entry: Entry) -> str:
    name, study = escape(entry.name), entry.study
    head = f"<h2 id={name}>{name}: {escape(entry.question)}</h2>"
    if study is None:
        return f"{head}\n<p>Not possible here: {escape(entry.reason)}</p>"
    links = ", ".join(f'<a href="{name}.{kind}">{kind}</a>' for kind in ("csv", "txt", "tex", "svg"))
    notes = "".join(f"<li>{escape(note)}</li>" for note in study.table.notes)
    short = all(len(table) <= SHOWN_ROWS for table in study.tables)
    return "\n".join(
        [
            head,
            f'<p><img src="{name}.svg" alt="{escape(entry.question)}"></p>',
            f"<pre>{escape(str(study))}</pre>" if short else f"<ul>{notes}</ul>" * bool(notes),
            f"<p>{len(study.table)} rows: {links}</p>",
            f"<p class=signature>{escape(study.signature)}</p>",
        ]
    )
