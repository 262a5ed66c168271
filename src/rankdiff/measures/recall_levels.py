"""Recall-level measures: ``μ = Σ_i e(p_i) z(i, m)``, an exposure times a normalisation, summed over recall levels.

The exposure says how likely a reader is to reach a rank, the normalisation what the i-th of m relevant documents
counts there. AP, RR, binary nDCG, RBP, the linear measure, NCP and total search efficiency are such pairs; R@k and
R-precision are at the boundary: their exposure does not fall with every rank.

A document that was not retrieved has no exposure: it adds 0, as in trec_eval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures.definition import measure
from rankdiff.weights import Weights, weigh_among

Formula: TypeAlias = Callable[[Any, Any, Any], FloatArray]
Normalization: TypeAlias = Callable[[Any, Any], FloatArray]

ROUNDING = 1e-12
"""Sums that differ by less are equal: the order in which floats are added is no difference."""


@dataclass(frozen=True)
class Exposure:
    """How likely a reader is to reach a rank: ``e(rank, m, n)``; 0 at an infinite rank, one that was not retrieved.

    >>> RECIPROCAL(np.array([1, 4, np.inf])).tolist()
    [1.0, 0.25, 0.0]
    """

    name: str
    formula: Formula
    needs_corpus: bool = False

    def __call__(self, rank: ArrayLike, m: ArrayLike = 1, n: ArrayLike = math.inf) -> FloatArray:
        rank = np.asarray(rank, np.float64)
        with np.errstate(invalid="ignore"):
            return np.where(np.isinf(rank), 0.0, self.formula(rank, np.asarray(m), np.asarray(n)))


RECIPROCAL = Exposure("ap", lambda rank, _m, _n: 1 / rank)
LOGARITHMIC = Exposure("ndcg", lambda rank, _m, _n: 1 / np.log2(rank + 1))
LINEAR = Exposure("linear", lambda rank, _m, n: 1 - rank / n, needs_corpus=True)


def geometric(p: float) -> Exposure:
    """RBP's exposure ``(1 − p) p^(i−1)``: after each document the reader goes on with probability ``p``."""
    if not 0 < p < 1:
        raise UsageError(f"the persistence p must lie between 0 and 1, not {p:g}")
    return Exposure(f"rbp, p={p:g}", lambda rank, _m, _n: (1 - p) * p ** (rank - 1))


def within(k: int | None = None) -> Exposure:
    """Full exposure down to rank ``k`` (without one: down to rank ``m``) and none below; not strictly decreasing."""
    return Exposure("within", lambda rank, m, _n: (rank <= (m if k is None else k)) * 1.0)


def exposure_named(name: str, p: float = 0.8) -> Exposure:
    """The exposure of a measure: ``ap`` and ``rr`` (1/i), ``ndcg`` (1/log2(i+1)), ``rbp``, ``linear`` (1 − i/n)."""
    if name == "rbp":
        return geometric(p)
    if p != 0.8:
        raise UsageError(f"exposure {name!r} has no persistence p; only exposure='rbp' has one")
    known = {"ap": RECIPROCAL, "rr": RECIPROCAL, "ndcg": LOGARITHMIC, "linear": LINEAR}
    if name not in known:
        raise UnknownNameError("exposure", name, [*known, "rbp"])
    return known[name]


def found_share(level: Any, m: Any) -> FloatArray:
    """AP's normalisation ``i/m``: exposure 1/p_i becomes the precision i/p_i, averaged."""
    return np.asarray(level / m)


def found_level(level: Any, _m: Any) -> FloatArray:
    """``i``: the precision of a reader who stops at the i-th relevant document, over its exposure."""
    return np.asarray(level * 1.0)


def found_alike(level: Any, _m: Any) -> FloatArray:
    """1 at every level."""
    return np.ones(np.shape(level))


def equal_share(_level: Any, m: Any) -> FloatArray:
    """``1/m``: every relevant document counts the same."""
    return np.asarray(1 / m)


def first_only(level: Any, _m: Any) -> FloatArray:
    """RR's normalisation: 1 at the first relevant document."""
    return np.asarray((level == 1) * 1.0)


def last_only(level: Any, m: Any) -> FloatArray:
    """Total search efficiency's normalisation: 1 at the last relevant document."""
    return np.asarray((level == m) * 1.0)


def unnormalized(_level: Any, _m: Any) -> FloatArray:
    """RBP's normalisation: 1."""
    return np.asarray(1.0)


def over_best(exposure: Exposure) -> Normalization:
    """nDCG's normalisation: the inverse of the sum of the exposures of ranks 1 to ``m``."""

    def normalization(_level: Any, m: Any) -> FloatArray:
        sizes = np.asarray(m)
        best = np.cumsum(exposure(np.arange(1, sizes.max(initial=1) + 1)))
        return np.asarray(1 / best[sizes - 1])

    return normalization


@dataclass(frozen=True)
class RecallLevelMeasure:
    """An exposure and a normalisation: a measure of a ranking (`of`) and of a collection (``c.measure(it)``).

    >>> AP.of([1, 3, math.inf])
    0.5555555555555556
    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1, "c": 1}}, {"run": {"q": {"a": 9, "x": 8, "b": 7}}})
    >>> c.measure(AP)["AP"]
    array([[0.55555556]])
    """

    name: str
    exposure: Exposure
    normalization: Normalization

    @property
    def __name__(self) -> str:
        return self.name

    def of(self, positions: Sequence[float], n: float = math.inf) -> float:
        """The value of one ranking, from the ranks of all ``m`` relevant documents; infinite where not retrieved."""
        rank, m = np.sort(np.asarray(positions, np.float64)), len(positions)
        exposure = self.exposure(rank, m, n)
        return float(np.sum(exposure * self.normalization(np.arange(1, m + 1), np.full(m, m))))

    def __call__(self, c: Collection, rel: float = 1) -> FloatArray:
        """The values of all rankings of a collection, system × query."""
        hits = c.hits(rel)
        m = hits.of_group(c.relevant(rel).size)
        n = hits.of_group(c.n(rel)) if self.exposure.needs_corpus else math.inf
        # Whoever writes an exposure may multiply ranks.
        exposure = self.exposure(hits.rank.astype(np.int64), m, n)
        return hits.sum(exposure * self.normalization(hits.level.astype(np.int64), m))

    def is_top_heavy(self, n: int = 8) -> bool:
        """Whether it is a top-heavy recall-level measure (Definitions 2.1 and 2.2), tried on all rankings of ``n``.

        The exposure must fall strictly from rank to rank, and the value may never rise when the topmost relevant
        documents are taken for non-relevant ones.

        >>> AP.is_top_heavy(), R_PRECISION.is_top_heavy()
        (True, False)
        """
        return not self.why_not_top_heavy(n)

    def why_not_top_heavy(self, n: int = 8) -> str:
        """The first counterexample to `is_top_heavy`, in words; empty where there is none.

        >>> recall_at(3).why_not_top_heavy()
        'with m = 1 the exposure does not fall from rank 1 (1) to rank 2 (1)'
        """
        for m in range(1, n + 1):
            at = self.exposure(np.arange(1, n + 1), m, n)
            for rank in range(1, n):
                if not at[rank] < at[rank - 1]:
                    fall = f"from rank {rank} ({at[rank - 1]:g}) to rank {rank + 1} ({at[rank]:g})"
                    return f"with m = {m} the exposure does not fall {fall}"
            for positions in combinations(range(1, n + 1), m):
                whole = self.of(positions, n)
                for j in range(1, m):
                    if self.of(positions[j:], n) > whole + ROUNDING:
                        return f"relevant at {positions} is worth less than relevant at {positions[j:]} alone"
        return ""


AP = RecallLevelMeasure("AP", RECIPROCAL, found_share)
RR = RecallLevelMeasure("RR", RECIPROCAL, first_only)
NDCG = RecallLevelMeasure("nDCG", LOGARITHMIC, over_best(LOGARITHMIC))
LINEAR_SHARE = RecallLevelMeasure("Linear", LINEAR, equal_share)
R_PRECISION = RecallLevelMeasure("Rprec", within(), equal_share)


def rank_biased_precision(p: float = 0.8) -> RecallLevelMeasure:
    """RBP as a recall-level measure: ``(1 − p) Σ_i p^(p_i − 1)``."""
    return RecallLevelMeasure(f"RBP(p={p:g})", geometric(p), unnormalized)


def recall_at(k: int) -> RecallLevelMeasure:
    """R@k as exposure and normalisation: the share of relevant documents down to rank ``k``."""
    return RecallLevelMeasure(f"R@{k}", within(k), equal_share)


def expected_partial(
    weights: Weights = "uniform", gain: Normalization | None = None, exposure: Exposure = RECIPROCAL
) -> RecallLevelMeasure:
    """NCP: the expectation ``Σ_i p(i) μ_i`` of a partial-recall measure over the readers who want i relevant documents.

    ``weights`` gives ``p(i)``, scaled to sum to 1, as in a preference: a name, or a function of the recall level. The
    partial-recall measure is ``μ_i = gain(i, m) e(p_i)``; without a gain ``i · e(p_i)``, the precision at the i-th
    relevant document, and with uniform weights AP. One that does not fall with the rank, as ``μ_i = p_i``, is a search
    length (`rankdiff.measures.search_length`).

    >>> expected_partial().of([1, 3, math.inf]) == AP.of([1, 3, math.inf])
    True
    >>> expected_partial(lambda level: 1 / level, gain=found_alike).of([1, 4])  # (1 · 1 + 1/2 · 1/4) / (1 + 1/2)
    0.75
    """
    gained = found_level if gain is None else gain

    def normalization(level: Any, m: Any) -> FloatArray:
        weight, total = weigh_among(weights, np.asarray(level), np.asarray(m))
        return np.asarray(gained(level, m) * weight / total)

    return RecallLevelMeasure("NCP", exposure, normalization)


def search_efficiency(exposure: Exposure) -> RecallLevelMeasure:
    """Total search efficiency: the exposure of the last relevant document."""
    return RecallLevelMeasure("TSE", exposure, last_only)


@measure("TSE", range=(0, 1), citation="Diaz & Mitra 2023")
def total_search_efficiency(
    c: Collection, exposure: Literal["ap", "rr", "ndcg", "linear", "rbp"] = "ap", p: float = 0.8, rel: float = 1
) -> FloatArray:
    """The exposure of the last relevant document, ``TSE_e = e(p_m)``; 0 where it was not retrieved.

    It is what the worst-off reader gets, one who needs just the document that stands lowest. ``exposure``: ``ap`` or
    ``rr`` (1/i), ``ndcg`` (1/log2(i+1)), ``rbp`` ((1−p)p^(i−1)), ``linear`` (1 − i/n, which needs a corpus size).
    All order the rankings of a query alike.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 9, "x": 8, "y": 7, "b": 6}}})
    >>> c.measure("TSE", "TSE(exposure='rbp', p=0.5)").values.ravel()
    array([0.25  , 0.0625])
    """
    return search_efficiency(exposure_named(exposure, p))(c, rel)


@measure("NCP", range=(0, 1), citation="Sakai & Robertson 2008; Diaz & Ferraro 2022, Section 3.2")
def normalized_cumulative_precision(
    c: Collection,
    weights: Weights = "uniform",
    partial: Literal["precision", "reciprocal"] = "precision",
    rel: float = 1,
) -> FloatArray:
    """What a reader gets on average who wants i relevant documents and stops there: ``Σ_i p(i) μ_i``.

    ``partial``: ``precision`` is ``μ_i = i / p_i``, ``reciprocal`` is ``1 / p_i`` (RR at recall level i). ``weights``:
    ``uniform`` (then NCP of precision is AP), ``dcg`` (p(i) ∝ 1/log2(i+1)), ``inverse`` (p(i) ∝ 1/i), numbers level by
    level, in Python also any function of the recall level. A level that was not reached adds 0.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 9, "x": 8, "y": 7, "b": 6}}})
    >>> c.measure("NCP", "NCP(weights='inverse')").values.ravel()  # (1 + 2/4)/2; (1·1 + 1/2·2/4)/(1 + 1/2)
    array([0.75      , 0.83333333])
    >>> c.measure("NCP(partial='reciprocal')").values.ravel()  # (1 + 1/4)/2
    array([0.625])
    """
    return expected_partial(weights, partial_gain(partial))(c, rel)


def partial_gain(partial: str) -> Normalization:
    """The gain of a partial-recall measure: i for ``precision``, 1 for ``reciprocal``."""
    known = {"precision": found_level, "reciprocal": found_alike}
    if partial not in known:
        raise UnknownNameError("partial-recall measure", partial, known)
    return known[partial]
