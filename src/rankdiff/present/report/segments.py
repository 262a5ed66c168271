"""Groups of topics: the verdict of each, and where a candidate gains and loses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rankdiff.errors import RankdiffError
from rankdiff.present.cells import exact, readable
from rankdiff.present.report import leaderboard, verdict
from rankdiff.present.report.asked import Asked, Part
from rankdiff.present.report.cells import Cell, Grid, Span

UNGROUPED = "(no group)"
FEW = 3
"""The verdicts of so many groups are shown in full at once; of more, each opens."""


def gather(asked: Asked) -> Part:
    """For each group what is said of all topics; of two runs, also what each group adds to the preference."""
    topics = sum(len(part.queries) for part in asked.segments.values())
    view = {
        "groups": [_group(asked, name) for name in asked.segments],
        "lacking": len(asked.c.queries) - topics,
        "overview": _overview(asked),
        "few": len(asked.segments) <= FEW,
    }
    return Part("segments", "Groups of topics", view)


def _overview(asked: Asked) -> Grid:
    """RPP of each group, and its share in that of all topics."""
    of = {query: name for name, part in asked.segments.items() for query in part.queries}
    rows = list(asked.c.profile(*asked.pair).by_segment(of).rows())
    ends = [0.0, *(row["preference"] for row in rows)]
    caption = (
        f"Binary RPP of {asked.pair[1]} over {asked.pair[0]} in each group, and what it adds to that of all topics; "
        "last the share of the relevant documents at which the sum of its profile falls below zero"
    )
    columns = ("group", "topics", "binary RPP", "adds", "falls below zero at")
    shown = tuple(
        (
            Cell.of(row["segment"] or UNGROUPED),
            Cell.of(row["queries"]),
            replace(Cell.of(row["preference"]), span=_bar(row["preference"], min(ends), max(ends))),
            Cell.of(row["contribution"]),
            _share(row["falls below 0 at"]),
        )
        for row in rows
    )
    return Grid(readable(caption), columns, shown, total=len(shown))


def _share(value: float | None) -> Cell:
    """A share in percent, or nothing."""
    text = "" if value is None else f"{value:.0%}".replace("%", " %")
    return Cell(text, exact(value), number=True, missing=value is None)


def _bar(value: float, least: float, most: float) -> Span | None:
    """A bar from zero, in the color of the run that it speaks for."""
    kind = "candidate" if value > 0 else "baseline"
    return Span.on(least, most, min(value, 0.0), max(value, 0.0), zero=0.0, kind=kind)


def _group(asked: Asked, name: str) -> Mapping[str, Any]:
    """The verdict of one group; where none is possible, why."""
    part = asked.segments[name]
    of_group = replace(asked, c=part, baseline=asked.pair[0], segments={}, check=None)
    found: dict[str, Any] = {"name": readable(name), "topics": len(part.queries), "sentences": [], "table": None}
    try:
        view = (verdict if asked.is_pair else leaderboard).gather(of_group).view
    except RankdiffError as problem:
        return found | {"sentences": [readable(str(problem))]}
    table = replace(view["table"], caption=f"{found['name']}: {view['table'].caption}")
    hangs_on = view.get("hangs_on")
    if hangs_on is not None and hangs_on["flip"] is not None:
        for answer in hangs_on["flip"]["answers"]:
            answer["table"] = replace(answer["table"], caption=f"{found['name']}: {answer['table'].caption}")
    return found | {"sentences": view["sentences"], "table": table, "hangs_on": hangs_on}
