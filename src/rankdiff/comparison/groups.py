"""Many runs at a glance: from best to worst, with letters for those not shown to differ, or a matrix of marks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankdiff.comparison.rows import Row, evaluate_row
from rankdiff.hits import BoolArray, FloatArray
from rankdiff.preferences import Preference
from rankdiff.results import Comparison, Table
from rankdiff.results.scores import summarize
from rankdiff.results.table import column
from rankdiff.statistics import AllPairs
from rankdiff.statistics.letters import letters

SHOWN = 3
TOLERANCE = 1e-12

MOST_LETTERS = 30
"""With more runs a matrix is easier to read than letters."""

BETTER, WORSE, ALIKE, ITSELF = "+-.="


def group_table(comparison: Comparison, row: int) -> Table:
    """Runs from best to worst. Up to 30 runs share a letter where they are not shown to differ; of more, each has a
    mark for every run in this order: + significantly better, - worse, . not shown to differ."""
    runs, found = comparison.collection.systems, comparison.families[row]
    evaluated = evaluate_row(comparison.collection, comparison.measures[row])
    value, merit = _standing(evaluated)
    best_first = np.lexsort((np.arange(len(runs)), -np.nan_to_num(merit, nan=-np.inf)))
    name = comparison.measures[row].name
    heading = "mean" if not np.isnan(comparison.scores[row]).all() else "win rate"
    columns = {"run": column(runs)[best_first], heading: value[best_first]}
    if found is None or np.isnan(found.p).any():
        return Table(columns, title=f"{name}: the runs from best to worst", signature=comparison.signature, bar=heading)
    differs = _certified(found, comparison)
    better = (differs & (found.difference > 0))[np.ix_(best_first, best_first)]
    columns |= {"better than": better.sum(axis=1), "worse than": better.sum(axis=0)}
    marks = letters(differs[np.ix_(best_first, best_first)], merit[best_first]) if len(runs) <= MOST_LETTERS else None
    if marks is not None:
        columns["group"] = column(marks)
        note = "runs that share a letter are not shown to differ, which is not to say that they are equal"
    else:
        columns["against the runs in this order"] = column(_marks(better))
        note = f"{BETTER} significantly better than the run of that place, {WORSE} worse, {ALIKE} not shown to differ"
    title = f"{name}: the runs from best to worst"
    notes = (f"{found.method}; {note}", *_contradictions(evaluated, merit))
    return Table(columns, title=title, notes=notes, signature=comparison.signature, bar=heading)


def _certified(found: AllPairs, comparison: Comparison) -> BoolArray:
    """The pairs that differ significantly, but for those in which the better run lacks topics."""
    lacking = np.array([bool(comparison.lacking(run)) for run in found.systems])
    favored = (found.difference > 0) & lacking[:, None]
    return np.asarray(found.significant(comparison.level) & ~favored & ~favored.T)


def _contradictions(row: Row, merit: FloatArray) -> Iterator[str]:
    """The pairs that win rates order against their mean preference."""
    if row.preferences is None:
        return
    runs, preferred = row.preferences.systems, np.nan_to_num(row.preferences.matrix())
    against = np.triu((merit[:, None] - merit) * preferred < -TOLERANCE, 1)
    pairs = [f"{runs[one]} and {runs[other]}" for one, other in np.argwhere(against).tolist()]
    if pairs:
        more = f" and {len(pairs) - SHOWN} more" if len(pairs) > SHOWN else ""
        shown = ", ".join(pairs[:SHOWN])
        yield f"{len(pairs)} pairs stand here the other way round than compared directly: {shown}{more}"


def _marks(better: np.ndarray) -> list[str]:
    signs = np.where(better, BETTER, np.where(better.T, WORSE, ALIKE))
    np.fill_diagonal(signs, ITSELF)
    return ["".join(line) for line in signs]


def _standing(row: Row) -> tuple[FloatArray, FloatArray]:
    """What each run is shown with, and what orders the runs, higher being better."""
    merit = np.array([summarize(values) for values in row.win_rates])
    if row.scores is None or isinstance(row.criterion, Preference):
        return merit, merit
    return np.array([summarize(values, row.criterion.aggregate) for values in row.scores]), merit
