"""What the order within ties decides: the mean and the range of a value over all orders of equal scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rankdiff.alignment import align
from rankdiff.check import Check
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.measures import Measure, evaluate
from rankdiff.read import Judgments, Runs
from rankdiff.results.table import Table, column
from rankdiff.tied import Tied
from rankdiff.verdict.monotone import MEASURES, PREFERENCES
from rankdiff.verdict.pair import duel, yardstick


def over_ties(c: Collection, *measures: Any) -> Table:
    """The mean of each measure for each run: with ties by document id, on average over the orders within ties, at
    worst and at best. The collection must know its ties: ``align(…, ties="average")``.

    ``expected`` is empty for a measure whose mean over the orders is not known.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1}}, {"run": {"q": {"a": 1, "x": 1}}}, ties="average")
    >>> over_ties(c, "RR").row(run="run")
    {'run': 'run', 'measure': 'RR', 'by id': 0.5, 'expected': 0.75, 'low': 0.5, 'high': 1.0}
    """
    asked = [yardstick(measure) for measure in measures]
    for by in asked:
        if not isinstance(by.of, Measure) or by.signed or by.of.definition.name not in MEASURES:
            raise UsageError(f"the range of {by.name} over ties is not known; it is for {', '.join(sorted(MEASURES))}")
    chosen = list(dict.fromkeys(by.of for by in asked if isinstance(by.of, Measure)))
    plain, best, worst = (evaluate(view, chosen).summary() for view in (by_id(c), *_extremes(c)))
    mean = np.array([_expected(c, measure) for measure in chosen])
    measure, run = np.indices(plain.shape).reshape(2, -1)
    columns = {
        "run": column(c.systems)[run],
        "measure": column([item.name for item in chosen])[measure],
        "by id": plain.ravel(),
        "expected": mean.ravel(),
        "low": np.minimum(best, worst).ravel(),
        "high": np.maximum(best, worst).ravel(),
    }
    return Table(columns, signature=c.sign(",".join(item.name for item in chosen), "over-ties"))


def range_over_ties(
    c: Collection, baseline: str, candidate: str, measure: Any = "RPP"
) -> tuple[FloatArray, FloatArray]:
    """Between which values the difference or preference of two runs lies for each query, over all orders within ties.

    Each run's ties can be ordered by themselves, so both ends are reached. Offered for RPP, sgnLP, sgnLR and the
    measures of `over_ties`.

    >>> import rankdiff as rd
    >>> runs = {"old": {"q": {"x": 1, "a": 0}}, "new": {"q": {"a": 1, "x": 1}}}
    >>> range_over_ties(rd.align({"q": {"a": 1}}, runs, ties="average"), "old", "new", "RPP")
    (array([0.]), array([1.]))
    """
    by = yardstick(measure)
    known = MEASURES if isinstance(by.of, Measure) else PREFERENCES
    if by.of.definition.name not in known or by.of.parameters.get("judged_only"):
        raise UsageError(f"the range of {by.name} over ties is not known")
    best, worst = _extremes(c)
    ends = []
    for low, high in ((worst, best), (best, worst)):
        one, other = low.system_index(candidate), high.system_index(baseline)
        systems = tuple(f"{name} {i}" for i, name in enumerate((baseline, candidate)))
        pair = duel(by_id(c), baseline, candidate, measure).runs
        mixed = replace(pair, systems=systems, rank=np.vstack([high.rank[other], low.rank[one]]), _derived={})
        ends.append(by.differences(mixed))
    return ends[0], ends[1]


def _expected(c: Collection, measure: Measure) -> FloatArray:
    """The mean over orders for each run, NaN where it is not known."""
    try:
        return np.asarray(evaluate(c, [measure]).summary()[0])
    except UsageError:
        return np.full(len(c.systems), np.nan)


def by_id(c: Collection) -> Collection:
    """The same rankings with ties in the order of document ids, as if nothing were known of them."""
    if c.tied is None:
        return c
    reference = None if c.reference is None else by_id(c.reference)
    return replace(c, tied=None, rules=replace(c.rules, ties="docid-desc"), reference=reference, _derived={})


def _extremes(c: Collection) -> tuple[Collection, Collection]:
    """The best and the worst order of every ranking."""
    if c.tied is None:
        raise UsageError("the scores that tie are not known: read the runs with ties='average' (--ties average)")
    if c.rules.judged_only:
        raise UsageError("ties and judged_only exclude each other: unjudged documents tie with judged ones")
    plain = by_id(c)
    ordered = (np.array([_arranged(c, c.tied, s, best) for s in range(len(c.systems))]) for best in (True, False))
    best, worst = (replace(plain, rank=np.where(rank <= _depth_of(c), rank, 0), _derived={}) for rank in ordered)
    return best, worst


def _depth_of(c: Collection) -> IntArray:
    return np.asarray(c.depth[:, c.query_of])


def _arranged(c: Collection, tied: Tied, system: int, best: bool) -> IntArray:
    """Ranks of one run with the highest grades first in each tie group, or last.

    Judged documents that are not relevant stand at the other end, behind (above) those that nobody judged.
    """
    first, size = tied.first[system].astype(np.int64), tied.size[system]
    gain = np.nan_to_num(c.grade, nan=-np.inf)
    ranks = np.zeros(len(first), np.int32)
    for good in (True, False):
        here = np.flatnonzero((first > 0) & ((gain > 0) == good))
        order = here[np.lexsort((-gain[here], first[here], c.query_of[here]))]
        begins = np.append(True, (np.diff(first[order]) != 0) | (np.diff(c.query_of[order]) != 0))[: len(order)]
        place = np.arange(len(order)) - np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
        at_the_top = good == best
        ranks[order] = first[order] + (place if at_the_top else size[order] - 1 - place)
    return ranks


LOOKED_AT = 5
"""Of so many runs, those whose ties straddle most relevant documents, the range over ties is computed for a check."""


def decided_by_ties(
    judgments: Judgments,
    runs: Runs,
    found: Check,
    precision: Any = "double",
    measures: tuple[str, ...] = ("AP", "nDCG@10"),
) -> tuple[str, ...]:
    """A sentence on how far the order within ties moves the mean of a run; none where no tie holds a relevant document
    beside others, where four decimals do not show it, or a run can be read only once."""
    straddling = sorted((facts for facts in found.runs if facts.straddling), key=lambda facts: -facts.straddling)
    names = {facts.run for facts in straddling[:LOOKED_AT]}
    chosen = tuple(run for run in runs.runs if run.name in names)
    if not chosen or any(run.origin == "-" for run in chosen):
        return ()
    c = align(judgments, Runs(chosen), ties="average", precision=precision, duplicates="first")
    table = over_ties(c, *measures)
    width = table["high"] - table["low"]
    parts = []
    for measure in measures:
        most = int(np.argmax(np.where(table["measure"] == measure, width, -1.0)))
        low, high = (f"{table[name][most]:.4f}" for name in ("low", "high"))
        if low != high:
            parts.append(f"{measure} of {table['run'][most]} from {low} to {high}")
    if not parts:
        return ()
    return (f"the order within ties moves {', '.join(parts)} (--ties average takes the mean over all orders)",)
