"""How far is the best run of a collection from perfect, at the top and in the tail?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.measures import Measure, find
from rankdiff.measures.atomized import document_lengths, relative_reduction
from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion, only_measures
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, facet, panels
from rankdiff.studies.opinions import averages, goodness
from rankdiff.studies.published.atomized import TABLE_1
from rankdiff.studies.tables import Row

BASELINE, CANDIDATE, REDUCTION = "baseline", "candidate", "relative reduction of error"
LENGTHS, CHANGES = "search lengths", "changes of search length"
MANY = 12
"""Up to how many collections are drawn one by one."""
EDGES = (1, 2, 3, 6, 11, 21, 51, 101, 201, 501, 1001, 2001, 5001, 10001)
"""Where the buckets of search lengths begin; one reaches up to the next."""


def draw(table: Table) -> Any:
    """The best run by each measure, and where its relevant documents stand; of many collections, the best runs
    alone, as Figures 1 to 4."""
    alt = altair()
    if len(set(table["dataset"])) > MANY:
        return alt.hconcat(*(_best_runs(table, measure) for measure in dict.fromkeys(table["measure"].tolist())))
    labels = alt.Y("dataset:N", title=None, sort=None)
    bars = alt.Chart().mark_bar().encode(x=alt.X("value:Q", title="best run"), y=labels)
    words = (
        alt.Chart().mark_text(align="left", dx=3).encode(x="value:Q", y=labels, text=alt.Text("value:Q", format=".3~"))
    )
    best = alt.layer(bars, words, data=chart(table).data, width=150, height=alt.Step(18))
    best = best.transform_filter(f"datum.quantity == '{CANDIDATE}'").facet(column=facet("column", "measure", table))
    histograms = [panels(_bars(table, quantity), table) for quantity in (LENGTHS, CHANGES)]
    side_by_side = len(set(table["dataset"])) == 1 and "segment" not in table.columns
    return best.resolve_scale(x="independent") & (alt.hconcat if side_by_side else alt.vconcat)(*histograms)


def _best_runs(table: Table, measure: str) -> Any:
    """How many collections have a best run of so much."""
    alt = altair()
    bars = chart(table, width=150).transform_filter(f"datum.quantity == '{CANDIDATE}'").mark_bar()
    bars = bars.transform_filter(alt.datum.measure == measure)
    value = alt.X("value:Q", title=measure, bin=alt.Bin(maxbins=10))
    return bars.encode(x=value, y=alt.Y("count()", title="collections, by their best run"))


def _bars(table: Table, quantity: str) -> Any:
    alt = altair()
    here = table["quantity"] == quantity
    order = sorted(set(zip(table["low"][here].tolist(), table["bucket"][here].tolist(), strict=True)))
    bucket = alt.X("bucket:N", title=quantity, sort=[label for _, label in order])
    bars = chart(table).transform_filter(f"datum.quantity == '{quantity}'").mark_bar()
    return bars.encode(x=bucket, y=alt.Y("value:Q", title="relevant documents"))


@study(
    "headroom",
    question="how far is the best run of a collection from perfect, at the top and in the tail?",
    reproduces="ASL Fig. 1 to 6, Table 1",
    draw=draw,
    about=("P@20", "ASL(first=10)", "AP", "ASL"),
    printed=TABLE_1,
)
def headroom(
    c: Collection, what: Sequence[Criterion], *, baseline: str = "", candidate: str = "", as_paper: bool = False
) -> Iterator[Row]:
    """The best runs, what one takes away of another's error, and how far down each relevant document stands.

    - ``baseline``: names of runs (patterns such as ``bm25*``, with commas between), of which the best is taken; the
      median run by each measure unless named.
    - ``candidate``: the same for the runs it is compared with; all of them unless named, so that it is the best.

    The ``relative reduction of error`` (RRIE) is the share of the baseline's distance from a perfect 1 that the
    candidate takes away. ``search lengths`` counts the relevant documents of the best run by ASL by how many
    non-relevant ones stand above, plus 1; ``changes of search length`` those of the best run less the median run,
    negative where the best run is better. The last bucket of the lengths holds what was not retrieved. With
    ``as_paper`` a missing document counts what the run itself returned.

    >>> import rankdiff as rd
    >>> runs = {"good": {"q": {"a": 1}}, "bad": {"q": {"x": 2, "a": 1}}}
    >>> table = rd.studies.headroom(rd.align({"q": {"a": 1}}, runs), "ASL", baseline="bad").table
    >>> table["value"][:3].tolist()  # lengths 2 and 1, of which the baseline is 1 too long
    [2.0, 1.0, 1.0]
    """
    rule = "returned" if as_paper else "padded"
    for item in only_measures(what):
        yield from _best(c, _under(item, rule), item.name, baseline, candidate)
    yield from _documents(c, rule)


def _under(item: Measure, missing: str) -> Measure:
    """A measure of search lengths under a rule for missing documents; others as they are."""
    if missing == "padded" or item.definition.name not in ("ASL", "AtomizedP", "HarmonicP", "InvASL"):
        return item
    return item.definition(**{**item.parameters, "missing": missing})


def _best(c: Collection, item: Measure, name: str, baseline: str, candidate: str) -> Iterator[Row]:
    means = averages(item, goodness(c, item))
    before = _best_of(c, means, baseline) if baseline else median_run(means)
    after = _best_of(c, means, candidate or "*")
    direction = 1 if item.higher_is_better else -1
    old, new = direction * float(means[before]), direction * float(means[after])
    yield {"measure": name, "quantity": BASELINE, "run": c.systems[before], "value": old}
    yield {"measure": name, "quantity": CANDIDATE, "run": c.systems[after], "value": new}
    reduction = relative_reduction(old, new, higher_is_better=item.higher_is_better)
    yield {"measure": name, "quantity": REDUCTION, "run": c.systems[after], "value": reduction}


def _best_of(c: Collection, means: FloatArray, patterns: str) -> int:
    wanted = patterns.split(",")
    some = [i for i, name in enumerate(c.systems) if any(fnmatchcase(name, pattern) for pattern in wanted)]
    if not some:
        raise UsageError(f"no run is called {patterns!r}: there are {c.systems[0]!r} and others")
    if np.isnan(means[some]).all():
        raise UsageError("a measure has no value for any of these runs, so that none of them is the best")
    return some[int(np.nanargmax(means[some]))]


def median_run(means: FloatArray) -> int:
    """The run in the middle; the better one of two."""
    return int(np.argsort(-means, kind="stable")[(len(means) - 1) // 2])


def _documents(c: Collection, missing: str) -> Iterator[Row]:
    item = find(f"ASL(missing={missing!r})")
    means = averages(item, goodness(c, item))
    best, median = _best_of(c, means, "*"), median_run(means)
    lengths = document_lengths(c, missing, c.rules.rel)[[best, median]]
    retrieved = c.rank[best, c.relevant(c.rules.rel).column] > 0
    yield from _histogram(c.systems[best], LENGTHS, lengths[0][retrieved])
    row = {"measure": "ASL", "quantity": LENGTHS, "run": c.systems[best]}
    yield row | {"bucket": "not retrieved", "low": float(EDGES[-1] * 10), "value": float(np.sum(~retrieved))}
    if best != median:
        against = f"{c.systems[best]} − {c.systems[median]}"
        yield from _histogram(against, CHANGES, lengths[0] - lengths[1])


def _histogram(run: str, quantity: str, values: FloatArray) -> Iterator[Row]:
    """How many documents lie in each bucket; changes have buckets on both sides of none at all."""
    known = values[~np.isnan(values)]
    bucket: IntArray = np.sign(known) * np.searchsorted(EDGES, np.abs(known), side="right")
    for number in range(int(bucket.min(initial=1)), int(bucket.max(initial=1)) + 1):
        label, low = _bucket(number)
        count = float(np.sum(bucket == number))
        yield {"measure": "ASL", "quantity": quantity, "run": run, "bucket": label, "low": low, "value": count}


def _bucket(number: int) -> tuple[str, float]:
    """What a bucket is called, and where it stands on the axis."""
    if number == 0:
        return "0", 0.0
    first = EDGES[abs(number) - 1]
    last = EDGES[abs(number)] - 1 if abs(number) < len(EDGES) else None
    span = f"{first}" if last == first else f"{first} to {last}" if last else f"{first} or more"
    if number > 0:
        return span, float(first)
    return f"−{last} to −{first}" if last and last != first else f"−{span}", -float(first)
