"""A comparison for people: tables, a verdict in words, the topics that changed most; and for programs, a record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rankdiff.comparison.gates import Gates
from rankdiff.comparison.words import FEW, certified, probability, verdict
from rankdiff.measures.providers import mean_exposure
from rankdiff.present.colors import BETTER, WORSE, faint, mark, strong
from rankdiff.present.html import paragraph, remarks, to_html
from rankdiff.present.profile import LEVELS, profile_tables
from rankdiff.present.text import WIDEST_WORDS, render, words
from rankdiff.read.notices import counted
from rankdiff.results import Comparison, Table
from rankdiff.results.table import column, heading

BESIDES_MEANS = ("run", "difference", "interval", "p", "effect", "w/t/l", "topics")
"""What the other columns of the table are called, as runs may be, too."""


def to_text(comparison: Comparison, width: int | None = None, heading: str = "", *, color: bool = False) -> str:
    """Everything that a comparison has to say, as text."""
    title = f"== {heading}: {len(comparison.queries)} topics\n"
    parts = [title] if heading else []
    parts += [render(table, width, color=color) for table in people_tables(comparison)]
    parts += ["".join(f"{line}\n" for line in _sentences(comparison, width, color))]
    if len(comparison.candidates) <= FEW:
        parts += [render(table, width, color=color) for table in changed_tables(comparison) if len(table)]
    notes = [line for notice in comparison.notices for line in words(f"note: {notice}", width)]
    return "\n".join([*parts, "".join(f"{faint(note, color)}\n" for note in [*notes, comparison.signature])])


def _sentences(comparison: Comparison, width: int | None, color: bool) -> Iterator[str]:
    """The verdict, its first sentence as a heading."""
    for number, sentence in enumerate(verdict(comparison)):
        yield from (line if number else strong(line, color) for line in words(sentence, width or WIDEST_WORDS))


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
            notes = (note,) * (len(comparison.measures) > 1)
            yield _rounded(comparison, table, chosen, candidate, title=title, notes=notes)
    else:
        title = f"{comparison.primary.name}: each run against {comparison.baseline} (positive = better)"
        chosen = table["role"] == "primary"
        yield _rounded(comparison, table, chosen, "mean", title=title, notes=())


def changed_tables(comparison: Comparison) -> Iterator[Table]:
    """For each candidate, the topics that changed most."""
    for candidate in comparison.candidates:
        changed = comparison.changed(candidate)
        columns = {"topic": changed["query"]}
        columns |= {name: _signed(values) for name, values in changed.columns.items() if name != "query"}
        title = f"The topics that changed most from {comparison.baseline} to {candidate}"
        yield Table(columns, title=title, bar=comparison.primary.name)


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


@dataclass(frozen=True, eq=False)
class Besides:
    """What is shown beside a comparison where it was asked for: profiles (``groups`` of topics with them), providers,
    how many topics it takes, and when it was decided."""

    profile: bool = False
    groups: Mapping[str, str] | None = None
    providers: str | None = None
    plan: Table | None = None
    stopping: Table | None = None

    def profiles(self, comparison: Comparison, levels: int | None = LEVELS) -> Mapping[str, Mapping[str, Table]]:
        """The tables of each candidate's profile, by the candidate and by what they are about."""
        if not self.profile:
            return {}
        return {
            candidate: profile_tables(comparison.profile_of(candidate), levels, self.groups)
            for candidate in comparison.candidates
        }


def further_tables(comparison: Comparison, besides: Besides) -> Iterator[Table]:
    """What a person asked to see besides."""
    for tables in besides.profiles(comparison).values():
        yield from tables.values()
    if besides.providers is not None:
        yield from provider_tables(comparison, besides.providers)
    yield from (table for table in (besides.plan, besides.stopping) if table is not None)


def comparison_record(comparison: Comparison, besides: Besides, gates: Gates | None = None) -> dict[str, Any]:
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
    if besides.profile:
        record["profile"] = {
            candidate: {by: list(table.rows()) for by, table in tables.items()}
            for candidate, tables in besides.profiles(comparison, levels=None).items()
        }
    if besides.providers is not None:
        of_each = zip(comparison.candidates, provider_tables(comparison, besides.providers), strict=True)
        record["providers"] = {candidate: list(table.rows()) for candidate, table in of_each}
    for name, table in (("plan", besides.plan), ("sequential", besides.stopping)):
        if table is not None:
            record[name] = list(table.rows())
    if gates is not None:
        record["gates"] = [asdict(gate) for gate in gates.gates]
    return record | {
        "lacking": {run: list(topics) for run in comparison.collection.systems if (topics := comparison.lacking(run))},
        "notices": list(comparison.notices),
        "signature": comparison.signature,
    }


def _rounded(
    comparison: Comparison, table: Table, chosen: np.ndarray, candidate: str, *, title: str, notes: tuple[str, ...]
) -> Table:
    rows = {name: values[chosen] for name, values in table.columns.items()}
    several = len(set(rows["candidate"])) > 1
    primary = rows["role"] == "primary"
    names = [f"{name} *" if first else name for name, first in zip(rows["measure"], primary, strict=True)]
    columns = {"run": rows["candidate"]} if several else {"": column(names if len(names) > 1 else rows["measure"])}
    means = {comparison.baseline: rows["baseline mean"]} if not several else {}
    means[candidate] = rows["candidate mean"]
    columns |= {heading(name, BESIDES_MEANS): values for name, values in means.items() if not np.isnan(values).all()}
    counts = [
        f"{won}/{tied}/{lost}" for won, tied, lost in zip(rows["wins"], rows["ties"], rows["losses"], strict=True)
    ]
    marks = _marks(comparison)[chosen].tolist()
    differences = zip(_signed(rows["difference"]), marks, strict=True)
    topics = sorted(set(rows["queries"].tolist()))
    columns |= {
        "difference": column([f"{text} {mark(found)}" for text, found in differences]),
        "interval": column([_interval(*pair) for pair in zip(rows["low"], rows["high"], strict=True)]),
        "p": column([probability(p) for p in rows["p"]]),
        "effect": _signed(rows["effect"], 2),
        "w/t/l": column(counts),
        **({"topics": rows["queries"]} if len(topics) > 1 else {}),
    }
    shown = [f"{BETTER} shown to be better" * (1 in marks), f"{WORSE} shown to be worse" * (-1 in marks)]
    signs = [f"{', '.join(filter(None, shown))} (p up to {comparison.level:g})"] if any(shown) else []
    legend = (
        f"w/t/l: of {counted(topics[0], 'topic')}, those on which it wins, ties, loses; effect: "
        if len(topics) == 1
        else ("w/t/l: topics on which it wins, ties, loses; effect: ")
    )
    legend += " or ".join(
        {"g_z": "difference in units of its spread (g_z)"}.get(name, name)
        for name in dict.fromkeys(rows["effect is"])
        if name
    )
    methods = "; ".join(dict.fromkeys(rows["test"]))
    intervals = "; ".join(
        dict.fromkeys(
            how + f", of the {of}" * (bool(of) and not of.startswith("mean"))
            for how, of in zip(rows["interval by"], rows["interval of"], strict=True)
        )
    )
    tests = [f"test: {methods}; interval: {intervals}"]
    beside = zip(rows["p"], rows["low"], rows["high"], rows["interval by"], strict=True)
    if any(p <= comparison.level and low <= 0 <= high and how == "simultaneous" for p, low, high, how in beside):
        tests.append("an interval that holds for all pairs at once may reach 0 beside a p that shows a difference")
    return Table(columns, title=title, notes=(*notes, *signs, legend, *tests), bar="effect" * several)


def _marks(comparison: Comparison) -> np.ndarray:
    """For each row of the comparison's table what is shown: 1 the candidate is better, −1 worse, 0 neither."""
    candidates, measures = range(len(comparison.candidates)), range(len(comparison.measures))
    return np.array([certified(comparison, place, row) for place in candidates for row in measures])


def _interval(low: float, high: float) -> str:
    return "" if np.isnan(low) else f"[{low:+.4f}, {high:+.4f}]"


def _signed(values: np.ndarray, digits: int = 4) -> np.ndarray:
    """Numbers with their sign as text, flush right."""
    texts = ["" if np.isnan(value) else f"{value:+.{digits}f}" for value in values.tolist()]
    width = max(map(len, texts), default=0)
    return column([text.rjust(width) for text in texts])


def _unsigned(table: Table) -> Table:
    return Table(table.columns, table.title, table.notes)
