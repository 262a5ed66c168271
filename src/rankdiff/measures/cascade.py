"""Measures of a reader who goes down the ranking and stops at some point: rank-biased precision, ERR."""

from __future__ import annotations

import numpy as np

from rankdiff.collection import Collection
from rankdiff.declaration import ANY_POSITIVE
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, Hits
from rankdiff.measures.definition import measure

MOFFAT_ZOBEL = "Moffat & Zobel 2008"


def _persistence(p: float, hits: Hits) -> FloatArray:
    """The chance ``p^(rank - 1)`` that a reader comes to each hit, multiplied up as a loop would."""
    if not 0 <= p < 1:
        raise UsageError(f"the persistence p must be at least 0 and below 1, not {p:g}")
    arrives = np.full(int(hits.rank.max(initial=1)), p)
    arrives[0] = 1.0
    return np.cumprod(arrives)[hits.rank - 1]


@measure("RBP", range=(0, 1), citation=MOFFAT_ZOBEL)
def rank_biased_precision(c: Collection, rel: float = 1, p: float = 0.8, k: int | None = None) -> FloatArray:
    """The rate at which a reader finds relevant documents who goes on from each with probability ``p``.

    ``(1 - p) Σ_i p^(p_i - 1)`` over the relevant documents, all worth the same (as in ir_measures). trec_eval's
    ``rbp``, with ``p = 0.9`` and graded, is a measure of its own.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}})
    >>> c.measure("RBP(p=0.5)").values  # 1/2 (1 + 1/4)
    array([[[0.625]]])
    """
    hits = c.hits(rel).top(k)
    return (1 - p) * hits.sum(_persistence(p, hits))


@measure("rbp", range=(0, 1), trec_eval="rbp", citation=MOFFAT_ZOBEL)
def graded_rank_biased_precision(c: Collection, p: float = 0.9) -> FloatArray:
    """Rank-biased precision as trec_eval defines it: a document gains its grade, over the largest grade of the
    query where that is above 1.

    ``(1 - p) Σ_d gain(d) p^(rank(d) - 1)``. (trec_eval 10 reads uninitialized memory here, so its value depends on
    what else is asked for; this is what it means.)

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 2}}, {"run": {"q": {"a": 3, "b": 2}}})
    >>> c.measure("rbp(p=0.5)").values  # 1/2 (1/2 + 1/2)
    array([[[0.5]]])
    """
    hits, positive = c.hits(ANY_POSITIVE), c.relevant(ANY_POSITIVE)
    largest = np.ones(len(c.queries))
    np.maximum.at(largest, positive.group, c.grade[positive.column])
    return (1 - p) * hits.sum(c.grade[hits.column] / hits.of_group(largest) * _persistence(p, hits))


@measure(
    "rbp_resid",
    range=(0, 1),
    higher_is_better=False,
    trec_eval="rbp_resid",
    no_relevant="computed",
    citation=MOFFAT_ZOBEL,
)
def rank_biased_residual(c: Collection, p: float = 0.9) -> FloatArray:
    """How much rank-biased precision could grow if all that was not judged were relevant.

    ``(1 - p) Σ p^(r - 1)`` over the ranks of documents that were not judged, plus ``p^ñ`` for what was not
    returned, if any was not judged, else 0.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 0}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}})
    >>> c.measure("rbp_resid(p=0.5)").values  # 1/2 · 1/2 + 1/8
    array([[[0.375]]])
    """
    hits = c.judged_hits()
    judged = hits.where(c.grade[hits.column] >= 0)
    beyond = p ** c.depth.astype(np.float64)
    unseen = (1 - beyond) - (1 - p) * judged.sum(_persistence(p, judged))
    return np.where(judged.count < c.depth, unseen + beyond, 0.0)


@measure("ERR", range=(0, 1), citation="Chapelle, Metzler, Zhang & Grinspan 2009")
def expected_reciprocal_rank(c: Collection, k: int | None = None, max_grade: float = 4) -> FloatArray:
    """The mean of one over the rank at which a reader stops, whom a document satisfies with a probability that
    grows with its grade.

    ``Σ_i R_i / p_i · Π_{j<i} (1 - R_j)`` with ``R = (2^grade - 1) / 2^max_grade``. The largest possible grade is 4,
    as in gdeval and ir_measures, whatever the largest grade in the judgments.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "b": 2}}})
    >>> c.measure("ERR(max_grade=1)").values  # 1/2 + 1/2 · 1/2 · 1/2
    array([[[0.625]]])
    """
    if len(c.grades) and c.grades[-1] > max_grade:
        raise UsageError(
            f"ERR takes {max_grade:g} to be the largest possible grade, but there is a grade of {c.grades[-1]:g}: "
            f"give ERR(max_grade={c.grades[-1]:g})"
        )
    hits = c.hits(ANY_POSITIVE).top(k)
    satisfied = (np.exp2(c.grade[hits.column]) - 1) / 2.0**max_grade
    goes_on = 1 - satisfied
    comes_to = hits.running(goes_on, np.multiply) / goes_on
    return hits.sum(comes_to * satisfied / hits.rank)
