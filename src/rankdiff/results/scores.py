"""Scores: what measures gave for every system and query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.errors import UnknownNameError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.results.table import Table, Tabular, column

if TYPE_CHECKING:
    from rankdiff.order import Order

GEOMETRIC_FLOOR = 1e-5
"""The least value that enters a geometric mean, as in trec_eval's gm_map."""


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Tabular):
    """Values of measures: measure × system × query; NaN where a measure has no value and the query does not count.

    Written or shown, they are the table of their means.
    """

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[Any, ...]
    values: FloatArray
    signature: str
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        names = ", ".join(measure.name for measure in self.measures)
        return f"Scores({names}; {len(self.systems)} systems × {len(self.queries)} queries)"

    def __str__(self) -> str:
        return str(self.mean())

    def _for_programs(self) -> Table:
        return self.mean()

    def __getitem__(self, measure: Any) -> FloatArray:
        """The values of one measure, system × query; ``scores["map"]`` finds AP."""
        return np.asarray(self.values[self._index(measure)])

    def _index(self, measure: Any) -> int:
        from rankdiff.measures import resolve

        names = [item.name for item in self.measures]
        wanted = measure if measure in names else resolve(measure).name
        if wanted not in names:
            raise UnknownNameError("measure in these scores", wanted, names)
        return names.index(wanted)

    def only(self, measure: Any) -> Scores:
        """These scores with one of their measures."""
        index = self._index(measure)
        chosen = self.measures[index]
        names = ",".join(item.name for item in self.measures)
        signature = self.signature.replace(f"|{names}|", f"|{chosen.name}|", 1)
        return Scores(self.systems, self.queries, (chosen,), self.values[index : index + 1], signature, self.notes)

    def counted(self) -> IntArray:
        """How many queries count, measure × system."""
        return np.asarray(np.sum(~np.isnan(self.values), axis=2))

    def summary(self, aggregate: str | None = None) -> FloatArray:
        """One number for each measure and system: the mean over the queries that count, unless the measure, or
        ``aggregate`` (mean, geometric, harmonic, median, sum), says otherwise."""
        rows = [
            np.array([summarize(values, aggregate or measure.aggregate) for values in block])
            for measure, block in zip(self.measures, self.values, strict=True)
        ]
        return np.array(rows).reshape(len(self.measures), len(self.systems))

    def mean(self, aggregate: str | None = None) -> Table:
        """The table of systems (rows) and measures (columns), and over how many queries each row speaks."""
        counted = self.counted()
        columns: dict[str, NDArray[Any]] = {"run": column(self.systems)}
        columns |= {m.name: row for m, row in zip(self.measures, self.summary(aggregate), strict=True)}
        columns["queries"] = counted.max(axis=0, initial=0)
        notes = tuple(
            f"{m.name}: no value for some queries; means over {low} to {high} of {len(self.queries)}"
            if low != high
            else f"{m.name}: mean over {low} of {len(self.queries)} queries"
            for m, low, high in zip(self.measures, counted.min(axis=1), counted.max(axis=1), strict=True)
            if low < len(self.queries)
        )
        first = self.measures[0].name if self.measures else ""
        return Table(columns, notes=(*self.notes, *notes), signature=self.signature, bar=first)

    def per_query(self) -> Table:
        """The long table: run, query, measure, value; values that do not count are left out."""
        system, query, measure = (
            index.ravel()
            for index in np.meshgrid(*map(np.arange, self.values.shape[1:] + self.values.shape[:1]), indexing="ij")
        )
        value = self.values[measure, system, query]
        keep = ~np.isnan(value)
        names = column([m.name for m in self.measures])
        columns = {
            "run": column(self.systems)[system[keep]],
            "query": column(self.queries)[query[keep]],
            "measure": names[measure[keep]],
            "value": value[keep],
        }
        return Table(columns, signature=self.signature)

    def means_long(self, aggregate: str | None = None) -> Table:
        """The long table of means (or of what ``aggregate`` names): run, query ("all"), measure, value."""
        measure, system = np.indices((len(self.measures), len(self.systems))).reshape(2, -1)
        names = column([m.name for m in self.measures])
        columns = {
            "run": column(self.systems)[system],
            "query": column(["all"] * len(system)),
            "measure": names[measure],
            "value": self.summary(aggregate).ravel(),
        }
        return Table(columns, signature=self.signature)

    def order(self, measure: Any = None) -> Order:
        """The order of the systems by one measure, the first unless it is named; ties are shown as ties."""
        from rankdiff.order import arrange_scores

        return arrange_scores(self, measure)


def summarize(values: FloatArray, aggregate: str = "mean") -> float:
    """One number from the values of single queries; NaN entries do not count, and without any there is none.

    Sums run in the order of the queries, as trec_eval's do, so that not even the last digit differs.

    >>> summarize(np.array([0.25, np.nan, 0.5])), summarize(np.array([1.0, 4.0]), "geometric")
    (0.375, 2.0)
    """
    counted = values[~np.isnan(values)]
    if not len(counted):
        return float("nan")
    if aggregate == "median":
        return float(np.median(counted))
    if aggregate == "geometric":
        return float(np.exp(np.cumsum(np.log(np.maximum(counted, GEOMETRIC_FLOOR)))[-1] / len(counted)))
    if aggregate == "harmonic":
        with np.errstate(divide="ignore"):
            return float(len(counted) / np.sum(1 / counted))
    total = float(np.cumsum(counted)[-1])
    return total if aggregate == "sum" else total / len(counted)
