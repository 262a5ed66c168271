"""Data frames: of pandas, polars, Arrow, DuckDB and whatever else narwhals knows."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rankdiff.read.columns import Column
from rankdiff.read.tables import Table, roles

STREAM = "__arrow_c_stream__"
"""What Arrow's data can be taken from, whichever library holds them."""


def is_frame(source: Any) -> bool:
    """Whether something is a data frame, in memory or lazy, or a stream of Arrow's data."""
    import narwhals

    return (
        narwhals.dependencies.is_into_dataframe(source)
        or (hasattr(source, STREAM) and not narwhals.dependencies.is_into_series(source))
        or isinstance(narwhals.from_native(source, pass_through=True), narwhals.LazyFrame)
    )


def table_from_frame(frame: Any, wanted: Sequence[str], source: str = "data frame") -> Table:
    """The columns of a data frame that matter; of a lazy one, only they are computed."""
    import narwhals

    native = narwhals.from_native(_frame(frame))
    of = roles(native.collect_schema().names(), wanted, source)
    eager = native
    if hasattr(native, "collect"):
        eager = native.select(list(of.values())).collect("pyarrow" if find_spec("pyarrow") else None)
    return Table({role: _column(eager[name]) for role, name in of.items()}, source)


def _frame(source: Any) -> Any:
    """What narwhals takes. The levels of a pandas index that have names are columns like others."""
    import narwhals

    if narwhals.dependencies.is_pandas_dataframe(source):
        return source.reset_index() if any(name is not None for name in source.index.names) else source
    if hasattr(source, STREAM) and not narwhals.dependencies.is_into_dataframe(source):
        return import_module("pyarrow").table(source)
    return source


def _column(series: Any) -> Column:
    """An Arrow array where that is possible; else, as for objects of several types, a list."""
    if find_spec("pyarrow") is None:
        return series.to_list()
    import pyarrow as pa

    try:
        return series.to_arrow()
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError):
        return series.to_list()
