"""Studies as JSON, and as a folder: every table and figure, and a page of all."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from rankdiff.present.delimited import to_csv
from rankdiff.present.files import save_text
from rankdiff.present.html import to_html
from rankdiff.present.records import value
from rankdiff.present.text import render
from rankdiff.results.study import Study
from rankdiff.studies import find
from rankdiff.studies.glance import at_a_glance

INDEX, GLANCE = "index.html", "glance"
FILES = ("csv", "txt", "tex", "svg")
"""What is written of each study."""
SHOWN_ROWS = 40
"""Rows of a table that the page holds; longer ones stand in their file alone."""

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #222 }
h2 { border-top: 1px solid #ccc; margin-top: 2.5rem; padding-top: 1rem }
img { max-width: 100% } pre { overflow-x: auto; font-size: 12px } .signature { color: #666; font-size: 12px }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto }
caption { font-weight: bold; text-align: left }
th, td { border-bottom: 1px solid #ddd; padding: .15rem .6rem; vertical-align: bottom } small { color: #666 }
.signature, small, code { overflow-wrap: anywhere }
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
    for kind in FILES:
        study.save(folder / f"{study.name}.{kind}")


def save_index(entries: Sequence[Entry], folder: Path) -> Path:
    """The page that shows the figures and tables of a folder, above them what they come to, which also stands in
    ``glance.csv`` and ``glance.txt``; the path it was written to."""
    glance = at_a_glance([entry.study for entry in entries if entry.study is not None])
    links = "".join(f"<li><a href=#{entry.name}>{entry.name}</a>: {escape(entry.question)}</li>" for entry in entries)
    above = [to_html([replace(glance, signature="")])] if len(glance) else []
    for name, text in {"csv": to_csv(glance), "txt": render(glance)}.items() if len(glance) else ():
        save_text(text, folder / f"{GLANCE}.{name}")
    parts = ["<h1>Studies</h1>", *above, f"<ul>{links}</ul>", *map(_contents, entries)]
    head = f"<!doctype html><html lang=en><meta charset=utf-8><title>Studies</title><style>{_STYLE}</style>"
    save_text("\n".join([head, *parts]) + "\n", folder / INDEX)
    return folder / INDEX


def _contents(entry: Entry) -> str:
    name, study = escape(entry.name), entry.study
    head = f"<h2 id={name}>{name}: {escape(entry.question)}</h2>"
    if study is None:
        return f"{head}\n<p>Not possible here: {escape(entry.reason)}</p>"
    links = ", ".join(f'<a href="{name}.{kind}">{kind}</a>' for kind in FILES)
    notes = "".join(f"<li>{escape(note)}</li>" for note in study.table.notes)
    short = all(len(table) <= SHOWN_ROWS for table in study.tables)
    signed = [] if short else [f"<p class=signature>{escape(study.signature)}</p>"]
    return "\n".join(
        [
            head,
            f'<p><a href="{name}.svg"><img src="{name}.svg" alt="{escape(entry.question)}"></a></p>',
            f"<details><summary>What it computes</summary><pre>{escape(_told(entry.name))}</pre></details>",
            to_html(study.tables) if short else f"<ul>{notes}</ul>" * bool(notes),
            f"<p>{len(study.table)} rows: {links}</p>",
            *signed,
        ]
    )


def _told(name: str) -> str:
    """What the study's docstring says before its example."""
    return (inspect.getdoc(find(name).function) or "").partition(">>>")[0].strip()
