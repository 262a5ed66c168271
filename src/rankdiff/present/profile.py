"""The preference profile as tables, and as a figure: for whom the candidate is better, tenth by tenth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankdiff.profile import Profile
from rankdiff.results.table import Table
from rankdiff.studies.drawing import altair, chart

BETTER, WORSE = "#2a6f97", "#b5543a"


LEVELS = 20
"""Recall levels in a table for people."""


def profile_tables(
    profile: Profile, levels: int | None = LEVELS, groups: Mapping[str, str] | None = None
) -> Mapping[str, Table]:
    """A profile by share and by level, by grade and by subtopic where there are several, and by groups of topics.

    >>> from rankdiff.alignment import align
    >>> c = align({"q": {"a": 1}}, {"old": {"q": {"x": 2, "a": 1}}, "new": {"q": {"a": 1}}})
    >>> tables = profile_tables(c.profile("old", "new"))
    >>> list(tables), len(tables["share"])
    (['share', 'level'], 10)
    """
    c = profile.collection
    found = {"share": profile.by_share(), "level": _shortened(profile.by_level(), levels)}
    if np.sum(c.grades >= c.rules.rel) > 1:
        found["grade"] = profile.by_grade()
    if c.subtopics is not None:
        found["subtopic"] = profile.by_subtopic()
    if groups is not None:
        found["segment"] = profile.by_segment(groups)
    by = f"Who prefers {profile.candidate} to {profile.baseline}, by"
    of = {"share": "share of the relevant documents", "level": "number of relevant documents"}
    return {name: replace(table, title=f"{by} {of.get(name, name)}") for name, table in found.items()}


def _shortened(table: Table, rows: int | None) -> Table:
    if rows is None or len(table) <= rows:
        return table
    note = f"the first {rows} of {len(table)} levels; --format json has all"
    return replace(table, columns={name: values[:rows] for name, values in table.columns.items()}, notes=(note,))


def draw_profiles(profiles: Sequence[tuple[str, Profile]]) -> Any:
    """Several profiles one under the other, each under its heading.

    >>> from rankdiff.alignment import align
    >>> c = align({"q": {"a": 1}}, {"old": {"q": {"x": 2, "a": 1}}, "new": {"q": {"a": 1}}})
    >>> [part["title"]["text"] for part in draw_profiles([("all", c.profile("old", "new"))]).to_dict()["vconcat"]]
    ['all: new against old']
    """
    return altair().vconcat(*(draw_profile(profile, heading) for heading, profile in profiles))


def draw_profile(profile: Profile, heading: str = "") -> Any:
    """A bar for each tenth of the relevant documents with the limits of its band, and a line for the sums so far.

    >>> from rankdiff.alignment import align
    >>> c = align({"q": {"a": 1}}, {"old": {"q": {"x": 2, "a": 1}}, "new": {"q": {"a": 1}}})
    >>> [layer["mark"]["type"] for layer in draw_profile(c.profile("old", "new")).to_dict()["layer"]]
    ['bar', 'rule', 'line', 'rule']
    """
    alt = altair()
    tenths = profile.by_share()
    named = {name: values for name, values in tenths.columns.items() if name != "sum"}
    drawn = chart(Table({**named, "middle": (tenths["from"] + tenths["to"]) / 2, "total": tenths["sum"]}))
    share = alt.X("from:Q", title="share of the relevant documents", scale=alt.Scale(domain=[0, 1])).axis(format="%")
    color = alt.condition("datum.preference > 0", alt.value(BETTER), alt.value(WORSE))
    title = f"preference for {profile.candidate}"
    bars = drawn.mark_bar().encode(
        x=share, x2="to:Q", y=alt.Y("preference:Q", title=title), y2=alt.datum(0), color=color
    )
    limits = drawn.mark_rule(opacity=0.6).encode(x="middle:Q", y="low:Q", y2="high:Q")
    sums = drawn.mark_line(point=True, color="black").encode(x="to:Q", y="total:Q")
    zero = chart(Table({"zero": np.zeros(1)})).mark_rule(strokeDash=[4, 3]).encode(y="zero:Q")
    legend = "bars: each tenth, with a 95 % band around all ten; line: their sum"
    versus = f"{profile.candidate} against {profile.baseline}"
    above = alt.TitleParams(f"{heading}: {versus}" if heading else versus, subtitle=legend)
    return alt.layer(bars, limits, sums, zero).properties(title=above)
