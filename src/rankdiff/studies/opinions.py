"""What a measure or a preference says of a collection: query by query which run of a pair is better, and an order.

A study that repeats this for thousands of degraded collections asks for both at once, so that each value is computed
once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankdiff import order
from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError
from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.measures import Measure
from rankdiff.order.positions import positions
from rankdiff.preferences import Preference
from rankdiff.preferences.standing import balance, without_noise
from rankdiff.results.scores import summarize
from rankdiff.statistics import tau
from rankdiff.studies.criteria import Criterion, differences, signs

METHODS = ("mc4", "winrate", "borda", "copeland")
DECIMALS = 9
"""Decimals of a mean preference beyond which there is only the noise of floating point."""
METHOD = "mc4"
"""How preferences become an order of systems; measures order by their mean."""


@dataclass(frozen=True)
class Opinion:
    """``signs``: 1, 0 or −1 for each pair (in the order of `pairs_of`) × query, of which so many are ``counted``; the
    rest are 0 because the query does not count for both. ``leads``: the same for each pair over all queries, by the
    means or the mean preference. ``scores``: one for each system, higher is better."""

    signs: NDArray[np.int8]
    leads: NDArray[np.int8]
    scores: FloatArray
    counted: int

    @property
    def tied(self) -> float:
        """The share of ties among the pairs that count; NaN where none does."""
        return (self.counted - np.count_nonzero(self.signs)) / self.counted if self.counted else float("nan")


def opinion(c: Collection, item: Criterion, by: str = METHOD) -> Opinion:
    """What a measure or preference says of all pairs of runs, and of the systems.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"d": 1}}, {"x": {"q": {"d": 1}}, "y": {"q": {"e": 2, "d": 1}}})
    >>> opinion(c, rd.measures.find("RR"))
    Opinion(signs=array([[1]], dtype=int8), leads=array([1], dtype=int8), scores=array([1. , 0.5]), counted=1)
    """
    if isinstance(item, Measure):
        values = goodness(c, item)
        counts = ~np.isnan(values)
        compared = compare_places(balance(-without_noise(values)), counts)
        scores = averages(item, values)
        return Opinion(compared, leaders(scores), scores, _pairs_counted(counts))
    counts = item(c).counts[: len(c.systems)]
    preferred = _preferred(c, item)
    return Opinion(preferred, _leading(c, item, preferred), system_scores(c, item, by), _pairs_counted(counts))


def goodness(c: Collection, item: Measure) -> FloatArray:
    """A measure's values, system × query, higher is better whichever way it goes; NaN where there is none."""
    values = item(c)
    return values if item.higher_is_better else -values


def averages(item: Measure, values: FloatArray) -> FloatArray:
    """One number for each system from its `goodness`, higher is better; NaN for a system without a value."""
    if item.aggregate != "mean":
        direction = 1 if item.higher_is_better else -1
        return direction * np.array([summarize(direction * row, item.aggregate) for row in values])
    return _means(values)


@dataclass(frozen=True)
class PerQuery:
    """Where the systems stand query by query (system × query, NaN where a query does not count), and how that
    becomes one number a system."""

    values: FloatArray
    fold: Callable[[FloatArray], FloatArray]

    def scores(self, queries: IntArray | slice = slice(None)) -> FloatArray:
        """The order of the systems over some queries, as numbers: higher is better, equal where they tie."""
        return self.fold(self.values[:, queries])


def per_query(c: Collection, item: Criterion, by: str = METHOD) -> PerQuery:
    """A measure by its values and their mean; a preference by win rates, or the order of the runs for each query."""
    if isinstance(item, Measure):
        return PerQuery(goodness(c, item), lambda values: averages(item, values))
    if by not in METHODS:
        raise UnknownNameError("order", by, METHODS)
    found = item(c)
    if by == "winrate":
        return PerQuery(found.win_rates(), _means)
    standing = np.full((len(c.systems), len(c.queries)), np.nan)
    standing[:, found.shared] = found.standings()
    return PerQuery(standing, lambda values: _by_majority(values, by))


def system_scores(c: Collection, item: Criterion, by: str = METHOD) -> FloatArray:
    """The order of the systems as numbers: means of a measure, or what a preference's order gives."""
    return per_query(c, item, by).scores()


def leaders(scores: FloatArray) -> NDArray[np.int8]:
    """Which run of each pair has the higher score: 1, 0 or −1; 0 also where one of them has none.

    >>> leaders(np.array([0.5, 0.3, 0.1 + 0.2])).tolist()
    [1, 1, 0]
    """
    first, second = pairs_of(len(scores))
    values = without_noise(scores)
    return np.nan_to_num(np.sign(values[first] - values[second])).astype(np.int8)


def leaders_among(c: Collection, item: Criterion) -> Callable[[IntArray], NDArray[np.int8]]:
    """Which run of each pair is better over some queries, by the means of a measure or the mean preference."""
    if isinstance(item, Measure):
        values = goodness(c, item)
        return lambda queries: leaders(averages(item, values[:, queries]))
    changes = np.nan_to_num(differences(c, item))
    return lambda queries: _sign_of_mean(changes[:, queries].sum(axis=1))


def _leading(c: Collection, item: Preference, preferred: NDArray[np.int8]) -> NDArray[np.int8]:
    if item.name.startswith("sgn"):
        return _sign_of_mean(preferred.sum(axis=1, dtype=np.float64))
    return _sign_of_mean(np.nan_to_num(item(c).matrix()[pairs_of(len(c.systems))]))


def _sign_of_mean(values: FloatArray) -> NDArray[np.int8]:
    return np.sign(np.round(values, DECIMALS)).astype(np.int8)


def _means(values: FloatArray) -> FloatArray:
    counted = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(counted, values, 0.0).sum(axis=1) / counted.sum(axis=1))


def _by_majority(values: FloatArray, by: str) -> FloatArray:
    standing = values[:, ~np.isnan(values).any(axis=0)].astype(np.int64)
    if by == "mc4":
        return -positions(*order.mc4(standing)).astype(np.float64)
    return (order.borda if by == "borda" else order.copeland)(standing)


def compare_places(place: IntArray, counts: BoolArray) -> NDArray[np.int8]:
    """Which run of each pair stands higher, pair × query; 0 also where a query does not count for both."""
    first, second = pairs_of(len(place))
    narrow = place.astype(np.int16) if len(place) < np.iinfo(np.int16).max else place
    one, other = narrow[first], narrow[second]
    compared = np.subtract(one > other, one < other, dtype=np.int8)
    if not counts.all():
        compared[~(counts[first] & counts[second])] = 0
    return compared


def pairs_of(systems: int) -> tuple[IntArray, IntArray]:
    """The first and the second run of every pair."""
    return np.triu_indices(systems, 1)


def _pairs_counted(counts: BoolArray) -> int:
    systems = counts.sum(axis=0)
    return int(np.sum(systems * (systems - 1) // 2))


def _preferred(c: Collection, item: Preference) -> NDArray[np.int8]:
    if not item.definition.transitive:
        return signs(c, item)
    found = item(c)
    systems = len(c.systems)
    return compare_places(found.pairs.standing()[:systems], found.counts[:systems])


def agreement(x: FloatArray, y: FloatArray) -> float:
    """Kendall's τ-b of two orders of the same systems, over those that have a score in both; NaN without two."""
    both = ~(np.isnan(x) | np.isnan(y))
    return tau(x[both], y[both]) if both.sum() > 1 else float("nan")


def same_leaders(now: NDArray[np.int8], before: NDArray[np.int8]) -> float:
    """Of the pairs of runs that were told apart, the share in which the same run leads now; NaN where none was.

    >>> round(same_leaders(np.array([1, 0, -1, 1]), np.array([1, 1, -1, 0])), 4)
    0.6667
    """
    told = before != 0
    return float(np.mean(now[told] == before[told])) if told.any() else float("nan")


def mean_and_deviation(values: Iterable[float]) -> dict[str, float]:
    """The mean of some samples and their standard deviation, over those that have a value."""
    known = np.array([value for value in values if not np.isnan(value)])
    mean = float(known.mean()) if len(known) else float("nan")
    return {"value": mean, "sd": float(known.std(ddof=1)) if len(known) > 1 else 0.0}
