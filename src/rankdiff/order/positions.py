"""An order of systems: positions with ties, and the scores behind them where a method has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankdiff.errors import UnknownNameError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.results.table import Table, Tabular, column

TOLERANCE = 1e-9
"""Scores that differ by less are equal, and are shown as ties."""


@dataclass(frozen=True, eq=False, repr=False)
class Order(Tabular):
    """Systems in an order: ``position`` 1 is the best, and tied systems share the best of their positions.

    ``score`` is what the method gave each system, higher being better; ``interval``, where the method has one, its
    lower and upper end. Scores of `mc4` say how the chain divides its time within a ``tier``: every system of a tier
    stands before every system of the next.
    """

    systems: tuple[str, ...]
    position: IntArray
    score: FloatArray
    method: str
    queries: int
    signature: str
    tier: IntArray | None = None
    interval: FloatArray | None = None

    def __repr__(self) -> str:
        return f"Order({self.method}; {' > '.join(' = '.join(group) for group in self.groups())})"

    def __str__(self) -> str:
        return str(self.table())

    def _for_programs(self) -> Table:
        return self.table()

    def __len__(self) -> int:
        return len(self.systems)

    def __getitem__(self, system: str) -> int:
        """The position of one system."""
        if system not in self.systems:
            raise UnknownNameError("run", system, self.systems)
        return int(self.position[self.systems.index(system)])

    def groups(self) -> Iterator[tuple[str, ...]]:
        """The systems from best to worst, those that tie together, by name."""
        for position in np.unique(self.position):
            yield tuple(sorted(self.systems[i] for i in np.flatnonzero(self.position == position)))

    def table(self) -> Table:
        """Position, system, and what the method has besides, from best to worst."""
        best_first = np.array(
            sorted(range(len(self)), key=lambda i: (self.position[i], self.systems[i])), dtype=np.int64
        )
        columns: dict[str, NDArray[np.generic]] = {
            "position": self.position[best_first],
            "run": column(self.systems)[best_first],
        }
        if self.tier is not None and self.tier.max(initial=1) > 1:
            columns["tier"] = self.tier[best_first]
        columns["score"] = self.score[best_first]
        if self.interval is not None:
            columns["low"], columns["high"] = self.interval[:, best_first]
        notes = (f"{self.method} over {self.queries} queries",)
        return Table(columns, notes=notes, signature=self.signature, bar="score")


def positions(score: FloatArray, tier: IntArray | None = None) -> IntArray:
    """Positions by score, highest first, tier after tier; the best of their positions for those that tie.

    A score that is NaN, no value, stands behind all others.

    >>> positions(np.array([0.2, 0.5, 0.2 + 1e-12, np.nan])).tolist()
    [2, 1, 2, 4]
    """
    tier = np.zeros(len(score), np.int64) if tier is None else tier
    key = np.where(np.isnan(score), -np.inf, score)
    best_first = np.lexsort((-key, tier))
    with np.errstate(invalid="ignore"):
        falls = (np.diff(key[best_first]) < -TOLERANCE) | (np.diff(tier[best_first]) != 0)
    first = np.maximum.accumulate(np.where(np.append(True, falls), np.arange(len(score)), 0)[: len(score)])
    position = np.empty(len(score), np.int64)
    position[best_first] = first + 1
    return position
