"""Would a team that comes later be treated fairly? Leave one out, with the relevant documents only it found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.counts import placed_within
from rankdiff.errors import UsageError
from rankdiff.hits import BoolArray, FloatArray
from rankdiff.peers import with_groups
from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, facet
from rankdiff.studies.opinions import system_scores
from rankdiff.studies.tables import Note, Row


def draw(table: Table) -> Any:
    """Each run's rank as it took part, and as if it came later."""
    alt = altair()
    points = chart(table, width=150, height=150).mark_point().encode(
        x=alt.X("rank:Q", title="rank as a participant"),
        y=alt.Y("rank_left_out:Q", title="rank when left out"),
        tooltip=["run:N", "group:N", "measure:N", "unique:Q", "value:Q", "left_out:Q"],
    )  # fmt: skip
    several = "segment" if "segment" in table.columns else "dataset"
    rows = {"row": facet("row", several, table)} if len(set(table[several])) > 1 else {}
    return points.facet(column=facet("column", "measure", table), **rows)


@study(
    "reuse",
    question="leave one team out, with the relevant documents only it found: how do its score and rank change?",
    reproduces="innovation §5.4, where it is named as open",
    draw=draw,
    about=("AP", "nDCG@10", "P@10", "RareP@100", "RPP"),
)
def reuse(c: Collection, what: Sequence[Criterion], *, groups: str = "", within: int = 100) -> Iterator[Row | Note]:
    """Each run's value and rank as it took part, and as if its team came after the judging.

    - ``groups``: a file of two columns, run and team; each run stands for itself where none is given.
    - ``within``: a document was found by a run that holds it at this rank or above.

    A team's ``unique`` documents are the relevant ones that no run of another team found. Without them its runs are
    scored again: a document that it found alone is then not relevant, and what depends on the runs compared (rarity,
    win rates, padding) depends on the others alone. ``rank`` is 1 for the best run, equal values share the best
    rank; a preference's value is the mean win rate.

    >>> import rankdiff as rd
    >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"c": 2, "b": 1}}}
    >>> c = rd.align({"q": {"a": 1, "b": 1, "c": 1}}, runs)
    >>> row = rd.studies.reuse(c, "P@2").table.row(run="x")
    >>> row["unique"], row["value"], row["left_out"], row["rank"], row["rank_left_out"]
    (1, 1.0, 0.5, 1, 2)
    """
    c = replace(c, reference=None, counts=None)
    teams = np.array((with_groups(c, groups).groups if groups else ()) or c.systems, object)
    if len(set(teams)) < 2:
        raise UsageError("no run is of another team: expected at least two teams, of which one can be left out")
    full = [_values(c, item) for item in what]
    falls: dict[str, list[int]] = {item.name: [] for item in what}
    for team in dict.fromkeys(teams.tolist()):
        inside = teams == team
        only = _unique(c, inside, within)
        others = c.select(systems=[name for name, own in zip(c.systems, inside, strict=True) if not own])
        view = c.keep_labels(~only)
        view = replace(view, reference=replace(others, grade=view.grade, _derived={}, _judged={}))
        for item, before in zip(what, full, strict=True):
            after = _values(view, item)
            for i in np.flatnonzero(inside).tolist():
                place, moved = _rank(before, i), _rank(after, i)
                falls[item.name].append(moved - place)
                yield {
                    "group": team,
                    "run": c.systems[i],
                    "measure": item.name,
                    "unique": int(only.sum()),
                    "value": float(before[i]),
                    "left_out": float(after[i]),
                    "rank": place,
                    "rank_left_out": moved,
                }
    for name, fall in falls.items():
        if fall:
            yield Note(f"{name}: a run falls by {np.mean(fall):.2f} places on average, by {max(fall)} at most")


def _unique(c: Collection, inside: BoolArray, within: int) -> BoolArray:
    """The relevant documents that some run of a team found and no other run did."""
    found = placed_within(c.rank, within)
    relevant = c.grade >= c.rules.rel
    return np.asarray(relevant & found[inside].any(axis=0) & ~found[~inside].any(axis=0))


def _values(c: Collection, item: Criterion) -> FloatArray:
    """One number for each run: the mean of a measure, higher is better, or the mean win rate of a preference."""
    return system_scores(c, item, by="winrate")


def _rank(values: FloatArray, system: int) -> int:
    return 1 + int(np.sum(values > values[system]))
