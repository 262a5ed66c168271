"""Cumulative gain: what a ranking gives its reader, against what the best possible one would give.

Grades are gains unless ``gains`` says otherwise; a document that was not judged (or only pooled) gains nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from rankdiff.collection import Collection
from rankdiff.declaration import ANY_POSITIVE
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, Hits, IntArray, find_hits
from rankdiff.measures.definition import measure

JARVELIN_KEKALAINEN = "Järvelin & Kekäläinen 2002"
BUCKLEY = "Buckley 2008 (trec_eval 9)"
LARGEST_TABLE = 1 << 16


@cache
def _logarithms(size: int) -> FloatArray:
    # From the C library, as trec_eval has them: NumPy's vectorized log2 differs in the last digit now and then.
    return np.array([-math.inf, *map(math.log2, range(1, size))])


def log2(numbers: IntArray) -> FloatArray:
    """The binary logarithm of whole numbers, looked up where they are as small as ranks mostly are."""
    size = 1 << int(numbers.max(initial=0)).bit_length()
    if size <= LARGEST_TABLE:
        return _logarithms(size).take(numbers)
    logarithms: FloatArray = np.log2(numbers)
    return logarithms


@dataclass(frozen=True, eq=False)
class Gain:
    """What each document is worth (``of``), and the ranking that is best for each query.

    ``ideal`` holds the hits of a system that returns the documents of positive gain, the largest gain first.
    """

    of: FloatArray
    ideal: Hits

    def discounted(self, hits: Hits) -> FloatArray:
        """The discounted gain of each hit: ``gain / log2(rank + 1)``."""
        discounted: FloatArray = self.of.take(hits.column) / log2(hits.rank + 1)
        return discounted

    def cumulated(self, hits: Hits) -> FloatArray:
        """The discounted cumulative gain of each ranking: ``Σ_d gain(d) / log2(rank(d) + 1)``."""
        if hits.deepest >= LARGEST_TABLE:
            return hits.sum(self.discounted(hits))
        return hits.sum_gains(self.of, _logarithms(LARGEST_TABLE + 1)[1:])

    @cached_property
    def ideal_running(self) -> FloatArray:
        """The ideal DCG at each ideal rank."""
        return self.ideal.running(self.discounted(self.ideal))

    def at_ideal(self, values: FloatArray, query: IntArray, rank: IntArray) -> FloatArray:
        """Of values along the ideal rankings, the one at a rank of a query; behind the last rank, the last."""
        sizes = self.ideal.count[0]
        last = np.cumsum(sizes) - 1
        reached: FloatArray = values[last[query] - np.maximum(sizes[query] - rank, 0)]
        return reached


def gain(c: Collection, gains: Mapping[float, float] | None = None, dcg: str = "log2") -> Gain:
    """The gains of a collection's documents: their grades, or what ``gains`` makes of them."""
    if dcg not in ("log2", "exp-log2"):
        raise UsageError(f"dcg must be 'log2' or 'exp-log2', not {dcg!r}")
    return c._once_judged(("gain", _key(gains), dcg), lambda: _gain(c, gains or {}, dcg))


def _key(gains: Mapping[float, float] | None) -> tuple[tuple[float, float], ...]:
    return tuple(sorted((gains or {}).items()))


def _gain(c: Collection, gains: Mapping[float, float], dcg: str) -> Gain:
    of = np.fmax(c.grade, 0.0)
    for grade, worth in gains.items():
        of[c.grade == grade] = worth
    if dcg == "exp-log2":
        of = np.exp2(of) - 1
    if c.whole is not None:
        best = c.picked(gain(c.whole, gains, dcg).ideal)
        return Gain(of, Hits(best.count, best.level, best.column))
    positive = c.population(of > 0)
    best_first = np.lexsort((-of[positive.column], positive.group))
    rank, column = positive.level.astype(np.int32), positive.column[best_first].astype(np.int32)
    return Gain(of, Hits(positive.size[np.newaxis], rank, column))


def gaining(c: Collection, worth: Gain, gains: Mapping[float, float] | None = None) -> Hits:
    """The documents retrieved that are worth something, be it less than nothing."""
    if not gains:
        return c.hits(ANY_POSITIVE)
    return c._once(("gaining", _key(gains)), lambda: find_hits(c.rank, c.population(worth.of != 0)))


def _share(part: FloatArray, whole: FloatArray | IntArray) -> FloatArray:
    return np.where(whole > 0, part / whole, 0.0)


@measure(
    "nDCG",
    range=(0, 1),
    trec_eval=("ndcg", "ndcg_cut_{k}"),
    aliases=("NDCG",),
    no_relevant="computed",
    citation=JARVELIN_KEKALAINEN,
)
def ndcg(
    c: Collection, k: int | None = None, dcg: str = "log2", gains: Mapping[float, float] | None = None
) -> FloatArray:
    """Discounted cumulative gain over the best possible, where ``DCG = Σ_d gain(d) / log2(rank(d) + 1)``.

    The ideal ranking has the query's judged documents in the order of their gains, and is cut at ``k`` too. Gains
    are the grades; ``gains={1: 3, 2: 9}`` changes some, and with ``dcg='exp-log2'`` a gain is ``2^grade - 1``, as
    in gdeval and Burges et al. 2005. A lowest relevant grade has no bearing on it.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 3}}, {"run": {"q": {"x": 3, "y": 2, "b": 1}}})
    >>> c.measure("nDCG(gains={1: 0})").values  # 3 / log2(4), of 3 / log2(2)
    array([[[0.5]]])
    >>> c.measure("nDCG@2")["nDCG@2"]
    array([[0.]])
    """
    worth = gain(c, gains, dcg)
    hits = gaining(c, worth, gains).top(k)
    return _share(worth.cumulated(hits), _ideal(c, k, dcg, gains))


def _ideal(c: Collection, k: int | None, dcg: str, gains: Mapping[float, float] | None) -> FloatArray:
    def compute() -> FloatArray:
        worth = gain(c, gains, dcg)
        best = worth.ideal.top(k)
        return worth.cumulated(best).ravel()

    return c._once_judged(("ideal DCG", k, dcg, _key(gains)), compute)


@measure("dcg", range=(0, np.inf), trec_eval="dcg", no_relevant="computed", citation=JARVELIN_KEKALAINEN)
def discounted_cumulative_gain(
    c: Collection, k: int | None = None, dcg: str = "log2", gains: Mapping[float, float] | None = None
) -> FloatArray:
    """Discounted cumulative gain as it is: ``Σ_d gain(d) / log2(rank(d) + 1)``. Parameters as for nDCG.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 3}}, {"run": {"q": {"a": 3, "y": 2, "b": 1}}})
    >>> c.measure("dcg")["dcg"]  # 1 / log2(2) + 3 / log2(4)
    array([[2.5]])
    """
    worth = gain(c, gains, dcg)
    hits = gaining(c, worth, gains).top(k)
    return worth.cumulated(hits)


@measure("ideal_dcg", range=(0, np.inf), trec_eval="ideal_dcg", no_relevant="computed", citation=JARVELIN_KEKALAINEN)
def ideal_discounted_cumulative_gain(
    c: Collection, k: int | None = None, dcg: str = "log2", gains: Mapping[float, float] | None = None
) -> FloatArray:
    """The discounted cumulative gain of the best possible ranking, the same for every run. Parameters as for nDCG.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 3}}, {"run": {"q": {"x": 1}}})
    >>> c.measure("ideal_dcg@1").values
    array([[[3.]]])
    """
    return np.broadcast_to(_ideal(c, k, dcg, gains), c.depth.shape)


@measure("ndcg_rel", range=(0, np.inf), trec_eval="ndcg_rel", no_relevant="computed", citation=BUCKLEY)
def ndcg_at_relevant(c: Collection, gains: Mapping[float, float] | None = None) -> FloatArray:
    """nDCG, averaged over the ranks of the documents of positive gain.

    A document that is not retrieved counts with the DCG of the whole ranking over the whole ideal DCG.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 1}}})
    >>> print(f'{c.measure("ndcg_rel")["ndcg_rel"][0, 0]:.4f}')  # (1 + 1 / (1 + 1/log2(3))) / 2
    0.8066
    """
    worth = gain(c, gains)
    hits = gaining(c, worth, gains)
    dcg = hits.running(worth.discounted(hits))
    ndcg = dcg / worth.at_ideal(worth.ideal_running, hits.group, hits.rank)
    positive = worth.of[hits.column] > 0
    missed = worth.ideal.count - hits.where(positive).count
    total = hits.sum(worth.discounted(hits))
    at_the_end = missed * total / _ideal(c, None, "log2", gains)
    return _share(hits.sum(np.where(positive, ndcg, 0)) + at_the_end, worth.ideal.count)


@measure("Rndcg", range=(0, np.inf), trec_eval="Rndcg", no_relevant="computed", citation=BUCKLEY)
def ndcg_at_levels(c: Collection, rel: float = 1, gains: Mapping[float, float] | None = None) -> FloatArray:
    """nDCG, averaged over the ranks where the ideal ranking passes to a lower gain.

    These are the numbers of documents that gain ``l`` or more, for each positive gain ``l`` of the query. A ranking
    that goes on for more than one document behind the last of them is also measured at its end. A query without
    a document of grade ``rel`` scores 0, as in trec_eval.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 2, "b": 1}}, {"run": {"q": {"b": 2, "a": 1}}})
    >>> print(f'{c.measure("Rndcg")["Rndcg"][0, 0]:.4f}')  # nDCG@1 = 1/2, nDCG@2 = (1 + 2/log2(3)) / (2 + 1/log2(3))
    0.6799
    """
    worth = gain(c, gains)
    hits = gaining(c, worth, gains)
    discounted = worth.discounted(hits)
    passes = _passes(worth)
    ordinal = worth.ideal.where(passes).level
    total, points = np.zeros(c.depth.shape), np.zeros(c.depth.shape)
    for nth in range(1, int(ordinal.max(initial=0)) + 1):
        at = np.flatnonzero(passes)[ordinal == nth]
        query, best = worth.ideal.group[at], worth.ideal_running[at]
        last = np.zeros(len(c.queries), np.int64)
        last[query] = worth.ideal.rank[at]
        total[:, query] += hits.sum(discounted * (hits.rank <= hits.of_group(last)))[:, query] / best
        points[:, query] += 1
    goes_on = c.depth > worth.ideal.count + 1
    whole = hits.sum(discounted) / _ideal(c, None, "log2", gains)
    mean = (total + np.where(goes_on, whole, 0)) / (points + goes_on)
    return np.where((c.relevant(rel).size > 0) & (points > 0), mean, 0.0)


def _passes(worth: Gain) -> NDArray[np.bool_]:
    """Of each entry of the ideal rankings, whether the next has a lower gain or belongs to another query."""
    best, query = worth.of[worth.ideal.column], worth.ideal.group
    changes = (best[1:] != best[:-1]) | (query[1:] != query[:-1])
    return np.append(changes, np.ones(min(len(best), 1), bool))


@measure("G", range=(0, 1), trec_eval="G", no_relevant="computed", citation=BUCKLEY)
def normalized_gain(c: Collection, gains: Mapping[float, float] | None = None) -> FloatArray:
    """Gain, discounted by how much more a perfect ranking would have given by then.

    ``Σ_i g_i / log2(2 + C_i - S_i) / Σ ideal gains`` with ``C_i`` the sum of ``max(1, ideal gain)`` and ``S_i`` that
    of the gains over ranks 1 to ``i``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 2}}, {"run": {"q": {"x": 3, "y": 2, "a": 1}}})
    >>> c.measure("G")["G"]  # C_3 = 2 + 1 + 1, S_3 = 2: 2 / log2(4) / 2
    array([[0.5]])
    """
    worth = gain(c, gains)
    hits = gaining(c, worth, gains)
    gained, best = worth.of[hits.column], worth.of[worth.ideal.column]
    beyond = np.maximum(hits.rank - hits.of_group(worth.ideal.count[0]), 0)
    cost = worth.at_ideal(worth.ideal.running(np.maximum(best, 1)), hits.group, hits.rank) + beyond
    return _share(hits.sum(gained / np.log2(2 + cost - hits.running(gained))), worth.ideal.sum(best))


@measure("binG", range=(0, 1), trec_eval="binG", citation=BUCKLEY)
def binary_gain(c: Collection, rel: float = 1) -> FloatArray:
    """Each relevant document, discounted by the non-relevant ones above it: ``1/m Σ_i 1 / log2(2 + p_i - i)``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 4, "x": 3, "y": 2, "b": 1}}})
    >>> c.measure("binG")["binG"]  # (1 / log2(2) + 1 / log2(4)) / 2
    array([[0.75]])
    """
    hits = c.hits(rel)
    return hits.sum(1 / log2(2 + hits.rank - hits.level)) / c.relevant(rel).size
