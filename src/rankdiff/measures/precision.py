"""Measures of the relevant documents found: precision, recall, average precision, reciprocal rank, nDCG."""

from __future__ import annotations

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import FloatArray
from rankdiff.measures.definition import measure


@measure("AP", range=(0, 1), trec_eval=("map", "map_cut_{k}"), aliases=("MAP",), citation="Harman 1992")
def average_precision(c: Collection, rel: float = 1, k: int | None = None) -> FloatArray:
    """The mean over all relevant documents of the precision at their ranks; 0 for one not retrieved.

    ``AP = 1/m Σ_i i / p_i``
    """
    hits = c.hits(rel).top(k)
    return hits.sum(hits.level / hits.rank) / c.relevant(rel).size


@measure("RR", range=(0, 1), trec_eval="recip_rank", aliases=("MRR",), citation="Kantor & Voorhees 2000")
def reciprocal_rank(c: Collection, rel: float = 1, k: int | None = None) -> FloatArray:
    """One over the rank of the first relevant document: ``RR = 1 / p_1``, 0 where none is retrieved."""
    hits = c.hits(rel).top(k)
    return hits.sum((hits.level == 1) / hits.rank)


@measure("P", range=(0, 1), trec_eval="P_{k}", citation="Cleverdon 1967")
def precision(c: Collection, k: int, rel: float = 1) -> FloatArray:
    """The share of relevant documents among the first ``k``, which count as ``k`` even where fewer are returned."""
    return c.hits(rel).top(k).count / k


@measure("nDCG", range=(0, 1), trec_eval=("ndcg", "ndcg_cut_{k}"), citation="Järvelin & Kekäläinen 2002")
def ndcg(c: Collection, k: int | None = None) -> FloatArray:
    """Discounted cumulative gain over the best possible, the grades as gains.

    ``DCG = Σ_d grade(d) / log2(rank(d) + 1)``
    """
    hits = c.hits(1).top(k)
    return hits.sum(c.grade[hits.column] / np.log2(hits.rank + 1))
