"""Data frames: of pandas, polars, Arrow, DuckDB and whatever else narwhals knows."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from rankdiff.read.columns import Column
from rankdiff.read.tables import Table, roles


def is_frame(source: Any) -> bool:
    """Whether something is a data frame, in memory or lazy."""
    import narwhals

    return narwhals.dependencies.is_into_dataframe(source) or isinstance(
        narwhals.from_native(source, pass_through=True), narwhals.LazyFrame
    )


def table_from_frame(frame: Any, wanted: Sequence[str], source: str = "data frame") -> Table:
    """The columns of a data frame that matter; of a lazy one, only they are computed."""
    import narwhals

    native = narwhals.from_native(frame)
    of = roles(native.collect_schema().names(), wanted, source)
    chosen = native.select(list(of.values()))
    eager = chosen.collect("pyarrow" if find_spec("pyarrow") else None) if hasattr(chosen, "collect") else chosen
    return Table({role: _column(eager[name]) for role, name in of.items()}, source)


def _column(series: Any) -> Column:
    """An Arrow array where that is possible; else, as for objects of several types, a list."""
    if find_spec("pyarrow") is None:
        return series.to_list()
    import pyarrow as pa

    try:
        return series.to_arrow()
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError):
        return series.to_list()
