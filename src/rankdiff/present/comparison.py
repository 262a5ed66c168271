"""A comparison for people: tables, a verdict in words, the topics that changed most; and for programs, a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from textwrap import fill
from typing import Any

import numpy as np

from rankdiff.comparison.gates import Gates
from rankdiff.comparison.words import FEW, probability, verdict
from rankdiff.measures.providers import mean_exposure
from rankdiff.present.html import paragraph, remarks, to_html
from rankdiff.present.text import render
from rankdiff.results import Comparison, Table
from rankdiff.results.table import column

WIDTH = 100
"""Sentences are filled to this width."""


def to_text(comparison: Comparison, width: int | None = None, heading: str = "") -> str:
    """Everything that a comparison has to say, as text."""
    title = f"== {heading}: {len(comparison.queries)} topics\n"
    parts = [title] if heading else []
    parts += [render(table, width) for table in people_tables(comparison)]
    parts += ["".join(fill(sentence, WIDTH, subsequent_indent="  ") + "\n" for sentence in verdict(comparison))]
    if len(comparison.candidates) <= FEW:
        parts += [render(table, width) for table in changed_tables(comparison) if len(table)]
    remarks = [*(f"note: {notice}" for notice in comparison.notices), comparison.signature]
    return "\n".join([*parts, "".join(f"{remark}\n" for remark in remarks)])


def to_notebook(comparison: Comparison) -> str:
    """The same as HTML: what `to_text` says, in its order."""
    parts = [to_html(people_tables(comparison)), *map(paragraph, verdict(comparison))]
    if len(comparison.candidates) <= FEW:
        parts.append(to_html(table for table in changed_tables(comparison) if len(table)))
    notes = [f"note: {notice}" for notice in comparison.notices]
    return "\n".join([*parts, remarks(notes, comparison.signature)])


def people_tables(comparison: Comparison) -> Iterator[Table]:
    """A table for each candidate, or of many candidates under the primary measure; the runs in groups if there are
    several."""
    if len(comparison.candidates) > 1:
        yield _unsigned(comparison.groups())
    table = comparison.table()
    if len(comparison.candidates) <= FEW:
        for candidate in comparison.candidates:
            title = f"{candidate} against {comparison.baseline} (positive = {candidate} better)"
            chosen = table["candidate"] == candidate
            note = "* primary: the verdict rests on it; the other rows are exploratory"
            yield _rounded(
                table,
                chosen,
                comparison.baseline,
                candidate,
                title=title,
                notes=(note,) * (len(comparison.measures) > 1),
            )
    else:
        title = f"{comparison.primary.name}: each run against {comparison.baseline} (positive = better)"
        chosen = table["role"] == "primary"
        yield _rounded(table, chosen, comparison.baseline, "mean", title=title, notes=())


def changed_tables(comparison: Comparison) -> Iterator[Table]:
    """For each candidate, the topics that changed most."""
    for candidate in comparison.candidates:
        changed = comparison.changed(candidate)
        columns = {"topic": changed["query"]}
        columns |= {name: _signed(values) for name, values in changed.columns.items() if name != "query"}
        yield Table(columns, title=f"The topics that changed most from {comparison.baseline} to {candidate}")


def provider_tables(comparison: Comparison, providers: str) -> Iterator[Table]:
    """For each candidate, the users of each provider: whether it serves them better than the baseline; and what
    exposure the provider's relevant documents get from both."""
    for candidate in comparison.candidates:
        profile = comparison.profile_of(candidate)
        table, exposed = profile.by_label(providers), mean_exposure(profile.collection, providers)
        columns = {"provider" if name == "label" else name: values for name, values in table.columns.items()}
        for run in profile.collection.systems:
            of = dict(zip(exposed["provider"].tolist(), exposed[run].tolist(), strict=True))
            columns[f"exposure {run}"] = column([of.get(name, np.nan) for name in columns["provider"].tolist()])
        yield Table(columns, title=f"For whose users {candidate} is better than {comparison.baseline}")


def comparison_record(
    comparison: Comparison, gates: Gates | None = None, providers: str | None = None
) -> dict[str, Any]:
    """A comparison by the names of its fields, its rows instead of its arrays, profiles and verdict in words."""
    record: dict[str, Any] = {
        "baseline": comparison.baseline,
        "candidates": list(comparison.candidates),
        "rows": list(comparison.table().rows()),
        "verdict": comparison.verdict.split("\n"),
    }
    if len(comparison.candidates) <= FEW:
        record["profiles"] = [comparison.profile_of(candidate).sentence for candidate in comparison.candidates]
        record["changed"] = {name: list(comparison.changed(name).rows()) for name in comparison.candidates}
    if len(comparison.candidates) > 1:
        record["groups"] = list(comparison.groups().rows())
    if providers is not None:
        tables = zip(comparison.candidates, provider_tables(comparison, providers), strict=True)
        record["providers"] = {candidate: list(table.rows()) for candidate, table in tables}
    if gates is not None:
        record["gates"] = [asdict(gate) for gate in gates.gates]
    return record | {
        "lacking": {run: list(topics) for run in comparison.collection.systems if (topics := comparison.lacking(run))},
        "notices": list(comparison.notices),
        "signature": comparison.signature,
    }


def _rounded(
    table: Table, chosen: np.ndarray, baseline: str, candidate: str, *, title: str, notes: tuple[str, ...]
) -> Table:
    rows = {name: values[chosen] for name, values in table.columns.items()}
    several = len(set(rows["candidate"])) > 1
    primary = rows["role"] == "primary"
    names = [f"{name} *" if first else name for name, first in zip(rows["measure"], primary, strict=True)]
    columns = {"run": rows["candidate"]} if several else {"": column(names if len(names) > 1 else rows["measure"])}
    means = {baseline: rows["baseline mean"]} if not several else {}
    means[candidate] = rows["candidate mean"]
    columns |= {name: values for name, values in means.items() if not np.isnan(values).all()}
    counts = [
        f"{won}/{tied}/{lost}" for won, tied, lost in zip(rows["wins"], rows["ties"], rows["losses"], strict=True)
    ]
    columns |= {
        "difference": _signed(rows["difference"]),
        "interval": column([_interval(*pair) for pair in zip(rows["low"], rows["high"], strict=True)]),
        "p": column([probability(p) for p in rows["p"]]),
        "effect": _signed(rows["effect"], 2),
        "w/t/l": column(counts),
        "topics": rows["queries"],
    }
    legend = "w/t/l: topics on which it wins, ties, loses; effect: " + " or ".join(
        {"g_z": "difference in units of its spread (g_z)"}.get(name, name)
        for name in dict.fromkeys(rows["effect is"])
        if name
    )
    methods = "; ".join(dict.fromkeys(rows["test"]))
    intervals = "; ".join(dict.fromkeys(rows["interval by"]))
    return Table(columns, title=title, notes=(*notes, legend, f"test: {methods}; interval: {intervals}"))


def _interval(low: float, high: float) -> str:
    return "" if np.isnan(low) else f"[{low:+.4f}, {high:+.4f}]"


def _signed(values: np.ndarray, digits: int = 4) -> np.ndarray:
    """Numbers with their sign as text, flush right."""
    texts = ["" if np.isnan(value) else f"{value:+.{digits}f}" for value in values.tolist()]
    width = max(map(len, texts), default=0)
    return column([text.rjust(width) for text in texts])


def _unsigned(table: Table) -> Table:
    return Table(table.columns, table.title, table.notes)
