"""The fewest topics without which a claim about the mean difference no longer holds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from rankdiff.hits import FloatArray, IntArray
from rankdiff.verdict.claims import Claim

ENUMERATED = 200_000
"""Up to so many subsets are tried one by one where nothing else decides."""

ROUNDING = 1e-12


@dataclass(frozen=True)
class Fewest:
    """A set of things that undoes a claim, and the number below which none does.

    ``chosen`` is None where no set was found. It is smallest for certain where it has ``at_least`` members.
    """

    chosen: tuple[int, ...] | None
    at_least: int

    @property
    def exact(self) -> bool:
        """Whether it is certain that no smaller set does it."""
        return self.chosen is not None and len(self.chosen) == self.at_least


def fewest_removals(values: FloatArray, claim: Claim) -> Fewest | None:
    """The fewest values without which the claim about the others fails; None where it does not hold anyway.

    The sign is a sort: the largest values go first. For significance, a bound from a sort for each of some
    multipliers says how many do not suffice, and the subsets that these sorts propose are tried; where that leaves
    a gap and there are few subsets, all are tried.

    >>> fewest_removals(np.array([0.5, 0.2, -0.1, -0.4]), Claim("sign"))
    Fewest(chosen=(0,), at_least=1)
    """
    if claim.margin(values) <= 0:
        return None
    at_least = None
    for removed in range(1, len(values)):
        possible, kept = _failing_without(values, removed, claim)
        if possible and at_least is None:
            at_least = removed
        if kept is not None:
            return Fewest(tuple(np.setdiff1d(np.arange(len(values)), kept).tolist()), at_least or removed)
    return Fewest(None, at_least or len(values))


def _failing_without(values: FloatArray, removed: int, claim: Claim) -> tuple[bool, IntArray | None]:
    """Whether the claim may fail without that many values, and the values to keep for it, where they were found."""
    size = len(values) - removed
    prices, offsets = claim.prices(values, size)
    priced = values - prices[:, None] * values**2
    kept = np.argsort(priced, axis=1, kind="stable")[:, :size]
    bound = float(np.max(np.take_along_axis(priced, kept, axis=1).sum(axis=1) - offsets))
    if bound > ROUNDING * float(np.abs(values).sum()):
        return False, None
    proposed = _first_failing(values, kept, claim)
    if proposed is not None or comb(len(values), removed) > ENUMERATED:
        return True, proposed
    found = _first_failing(values, np.array(list(combinations(range(len(values)), size))), claim)
    return found is not None, found


def _first_failing(values: FloatArray, kept: IntArray, claim: Claim) -> IntArray | None:
    chosen = values[kept]
    count = np.full(len(kept), kept.shape[1])
    margins = claim.margins(chosen.sum(axis=1), np.square(chosen).sum(axis=1), count, float(np.abs(values).sum()))
    failing = np.flatnonzero(margins <= 0)
    return np.asarray(kept[failing[0]]) if len(failing) else None
