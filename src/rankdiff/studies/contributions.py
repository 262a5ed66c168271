"""What each recall level adds to the difference of two rankings, for measures and preferences that are sums of this
kind; relevance is in two grades."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, Population
from rankdiff.measures import Measure
from rankdiff.measures.levels import imputed_positions
from rankdiff.measures.recall_levels import (
    LOGARITHMIC,
    Exposure,
    RecallLevelMeasure,
    equal_share,
    first_only,
    last_only,
    unnormalized,
)
from rankdiff.preferences.comparisons import as_ranks, reciprocal, sign
from rankdiff.studies.criteria import Criterion
from rankdiff.studies.optimal import recall_level_form
from rankdiff.weights import Weights, weigh_levels

Worth = Callable[[FloatArray, Population], FloatArray]
Compare = Callable[[FloatArray, FloatArray, Population], FloatArray]

LENGTH = Exposure("length", lambda rank, _m, _n: -rank)
FURTHER_FORMS = {
    "ISL": RecallLevelMeasure("ISL", LENGTH, first_only),
    "TSL": RecallLevelMeasure("TSL", LENGTH, last_only),
    "AverageRank": RecallLevelMeasure("AverageRank", LENGTH, equal_share),
    "dcg": RecallLevelMeasure("dcg", LOGARITHMIC, unnormalized),
}
"""Sums over recall levels that are no recall-level measures: search lengths grow with the rank, and with them a
ranking becomes worse."""


@dataclass(frozen=True)
class Contribution:
    """What the recall levels add to ``μ(π) − μ(π')``.

    Both functions take arrays whose last axis are the entries of a population. ``worth(ranks, population)`` is what
    each level of a ranking is worth by itself, or where only pairs have a value, its ranks; ``compare(ours, theirs,
    population)`` what each level adds, from the worth of two rankings. ``needs_corpus`` says that a document not
    retrieved has a rank, at the end of the corpus; otherwise its rank is infinite.
    """

    name: str
    worth: Worth
    compare: Compare
    needs_corpus: bool = False

    def of_runs(self, c: Collection) -> FloatArray:
        """What each recall level of each run is worth, system × relevant document."""
        rel = c.rules.rel
        ranks = imputed_positions(c, rel).astype(np.float64) if self.needs_corpus else as_ranks(c.levels(rel))
        return self.worth(ranks, c.relevant(rel))

    def of_ranks(self, ours: FloatArray, theirs: FloatArray, population: Population) -> FloatArray:
        """What each recall level adds, from the ranks of two rankings."""
        return self.compare(self.worth(ours, population), self.worth(theirs, population), population)


def contribution(item: Criterion) -> Contribution:
    """How a measure or a preference adds up over recall levels; ``UsageError`` where it does not.

    >>> from rankdiff.studies.criteria import resolve
    >>> one_query = Population(np.arange(2), np.array([0, 2]), np.array([0]))
    >>> contribution(resolve("AP")).of_ranks(np.array([1.0, 2]), np.array([2.0, np.inf]), one_query).tolist()
    [0.25, 0.5]
    >>> contribution(resolve("sgnLP")).of_ranks(np.array([1.0, 3]), np.array([1.0, 2]), one_query).tolist()
    [0.0, -1.0]
    """
    if isinstance(item, Measure):
        form = recall_level_form(item) or FURTHER_FORMS.get(item.name)
        if form is not None:
            return Contribution(item.name, _worth(form), _difference, needs_corpus=form.exposure is LENGTH)
    elif item.definition.name == "RPP" and item.parameters.keys() <= {"weights"}:
        return Contribution(item.name, _ranks, _weighted(item.parameters.get("weights", "uniform")))
    elif item.name in ("sgnLP", "rrLP", "sgnLR", "rrLR"):
        return Contribution(item.name, _ranks, _lexicographic(item.name))
    raise UsageError(
        f"{item} is not known as a sum over recall levels; AP, nDCG, dcg, RBP, RR, Rprec, R@k, TSE, ISL, TSL, "
        "AverageRank, RPP, sgnLP and sgnLR are"
    )


def _worth(form: RecallLevelMeasure) -> Worth:
    def worth(ranks: FloatArray, population: Population) -> FloatArray:
        m = population.size[population.group]
        return form.exposure(ranks, m) * form.normalization(population.level, m)

    return worth


def _difference(ours: FloatArray, theirs: FloatArray, _population: Population) -> FloatArray:
    return ours - theirs


def _ranks(ranks: FloatArray, _population: Population) -> FloatArray:
    return ranks


def _weighted(weights: Weights) -> Compare:
    def compare(ours: FloatArray, theirs: FloatArray, population: Population) -> FloatArray:
        return np.asarray(weigh_levels(weights, population) * sign(ours, theirs))

    return compare


def _lexicographic(name: str) -> Compare:
    """All of it comes from the first level at which the rankings differ, from the top or from the bottom."""
    size_of = reciprocal if name.startswith("rr") else sign

    def compare(ours: FloatArray, theirs: FloatArray, population: Population) -> FloatArray:
        size, group = population.size, population.group
        step = size[group] - population.level if name.endswith("LR") else population.level
        needed = np.where(ours != theirs, step, len(step) + 1)
        filled = size > 0
        least = np.zeros((*needed.shape[:-1], len(size)), needed.dtype)
        least[..., filled] = np.minimum.reduceat(needed, population.start[:-1][filled], axis=-1)
        decides = (ours != theirs) & (needed == least[..., group])
        return np.asarray(np.where(decides, size_of(ours, theirs), 0.0))

    return compare
