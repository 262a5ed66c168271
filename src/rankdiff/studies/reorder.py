"""Which systems rise or fall when the measure changes?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures import Measure, find
from rankdiff.measures.atomized import value_change
from rankdiff.preferences.standing import without_noise
from rankdiff.results.scores import summarize
from rankdiff.results.table import Table
from rankdiff.statistics import delta_sort, rank_differences
from rankdiff.studies.criteria import Criterion, only_measures
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, panels
from rankdiff.studies.opinions import goodness
from rankdiff.studies.published.atomized import TABLE_2
from rankdiff.studies.tables import Note, Row

EVERY_RUN = "all"
LARGEST, TAU, VALUE, SORT, PLACES = "ΔSort", "tau", "ΔValue", "ΔSort of a run", "places gained"
SEARCH_LENGTHS = ("ASL", "AtomizedP", "HarmonicP", "InvASL")


def draw(table: Table) -> Any:
    """How many places each run gains by each change."""
    alt = altair()
    gained = chart(table).transform_filter(f"datum.quantity == '{PLACES}'").mark_tick(thickness=2, opacity=0.6)
    gained = gained.encode(x=alt.X("value:Q", title=PLACES), y=alt.Y("change:N", title=None, sort=None))
    return panels(gained.encode(tooltip=["run:N", "value:Q"]), table)


@dataclass(frozen=True)
class Form:
    """A measure, perhaps by the inverse of its values: its name, its values (higher is better) and its means."""

    name: str
    values: FloatArray
    means: FloatArray


@study(
    "reorder",
    question="which systems rise or fall when the measure changes?",
    reproduces="ASL Table 2, §4.4, Appendix A.1",
    draw=draw,
    about=("AP", "AtomizedP", "HarmonicP", "InvASL"),
    printed=[TABLE_2],
)
def reorder(
    c: Collection,
    what: Sequence[Criterion],
    *,
    beside: Sequence[str] = ("P@20 > ASL(first=10)", "RR > ASL(first=1)"),
    inverse: bool = True,
    as_paper: bool = False,
) -> Iterator[Row | Note]:
    """What a change of measure, step by step, does to the systems: each measure named against the next, the first
    against the last.

    - ``beside``: further changes, each as ``A > B``, with commas between.
    - ``inverse``: whether each measure also stands against its form in 1/P space.

    ``ΔSort`` of a run is by how many per cent of the runs the number of those that are better than it changes, better
    meaning by a tenth and with p ≤ .05 in a paired t-test; for run ``all`` it is the largest. ``tau`` compares the
    orders by the means. ``ΔValue`` is the new mean over the old one, averaged over runs (for a search length, of its
    inverse). ``places gained`` are by the means. InvASL is tested in 1/P space, by its search lengths. In the 1/P
    form of a measure the mean is harmonic and the tests are of 1/P; where it is 0, it counts as the least value above
    0 that it takes in the collection. With ``as_paper`` a missing document counts what the run itself returned.

    >>> import rankdiff as rd
    >>> runs = {"x": {q: {"a": 1} for q in "1234"}, "y": {q: {"b": 2, "a": 1} for q in "1234"}}
    >>> table = rd.studies.reorder(rd.align({q: {"a": 1} for q in "1234"}, runs), ["RR", "P@1"], beside=[]).table
    >>> table.row(change="RR → P@1", quantity="ΔValue")["value"]  # 1/1 for x, 0/(1/2) for y
    0.5
    """
    if len(c.systems) < 2:
        raise UsageError("one run has nobody to change places with: expected at least two")
    chain = only_measures(what)
    changes = [(one, other) for one, other in pairwise(chain)] + [(chain[0], chain[-1])] * (len(chain) > 2)
    changes += [_named(change) for change in beside]
    used = dict.fromkeys([*chain, *(item for change in changes for item in change)])
    forms = {item: _form(c, item, as_paper=as_paper) for item in used}
    for one, other in changes:
        yield from _change(c, forms[one], forms[other])
    for item in used if inverse else ():
        if item.higher_is_better and item.aggregate == "mean":
            inverted, lifted = _inverted(forms[item])
            yield from _change(c, forms[item], inverted)
            if lifted:
                yield Note(f"1/{item.name}: {lifted} of {forms[item].values.size} values are 0 and were lifted")


def _named(change: str) -> tuple[Measure, Measure]:
    one, arrow, other = change.partition(">")
    if not arrow:
        raise UsageError(f"{change!r} names no change: expected two measures, as in 'RR > ASL(first=1)'")
    return find(one.strip()), find(other.strip())


def _form(c: Collection, item: Measure, *, as_paper: bool) -> Form:
    measure = item
    if as_paper and item.definition.name in SEARCH_LENGTHS:
        measure = item.definition(**{**item.parameters, "missing": "returned"})
    values = goodness(c, measure)
    means = np.array([summarize(row, measure.aggregate) for row in values])
    if measure.aggregate == "harmonic":
        return Form(item.name, -1 / values, means)
    return Form(item.name, values, means if measure.higher_is_better else -1 / np.minimum(means, -1))


def _inverted(form: Form) -> tuple[Form, int]:
    """A measure in 1/P space, and how many of its values were lifted above 0."""
    positive = form.values[form.values > 0]
    least = float(positive.min()) if len(positive) else 1.0
    lifted = np.maximum(form.values, least)
    means = np.array([summarize(row, "harmonic") for row in lifted])
    return Form(f"1/(1/{form.name})", -1 / lifted, means), int(np.sum(form.values <= 0))


def _change(c: Collection, before: Form, after: Form) -> Iterator[Row]:
    sort = delta_sort(before.values, after.values)
    change = f"{before.name} → {after.name}"
    ratios = [value_change(old, new) for old, new in zip(before.means.tolist(), after.means.tolist(), strict=True)]
    ratio = float(np.nanmean(ratios)) if not np.isnan(ratios).all() else float("nan")
    for quantity, value in {LARGEST: sort.largest, TAU: sort.tau, VALUE: ratio}.items():
        yield {"change": change, "run": EVERY_RUN, "quantity": quantity, "value": value}
    for name, value in zip(c.systems, sort.per_system, strict=True):
        yield {"change": change, "run": name, "quantity": SORT, "value": value}
    orders = [dict(zip(c.systems, without_noise(form.means).tolist(), strict=True)) for form in (before, after)]
    for row in rank_differences(*orders):
        yield {"change": change, "run": row.system, "quantity": PLACES, "value": row.gain}
