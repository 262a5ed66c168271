"""Lexirecall and lexiprecision as numbers for one ranking.

The preferences compare two rankings at the last (first) recall level where they differ. Metric lexirecall and metric
lexiprecision give each ranking a number that orders rankings of one query in the same way. As floats they are the
papers'; floats run out of digits, so beside each stands the exact form: the integer rank of a ranking among all
``C(n, m)`` ways to place ``m`` relevant documents in a corpus of ``n``, 0 = worst.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures.definition import measure
from rankdiff.measures.levels import imputed_positions, sum_levels


@measure("LexiRecall", range=(0, 1), citation="Diaz & Mitra 2023, Section 7.3.2")
def lexirecall(c: Collection, epsilon: float = 0.5, rel: float = 1) -> FloatArray:
    """Metric lexirecall: a mean of ``(n − p_i)/n`` that puts nearly all weight on the last recall levels.

    ``Σ_i w_i (n − p_i)/n`` with ``Δ = 1/(n + ε)``, ``w_1 = (Δ/(1+Δ))^(m−1)``, ``w_i = Δ^(m−i) / (1+Δ)^(m+1−i)``. It
    needs a corpus size. Where ``n`` or ``m`` is large the differences it should show are lost in rounding; the
    preference sgnLR and `integer_ranks` have no such limit.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 2, "b": 1}}}, corpus_size=3)
    >>> c.measure("LexiRecall")["LexiRecall"]  # Δ = 2/7, w = 2/9 and 7/9: 2/9 · 2/3 + 7/9 · 1/3
    array([[0.40740741]])
    """
    if not 0 < epsilon < 1:
        raise UsageError(f"LexiRecall(epsilon={epsilon:g}): epsilon must lie between 0 and 1")
    relevant, n = c.relevant(rel), c.n(rel)[c.relevant(rel).group]
    step = 1 / (n + epsilon)
    fade = (step / (1 + step)) ** (relevant.size[relevant.group] - relevant.level)
    weight = np.where(relevant.level == 1, fade, fade / (1 + step))
    return sum_levels(weight * (n - imputed_positions(c, rel)) / n, relevant)


@measure("LexiPrecision", range=(0, 1), citation="Diaz 2023, Section 5")
def lexiprecision(c: Collection, rel: float = 1) -> FloatArray:
    """Metric lexiprecision: a ranking read as a binary fraction, ``Σ_i 2^(−p_i)``; a missed document adds 0.

    It is RBP with p = 1/2. Documents below rank 53 or so are lost in rounding; the preference sgnLP and
    `integer_ranks` see them.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}})
    >>> c.measure("LexiPrecision")["LexiPrecision"]  # 1/2 + 1/8
    array([[0.625]])
    """
    hits = c.hits(rel)
    return hits.sum(np.exp2(-hits.rank.astype(np.float64)))


def recall_rank(positions: Sequence[int], m: int, n: int) -> int:
    """The exact form of metric lexirecall: how many of the ``C(n, m)`` rankings are worse to lexirecall.

    ``C(n, m) − 1 − Σ_i C(p_i − 1, i)``; ``positions`` are the ranks of the relevant documents retrieved, the others
    stand at the end of the corpus. Their part of the sum telescopes, so that only the retrieved ones cost time.

    >>> [recall_rank(positions, 2, 3) for positions in ([1, 2], [1, 3], [2, 3])]
    [2, 1, 0]
    >>> recall_rank([2], 2, 3) == recall_rank([2, 3], 2, 3)
    True
    """
    k = len(positions)
    return comb(n - m + k, k) - 1 - sum(comb(p - 1, i) for i, p in enumerate(positions, 1))


def precision_rank(positions: Sequence[int], m: int, n: int) -> int:
    """The exact form of metric lexiprecision: how many of the ``C(n, m)`` rankings are worse to lexiprecision.

    ``Σ_i C(n − p_i, m + 1 − i)`` over the retrieved documents; one at the end of the corpus adds 0.

    >>> [precision_rank(positions, 2, 3) for positions in ([1, 2], [1, 3], [2, 3])]
    [2, 1, 0]
    """
    return sum(comb(n - p, m + 1 - i) for i, p in enumerate(positions, 1))


def integer_ranks(c: Collection, form: Literal["recall", "precision"], rel: float = 1) -> NDArray[Any]:
    """`recall_rank` or `precision_rank` of every ranking: Python integers, system × query; needs a corpus size.

    The best ranking of a query has ``C(n, m) − 1``, the worst 0, and the order is that of sgnLR or sgnLP, always.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 2, "b": 1}}}, corpus_size=1_000_000)
    >>> integer_ranks(c, "recall")
    array([[499999499999]], dtype=object)
    """
    rank_of = recall_rank if form == "recall" else precision_rank
    hits, m, n = c.hits(rel), c.relevant(rel).size.tolist(), c.n(rel).tolist()
    ends = np.cumsum(hits.count).reshape(hits.shape)
    ranks = np.empty(hits.shape, object)
    for system, query in np.ndindex(hits.shape):
        found = hits.rank[ends[system, query] - hits.count[system, query] : ends[system, query]]
        ranks[system, query] = rank_of(found.tolist(), m[query], n[query])
    return ranks
