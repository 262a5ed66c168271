"""Comparisons: candidates against a baseline under several measures and preferences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankdiff.errors import UnknownNameError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.results.table import Table, column

if TYPE_CHECKING:
    from rankdiff.profile import Profile

NOISE = 2.0**-40
"""A difference below this part of the largest one of its row is a tie, not a difference."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Differences between candidates and a baseline, measure × candidate × query; positive = candidate better.

    A measure or preference is a row. NaN marks queries that do not count for both runs; ``means`` are those of the
    baseline and the candidate over the queries that count for both, measure × candidate × 2, NaN for preferences,
    which are of two rankings only.
    """

    baseline: str
    candidates: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[Any, ...]
    values: FloatArray
    means: FloatArray
    profiles: tuple[Profile, ...]
    signature: str

    def __repr__(self) -> str:
        names = ", ".join(measure.name for measure in self.measures)
        return f"Comparison({', '.join(self.candidates)} against {self.baseline}; {names})"

    def __str__(self) -> str:
        return "\n".join([str(self.table()), *(profile.sentence for profile in self.profiles)])

    def __getitem__(self, measure: Any) -> FloatArray:
        """The differences under one measure, candidate × query."""
        names = [item.name for item in self.measures]
        if str(measure) not in names:
            raise UnknownNameError("measure in this comparison", str(measure), names)
        return np.asarray(self.values[names.index(str(measure))])

    @property
    def profile(self) -> Profile:
        """For which users the (first) candidate is better than the baseline."""
        return self.profiles[0]

    @property
    def signs(self) -> IntArray:
        """1 where the candidate is better, −1 where the baseline is, 0 where they tie or a query does not count."""
        largest = np.nanmax(np.abs(self.values), axis=(1, 2), keepdims=True, initial=0.0)
        return np.sign(np.where(np.abs(self.values) > NOISE * largest, self.values, 0.0)).astype(np.int64)

    @property
    def counted(self) -> IntArray:
        """How many queries count for both runs, measure × candidate."""
        return np.asarray(np.sum(~np.isnan(self.values), axis=2))

    @property
    def difference(self) -> FloatArray:
        """The mean differences, measure × candidate."""
        with np.errstate(invalid="ignore"):
            return np.asarray(np.nansum(self.values, axis=2) / self.counted)

    def table(self) -> Table:
        """A row per candidate and measure: the means, their difference, and how many queries each run wins."""
        candidate, measure = np.indices((len(self.candidates), len(self.measures))).reshape(2, -1)
        at = (measure, candidate)
        counted, signs = self.counted[at], self.signs[at]
        wins, losses = (signs > 0).sum(axis=1), (signs < 0).sum(axis=1)
        columns = {
            "candidate": column(self.candidates)[candidate],
            "measure": column([item.name for item in self.measures])[measure],
            "baseline mean": self.means[at][:, 0],
            "candidate mean": self.means[at][:, 1],
            "difference": self.difference[at],
            "wins": wins,
            "ties": counted - wins - losses,
            "losses": losses,
            "queries": counted,
        }
        notes = (f"against {self.baseline}; positive = candidate better",)
        return Table(columns, title=f"Against {self.baseline}", notes=notes, signature=self.signature)
