"""Lexirecall and lexiprecision as places on a scale: how many of all possible rankings of a query are worse.

Both preferences order all ``C(n, m)`` ways to place m relevant documents in a corpus of n without a tie. A ranking's
place in that order, counted from 0, moves by one from each ranking to the next better one, so that equal differences
of it are equal numbers of rankings between. That is an interval scale of the rankings *of one query*. Divided by the
last place it runs from 0 to 1 for every query; but one step is then worth ``1/(C(n, m) − 1)``, which differs from
query to query, and a mean over queries weighs steps of different size.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures.definition import measure
from rankdiff.measures.lexicographic import integer_ranks

DIAZ_MITRA_2023 = "Diaz & Mitra 2023, Section 7 (an open question there)"


@measure("LexiRecallPlace", range=(0, 1), citation=DIAZ_MITRA_2023)
def lexirecall_place(c: Collection, scale: str = "linear", rel: float = 1) -> FloatArray:
    """The share of all possible rankings of the query that lexirecall finds worse; needs a corpus size.

    ``rank / (C(n, m) − 1)``, or with ``scale='log'`` ``log(1 + rank) / log C(n, m)``, the place in bits. The linear
    form is an interval scale within a query, and nearly 0 as soon as a relevant document is missed. The logarithmic
    form spreads the values, but is an ordinal scale only.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}}, corpus_size=4)
    >>> c.measure("LexiRecallPlace", "LexiRecallPlace(scale='log')").values.ravel()  # 4 of 5; log 5 / log 6
    array([0.8      , 0.8982444])
    """
    return _places(c, "recall", scale, rel)


@measure("LexiPrecisionPlace", range=(0, 1), citation=DIAZ_MITRA_2023)
def lexiprecision_place(c: Collection, scale: str = "linear", rel: float = 1) -> FloatArray:
    """The share of all possible rankings of the query that lexiprecision finds worse; needs a corpus size.

    As `LexiRecallPlace`, in the order of lexiprecision: nearly 1 for every ranking with a relevant document near the
    top of a large corpus, as most rankings have none there.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 3, "x": 2, "b": 1}}}, corpus_size=4)
    >>> c.measure("LexiPrecisionPlace").values.ravel()  # only 1, 2 is better: 4 of 5
    array([0.8])
    """
    return _places(c, "precision", scale, rel)


def _places(c: Collection, form: Literal["recall", "precision"], scale: str, rel: float) -> FloatArray:
    if scale not in ("linear", "log"):
        raise UsageError(f"scale must be 'linear' or 'log', not {scale!r}")
    last = [math.comb(n, m) - 1 for n, m in zip(c.n(rel).tolist(), c.relevant(rel).size.tolist(), strict=True)]
    ranks = integer_ranks(c, form, rel)
    places = np.ones(ranks.shape)
    for system, query in np.ndindex(ranks.shape):
        if last[query]:
            rank, best = ranks[system, query], last[query]
            places[system, query] = rank / best if scale == "linear" else math.log(1 + rank) / math.log(1 + best)
    return places
