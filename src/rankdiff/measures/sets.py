"""Measures of what was returned, whatever its order: set precision and recall, utility, counts."""

from __future__ import annotations

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import FloatArray
from rankdiff.measures.definition import measure

BUCKLEY_VOORHEES = "Buckley & Voorhees 2005, Retrieval System Evaluation"


@measure("SetP", range=(0, 1), trec_eval="set_P", citation="Cleverdon 1967")
def set_precision(c: Collection, rel: float = 1, relative: bool = False) -> FloatArray:
    """The share of relevant documents among all that were returned; 0 where none was.

    ``relative=True`` divides by the best possible, as `SetRelP`.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1}}, {"run": {"q": {"x": 2, "a": 1}}})
    >>> c.measure("SetP")["SetP"], c.measure("SetP(relative=True)").values
    (array([[0.5]]), array([[[1.]]]))
    """
    best = np.minimum(c.depth, c.relevant(rel).size) if relative else c.depth
    return c.hits(rel).count / np.maximum(best, 1)


@measure("SetRelP", range=(0, 1), trec_eval="set_relative_P", citation=BUCKLEY_VOORHEES)
def relative_set_precision(c: Collection, rel: float = 1) -> FloatArray:
    """The relevant documents returned, over as many as a set of that size can hold: ``k / min(ñ, m)``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1}}, {"run": {"q": {"x": 2, "a": 1}}})
    >>> c.measure("SetRelP")["SetRelP"]
    array([[1.]])
    """
    return set_precision.function(c, rel, relative=True)


@measure("SetR", range=(0, 1), trec_eval="set_recall", citation="Cleverdon 1967")
def set_recall(c: Collection, rel: float = 1) -> FloatArray:
    """The share of the relevant documents that was returned.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 2, "a": 1}}})
    >>> c.measure("SetR")["SetR"]
    array([[0.5]])
    """
    return c.hits(rel).count / c.relevant(rel).size


@measure("SetAP", range=(0, 1), trec_eval="set_map", citation=BUCKLEY_VOORHEES)
def set_average_precision(c: Collection, rel: float = 1) -> FloatArray:
    """Set precision times set recall: AP if the relevant documents were spread evenly, ``k² / (ñ m)``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 2, "a": 1}}})
    >>> c.measure("SetAP")["SetAP"]
    array([[0.25]])
    """
    found = c.hits(rel).count
    product: FloatArray = found * found / np.maximum(c.depth * c.relevant(rel).size, 1)
    return product


@measure("SetF", range=(0, 1), trec_eval="set_F", aliases=("set_F_{beta}",), citation="van Rijsbergen 1979")
def set_f(c: Collection, rel: float = 1, beta: float = 1.0) -> FloatArray:
    """The weighted harmonic mean of set precision and set recall: ``(β + 1) P R / (β P + R)``.

    ``beta`` stands as it is, as in trec_eval's set_F and ir_measures; the textbook's F_β is ``SetF(beta=β²)``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 4, "b": 3, "x": 2, "y": 1}}})
    >>> c.measure("SetF(beta=2)").values  # P = 1/2, R = 1: 3 · 1/2 / (1 + 1)
    array([[[0.75]]])
    """
    p, r = set_precision.function(c, rel), set_recall.function(c, rel)
    return np.where(p > 0, (beta + 1) * p * r / (beta * p + r), 0.0)


@measure("utility", range=(-np.inf, np.inf), trec_eval="utility", no_relevant="computed", citation=BUCKLEY_VOORHEES)
def utility(
    collection: Collection, *, a: float = 1.0, b: float = -1.0, c: float = 0.0, d: float = 0.0, rel: float = 1
) -> FloatArray:
    """A worth for each kind of document: relevant and returned ``a``, not relevant but returned ``b``, relevant
    but not returned ``c``, neither ``d``.

    ``d`` asks for the size of the corpus (``corpus_size``, trec_eval's ``-N``).

    >>> import rankdiff as rd
    >>> collection = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "y": 1}}}, corpus_size=10)
    >>> collection.measure("utility").values, collection.measure("utility(c=-2, d=0.5)").values  # 1 - 2 - 2 + 6/2
    (array([[[-1.]]]), array([[[0.]]]))
    """
    found, m, returned = collection.hits(rel).count, collection.relevant(rel).size, collection.depth
    worth = a * found + b * (returned - found) + c * (m - found)
    neither = collection.n(rel) + found - returned - m if d else 0
    return np.asarray(worth + d * neither)


@measure("NumQ", range=(0, np.inf), trec_eval="num_q", aggregate="sum", no_relevant="computed", citation="trec_eval")
def number_of_queries(c: Collection) -> FloatArray:
    """1 for every query that counts; the number for a run is the sum.

    >>> import rankdiff as rd
    >>> c = rd.align({"1": {"a": 1}, "2": {"a": 1}}, {"run": {"1": {"a": 1}}}, missing="skip")
    >>> c.measure("NumQ").summary()
    array([[1.]])
    """
    return np.ones(c.depth.shape)


@measure(
    "NumRet", range=(0, np.inf), trec_eval="num_ret", aggregate="sum", no_relevant="computed", citation="trec_eval"
)
def number_returned(c: Collection, rel: float | None = None) -> FloatArray:
    """How many documents were returned; with ``rel``, how many of that grade or more. A run's number is the sum.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 2, "b": 1}}, {"run": {"q": {"a": 3, "b": 2, "x": 1}}})
    >>> c.measure("NumRet")["NumRet"], c.measure("NumRet(rel=2)").values
    (array([[3.]]), array([[[1.]]]))
    """
    return (c.depth if rel is None else c.hits(rel).count).astype(np.float64)


@measure(
    "NumRel", range=(0, np.inf), trec_eval="num_rel", aggregate="sum", no_relevant="computed", citation="trec_eval"
)
def number_relevant(c: Collection, rel: float = 1) -> FloatArray:
    """How many relevant documents there are; the number for a run is the sum over the queries that count.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 2, "b": 1}}, {"run": {"q": {"a": 3, "x": 1}}})
    >>> c.measure("NumRel")["NumRel"]
    array([[2.]])
    """
    return np.broadcast_to(c.relevant(rel).size, c.depth.shape)


@measure(
    "NumRelRet",
    range=(0, np.inf),
    trec_eval="num_rel_ret",
    aggregate="sum",
    no_relevant="computed",
    citation="trec_eval",
)
def number_relevant_returned(c: Collection, rel: float = 1) -> FloatArray:
    """How many relevant documents were returned; the number for a run is the sum.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 2, "b": 1}}, {"run": {"q": {"a": 3, "x": 1}}})
    >>> c.measure("NumRelRet")["NumRelRet"]
    array([[1.]])
    """
    return c.hits(rel).count.astype(np.float64)
