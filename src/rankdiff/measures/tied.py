"""The expectation of measures over the orders within ties, all orders of a tie group being equally likely.

For a sum over recall levels ``Σ_i e(p_i) z(i, m)`` it is exact: among the s documents of a tie group r are relevant, a
stand above it; the document at the t-th place of the group is relevant, and the i-th relevant one of the group, with
probability ``P(t, i) = C(t−1, i−1) C(s−t, r−i) / C(s, r)``. DCG and nDCG give each document of the group its mean
discount; a search length is a sum over recall levels as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import BoolArray, FloatArray, IntArray, Population
from rankdiff.measures import recall_levels as levels
from rankdiff.measures.atomized import Missing, atomized_search_length, first_hits, missing_length
from rankdiff.measures.gain import discounted_cumulative_gain, gain, log2, ndcg
from rankdiff.measures.recall_levels import Exposure, RecallLevelMeasure
from rankdiff.tied import Tied

Arguments = Mapping[str, Any]


def expected(name: str, function: Callable[..., Any], c: Collection, arguments: Arguments) -> FloatArray:
    """The expectation of a measure over the orders within ties, system × query.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1}}, {"run": {"q": {"a": 1, "x": 1}}}, ties="average")
    >>> c.measure("RR", "P@1", "nDCG").values.ravel().round(4).tolist()  # (1 + 1/2)/2, (1 + 0)/2, (1 + 1/log2(3))/2
    [0.75, 0.5, 0.8155]
    """
    if c.rules.judged_only:
        raise UsageError("ties='average' and judged_only exclude each other: unjudged documents tie with judged ones")
    if isinstance(function, RecallLevelMeasure):
        return _sum_of_levels(c, function, c.rules.rel)
    if function in (ndcg.function, discounted_cumulative_gain.function):
        return _cumulated(c, normalized=function is ndcg.function, **arguments)
    if function is atomized_search_length.function:
        return _search_length(c, **arguments)
    form = _FORMS.get(name)
    if form is None or arguments.get("exposure") == "linear":
        known = ", ".join(sorted([*_FORMS, "ASL", "dcg", "nDCG"]))
        raise UsageError(f"the mean of {name} over the orders within ties is not known; it is for {known}")
    rel, k = arguments.get("rel", c.rules.rel), arguments.get("k")
    return _sum_of_levels(c, form(k, arguments), rel)


def _cut(exposure: Exposure, k: int | None) -> Exposure:
    """The exposure down to a rank, and none below."""
    if k is None:
        return exposure
    return Exposure(exposure.name, lambda rank, m, n: np.where(rank <= k, exposure.formula(rank, m, n), 0.0))


def _share(k: int | None) -> levels.Normalization:
    return lambda _level, _m: np.asarray(1 / (k or math.inf))


def _best_share(k: int | None) -> levels.Normalization:
    return lambda _level, m: np.asarray(1 / np.minimum(k or math.inf, m))


def _efficiency(_k: int | None, arguments: Arguments) -> RecallLevelMeasure:
    return levels.search_efficiency(levels.exposure_named(arguments.get("exposure", "ap"), arguments.get("p", 0.8)))


_FORMS: Mapping[str, Callable[[int | None, Arguments], RecallLevelMeasure]] = {
    "AP": lambda k, _: RecallLevelMeasure("AP", _cut(levels.RECIPROCAL, k), levels.found_share),
    "RR": lambda k, _: RecallLevelMeasure("RR", _cut(levels.RECIPROCAL, k), levels.first_only),
    "P": lambda k, _: RecallLevelMeasure("P", levels.within(k), _share(k)),
    "R": lambda k, _: RecallLevelMeasure("R", levels.within(k), levels.equal_share),
    "relative_P": lambda k, _: RecallLevelMeasure("relative_P", levels.within(k), _best_share(k)),
    "Rprec": lambda _k, _: levels.R_PRECISION,
    "Success": lambda k, _: RecallLevelMeasure("Success", levels.within(k), levels.first_only),
    "RBP": lambda k, given: RecallLevelMeasure(
        "RBP", _cut(levels.geometric(given.get("p", 0.8)), k), levels.unnormalized
    ),
    "NCP": lambda _k, given: levels.expected_partial(
        given.get("weights", "uniform"), levels.partial_gain(given.get("partial", "precision"))
    ),
    "TSE": _efficiency,
}


def _sum_of_levels(c: Collection, measure: RecallLevelMeasure, rel: float) -> FloatArray:
    m = c.relevant(rel).size
    total = np.zeros(c.depth.size)
    for ranking, level, rank, within, chance in _levels(c, rel):
        of = m[ranking % len(m), None]
        exposure = np.where(within, measure.exposure(rank, of), 0.0)
        total += np.bincount(ranking, np.sum(exposure @ chance * measure.normalization(level, of), axis=1), len(total))
    return total.reshape(c.depth.shape)


def _search_length(c: Collection, first: int | None = None, missing: Missing = "padded", rel: float = 1) -> FloatArray:
    """Each level counts its rank less the levels above. What is missing counts ``g(k)`` where k are retrieved, and
    ``E g(k) = g(0) + Σ_i P(i or more are retrieved) (g(i) − g(i − 1))``."""
    _, wanted = first_hits(c, first, rel)
    number = np.arange(c.relevant(rel).size.max(initial=0) + 1)[:, None, None]
    lacking = (wanted - np.minimum(number, wanted)) * missing_length(c, missing, rel, number)
    total, further = lacking[0].ravel(), np.diff(lacking, axis=0).reshape(len(number) - 1, -1)
    for ranking, level, rank, within, chance in _levels(c, rel):
        retrieved = within @ chance
        length = (within * rank) @ chance - retrieved * (level - 1)
        counts = level <= wanted[ranking % len(wanted), None]
        added = length * counts + retrieved * further[level - 1, ranking[:, None]]
        total = total + np.bincount(ranking, added.sum(axis=1), len(total))
    return np.asarray(total.reshape(c.depth.shape) / wanted)


def _levels(c: Collection, rel: float) -> Iterator[tuple[IntArray, IntArray, IntArray, BoolArray, FloatArray]]:
    """The tie groups that hold relevant documents, those of a size and number together: the ranking of each, its
    recall levels, its ranks, whether these are within the depth, and the chance that a rank holds a level, t × i."""
    ranking, first, size, held, above = _groups_of(_tied(c), c.relevant(rel))
    depth = c.depth.ravel()[ranking]
    for s, r in set(zip(size.tolist(), held.tolist(), strict=True)):
        these = np.flatnonzero((size == s) & (held == r))
        rank = first[these, None] + np.arange(s)
        level = above[these, None] + np.arange(1, r + 1)
        yield ranking[these], level, rank, rank <= depth[these, None], placing(s, r)


def _groups_of(tied: Tied, relevant: Population) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
    """The tie groups that hold relevant documents: ranking, first rank, size, relevant documents held, and above it."""
    queries = len(relevant.size)
    system, entry = np.nonzero(tied.first[:, relevant.column])
    document = relevant.column[entry]
    ranking, first = system * queries + relevant.group[entry], tied.first[system, document].astype(np.int64)
    order = np.lexsort((first, ranking))
    ranking, first, size = ranking[order], first[order], tied.size[system, document][order]
    begins = np.flatnonzero(np.append(True, (np.diff(ranking) != 0) | (np.diff(first) != 0))[: len(first)])
    held = np.diff(begins, append=len(first))
    of_ranking = np.flatnonzero(np.append(True, np.diff(ranking) != 0)[: len(ranking)])
    above = begins - of_ranking[np.searchsorted(of_ranking, begins, "right") - 1]
    return ranking[begins], first[begins], size[begins], held, above


@cache
def placing(size: int, held: int) -> FloatArray:
    """``P(t, i)`` for a tie group of some size that holds some relevant documents, t × i.

    Down the group, document by document: one is relevant with the share of relevant ones among those that remain.
    """
    found = np.zeros(held + 1)
    found[0] = 1.0
    rows = np.empty((size, held))
    for place in range(size):
        relevant = (held - np.arange(held)) / (size - place)
        rows[place] = found[:-1] * np.minimum(relevant, 1.0)
        found[:-1] -= rows[place]
        found[1:] += rows[place]
    return rows


def _cumulated(
    c: Collection,
    normalized: bool,
    k: int | None = None,
    dcg: str = "log2",
    gains: Mapping[float, float] | None = None,
) -> FloatArray:
    """(n)DCG with each document's discount averaged over its tie group."""
    worth, tied = gain(c, gains, dcg), _tied(c)
    document = np.flatnonzero(worth.of != 0)
    query = c.query_of[document]
    reached = c.depth if k is None else np.minimum(c.depth, k)
    upto = np.concatenate([[0.0], np.cumsum(1 / log2(np.arange(2, int(reached.max(initial=0)) + 2)))])
    total = np.zeros(c.depth.shape)
    for system in range(len(c.systems)):
        first, size = tied.first[system, document].astype(np.int64), tied.size[system, document]
        last = np.minimum(first + size - 1, reached[system, query])
        above = np.minimum(np.maximum(first - 1, 0), reached[system, query])
        discount = np.where(first > 0, (upto[np.maximum(last, above)] - upto[above]) / np.maximum(size, 1), 0.0)
        total[system] = np.bincount(query, worth.of[document] * discount, len(c.queries))
    if not normalized:
        return total
    best = worth.ideal.top(k)
    ideal = best.sum(worth.discounted(best))
    return np.where(ideal > 0, total / ideal, 0.0)


def _tied(c: Collection) -> Tied:
    assert c.tied is not None
    return c.tied
