"""Measures of novelty and diversity: how well a ranking serves readers who are after different subtopics.

A *facet* is a subtopic of a query that has a relevant document; each is as probable as the others. ``alpha`` is the
share of the interest in a facet that a document relevant to it uses up. Measures named as in ir_measures, with
ndeval's definitions; ndeval's own names (``alpha-nDCG@20``, ``strec@20``) are understood too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rankdiff.collection import Collection
from rankdiff.declaration import ANY_POSITIVE
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, Hits, IntArray, Population, find_hits, gather
from rankdiff.ids import Ids
from rankdiff.measures.definition import measure
from rankdiff.measures.gain import log2
from rankdiff.read import Subtopics

AGRAWAL = "Agrawal, Gollapudi, Halverson & Ieong 2009"
CHAPELLE = "Chapelle, Metzler, Zhang & Grinspan 2009"
CLARKE_DCG = "Clarke et al. 2008"
CLARKE_NRBP = "Clarke, Kolla & Vechtomova 2009"
ZHAI = "Zhai, Cohen & Lafferty 2003"


def example() -> Collection:
    """The collection of the examples below: documents a, b, c, d; facet 1 has a and b, facet 2 has a and, of grade
    2, c. The one run returns a, then b.

    >>> example().rank
    array([[1, 2, 0, 0]])
    """
    subtopics = Subtopics(
        Ids.of("12"), np.array([0, 0, 1, 2]), np.array([0, 1, 0, 1], np.int32), np.array([1.0, 1, 1, 2])
    )
    return Collection(
        systems=("run",),
        queries=("q",),
        documents=Ids.of("abcd"),
        start=np.array([0, 4]),
        grade=np.array([1.0, 1, 2, 0]),
        rank=np.array([[1, 2, 0, 0]]),
        depth=np.array([[2]]),
        answered=np.array([[True]]),
        subtopics=subtopics,
    )


@dataclass(frozen=True, eq=False)
class Facets:
    """The relevant documents of every facet, with their grades for it, and the name of each facet."""

    documents: Population
    grade: FloatArray
    name: tuple[str, ...]
    queries: int

    @cached_property
    def number(self) -> IntArray:
        """How many facets each query has."""
        return np.bincount(self.documents.query, minlength=self.queries)

    def total(self, hits: Hits, values: FloatArray) -> FloatArray:
        """Add up a value per hit (of facets) for every query: system × query."""
        rows = [np.bincount(self.documents.query, row, self.queries) for row in hits.count]
        of_queries = np.array(rows, np.int64).reshape(-1, self.queries)  # the facets of a query are neighbors
        return Hits(of_queries, hits.rank, hits.column).sum(values)

    def mean(self, values: FloatArray) -> FloatArray:
        """The mean over each query's facets of a value per facet: system × query."""
        rows = [np.bincount(self.documents.query, row, self.queries) for row in values]
        return np.array(rows).reshape(-1, self.queries) / self.number


def facets(c: Collection, rel: float) -> Facets:
    """The facets of a collection: a document counts for those where its grade is ``rel`` or more."""
    subtopics = c.subtopics
    if subtopics is None:
        raise UsageError(
            "a measure of subtopics needs judgments by subtopic, but column 2 does not tell them apart here "
            "(subtopics=True, --subtopics, takes it for the subtopic all the same)"
        )

    def compute() -> Facets:
        kept = (subtopics.grade >= rel) & ~np.isnan(c.grade[subtopics.document])
        column, name, grade = subtopics.document[kept], subtopics.name[kept], subtopics.grade[kept]
        population, order = gather(column, c.query_of[column], name)
        names, first = list(subtopics.names), name[order][population.start[:-1]]
        return Facets(population, grade[order], tuple(names[i] for i in first), len(c.queries))

    return c._once_judged(("facets", rel), compute)


def facet_hits(c: Collection, rel: float) -> Hits:
    """The documents retrieved for every facet: a ranking is what a system returned for a facet."""
    return c._once(("facet hits", rel), lambda: find_hits(c.rank, facets(c, rel).documents))


def ideal_hits(c: Collection, rel: float, alpha: float) -> Hits:
    """The facets' documents as the best ranking has them that a greedy reader can make.

    Each next document is the one that serves the most interest left; of several, the one whose id is the last. (The
    best ranking of all is NP-hard to find.)
    """

    def compute() -> Hits:
        population = facets(c, rel).documents
        rank = np.zeros((1, len(c.grade)), np.int64)
        bounds = np.searchsorted(population.query, np.arange(len(c.queries) + 1))
        for first, last in pairwise(bounds.tolist()):
            entries = slice(population.start[first], population.start[last])
            column, row = np.unique(population.column[entries], return_inverse=True)
            relevant = np.zeros((len(column), last - first), bool)
            relevant[row, population.group[entries] - first] = True
            rank[0, column] = _greedy_ranks(relevant, alpha)
        return find_hits(rank, population)

    return c._once_judged(("ideal of facets", rel, alpha), compute)


def _greedy_ranks(relevant: NDArray[np.bool_], alpha: float) -> IntArray:
    """The rank of each document (row) where columns say for which facets it is relevant."""
    interest = np.ones(relevant.shape[1])
    rank = np.zeros(len(relevant), np.int64)
    for place in range(1, len(relevant) + 1):
        served = np.where(rank == 0, relevant @ interest, -1)
        # Sums that differ by rounding alone are equal, whatever the order in which they were added.
        chosen = np.flatnonzero(served >= served.max() * (1 - 1e-12))[-1]
        rank[chosen] = place
        interest[relevant[chosen]] *= 1 - alpha
    return rank


def _novelty(hits: Hits, alpha: float) -> FloatArray:
    """What each hit is worth to its facet: every one above it used up a share ``alpha`` of what was left."""
    if not 0 <= alpha <= 1:
        raise UsageError(f"alpha must be between 0 and 1, not {alpha:g}")
    left: FloatArray = np.power(1 - alpha, hits.level - 1.0)
    return left


def _discounted(c: Collection, hits: Hits, rel: float, alpha: float) -> FloatArray:
    return facets(c, rel).total(hits, _novelty(hits, alpha) / log2(hits.rank + 1))


def _reciprocal(c: Collection, hits: Hits, rel: float, alpha: float) -> FloatArray:
    return facets(c, rel).total(hits, _novelty(hits, alpha) / hits.rank)


def _persistent(c: Collection, hits: Hits, rel: float, alpha: float, beta: float) -> FloatArray:
    return facets(c, rel).total(hits, _novelty(hits, alpha) * np.power(beta, hits.rank - 1.0))


@measure("alpha_DCG", range=(0, 1), aliases=("α_DCG", "alpha-DCG@{k}"), citation=CLARKE_DCG)
def alpha_dcg(c: Collection, k: int, rel: float = 1, alpha: float = 0.5) -> FloatArray:
    """α-DCG over what a collection could give at best that has every facet in every document.

    ``Σ (1-α)^(j-1) / log2(r + 1)`` over the first ``k`` ranks ``r``, for each facet the ``j``-th document that is
    relevant to it; divided by ``|T| Σ_{r ≤ k} (1-α)^(r-1) / log2(r + 1)`` with ``|T|`` facets.

    >>> c = example()
    >>> print(f'{c.measure("alpha_DCG@2").values[0, 0, 0]:.4f}')  # (2 + 1/2 / log2(3)) / (2 + 2 · 1/2 / log2(3))
    0.8801
    """
    best = np.sum((1 - alpha) ** np.arange(k) / np.log2(np.arange(2, k + 2)))
    return _discounted(c, facet_hits(c, rel).top(k), rel, alpha) / (facets(c, rel).number * best)


@measure("alpha_nDCG", range=(0, 1), aliases=("α_nDCG", "alpha-nDCG@{k}"), citation=CLARKE_DCG)
def alpha_ndcg(c: Collection, k: int | None = None, rel: float = 1, alpha: float = 0.5) -> FloatArray:
    """α-DCG over that of the greedy ideal ranking of the judged documents (which a ranking can beat, if rarely).

    >>> c = example()
    >>> c.measure("alpha_nDCG@2").values  # a, then b or c is ideal
    array([[[1.]]])
    """
    ideal = _discounted(c, ideal_hits(c, rel, alpha).top(k), rel, alpha)
    return _discounted(c, facet_hits(c, rel).top(k), rel, alpha) / ideal


@measure("ERR_IA", range=(0, 1), aliases=("ERR-IA@{k}",), citation=CHAPELLE)
def intent_aware_err(c: Collection, k: int, rel: float = 1, alpha: float = 0.5) -> FloatArray:
    """Expected reciprocal rank, averaged over facets, over what a document relevant to all at every rank gives.

    ``Σ (1-α)^(j-1) / r`` as in `alpha_DCG`, divided by ``|T| Σ_{r ≤ k} (1-α)^(r-1) / r``: a reader stops at a
    relevant document with probability ``alpha``.

    >>> c = example()
    >>> c.measure("ERR_IA@2").values  # (1 + 1 + 1/2 · 1/2) / (2 (1 + 1/2 · 1/2))
    array([[[0.9]]])
    """
    best = np.sum((1 - alpha) ** np.arange(k) / np.arange(1, k + 1))
    return _reciprocal(c, facet_hits(c, rel).top(k), rel, alpha) / (facets(c, rel).number * best)


@measure("nERR_IA", range=(0, 1), aliases=("nERR-IA@{k}",), citation=CHAPELLE)
def normalized_intent_aware_err(c: Collection, k: int | None = None, rel: float = 1, alpha: float = 0.5) -> FloatArray:
    """ERR-IA over that of the greedy ideal ranking of the judged documents.

    >>> c = example()
    >>> c.measure("nERR_IA@2").values
    array([[[1.]]])
    """
    ideal = _reciprocal(c, ideal_hits(c, rel, alpha).top(k), rel, alpha)
    return _reciprocal(c, facet_hits(c, rel).top(k), rel, alpha) / ideal


@measure("NRBP", range=(0, 1), citation=CLARKE_NRBP)
def novelty_rank_biased_precision(c: Collection, rel: float = 1, alpha: float = 0.5, beta: float = 0.5) -> FloatArray:
    """Novelty- and rank-biased precision: a reader of patience ``beta`` who tires of a facet by ``alpha``.

    ``(1 - (1-α) β) / |T| · Σ (1-α)^(j-1) β^(r-1)`` over all ranks, as in `alpha_DCG`.

    >>> c = example()
    >>> c.measure("NRBP").values  # 3/4 · 1/2 · (2 + 1/2 · 1/2)
    array([[[0.84375]]])
    """
    scale = (1 - (1 - alpha) * beta) / facets(c, rel).number
    return scale * _persistent(c, facet_hits(c, rel), rel, alpha, beta)


@measure("nNRBP", range=(0, 1), citation=CLARKE_NRBP)
def normalized_novelty_rank_biased_precision(
    c: Collection, rel: float = 1, alpha: float = 0.5, beta: float = 0.5
) -> FloatArray:
    """NRBP over that of the greedy ideal ranking of the judged documents.

    >>> c = example()
    >>> c.measure("nNRBP").values  # the ideal has c, relevant to 2, at rank 3: 2.25 / 2.375
    array([[[0.94736842]]])
    """
    ideal = _persistent(c, ideal_hits(c, rel, alpha), rel, alpha, beta)
    return _persistent(c, facet_hits(c, rel), rel, alpha, beta) / ideal


@measure("AP_IA", range=(0, 1), aliases=("MAP_IA", "MAP-IA"), citation=AGRAWAL)
def intent_aware_average_precision(c: Collection, rel: float = 1) -> FloatArray:
    """The mean over facets of average precision.

    >>> c = example()
    >>> c.measure("AP_IA").values  # facet 1: a, b at ranks 1, 2; facet 2: a, of a and c, at rank 1
    array([[[0.75]]])
    """
    hits, population = facet_hits(c, rel), facets(c, rel).documents
    return facets(c, rel).mean(hits.sum(hits.level / hits.rank) / population.size)


@measure("P_IA", range=(0, 1), aliases=("P-IA@{k}",), citation=AGRAWAL)
def intent_aware_precision(c: Collection, k: int, rel: float = 1) -> FloatArray:
    """The mean over facets of the precision at ``k``.

    >>> c = example()
    >>> c.measure("P_IA@2").values  # (2/2 + 1/2) / 2
    array([[[0.75]]])
    """
    return facets(c, rel).mean(facet_hits(c, rel).top(k).count / k)


@measure("StRecall", range=(0, 1), aliases=("strec@{k}",), citation=ZHAI)
def subtopic_recall(c: Collection, k: int | None = None, rel: float = 1) -> FloatArray:
    """The share of facets for which one of the first ``k`` documents is relevant.

    >>> c = example()
    >>> c.measure("StRecall@1").values
    array([[[1.]]])
    """
    return facets(c, rel).mean((facet_hits(c, rel).top(k).count > 0).astype(np.float64))


@measure("nDCG_IA", range=(0, 1), citation=AGRAWAL)
def intent_aware_ndcg(c: Collection, k: int | None = None, dcg: str = "log2") -> FloatArray:
    """The mean over facets of nDCG, each by the grades for that facet.

    Gains are grades, or ``2^grade - 1`` (as in the paper) with ``dcg='exp-log2'``.

    >>> c = example()
    >>> c.measure("nDCG_IA@1").values  # a is best for facet 1 (grade 1), c for facet 2 (grade 2): (1 + 1/2) / 2
    array([[[0.75]]])
    """
    if dcg not in ("log2", "exp-log2"):
        raise UsageError(f"dcg must be 'log2' or 'exp-log2', not {dcg!r}")
    every = facets(c, ANY_POSITIVE)
    gain = every.grade if dcg == "log2" else np.exp2(every.grade) - 1
    population, hits = every.documents, facet_hits(c, ANY_POSITIVE).top(k)
    best = gain[np.lexsort((-gain, population.group))] / log2(population.level + 1)
    ideal = np.bincount(population.group, best * (population.level <= (k or np.inf)), len(population.size))
    # Documents of a facet stand in ascending order, so a hit finds its grade for that facet by bisection.
    entry = np.searchsorted(
        population.group * len(c.grade) + population.column, hits.group * len(c.grade) + hits.column
    )
    return every.mean(hits.sum(gain[entry] / log2(hits.rank + 1)) / ideal)
