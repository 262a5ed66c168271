"""Tables: named columns, frozen, with their notes and their signature. Every writer takes a table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.errors import UnknownNameError


class Tabular:
    """What every result does with its table, so that `Scores` are written and shown just as a `Table` is."""

    def _for_programs(self) -> Table:
        """The values as one table."""
        raise NotImplementedError

    def _for_people(self) -> Sequence[Table]:
        """What is read in LaTeX, Markdown and notebooks."""
        return (self._for_programs(),)

    def to_csv(self) -> str:
        """As comma-separated values with a header."""
        from rankdiff.present.delimited import to_csv

        return to_csv(self._for_programs())

    def to_latex(self) -> str:
        """As a LaTeX ``tabular`` with the rules of booktabs."""
        from rankdiff.present.latex import to_latex

        return "\n".join(map(to_latex, self._for_people()))

    def to_markdown(self) -> str:
        """As a Markdown table."""
        from rankdiff.present.markdown import to_markdown

        return "\n".join(map(to_markdown, self._for_people()))

    def to_arrow(self) -> Any:
        """As a pyarrow table."""
        return self._frame("pyarrow")

    def to_polars(self) -> Any:
        """As a polars data frame."""
        return self._frame("polars")

    def to_pandas(self) -> Any:
        """As a pandas data frame."""
        return self._frame("pandas")

    def to_duckdb(self) -> Any:
        """As a DuckDB relation."""
        return self._frame("duckdb")

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Whatever takes Arrow's data takes this as it is: ``polars.DataFrame(scores)``, ``FROM scores`` in DuckDB."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        from rankdiff.present.html import to_html

        return to_html(self._for_people())

    def _frame(self, backend: str) -> Any:
        from rankdiff.present.frames import to_frame

        return to_frame(self._for_programs(), backend)


@dataclass(frozen=True, eq=False, repr=False)
class Table(Tabular):
    """Named columns of equal length, and what is to be said with them.

    ``bar`` names the column that a terminal draws as bars, too, where it has room for them.

    >>> table = Table.of(run=["bm25", "neural"], AP=[0.25, 0.5])
    >>> table["AP"].tolist(), table.row(run="neural")
    ([0.25, 0.5], {'run': 'neural', 'AP': 0.5})
    >>> table
    Table(run, AP; 2 rows)
    """

    columns: Mapping[str, NDArray[Any]]
    title: str = ""
    notes: tuple[str, ...] = ()
    signature: str = ""
    bar: str = ""

    def __post_init__(self) -> None:
        lengths = {name: len(values) for name, values in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns of a table differ in length: {lengths}")

    @classmethod
    def of(cls, **columns: Sequence[Any] | NDArray[Any]) -> Table:
        """A table of columns given by name."""
        return cls({name: column(values) for name, values in columns.items()})

    def __repr__(self) -> str:
        return f"Table({', '.join(self.columns)}; {len(self)} rows)"

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, column: str) -> NDArray[Any]:
        if column not in self.columns:
            raise UnknownNameError("column", column, self.columns)
        return self.columns[column]

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows, as dicts of plain Python values."""
        lists = [values.tolist() for values in self.columns.values()]
        return (dict(zip(self.columns, row, strict=True)) for row in zip(*lists, strict=True))

    def row(self, **wanted: Any) -> dict[str, Any]:
        """The first row that has these values."""
        for row in self.rows():
            if all(row[key] == value for key, value in wanted.items()):
                return row
        raise UnknownNameError("row", str(wanted), [])

    def __str__(self) -> str:
        from rankdiff.present.text import render

        return render(self)

    def _for_programs(self) -> Table:
        return self


def column(values: Sequence[Any] | NDArray[Any]) -> NDArray[Any]:
    array = np.asarray(values)
    return array.astype(object) if array.dtype.kind in "US" else array


def heading(name: str, taken: Collection[str]) -> str:
    """A name for a column beside others: itself, or with a mark behind it where another column is called so.

    >>> heading("run", ["bm25", "neural"]), heading("run", ["run", "neural"])
    ('run', 'run_')
    """
    return heading(f"{name}_", taken) if name in taken else name
