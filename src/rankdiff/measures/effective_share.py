"""Which documents a mean of precisions really averages: the effective share, and the values it swaps in.

A mean of precisions is a mean of search lengths (1/precision) in which each is weighted by its own inverse, so that
the deep documents hardly count.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import FloatArray, Hits
from rankdiff.measures.definition import measure

SAME = 1e-12
"""Relative difference below which two distances are equal: rounding decides nothing."""


def _effective_counts(hits: Hits, lengths: FloatArray, target: FloatArray) -> FloatArray:
    """How many of the shortest search lengths have the mean nearest to the target, for each ranking; 0 without hits."""
    order = np.lexsort((lengths, hits.ranking))
    mean = hits.running(lengths[order]) / hits.level
    goal = target.ravel()[hits.ranking]
    distance = np.abs(mean - goal)
    least = np.full(target.size, np.inf)
    np.minimum.at(least, hits.ranking, distance)
    nearest = np.flatnonzero(distance <= least[hits.ranking] + SAME * goal)[::-1]
    count = np.zeros(target.size)
    count[hits.ranking[nearest]] = hits.level[nearest]
    return count.reshape(target.shape)


@measure("EffectiveShare", range=(0, 1), no_relevant="undefined", citation="Alex, Hall & Metzler 2022, Appendix A.1")
def effective_share(c: Collection, rel: float = 1) -> FloatArray:
    """The share of relevant documents that AP, a mean of precisions, effectively averages.

    With the search lengths ``SL = rank / (relevant at or above)`` of the retrieved relevant documents, ascending: the
    share ``j/m`` for the ``j`` whose first ``j`` have the mean nearest to ``1/AP`` (the smaller on a tie). Without a
    value where AP = 0.

    >>> import rankdiff as rd
    >>> run = {d: 9 - i for i, d in enumerate(["a", "x", "y", "b"])}
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": run}})
    >>> c.measure("EffectiveShare").values  # SL 1, 2; 1/AP = 4/3; means 1 and 3/2: the second is nearer
    array([[[1.]]])
    """
    hits, m = c.hits(rel), c.relevant(rel).size
    target = m / hits.sum(hits.level / hits.rank)
    share = _effective_counts(hits, hits.rank / hits.level, target) / m
    return np.where(hits.count > 0, share, np.nan)


def effective_count(lengths: Sequence[float]) -> int:
    """How many of some search lengths a mean of their inverses effectively averages.

    >>> effective_count([1, 1, 1, 2, 4, 5, 10, 10000, 10000])  # the appendix's example
    6
    """
    given = np.asarray(lengths, np.float64)
    hits = Hits(np.array([[len(given)]]), *(np.arange(n, len(given) + n, dtype=np.int32) for n in (1, 0)))
    return int(_effective_counts(hits, given, np.array([[len(given) / np.sum(1 / given)]]))[0, 0])


def swapped_lengths(lengths: Sequence[float]) -> FloatArray:
    """Search lengths whose plain mean is the one that a mean of precisions takes: ``1 + (SL − 1)·w/mean(w)``, w = 1/SL.

    >>> swapped_lengths([1, 1, 1, 2, 4, 5, 10, 10000, 10000]).round(1).tolist()
    [1.0, 1.0, 1.0, 2.1, 2.7, 2.8, 3.0, 3.2, 3.2]
    """
    given = np.asarray(lengths, np.float64)
    weight = 1 / given
    swapped: FloatArray = 1 + (given - 1) * weight / weight.mean()
    return swapped
