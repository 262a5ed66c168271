"""Whether documents that nobody judged could turn the verdict round: bounds over every way of judging them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.preferences import Preference
from rankdiff.results.table import Table, column
from rankdiff.verdict.known import Unjudged, known_bounds
from rankdiff.verdict.linear import linear_form
from rankdiff.verdict.outer import largest_difference, may_join
from rankdiff.verdict.pair import Yardstick, duel, made_up, yardstick
from rankdiff.verdict.ratios import Choices
from rankdiff.verdict.unjudged import Gains, gains, slots

LOOKAHEAD = 10
"""So many unjudged ranks of each ranking are weighed against one another when they are to be put in order."""

NOISE = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Bounds:
    """How far the difference between two runs could go either way, were the unjudged documents judged.

    ``lower`` and ``upper`` are per query, NaN where a query does not count for both runs. A query without a difference
    that has them would count under other judgments. ``unjudged`` are the documents by name, where they are known.
    """

    pair: Collection
    by: Yardstick
    depth: int | None
    differences: FloatArray
    lower: FloatArray
    upper: FloatArray
    signature: str
    unjudged: Unjudged | None = None

    def __repr__(self) -> str:
        low, high = self.interval
        return f"Bounds({self.candidate} against {self.baseline}; {self.by.name} between {low:.4f} and {high:.4f})"

    def __str__(self) -> str:
        return f"{self.table}\n{self.sentence}"

    @property
    def baseline(self) -> str:
        """The run that the other is compared with."""
        return self.pair.systems[0]

    @property
    def candidate(self) -> str:
        """The run for which positive differences speak."""
        return self.pair.systems[1]

    @property
    def difference(self) -> float:
        """The mean difference as judged."""
        return float(np.nanmean(self.differences))

    @property
    def interval(self) -> tuple[float, float]:
        """The mean difference lies between these, however the unjudged documents are judged."""
        counts = ~np.isnan(self.differences)
        return 0.0 - _largest_mean(-self.lower, counts), _largest_mean(self.upper, counts)

    @property
    def holds(self) -> bool:
        """Whether the better run stays better however they fall."""
        low, high = self.interval
        return (self.difference > NOISE and low > NOISE) or (self.difference < -NOISE and high < -NOISE)

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        low, high = self.interval
        where = "" if self.depth is None else f" in the first {self.depth}"
        better, worse = self.candidate, self.baseline
        if self.difference < 0:
            better, worse = worse, better
        if self.holds:
            return f"{better} is better than {worse} however the unjudged documents{where} fall"
        return (
            f"the unjudged documents{where} could turn it round: {self.by.name} of {self.candidate} less "
            f"{self.baseline} is {self.difference:.4f} as judged, and {_somewhere(low, high)}"
        )

    @property
    def table(self) -> Table:
        """A row a query: the difference, its bounds, and how many unjudged documents each run has."""
        within = slots(self.pair, self.depth, self.pair.rules.rel).within
        columns = {
            "topic": column(self.pair.queries),
            "difference": self.differences,
            "lower": self.lower,
            "upper": self.upper,
            "baseline unjudged": within[0],
            "candidate unjudged": within[1],
        }
        return Table(columns, notes=(self.sentence,), signature=self.signature)

    @cached_property
    def judge_first(self) -> Table:
        """Which unjudged documents to judge first: those that narrow the bounds of the mean most.

        ``narrows`` is by how much the interval of the mean shrinks if that document alone turns out not to be
        relevant. The first 10 unjudged ranks of each ranking are weighed. Without names a document is a rank of one
        run.
        """
        query, ranks, number = self._candidates()
        counted = int(np.sum(~np.isnan(self.differences)))
        copies = _with_one_more_judged(self.pair, query, ranks)
        lower, upper = _both(self.by, copies, self.depth, self.unjudged, number)
        with np.errstate(invalid="ignore"):  # nothing narrows what has no limits
            narrows = ((self.upper - self.lower)[query] - (upper - lower)) / counted
        order = np.lexsort((*ranks, query, -np.round(narrows, 12)))
        order = order[(narrows[order] > NOISE) & np.isfinite(narrows[order])]
        names = column(self.unjudged.document if self.unjudged is not None else [])
        columns = {
            "topic": column(self.pair.queries)[query[order]],
            "document": names[number[order]] if self.unjudged is not None else np.full(len(order), None, object),
            "baseline rank": _ranks_or_none(ranks[0, order]),
            "candidate rank": _ranks_or_none(ranks[1, order]),
            "narrows": narrows[order],
        }
        return Table(columns, notes=(self.sentence,), signature=self.signature)

    def _candidates(self) -> tuple[IntArray, IntArray, IntArray]:
        """The query of each document that is weighed, its ranks, run × document, and its number (−1 without names)."""
        best = slots(self.pair, self.depth, self.pair.rules.rel).best[:, :, :LOOKAHEAD]
        deepest = np.minimum(best.max(axis=2, initial=0), np.inf if self.depth is None else self.depth)
        counted = ~np.isnan(self.differences)
        if self.unjudged is not None:
            of, number = self.unjudged.of(self.pair.queries)
            found = self.unjudged.rank[:, number]
            near = np.any((found > 0) & (found <= deepest[:, of]), axis=0) & counted[of]
            return of[near], found[:, near], number[near]
        open_ = (best > 0) & (best <= deepest[:, :, None])
        run, query, place = np.nonzero(open_ & counted[None, :, None])
        ranks = np.zeros((2, len(query)), np.int64)
        ranks[run, np.arange(len(query))] = best[run, query, place]
        return query, ranks, np.full(len(query), -1)


def _somewhere(low: float, high: float) -> str:
    return f"between {low:.4f} and {high:.4f}" if np.isfinite([low, high]).all() else "nothing limits it"


def _ranks_or_none(ranks: IntArray) -> np.ndarray[Any, Any]:
    return np.array([*(rank or None for rank in ranks.tolist()), None], object)[:-1]


def bounds(
    c: Collection,
    baseline: str,
    candidate: str,
    measure: Any = "nDCG@10",
    *,
    depth: int | None = None,
    unjudged: Unjudged | None = None,
) -> Bounds:
    """Between which limits the difference of two runs must lie, however their unjudged documents are judged.

    To be judged is what either run returned down to ``depth`` (everything, without one); a document gets any grade
    that occurs, and what neither run returned stays unjudged. The bounds are sound, never too narrow. A document
    that both runs returned may be counted as relevant for one and not for the other, as its identity is not known;
    where the two have no unjudged document in common and everything is judged, the bounds of a measure are attained.
    With ``unjudged`` (from `unjudged_documents`) the documents are known, and those of P, R, relative_P, RBP, DCG and
    nDCG judge each of them once.

    They are close for measures of the ranks of the relevant documents, for nDCG, dcg, RBP and ERR, and for RPP, sgnLP
    and sgnLR. Of all others, and of topics with more unjudged documents than can be tried, it is known only what they
    can differ by, and that topics without an unjudged document stay as they are.

    >>> import rankdiff as rd
    >>> runs = {"old": {"q": {"x": 2, "a": 1}}, "new": {"q": {"a": 2, "y": 1}}}
    >>> rd.align({"q": {"a": 1}}, runs).bounds("old", "new", "P@1").interval
    (0.0, 1.0)
    """
    _refuse(c, depth)
    pair = duel(c, baseline, candidate, measure)
    differences = pair.differences
    if np.isnan(differences).all():
        raise UsageError(f"no topic counts for both {baseline} and {candidate}")
    if unjudged is not None and unjudged.runs != (baseline, candidate):
        raise UsageError(f"the unjudged documents are those of {' and '.join(unjudged.runs)}")
    lower, upper = _both(pair.by, pair.runs, depth, unjudged)
    lower, upper = lower + 0.0, upper + 0.0  # no −0
    never = np.isnan(differences) & ~may_join(pair.by, pair.runs, depth)
    lower[never] = upper[never] = np.nan
    named = ["unjudged:known"] * (unjudged is not None)
    judged_to = f"judged-to:{depth or 'all'}"
    signature = c.sign(pair.by.name, f"baseline:{baseline}", f"candidate:{candidate}", judged_to, *named)
    return Bounds(pair.runs, pair.by, depth, differences, lower, upper, signature, unjudged)


@dataclass(frozen=True, eq=False)
class AllBounds:
    """For all pairs of runs the least and the largest mean difference of the run of the row over that of the column."""

    systems: tuple[str, ...]
    difference: FloatArray
    lower: FloatArray
    upper: FloatArray

    @property
    def surviving(self) -> float:
        """The share of the pairs with a difference whose sign survives every judging of the unjudged documents."""
        pairs = np.triu_indices(len(self.systems), 1)
        differ = np.abs(self.difference[pairs]) > NOISE
        firm = (self.lower[pairs] > NOISE) | (self.upper[pairs] < -NOISE)
        return float(np.mean(firm[differ])) if differ.any() else float("nan")


def bounds_of_all_pairs(c: Collection, measure: Any = "nDCG@10", *, depth: int | None = None) -> AllBounds:
    """`bounds` between all runs of a collection, for a measure.

    >>> import rankdiff as rd
    >>> runs = {"old": {"q": {"x": 2, "a": 1}}, "new": {"q": {"a": 2, "y": 1}}}
    >>> bounds_of_all_pairs(rd.align({"q": {"a": 1}}, runs), "P@1").upper
    array([[0., 0.],
           [1., 0.]])
    """
    _refuse(c, depth)
    by = yardstick(measure)
    found = None if by.signed or isinstance(by.of, Preference) else gains(by, c, depth)
    if found is None or found.lacking is not None:
        raise _not_offered(by)
    counts = c.answered if c.rules.missing == "skip" else np.ones(c.depth.shape, bool)
    size = len(c.systems)
    upper, difference = np.zeros((size, size)), np.zeros((size, size))
    values = c.measure(by.of).values[0]
    for candidate in range(size):
        both = counts & counts[candidate]
        with np.errstate(invalid="ignore"):
            upper[candidate] = _mean(_largest(found, candidate, np.arange(size)), both)
            difference[candidate] = _mean(values[candidate] - values, both)
    np.fill_diagonal(upper, 0.0)
    return AllBounds(c.systems, difference, -upper.T, upper)


def _largest_mean(values: FloatArray, counts: BoolArray) -> float:
    """The largest mean of the values that count and any of the others that there are.

    >>> _largest_mean(np.array([1.0, 3.0, 0.0, np.nan]), np.array([True, False, False, False]))
    2.0
    """
    others = np.sort(values[~counts & ~np.isnan(values)])[::-1]
    totals = values[counts].sum() + np.concatenate([[0.0], np.cumsum(others)])
    return float(np.max(totals / (np.count_nonzero(counts) + np.arange(len(totals)))))


def _mean(values: FloatArray, counted: np.ndarray[Any, np.dtype[np.bool_]]) -> FloatArray:
    return np.asarray(np.where(counted, values, 0.0).sum(axis=1) / counted.sum(axis=1))


def _refuse(c: Collection, depth: int | None) -> None:
    if depth is not None and depth < 1:
        raise UsageError(f"depth={depth}: expected at least 1, or None for everything that the runs returned")
    if c.rules.judged_only:
        raise UsageError("condensed lists (judged_only) have no unjudged documents: judging changes the ranks")
    if c.rules.no_relevant == "drop":
        raise UsageError("no_relevant='drop' would let the labels decide which topics count: use 'zero' for bounds")


def _not_offered(by: Yardstick) -> UsageError:
    return UsageError(
        f"bounds of all pairs at once are not known for {by.name}, but for P, R, relative_P, RBP, dcg, nDCG, AP, RR "
        "and Success; those of two runs are for every measure and preference"
    )


def _both(
    by: Yardstick,
    pair: Collection,
    depth: int | None,
    unjudged: Unjudged | None = None,
    without: IntArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """The least and the largest difference of each query. The largest for one run is the least for the other."""
    form = None if unjudged is None else linear_form(Yardstick(by.of), pair)
    if form is not None and unjudged is not None and not by.of.parameters.get("judged_only"):
        return _signs_of(by, *known_bounds(form, pair, unjudged, depth, without))
    found = None if by.of.parameters.get("judged_only") else gains(by, pair, depth)
    if found is None:
        turned, plain = pair.select([*reversed(pair.systems)]), Yardstick(by.of)
        return _signs_of(by, -largest_difference(plain, turned, depth), largest_difference(plain, pair, depth))
    upper, lower = _largest(found, 1, np.array([0]))[0], -_largest(found, 0, np.array([1]))[0]
    return _signs_of(by, lower, upper)


def _signs_of(by: Yardstick, lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
    if by.signed:
        lower, upper = (np.sign(np.where(np.abs(end) > NOISE, end, 0.0)) for end in (lower, upper))
    return lower, upper


def _largest(found: Gains, candidate: int, others: IntArray) -> FloatArray:
    """The largest difference of one run over others, other × query.

    For each level of gain some number of unjudged documents turns out to reach it: as many as the candidate has
    within the depth stand at its best ranks and nowhere in the other run; any more must be the other's.
    """
    number = np.arange(found.best.shape[2])
    within = found.within[candidate]
    beyond = np.maximum(number - within[:, None], 0)
    beyond = np.broadcast_to(beyond, (len(others), *beyond.shape))
    worst = np.take_along_axis(found.worst[others], beyond, axis=2)
    if found.lacking is not None:
        worst = worst + number * np.take_along_axis(found.lacking[others], beyond, axis=2)
    part = found.best[candidate] - worst
    there = number <= (within + found.within[others])[:, :, None]
    part = np.where(there, part, -np.inf)[:, :, None, :] * found.steps[:, None]
    base = found.base[candidate] - found.base[others]
    return Choices(base, part, found.whole, found.constant, nested=True).largest()


def _with_one_more_judged(pair: Collection, query: IntArray, rank: IntArray) -> Collection:
    """Copies of queries, in each of which a document with these ranks, run × query, was judged non-relevant."""
    size = np.diff(pair.start)[query] + 1
    start = np.concatenate([[0], np.cumsum(size)])
    added = start[1:] - 1
    old = np.ones(start[-1], bool)
    old[added] = False
    source = (np.arange(start[-1]) - np.repeat(start[:-1], size) + np.repeat(pair.start[query], size))[old]
    ranks = np.zeros((2, start[-1]), np.int32)
    ranks[:, old] = pair.rank[:, source]
    ranks[:, added] = rank
    grade = np.zeros(start[-1])
    grade[old] = pair.grade[source]
    sizes = None if pair.corpus_size is None else pair.corpus_size[query]
    return made_up(pair, query, start, grade, ranks, corpus_size=sizes)
