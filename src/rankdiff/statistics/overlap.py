"""Rank-biased overlap: how far two orders agree, read from the top by a reader who may stop at every depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rankdiff.hits import BoolArray, FloatArray
from rankdiff.statistics.inputs import between, one_of, ordered_values

Ties = Literal["a", "b", "w"]


def rbo(order: Any, reference: Any, *, p: float = 0.9, ties: Ties = "a", extrapolate: bool = True) -> float:
    """Rank-biased overlap (Webber, Moffat and Zobel 2010): ``(1 − p) Σ_d p^(d−1) A_d`` over depths d, where A_d is the
    share that the two top-d sets have in common.

    - ``p``: how likely the reader goes one deeper; 0.9 puts 86 % of the weight on the first ten.
    - ``extrapolate=True``: RBO_EXT, the agreement seen so far is taken to go on; False: RBO_MIN, no more overlap.
    - ``ties`` (Corsi and Urbano 2024): "a", the average over all ways to break ties; "b", the same made up for what
      ties hide, so that an order agrees with itself fully; "w", tied systems share one rank (Webber's own).

    Orders come as in ``tau``. They need not hold the same systems nor be equally long; then they come as mappings.

    >>> round(rbo({"a": 3, "b": 2, "c": 1}, {"a": 3, "c": 2, "d": 1}, p=0.5), 4)
    0.7917
    """
    one_of("ties", ties, ("a", "b", "w"))
    between("p", p, 0, 1)
    both = _overlap(order, reference, ties)
    depths = np.arange(1, both.depth + 1)
    weights = (1 - p) * p ** (depths - 1.0)
    if extrapolate:
        agreement = (both.seen + both.expected) / both.full
        rest = (both.seen[-1] + (both.depth - both.shorter) * both.agreement_at_end) / both.depth
        return float(np.sum(weights * agreement) + rest * p**both.depth)
    tail = np.log(1 / (1 - p)) - np.sum(p**depths / depths)
    return float(np.sum(weights * both.seen / both.full) + (1 - p) / p * both.seen[-1] * tail)


@dataclass(frozen=True)
class _Overlap:
    """Two orders by depth: how much of each system lies within each depth of the shorter and the longer one."""

    short: FloatArray
    long: FloatArray
    shorter: int
    only_in_long: BoolArray
    ties: Ties

    @property
    def depth(self) -> int:
        """The length of the longer order."""
        return int(self.long.shape[1])

    @property
    def seen(self) -> FloatArray:
        """The overlap at each depth, of what the orders hold."""
        return np.asarray(np.sum(self.short * self.long, axis=0), np.float64)

    @property
    def full(self) -> FloatArray:
        """What full agreement would be at each depth; below its end the shorter order counts as full and untied."""
        depths = np.arange(1.0, self.depth + 1)
        if self.ties == "a":
            return depths
        power = 1 if self.ties == "w" else 2
        size = np.where(depths <= self.shorter, np.sum(self.short**power, axis=0), depths)
        other = np.sum(self.long**power, axis=0)
        return np.asarray((size + other) / 2 if self.ties == "w" else np.sqrt(size * other), np.float64)

    @property
    def agreement_at_end(self) -> float:
        """The agreement at the end of the shorter order."""
        return float(self.seen[self.shorter - 1] / self.full[self.shorter - 1])

    @property
    def expected(self) -> FloatArray:
        """The overlap to expect below the end of the shorter order, if its agreement there goes on: with systems that
        only the longer one holds, each by the share of it that lies within the depth."""
        only = self.long[self.only_in_long]
        share = only.sum(axis=0) / np.maximum(np.sum(only > 0, axis=0), 1)
        beyond = np.maximum(np.arange(1, self.depth + 1) - self.shorter, 0)
        return np.asarray(beyond * self.agreement_at_end * share, np.float64)


def _overlap(order: Any, reference: Any, ties: Ties) -> _Overlap:
    sides = []
    for side in (order, reference):
        names, values = ordered_values(side)
        sides.append((names or tuple(map(str, range(len(values)))), values))
    (names, short), (others, long) = sorted(sides, key=lambda side: len(side[1]))
    systems = sorted({*names, *others})

    def by_depth(names: tuple[str, ...], values: FloatArray) -> FloatArray:
        shares = np.zeros((len(systems), len(others)))
        shares[[systems.index(name) for name in names]] = _shares(values, len(others), ties)
        return shares

    only_in_long = np.array([system not in names for system in systems])
    return _Overlap(by_depth(names, short), by_depth(others, long), len(names), only_in_long, ties)


def _shares(values: FloatArray, depth: int, ties: Ties) -> FloatArray:
    """How much of each system lies within each depth: a tied one is shared out over the ranks of its group ("a",
    "b"), or lies wholly at the first of them ("w")."""
    above = (values[:, None] < values[None]).sum(axis=1)[:, None]
    size = (values[:, None] == values[None]).sum(axis=1)[:, None]
    depths = np.arange(1, depth + 1)
    return np.asarray(depths > above if ties == "w" else np.clip((depths - above) / size, 0, 1), np.float64)
