"""Comparisons: candidates against a baseline under several measures and preferences, and what the tests say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankdiff.errors import UnknownNameError
from rankdiff.hits import BoolArray, FloatArray
from rankdiff.results.scores import summarize
from rankdiff.results.table import Table, Tabular, column

if TYPE_CHECKING:
    from rankdiff.collection import Collection
    from rankdiff.profile import Profile
    from rankdiff.statistics import AllPairs, Paired


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Tabular):
    """Differences between candidates and a baseline, measure × candidate × query; positive = candidate better.

    A measure or preference is a row. The first is primary: the verdict rests on it, the others are exploratory.
    ``collection`` holds the runs compared, the baseline first. NaN in ``values`` marks queries that do not count for
    both runs. ``scores`` are what each run has by itself, measure × run × query, NaN for preferences, which are of
    two rankings only. ``tests`` are by row and candidate; ``families`` hold, row by row, the tests of all pairs where
    there are more than two runs.
    """

    collection: Collection
    measures: tuple[Any, ...]
    values: FloatArray
    scores: FloatArray
    tests: tuple[tuple[Paired, ...], ...]
    families: tuple[AllPairs | None, ...]
    family: str
    level: float
    seed: int
    signature: str
    notices: tuple[str, ...] = ()

    def __repr__(self) -> str:
        names = ", ".join(measure.name for measure in self.measures)
        return f"Comparison({', '.join(self.candidates)} against {self.baseline}; {names})"

    def __str__(self) -> str:
        from rankdiff.present.comparison import to_text

        return to_text(self)

    def _repr_html_(self) -> str:
        from rankdiff.present.comparison import to_notebook

        return to_notebook(self)

    def _for_programs(self) -> Table:
        return self.table()

    def _for_people(self) -> Sequence[Table]:
        from rankdiff.present.comparison import people_tables

        return tuple(people_tables(self))

    @property
    def baseline(self) -> str:
        """The run that the others are compared with."""
        return self.collection.systems[0]

    @property
    def candidates(self) -> tuple[str, ...]:
        """The runs for which a positive difference speaks."""
        return self.collection.systems[1:]

    @property
    def queries(self) -> tuple[str, ...]:
        """The names of the queries."""
        return self.collection.queries

    @property
    def primary(self) -> Any:
        """The measure or preference on which the verdict rests."""
        return self.measures[0]

    def __getitem__(self, measure: Any) -> FloatArray:
        """The differences under one measure, candidate × query."""
        return np.asarray(self.values[self._row(measure)])

    def _row(self, measure: Any) -> int:
        names = [item.name for item in self.measures]
        if measure is None:
            return 0
        if str(measure) not in names:
            raise UnknownNameError("measure in this comparison", str(measure), names)
        return names.index(str(measure))

    def _candidate(self, candidate: str | None) -> int:
        if candidate is None:
            return 0
        if candidate not in self.candidates:
            raise UnknownNameError("candidate in this comparison", candidate, self.candidates)
        return self.candidates.index(candidate)

    def test(self, measure: Any = None, candidate: str | None = None) -> Paired:
        """What the test says: of the primary measure and the first candidate, unless others are named."""
        return self.tests[self._row(measure)][self._candidate(candidate)]

    @property
    def difference(self) -> FloatArray:
        """The mean differences, measure × candidate."""
        return np.array([[test.difference for test in row] for row in self.tests])

    @property
    def means(self) -> FloatArray:
        """What the baseline and each candidate have by themselves, over the queries that count for both: measure ×
        candidate × 2; NaN for preferences."""
        found = np.full((*self.values.shape[:2], 2), np.nan)
        for row, candidate in np.ndindex(self.values.shape[:2]):
            counted = ~np.isnan(self.values[row, candidate])
            pair = self.scores[row, [0, candidate + 1]][:, counted]
            if pair.size and not np.isnan(pair).any():
                found[row, candidate] = [summarize(values, self.measures[row].aggregate) for values in pair]
        return found

    @property
    def profile(self) -> Profile:
        """For which users the (first) candidate is better than the baseline."""
        return self.profile_of(self.candidates[0])

    def profile_of(self, candidate: str) -> Profile:
        """For which users a candidate is better than the baseline."""
        return self.collection.profile(self.baseline, candidate)

    def lacking(self, run: str) -> tuple[str, ...]:
        """The topics that a run lacks and another of the runs compared answers."""
        answered = self.collection.answered[self.collection.system_index(run)]
        return tuple(self.queries[query] for query in np.flatnonzero(~answered & self._answered))

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The topics that none of the runs compared answers: they tell no run from another."""
        return tuple(self.queries[query] for query in np.flatnonzero(~self._answered))

    @property
    def _answered(self) -> BoolArray:
        compared = [self.collection.system_index(run) for run in (self.baseline, *self.candidates)]
        return np.asarray(self.collection.answered[compared].any(axis=0))

    @property
    def verdict(self) -> str:
        """What all this says, in words."""
        from rankdiff.comparison.words import verdict

        return "\n".join(verdict(self))

    def changed(self, candidate: str | None = None, *, most: int = 5) -> Table:
        """The topics that the candidate improves most under the primary measure, and those that it harms most.

        A row holds the differences under all measures; where topics tie, the next measure decides.
        """
        values = self.values[:, self._candidate(candidate)]
        keys = np.nan_to_num(values)
        best_first = np.lexsort(tuple(-row for row in keys[::-1]))
        gained = [query for query in best_first if keys[0, query] > 0][:most]
        lost = [query for query in best_first[::-1] if keys[0, query] < 0][:most]
        chosen = [*gained, *lost[::-1]]
        columns = {"query": column([self.queries[query] for query in chosen])}
        columns |= {item.name: row[chosen] for item, row in zip(self.measures, values, strict=True)}
        return Table(columns, signature=self.signature)

    def groups(self, measure: Any = None) -> Table:
        """The runs from best to worst under one measure, those not shown to differ under a common letter.

        A preference gives a run its mean win rate, which depends on the runs compared.
        """
        from rankdiff.comparison.groups import group_table

        return group_table(self, self._row(measure))

    def plan(self, differences: Mapping[Any, float] | None = None, *, power: float = 0.8) -> Table:
        """What the topics at hand show with this power, and how many it takes to see the ``differences`` named.

        A row per candidate and measure, with ``they show``, the smallest difference that so many topics show; for a
        measure in ``differences``, such as ``{"nDCG@10": 0.02}``, ``takes topics`` says how many see so much. Both
        come with a cautious variant; see `rankdiff.statistics.topics_needed`.
        """
        from rankdiff.comparison.planning import plan

        return plan(self, differences or {}, power)

    def table(self) -> Table:
        """A row per candidate and measure: the means, their difference and all that one test says about it."""
        candidate, measure = np.indices((len(self.candidates), len(self.measures))).reshape(2, -1)
        tests = [self.tests[row][place] for row, place in zip(measure.tolist(), candidate.tolist(), strict=True)]
        means = self.means[measure, candidate]
        columns = {
            "candidate": column(self.candidates)[candidate],
            "measure": column([item.name for item in self.measures])[measure],
            "role": column(["primary", *["exploratory"] * (len(self.measures) - 1)])[measure],
            "baseline mean": means[:, 0],
            "candidate mean": means[:, 1],
            "difference": np.array([test.difference for test in tests]),
            "low": np.array([test.interval[0] for test in tests]),
            "high": np.array([test.interval[1] for test in tests]),
            "p": np.array([test.p for test in tests]),
            "effect": np.array([test.effect for test in tests]),
            "wins": np.array([test.wins for test in tests]),
            "ties": np.array([test.ties for test in tests]),
            "losses": np.array([test.losses for test in tests]),
            "queries": np.array([test.topics for test in tests]),
            "effect is": column([test.effect_name for test in tests]),
            "interval of": column([test.estimand for test in tests]),
            "interval by": column([test.interval_method for test in tests]),
            "test": column([test.method for test in tests]),
        }
        notes = (f"against {self.baseline}; positive = candidate better", *self.notices)
        return Table(columns, title=f"Against {self.baseline}", notes=notes, signature=self.signature)
