"""Measures for incomplete judgments: what the judged documents alone say, and how much is not judged.

A document of negative grade was pooled but not judged; one without a grade was not even pooled.
"""

from __future__ import annotations

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import FloatArray, Hits
from rankdiff.measures.definition import measure

SMOOTHING = 1e-5
"""The ε of inferred AP, as trec_eval has it."""


def _judged(c: Collection) -> Hits:
    """The documents retrieved that were judged, relevant or not."""
    hits = c.judged_hits()
    return c._once("judged, not only pooled", lambda: hits.where(c.grade[hits.column] >= 0))


@measure("Bpref", range=(0, 1), trec_eval="bpref", aliases=("BPref",), citation="Buckley & Voorhees 2004")
def binary_preference(c: Collection, rel: float = 1) -> FloatArray:
    """The share of judged pairs, relevant against one of the first ``m`` non-relevant, that are in the right order.

    ``1/m Σ_d 1 - min(m, non-relevant above d) / min(m, N)`` over the relevant documents retrieved, ``N`` of the
    judged documents being non-relevant. Documents that were not judged play no part.

    >>> import rankdiff as rd
    >>> qrels = {"q": {"a": 1, "b": 1, "y": 0, "z": 0}}
    >>> c = rd.align(qrels, {"run": {"q": {"u": 5, "a": 4, "y": 3, "b": 2}}})
    >>> c.measure("Bpref")["Bpref"]  # (1 + (1 - 1/2)) / 2
    array([[0.75]])
    """
    judged, m = _judged(c), c.relevant(rel).size
    grade = c.grade[judged.column]
    nonrelevant = c._once_judged(("non-relevant", rel), lambda: c.population((c.grade >= 0) & (c.grade < rel)).size)
    above, query = judged.running(grade < rel), judged.group
    lost = np.minimum(above, m[query]) / np.minimum(nonrelevant, m)[query]
    return judged.sum(np.where(grade >= rel, 1 - np.where(above > 0, lost, 0), 0)) / m


@measure("gm_bpref", range=(0, 1), trec_eval="gm_bpref", aggregate="geometric", citation="Buckley & Voorhees 2004")
def geometric_binary_preference(c: Collection, rel: float = 1) -> FloatArray:
    """Bpref, but the number for a run is the geometric mean over queries: ``exp(mean log max(Bpref, 1e-5))``.

    >>> import rankdiff as rd
    >>> c = rd.align({"1": {"a": 1}, "2": {"a": 1}}, {"run": {"1": {"a": 1}, "2": {"x": 1}}})
    >>> print(f'{c.measure("gm_bpref").summary()[0, 0]:.6f}')  # √(1 · 1e-5)
    0.003162
    """
    return binary_preference.function(c, rel)


@measure("infAP", range=(0, 1), trec_eval="infAP", citation="Yilmaz & Aslam 2006")
def inferred_average_precision(c: Collection, rel: float = 1) -> FloatArray:
    """AP as a sample of judgments lets one infer it.

    The precision at a relevant document of rank ``r`` is taken to be ``1/r + (r-1)/r · (pooled above)/(r-1) ·
    (relevant above + ε)/(judged above + 2ε)``: documents outside the pool count as non-relevant, pooled ones
    without a judgment as relevant as those that have one.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "x": 0}}, {"run": {"q": {"x": 2, "a": 1}}})
    >>> print(f'{c.measure("infAP")["infAP"][0, 0]:.4f}')  # 1/2 + 1/2 · 1/1 · ε/(1 + 2ε)
    0.5000
    """
    pooled = c.judged_hits()
    grade = c.grade[pooled.column]
    relevant = grade >= rel
    rel_above = pooled.running(relevant) - relevant
    nonrel_above = pooled.running((grade >= 0) & ~relevant)
    before = pooled.rank - 1
    share_pooled = (pooled.level - 1) / before
    share_relevant = (rel_above + SMOOTHING) / (rel_above + nonrel_above + 2 * SMOOTHING)
    precision = 1 / pooled.rank + (before / pooled.rank) * share_pooled * share_relevant
    return pooled.sum(np.where(relevant, np.where(before == 0, 1.0, precision), 0.0)) / c.relevant(rel).size


@measure("Judged", range=(0, 1), no_relevant="computed", citation="MacAvaney et al. 2022, ir_measures")
def judged_share(c: Collection, k: int | None = None) -> FloatArray:
    """The share of judged documents among the first ``k``, or among as many as were returned; 0 where none was.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 0, "c": -1}}, {"run": {"q": {"a": 4, "x": 3, "b": 2, "c": 1}}})
    >>> c.measure("Judged@2")["Judged@2"], c.measure("Judged@10")["Judged@10"]
    (array([[0.5]]), array([[0.5]]))
    """
    shown = c.depth if k is None else np.minimum(c.depth, k)
    return _judged(c).top(k).count / np.maximum(shown, 1)


@measure(
    "unj",
    range=(0, 1),
    higher_is_better=False,
    trec_eval="unj_{k}",
    no_relevant="computed",
    citation="trec_eval 10",
)
def unjudged_share(c: Collection, k: int) -> FloatArray:
    """How many of the first ``k`` were not judged, over ``k`` even where fewer are returned.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 0, "c": -1}}, {"run": {"q": {"a": 4, "x": 3, "b": 2, "c": 1}}})
    >>> c.measure("unj@5")["unj@5"]  # x and c
    array([[0.4]])
    """
    return (np.minimum(c.depth, k) - _judged(c).top(k).count) / k


@measure(
    "num_nonrel_judged_ret",
    range=(0, np.inf),
    higher_is_better=False,
    trec_eval="num_nonrel_judged_ret",
    aggregate="sum",
    no_relevant="computed",
    citation="trec_eval",
)
def number_nonrelevant_judged_returned(c: Collection, rel: float = 1) -> FloatArray:
    """How many returned documents were judged non-relevant; the number for a run is the sum.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 0, "c": -1}}, {"run": {"q": {"a": 4, "x": 3, "b": 2, "c": 1}}})
    >>> c.measure("num_nonrel_judged_ret").values
    array([[[1.]]])
    """
    judged = _judged(c)
    return judged.where(c.grade[judged.column] < rel).count.astype(np.float64)
