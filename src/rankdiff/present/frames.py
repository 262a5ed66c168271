"""Tables as frames of other libraries, built through narwhals."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal, cast

from rankdiff.errors import InputError, MissingExtraError
from rankdiff.results import Table

Backend = Literal["pyarrow", "polars", "pandas"]

EXTRAS = {"pyarrow": "arrow", "duckdb": "arrow"}
"""Where the extra is not called as the library."""


def to_frame(table: Table, backend: str) -> Any:
    """A table as a ``pyarrow.Table``, a data frame of polars or pandas, or a DuckDB relation; a missing value is NaN
    there too.

    These hold text as UTF-8: an id that is not is refused by name (csv, tsv and JSON can hold it).
    """
    try:
        import_module(backend)
    except ImportError as missing:
        raise MissingExtraError(f"{backend} frames", EXTRAS.get(backend, backend)) from missing
    import narwhals

    columns = {name: values.tolist() for name, values in table.columns.items()}
    for text in (value for values in columns.values() for value in values if isinstance(value, str)):
        _require_utf8(text, backend)
    if backend == "duckdb":
        return narwhals.from_dict(columns, backend="pyarrow").lazy("duckdb").to_native()
    return narwhals.from_dict(columns, backend=cast(Backend, backend)).to_native()


def _require_utf8(text: str, backend: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(
            f"{text!r} is not UTF-8, and {backend} holds no other text", advice="csv, tsv and json can hold it"
        ) from None
