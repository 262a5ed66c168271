"""Search lengths: how far down a reader has to go for the first, the i-th, the last relevant document.

A relevant document that a run did not retrieve stands at the very end of the corpus (pessimistic imputation), so
these measures need a corpus size: ``pool=True`` or ``corpus_size``. Lower is better; a query without a relevant
document has no value.
"""

from __future__ import annotations

import math

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures.definition import measure
from rankdiff.measures.levels import imputed_positions, level_position, sum_levels


@measure("ISL", range=(1, math.inf), higher_is_better=False, citation="Cooper 1968; Diaz & Ferraro 2022")
def initial_search_length(c: Collection, rel: float = 1) -> FloatArray:
    """The rank of the first relevant document: ``ISL = p_1``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 3, "a": 2}}}, corpus_size=10)
    >>> c.measure("ISL")["ISL"]
    array([[2.]])
    """
    return level_position(c, rel, np.ones_like(c.relevant(rel).size))


@measure("TSL", range=(1, math.inf), higher_is_better=False, citation="Cooper 1968; Diaz & Ferraro 2022")
def total_search_length(c: Collection, rel: float = 1) -> FloatArray:
    """The rank of the last relevant document: ``TSL = p_m``, the corpus size where one is missing.

    >>> import rankdiff as rd
    >>> runs = {"both": {"q": {"x": 3, "a": 2, "b": 1}}, "one": {"q": {"a": 1}}}
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, runs, corpus_size=10)
    >>> c.measure("TSL")["TSL"].ravel()
    array([ 3., 10.])
    """
    return level_position(c, rel, c.relevant(rel).size)


@measure("SL2", range=(0, math.inf), higher_is_better=False, citation="Cooper 1968")
def search_length_2(c: Collection, i: int, rel: float = 1) -> FloatArray:
    """Non-relevant documents above the i-th relevant one, Cooper's type 2: ``SL2(i) = p_i − i``.

    It has no value for queries with fewer than ``i`` relevant documents.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 3, "a": 2, "b": 1}}}, corpus_size=10)
    >>> c.measure("SL2(i=2)", "SL2(i=3)").values.ravel()
    array([ 1., nan])
    """
    if i < 1:
        raise UsageError(f"SL2(i={i}): recall levels begin at 1, as in SL2(i=3)")
    return level_position(c, rel, np.full_like(c.relevant(rel).size, i)) - i


@measure("SL3", range=(0, math.inf), higher_is_better=False, citation="Cooper 1968")
def search_length_3(c: Collection, rel: float = 1) -> FloatArray:
    """Non-relevant documents above the last relevant one, Cooper's type 3: ``SL3 = p_m − m``; 0 is perfect.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 3, "a": 2, "b": 1}}}, corpus_size=10)
    >>> c.measure("SL3")["SL3"]
    array([[1.]])
    """
    m = c.relevant(rel).size
    return level_position(c, rel, m) - m


@measure("AverageRank", range=(1, math.inf), higher_is_better=False, citation="Rocchio 1964; Diaz & Ferraro 2022")
def average_rank(c: Collection, rel: float = 1) -> FloatArray:
    """The mean rank of the relevant documents, ``1/m Σ_i p_i``.

    The paper on recall-paired preference calls it average search length (ASL); here that is the name of atomized
    search length.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 3, "a": 2, "b": 1}}}, corpus_size=10)
    >>> c.measure("AverageRank")["AverageRank"]
    array([[2.5]])
    """
    relevant = c.relevant(rel)
    return sum_levels(imputed_positions(c, rel), relevant) / relevant.size


@measure("RecallError", range=(0, math.inf), higher_is_better=False, citation="Rocchio 1964")
def recall_error(c: Collection, rel: float = 1) -> FloatArray:
    """How much deeper the relevant documents stand on average than at best: ``1/m Σ_i p_i − (m + 1)/2``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 3, "a": 2, "b": 1}}}, corpus_size=10)
    >>> c.measure("RecallError")["RecallError"]
    array([[1.]])
    """
    relevant = c.relevant(rel)
    return sum_levels(imputed_positions(c, rel), relevant) / relevant.size - (relevant.size + 1) / 2
