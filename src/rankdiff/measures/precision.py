"""Measures of the ranks of the relevant documents: precision, recall, average precision, reciprocal rank."""

from __future__ import annotations

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import FloatArray
from rankdiff.measures.definition import measure

BUCKLEY_VOORHEES = "Buckley & Voorhees 2005, Retrieval System Evaluation"


@measure("AP", range=(0, 1), trec_eval=("map", "map_cut_{k}"), aliases=("MAP",), citation="Harman 1992")
def average_precision(c: Collection, rel: float = 1, k: int | None = None) -> FloatArray:
    """The mean over all relevant documents of the precision at their ranks; 0 for one not retrieved.

    ``AP = 1/m Σ_i i / p_i``. With a cutoff, documents below it count as not retrieved; ``m`` stays all of them.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 4, "x": 3, "y": 2, "b": 1}}})
    >>> c.measure("AP")["AP"]  # (1/1 + 2/4) / 2
    array([[0.75]])
    """
    hits = c.hits(rel).top(k)
    return hits.sum(hits.level / hits.rank) / c.relevant(rel).size


@measure("gm_map", range=(0, 1), trec_eval="gm_map", aggregate="geometric", citation="Robertson 2006, On GMAP")
def geometric_average_precision(c: Collection, rel: float = 1) -> FloatArray:
    """AP, but the number for a run is the geometric mean over queries, which weighs the hard ones more.

    ``exp(mean log max(AP, 1e-5))``: a query without a hit counts as 1e-5.

    >>> import rankdiff as rd
    >>> c = rd.align({"1": {"a": 1}, "2": {"a": 1}}, {"run": {"1": {"a": 1}, "2": {"x": 4, "y": 3, "z": 2, "a": 1}}})
    >>> float(c.measure("gm_map").summary()[0, 0])  # √(1 · 1/4)
    0.5
    """
    return average_precision.function(c, rel)


@measure(
    "yaap",
    range=(-np.inf, np.inf),
    trec_eval="yaap",
    no_relevant="computed",
    citation="Robertson 2012, On Smoothing Average Precision",
)
def smoothed_log_odds(c: Collection, rel: float = 1) -> FloatArray:
    """AP as smoothed log-odds, so that differences near 0 and near 1 count as much as their odds say.

    ``log((1 + s) / (1 + m - s))`` with ``s = m · AP``; 0 for a query without a relevant document.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 2}}})
    >>> c.measure("yaap")["yaap"]  # log((1 + 1) / (1 + 2 - 1))
    array([[0.]])
    """
    hits = c.hits(rel)
    found = hits.sum(hits.level / hits.rank)
    return np.log((1 + found) / (1 + c.relevant(rel).size - found))


@measure("RR", range=(0, 1), trec_eval="recip_rank", aliases=("MRR",), citation="Kantor & Voorhees 2000")
def reciprocal_rank(c: Collection, rel: float = 1, k: int | None = None) -> FloatArray:
    """One over the rank of the first relevant document: ``RR = 1 / p_1``, 0 where none is retrieved.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 3, "a": 2, "b": 1}}})
    >>> c.measure("RR")["RR"], c.measure("RR@1")["RR@1"]
    (array([[0.5]]), array([[0.]]))
    """
    first = c.hits(rel).top(k).first()
    return first.sum(1 / first.rank)


@measure("P", range=(0, 1), trec_eval="P_{k}", aliases=("Precision",), citation="Cleverdon 1967")
def precision(c: Collection, k: int, rel: float = 1) -> FloatArray:
    """The share of relevant documents among the first ``k``, which count as ``k`` even where fewer are returned.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}})
    >>> c.measure("P@2")["P@2"], c.measure("P@4")["P@4"]
    (array([[0.5]]), array([[0.5]]))
    """
    return c.hits(rel).top(k).count / k


@measure("relative_P", range=(0, 1), trec_eval="relative_P_{k}", citation=BUCKLEY_VOORHEES)
def relative_precision(c: Collection, k: int, rel: float = 1) -> FloatArray:
    """Precision at ``k`` over the best that any ranking can have there: ``hits / min(k, m)``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2}}})
    >>> c.measure("relative_P@10")["relative_P@10"]
    array([[0.5]])
    """
    return c.hits(rel).top(k).count / np.minimum(k, c.relevant(rel).size)


@measure("R", range=(0, 1), trec_eval="recall_{k}", aliases=("Recall",), citation="Cleverdon 1967")
def recall(c: Collection, k: int, rel: float = 1) -> FloatArray:
    """The share of the relevant documents that stand among the first ``k``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}})
    >>> c.measure("R@2")["R@2"], c.measure("R@3")["R@3"]
    (array([[0.5]]), array([[1.]]))
    """
    return c.hits(rel).top(k).count / c.relevant(rel).size


@measure("Success", range=(0, 1), trec_eval="success_{k}", citation="Craswell & Hawking 2004 (TREC Web track)")
def success(c: Collection, k: int, rel: float = 1) -> FloatArray:
    """1 if any of the first ``k`` documents is relevant, else 0.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1}}, {"run": {"q": {"x": 2, "a": 1}}})
    >>> c.measure("Success@1")["Success@1"], c.measure("Success@5")["Success@5"]
    (array([[0.]]), array([[1.]]))
    """
    return (c.hits(rel).top(k).count > 0).astype(np.float64)


@measure("Rprec", range=(0, 1), trec_eval="Rprec", aliases=("RPrec",), citation=BUCKLEY_VOORHEES)
def r_precision(c: Collection, rel: float = 1) -> FloatArray:
    """Precision (and recall) at rank ``m``, the number of relevant documents.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}})
    >>> c.measure("Rprec")["Rprec"]
    array([[0.5]])
    """
    relevant, hits = c.relevant(rel), c.hits(rel)
    return hits.down_to(relevant.size).count / relevant.size


@measure("Rprec_mult", range=(0, 1), trec_eval="Rprec_mult_{k:.2f}", citation=BUCKLEY_VOORHEES)
def precision_at_multiples(c: Collection, k: float, rel: float = 1) -> FloatArray:
    """Precision at a multiple of ``m``, the number of relevant documents: at rank ``⌊k·m + 0.9⌋``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}})
    >>> c.measure("Rprec_mult@0.5")["Rprec_mult@0.5"], c.measure("Rprec_mult@2")["Rprec_mult@2"]
    (array([[1.]]), array([[0.5]]))
    """
    hits = c.hits(rel)
    last = (k * c.relevant(rel).size + 0.9).astype(np.int64)
    return hits.down_to(last).count / np.maximum(last, 1)
