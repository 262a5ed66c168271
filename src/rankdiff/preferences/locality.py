"""How well later recall levels predict the first: is what lexiprecision falls back on worth falling back on?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankdiff.collection import Collection
from rankdiff.preferences.comparisons import sign
from rankdiff.preferences.lexicographic import sort_rankings
from rankdiff.preferences.pairs import TransitiveSigns, find_ranks
from rankdiff.preferences.populations import everybody


@dataclass(frozen=True)
class MaskedAgreement:
    """Of the pairs of rankings that differ at the first recall level, the share in which the later levels agree.

    ``suffix``: lexiprecision over the levels from the second on; ``second``: the second level alone.
    """

    suffix: float
    second: float
    pairs: int


def masked_agreement(c: Collection, rel: float = 1) -> MaskedAgreement:
    """How often the later recall levels predict the sign of the first one's difference, were it masked.

    Over all pairs of runs and queries whose reciprocal ranks differ. A tie of the later levels is a disagreement,
    and so is a query with one relevant document, which has none (lexiprecision paper, Table 1).

    >>> from rankdiff.alignment import align
    >>> qrels = {"q": {"a": 1, "b": 1}}
    >>> c = align(qrels, {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"n": 3, "a": 2, "b": 1}}, "z": {"q": {"n": 1}}})
    >>> masked_agreement(c)
    MaskedAgreement(suffix=1.0, second=1.0, pairs=3)
    """
    relevant = everybody(c, rel)
    ranks = find_ranks(c, relevant)
    start = np.concatenate([[0], np.cumsum(np.maximum(relevant.size - 1, 0))])
    suffix = TransitiveSigns(sort_rankings(ranks[:, relevant.level > 1], start))
    has_first, has_second = relevant.size > 0, relevant.size > 1
    first, second = ranks[:, relevant.start[:-1][has_first]], ranks[:, relevant.start[:-1][has_second] + 1]
    differ = agree_suffix = agree_second = 0
    for run in range(len(c.systems)):
        others = np.arange(run + 1, len(c.systems))
        target = np.zeros((len(others), len(c.queries)))
        target[:, has_first] = sign(first[run], first[others])
        after = np.zeros(target.shape)
        after[:, has_second] = sign(second[run], second[others])
        counted = target != 0
        differ += int(counted.sum())
        agree_suffix += int(np.sum(counted & (suffix.against(run, others) == target)))
        agree_second += int(np.sum(counted & (after == target)))
    return MaskedAgreement(agree_suffix / max(differ, 1), agree_second / max(differ, 1), differ)
