"""How probable it is that two rankings drawn at random tie: closed forms, for corpora of a million documents too.

Rankings of a corpus of ``n`` documents place ``m`` relevant ones at random. Nothing here computes a binomial
coefficient: probabilities are ratios of neighbors, multiplied up as logarithms and divided by their own sum, so that
nothing overflows and nothing becomes 0/0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import FloatArray

Counts = int | Sequence[int] | NDArray[np.integer[Any]]


def tie_probability(
    measure: str, *, n: Counts, m: Counts, first: Counts | None = None, k: Counts = 1000, log: bool = False
) -> Any:
    """The probability that two random rankings of ``n`` documents, ``m`` of them relevant, tie.

    - ``"RR"``: with a ranking whose first relevant document stands at rank ``first``,
      ``C(n − first, m − 1) / C(n, m)``; without ``first``, both rankings are random
    - ``"TSE"``: ``C(n, m)⁻² Σ_{i=m..n} C(i − 1, m − 1)²``, whatever the exposure
    - ``"R"``: recall at ``k``, ``C(n, m)⁻² Σ_i C(k, i)² C(n − k, m − i)²``
    - ``"RP"``: R-precision, the same with ``k = m``
    - ``"LR"``: lexirecall (and lexiprecision), ``1 / C(n, m)``

    ``n``, ``m``, ``first`` and ``k`` may be arrays, which are broadcast. ``log`` gives natural logarithms, which
    stay finite where a probability is too small for a float. Diaz & Mitra 2023, Section 5.3; Diaz 2023, Section 2.

    >>> tie_probability("RR", n=4, m=2, first=1), tie_probability("LR", n=4, m=2)  # 3 and 1 of 6 rankings
    (0.5, 0.16666666666666669)
    >>> round(tie_probability("TSE", n=4, m=2), 12)  # p_2 is 2, 3, 4 in 1, 2, 3 of 6 rankings: (1 + 4 + 9)/36
    0.388888888889
    >>> tie_probability("R", n=10**6, m=[5, 10]).round(6).tolist()
    [0.99007, 0.980287]
    >>> tie_probability("LR", n=10**6, m=1000), round(tie_probability("LR", n=10**6, m=1000, log=True), 6)
    (0.0, -7902.882713)
    """
    forms: dict[str, Callable[[int, int], float]] = {"TSE": _last, "RR": _last, "RP": _r_precision, "LR": _lexical}
    if measure not in {*forms, "R"}:
        raise UnknownNameError("closed form", measure, [*forms, "R"])
    _check(n=n, m=m, k=k, first=1 if first is None else first)
    if np.any(np.asarray(m) > np.asarray(n)):
        raise UsageError("there cannot be more relevant documents (m) than documents (n)")
    if measure == "R":
        found = np.vectorize(_recall, otypes=[float])(n, m, k)
    elif measure == "RR" and first is not None:
        found = _first(*map(np.asarray, (n, m, first)))
    else:
        found = np.vectorize(forms[measure], otypes=[float])(n, m)
    values = found if log else np.exp(found)
    return values if values.ndim else float(values)


def _check(**counts: Counts) -> None:
    for name, value in counts.items():
        given = np.asarray(value)
        if np.any(given < 1) or np.any(given != np.floor(given)):
            raise UsageError(f"{name} must be a whole number of at least 1, not {value}")


def _total(logarithms: FloatArray) -> float:
    """The logarithm of a sum of numbers that are given by their logarithms."""
    largest = logarithms.max()
    return float(largest + np.log(np.exp(logarithms - largest).sum()))


def _collision(ratios: FloatArray) -> float:
    """The log probability that two draws agree, from the ratios of each outcome's probability to the one before."""
    weights = np.concatenate([[0.0], np.cumsum(np.log(ratios))])
    return _total(2 * weights) - 2 * _total(weights)


def _last(n: int, m: int) -> float:
    """Of the last relevant document's ranks m … n (and, mirrored, of the first one's)."""
    before = np.arange(m, n, dtype=np.float64)
    return _collision(before / (before - m + 1))


def _recall(n: int, m: int, k: int) -> float:
    """Of the number of relevant documents down to rank ``k``: hypergeometric."""
    depth = min(k, n)
    found = np.arange(max(0, m - (n - depth)), min(depth, m), dtype=np.float64)
    return _collision((depth - found) * (m - found) / ((found + 1) * (n - depth - m + found + 1)))


def _r_precision(n: int, m: int) -> float:
    return _recall(n, m, m)


def _lexical(n: int, m: int) -> float:
    """Of the positions of all relevant documents."""
    fewer = np.arange(min(m, n - m), dtype=np.float64)
    return float(np.sum(np.log((len(fewer) - fewer) / (n - fewer))))


def _first(n: NDArray[Any], m: NDArray[Any], first: NDArray[Any]) -> FloatArray:
    """Of one given rank of the first relevant document: ``m/n`` at rank 1, and smaller by a factor a rank."""
    logarithms = np.full(np.broadcast_shapes(n.shape, m.shape, first.shape), -np.inf)
    n, m, first = np.broadcast_arrays(n, m, first)
    for size, relevant in np.unique(np.stack([n.ravel(), m.ravel()]), axis=1).T:
        above = np.arange(1, min(size - relevant + 1, first.max()), dtype=np.float64)
        falling = np.log(relevant / size) + np.cumsum(np.log1p(-(relevant - 1) / (size - above)))
        by_rank = np.concatenate([[np.log(relevant / size)], falling])
        chosen = (n == size) & (m == relevant) & (first <= len(by_rank))
        logarithms[chosen] = by_rank[first[chosen] - 1]
    return logarithms
