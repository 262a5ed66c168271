"""The rows of a comparison: one measure or preference over the runs compared, the baseline first."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import BoolArray, FloatArray
from rankdiff.measures import Measure, evaluate
from rankdiff.preferences import Preference
from rankdiff.results import Preferences
from rankdiff.statistics.families import Pairs
from rankdiff.statistics.inputs import comparable
from rankdiff.statistics.integers import BITS


@dataclass(frozen=True, eq=False)
class Row:
    """What a measure or preference gives for the runs compared.

    A measure has ``scores`` (run × query, as they are) and ``merit`` (higher is better, and its plain mean is what
    is compared); a preference has neither, but ``preferences`` between the runs.
    """

    criterion: Measure | Preference
    scores: FloatArray | None = None
    merit: FloatArray | None = None
    preferences: Preferences | None = None

    @property
    def name(self) -> str:
        """The canonical name."""
        return self.criterion.name

    def over(self, first: int, others: np.ndarray) -> FloatArray:
        """One run over others, other × query; NaN where a query does not count for both."""
        if self.merit is not None:
            return np.asarray(self.merit[first] - self.merit[others])
        assert self.preferences is not None
        return self.preferences.over(first, others)

    def between(self, pairs: Pairs) -> FloatArray:
        """The first run of each pair over the second, pair × query."""
        first, second = pairs
        found = [self.over(int(run), second[first == run]) for run in dict.fromkeys(first.tolist())]
        return np.concatenate(found)

    @property
    def win_rates(self) -> FloatArray:
        """What places a run by itself, run × query: its merit, or its win rate among the runs compared."""
        if self.merit is not None:
            return self.merit
        assert self.preferences is not None
        return self.preferences.win_rates()

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the largest difference that there can be, infinite where there is no limit."""
        low, high = self.criterion.definition.range
        if isinstance(self.criterion, Preference):
            return low, high
        if self.criterion.aggregate in ("harmonic", "geometric"):
            return -np.inf, np.inf
        return low - high, high - low

    @property
    def counted(self) -> BoolArray:
        """Whether any query counts for the baseline and each candidate."""
        candidates = np.arange(1, self._runs)
        return np.asarray((~np.isnan(self.over(0, candidates))).any(axis=1))

    @property
    def constant(self) -> bool:
        """Whether the first candidate differs from the baseline by the same on every topic, and does differ."""
        values = self.over(1, np.array([0]))[0]
        return np.sum(~np.isnan(values)) > 1 and alike(values) and bool(np.nanmax(np.abs(values)) > 0)

    @property
    def _runs(self) -> int:
        if self.merit is not None:
            return len(self.merit)
        assert self.preferences is not None
        return len(self.preferences.systems)


def alike(differences: FloatArray) -> bool:
    """Whether all topics that count differ by the same, so that t has no spread to judge by.

    >>> alike(np.array([0.5, 0.5, np.nan])), alike(np.array([0.5, 0.4]))
    (True, False)
    """
    counted = differences[~np.isnan(differences)]
    return len(counted) > 0 and bool(np.ptp(counted) <= 2.0**-BITS * np.abs(counted).max())


def evaluate_row(c: Collection, criterion: Measure | Preference) -> Row:
    """A measure or preference on the runs compared."""
    if isinstance(criterion, Preference):
        return Row(criterion, preferences=criterion(c))
    scores = evaluate(c, [criterion]).values[0]
    return Row(criterion, scores, comparable(scores, criterion))


def only(c: Collection, names: tuple[str, ...]) -> Collection:
    """The runs of these names, in this order; what depends on the runs compared goes on seeing all of them."""
    return c if names == c.systems else replace(c.select(names), reference=c.peers)
