"""The preference profile as a figure: for whom the candidate is better, tenth by tenth."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankdiff.profile import Profile
from rankdiff.results.table import Table
from rankdiff.studies.drawing import altair, chart

BETTER, WORSE = "#2a6f97", "#b5543a"


def draw_profile(profile: Profile) -> Any:
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
    title = f"preference for {profile.candidate} over {profile.baseline}"
    bars = drawn.mark_bar().encode(x=share, x2="to:Q", y=alt.Y("preference:Q", title=title), color=color)
    limits = drawn.mark_rule(opacity=0.6).encode(x="middle:Q", y="low:Q", y2="high:Q")
    sums = drawn.mark_line(point=True, color="black").encode(x="to:Q", y="total:Q")
    zero = chart(Table({"zero": np.zeros(1)})).mark_rule(strokeDash=[4, 3]).encode(y="zero:Q")
    return alt.layer(bars, limits, sums, zero)
