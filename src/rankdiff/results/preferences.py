"""Preferences: what a preference says between all runs of a collection, computed when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rankdiff.errors import UnknownNameError
from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.results.table import Table, Tabular, column, heading
from rankdiff.threads import share_out

if TYPE_CHECKING:
    from rankdiff.collection import Collection
    from rankdiff.order import Order


class PairValues(Protocol):
    """What is asked of the pairs behind the results; `rankdiff.preferences.pairs` says what each method gives."""

    def against(self, system: int, others: IntArray) -> FloatArray: ...
    def sums(self, rivals: BoolArray) -> FloatArray: ...
    def standing(self) -> IntArray: ...


@dataclass(frozen=True, eq=False, repr=False)
class Preferences(Tabular):
    """A preference between all runs, query by query: positive where the first of two is better.

    ``preferences["a", "b"]`` are the values of run ``a`` over run ``b``, one per query, NaN where a query does not
    count for both. Nothing is kept but the positions that are compared; ``rows`` gives the values run by run.
    Written or shown, they are the table of their means.
    """

    collection: Collection
    preference: Any
    pairs: PairValues
    counts: BoolArray
    rivals: BoolArray

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.collection.systems

    @property
    def queries(self) -> tuple[str, ...]:
        """The names of the queries."""
        return self.collection.queries

    @property
    def signature(self) -> str:
        """What was computed, on what, by which rules."""
        return self.collection.sign(self.preference.name)

    def __repr__(self) -> str:
        return f"Preferences({self.preference}; {len(self.systems)} systems × {len(self.queries)} queries)"

    def __str__(self) -> str:
        return str(self.mean())

    def _for_programs(self) -> Table:
        return self.mean()

    def _index(self, system: str) -> int:
        if system not in self.systems:
            raise UnknownNameError("run", system, self.systems)
        return self.systems.index(system)

    def __getitem__(self, pair: tuple[str, str]) -> FloatArray:
        """The values of one run over another, one per query."""
        run, other = (self._index(name) for name in pair)
        values: FloatArray = self.over(run, np.array([other]))[0]
        return values

    def over(self, run: int, others: IntArray) -> FloatArray:
        """The values of one run over some others, by their places: other × query; NaN where a query does not count."""
        values = self.pairs.against(run, others)
        if not self.counts.all():
            values[~(self.counts[run] & self.counts[others])] = np.nan
        return values

    def rows(self) -> Iterator[tuple[int, FloatArray]]:
        """Run by run, the values over all runs that follow it, other × query: each pair of runs once."""
        for run in range(len(self.systems)):
            yield run, self.over(run, np.arange(run + 1, len(self.systems)))

    @cached_property
    def _means(self) -> tuple[FloatArray, IntArray]:
        size = len(self.systems)
        counts = self.counts[:size]
        if counts.all():
            counted = np.full((size, size), counts.shape[1])
        else:
            counted = (counts.astype(np.float64) @ counts.T).astype(np.int64)
        add = np.sum if self.counts.all() else np.nansum
        matrix = np.zeros((size, size))

        def fill(run: int) -> None:
            matrix[run, run + 1 :] = add(self.over(run, np.arange(run + 1, size)), axis=1)

        share_out(range(size), fill)
        with np.errstate(invalid="ignore"):
            matrix = (matrix - matrix.T) / counted
        np.fill_diagonal(matrix, 0.0)
        return matrix, counted

    def matrix(self) -> FloatArray:
        """The mean over the queries that count for both, of each run (rows) over each other (columns); it is
        antisymmetric."""
        return self._means[0].copy()

    def mean(self) -> Table:
        """The table of means, each run (rows) over each other (columns)."""
        matrix, counted = self._means
        columns = {heading("run", self.systems): column(self.systems)} | dict(zip(self.systems, matrix.T, strict=True))
        compared = counted[~np.eye(len(self.systems), dtype=bool)]
        low, high = compared.min(initial=len(self.queries)), compared.max(initial=0)
        notes = (
            (f"{self.preference}: means over the {low} to {high} of {len(self.queries)} queries that count for both",)
            if low < len(self.queries)
            else ()
        )
        return Table(columns, notes=notes, signature=self.signature)

    def per_query(self) -> Table:
        """The long table: run, other, query, preference, value (the run's over the other's); each pair once, and
        without the queries that do not count for both."""
        size = len(self.systems)
        values = np.concatenate([values for _, values in self.rows()] or [np.zeros((0, len(self.queries)))])
        pair, query = np.nonzero(~np.isnan(values))
        run, other = (index[pair] for index in np.triu_indices(size, 1))
        return self._long(run, other, column(self.queries)[query], values[pair, query])

    def means_long(self) -> Table:
        """The long table of means: run, other, query ("all"), preference, value; each pair once."""
        run, other = np.triu_indices(len(self.systems), 1)
        return self._long(run, other, column(["all"] * len(run)), self._means[0][run, other])

    def _long(self, run: IntArray, other: IntArray, query: Any, value: FloatArray) -> Table:
        names = column(self.systems)
        columns = {
            "run": names[run],
            "other": names[other],
            "query": query,
            "preference": column([self.preference.name] * len(run)),
            "value": value,
        }
        return Table(columns, signature=self.signature)

    @property
    def shared(self) -> BoolArray:
        """The queries that count for every run compared."""
        return np.asarray(self.counts.all(axis=0))

    def win_rates(self) -> FloatArray:
        """The mean of each run's values over the other runs compared, system × query.

        With preferences of 1 and −1 it is the share of the runs beaten less the share of those that win. It depends
        on the runs compared (a reference fixes them), and is NaN for a query that does not count for all of them,
        and where there is nobody to compare with.
        """
        size = len(self.systems)
        rivals = self.rivals.sum() - self.rivals[:size, None]
        with np.errstate(invalid="ignore"):
            rates = self.pairs.sums(self.rivals)[:size] / rivals
        rates[:, ~self.shared] = np.nan
        return np.asarray(rates)

    def standings(self) -> IntArray:
        """How many runs stand below, less how many above, in the order of the runs for each query that counts for
        all: system × query."""
        return self.pairs.standing()[: len(self.systems), self.shared]

    def order(self, method: str = "mc4", **options: Any) -> Order:
        """The order of the systems over all queries: ``mc4``, ``winrate``, ``borda``, ``copeland``, …"""
        from rankdiff.order import arrange

        return arrange(self, method, **options)
