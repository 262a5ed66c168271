"""Columns of ids and of numbers, whatever they are made of: Arrow arrays, NumPy arrays or lists.

Ids become bytes end to end, numbers doubles, without a loop over rows where the column has a type of its own.
What cannot be an id or a number is an error that names the row, counted from 1.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rankdiff import _kernel
from rankdiff._kernel.results import Floats, IdArrays, Ints
from rankdiff.errors import InputError
from rankdiff.ids import Ids, joined

Column: TypeAlias = Any  # a pyarrow array (chunked or not), a NumPy array of one dimension, a list, Ids, or Numbered

ID_COLUMNS = ("topic", "document", "subtopic", "run")
NOT_IDS = frozenset({float, np.float64, np.float32, np.float16, type(None), tuple, list, dict, set, frozenset})


class Numbered(NamedTuple):
    """A column of ids that repeat: the distinct ones, and the number of each row's among them."""

    names: list[bytes]
    numbers: Ints


def ids_of(column: Column, what: str, source: str) -> IdArrays:
    """The bytes of a column of ids; integers count as their decimal digits.

    >>> blob, offsets = ids_of(np.array([7, 12]), "document", "array")
    >>> blob.tobytes(), offsets.tolist()
    (b'712', [0, 1, 3])
    """
    if isinstance(column, Ids):
        return column.blob, column.offsets
    if is_arrow(column):
        return _from_arrow(_as_one_array(column), what, source)
    if isinstance(column, np.ndarray):
        if column.dtype.kind in "iu":
            return _from_integers(column)
        if column.dtype.kind == "S":
            return _from_fixed_width(column)
        if column.dtype.kind not in "UOT":
            _refuse_type(what, source, str(column.dtype))
        column = column.tolist()
    if (ids := joined(column)) is None:
        if NOT_IDS.intersection(map(type, column)):
            row = next(row for row, value in enumerate(column, 1) if type(value) in NOT_IDS)
            _refuse_value(what, source, row, column[row - 1])
        ids = Ids.of(column)
    return ids.blob, ids.offsets


def numbered(column: Column, what: str, source: str) -> Numbered:
    """The distinct ids of a column, and the number of each row's among them.

    >>> numbered(["q2", "q1", "q2"], "topic", "list")
    Numbered(names=[b'q2', b'q1'], numbers=array([0, 1, 0], dtype=int32))
    """
    if isinstance(column, Numbered):
        return column
    if is_arrow(column):
        dictionary, codes = _coded(_as_one_array(column), what, source)
        distinct = _split(_from_arrow(dictionary, what, source))
        used = np.zeros(len(distinct), np.bool_)
        used[codes] = True
        if not used.all():  # a filtered column keeps the names of rows that are gone
            distinct = [distinct[number] for number in np.flatnonzero(used)]
            codes = (np.cumsum(used) - 1).astype(np.int32)[codes]
    elif isinstance(column, np.ndarray) and column.dtype.kind in "iuSU":
        values, places = np.unique(column, return_inverse=True)
        distinct, codes = _split(ids_of(values, what, source)), places.astype(np.int32)
    else:
        return _number(_split(ids_of(column, what, source)))
    if len(set(distinct)) == len(distinct):
        return Numbered(distinct, codes)
    names, merged = _number(distinct)
    return Numbered(names, merged[codes])


def numbers_of(column: Column, what: str, source: str) -> Floats:
    """The numbers of a column as doubles.

    >>> numbers_of([1, 2.5], "score", "list")
    array([1. , 2.5])
    """
    if is_arrow(column):
        column = _numbers_from_arrow(_as_one_array(column), what, source)
    elif not isinstance(column, np.ndarray):
        column = np.array(column)
    if column.dtype.kind == "O":
        column = np.array([_number_of(value, what, source, row) for row, value in enumerate(column, 1)])
    if column.dtype.kind not in "iufb":
        _refuse_type(what, source, str(column.dtype))
    numbers = np.ascontiguousarray(column, np.float64)
    missing = np.isnan(numbers)
    if missing.any():
        _refuse_value(what, source, int(missing.argmax()) + 1, float("nan"))
    return numbers


def is_arrow(column: Column) -> bool:
    """Whether a column is one of pyarrow's."""
    return type(column).__module__.partition(".")[0] == "pyarrow"


def _as_one_array(column: Any) -> Any:
    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    # Before pyarrow 20 a chunked array without chunks, or of several, could stay one.
    return whole.chunk(0) if hasattr(whole, "chunk") else whole


def _from_arrow(array: Any, what: str, source: str) -> IdArrays:
    import pyarrow as pa

    _refuse_missing(array, what, source)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_integer(array.type):
        return _from_integers(array.to_numpy(zero_copy_only=False))
    array = _as_text(array, what, source)
    _, ends, text = array.buffers()
    if not len(array):
        return np.empty(0, np.uint8), np.zeros(1, np.int64)
    offsets = np.frombuffer(ends, np.int64)[array.offset : array.offset + len(array) + 1]
    blob = np.empty(0, np.uint8) if text is None else np.frombuffer(text, np.uint8)
    return blob[offsets[0] : offsets[-1]], offsets - offsets[0] if offsets[0] else offsets


def _as_text(array: Any, what: str, source: str) -> Any:
    """Text or bytes with offsets of 64 bits; whole numbers that are decimals, as DuckDB's sums are, as text."""
    import pyarrow as pa

    kind = str(array.type)
    if "binary" in kind:
        return array.cast(pa.large_binary())
    if "string" not in kind and not (pa.types.is_decimal(array.type) and array.type.scale == 0):
        _refuse_type(what, source, kind)
    return array.cast(pa.large_string())


def _coded(array: Any, what: str, source: str) -> tuple[Any, Ints]:
    """The dictionary of an array, and the place in it of each row; of rows that repeat the one before, only one is
    looked up, as most topics stand together."""
    import pyarrow as pa
    import pyarrow.compute as pc

    _refuse_missing(array, what, source)
    if hasattr(array, "dictionary"):
        return array.dictionary, array.indices.to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
    if not pa.types.is_integer(array.type):
        array = _as_text(array, what, source)
    changes = pc.not_equal(array[1:], array[:-1]).to_numpy(zero_copy_only=False)
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1])[: len(array)]
    coded = array.take(starts).dictionary_encode()
    return coded.dictionary, np.repeat(coded.indices.to_numpy(zero_copy_only=False), np.diff(starts, append=len(array)))


def _numbers_from_arrow(array: Any, what: str, source: str) -> NDArray[Any]:
    import pyarrow as pa

    kind = array.type
    _refuse_missing(array, what, source)
    if pa.types.is_boolean(kind):
        array, kind = array.cast(pa.uint8()), pa.uint8()
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        shown = "" if not len(array) else f", such as {array[0].as_py()!r}"
        _refuse_type(what, source, f"{kind}{shown}")
    numbers: NDArray[Any] = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return numbers


def _from_integers(numbers: NDArray[Any]) -> IdArrays:
    if numbers.dtype.kind == "u":
        return _kernel.digits(np.ascontiguousarray(numbers, np.uint64))
    return _kernel.digits(np.ascontiguousarray(numbers, np.int64))


def _from_fixed_width(strings: NDArray[Any]) -> IdArrays:
    """The strings of an array that pads them to one width."""
    lengths = np.strings.str_len(strings)
    padded = np.ascontiguousarray(strings).view(np.uint8).reshape(len(strings), strings.dtype.itemsize)
    blob = padded[np.arange(strings.dtype.itemsize) < lengths[:, None]]
    return blob, _offsets(lengths)


def _offsets(lengths: NDArray[Any]) -> NDArray[np.int64]:
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def _split(ids: IdArrays) -> list[bytes]:
    whole, ends = ids[0].tobytes(), ids[1].tolist()
    return [whole[first:last] for first, last in pairwise(ends)]


def _number(identifiers: list[bytes]) -> Numbered:
    if len(dict.fromkeys(identifiers)) == len(identifiers):
        return Numbered(identifiers, np.arange(len(identifiers), dtype=np.int32))
    number: dict[bytes, int] = {}
    codes = [number.setdefault(identifier, len(number)) for identifier in identifiers]
    return Numbered(list(number), np.array(codes, np.int32))


def _number_of(value: Any, what: str, source: str, row: int) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        _refuse_value(what, source, row, value)


def _refuse_missing(array: Any, what: str, source: str) -> None:
    if array.null_count:
        row = int(array.is_null().to_numpy(zero_copy_only=False).argmax()) + 1
        _refuse_value(what, source, row, None)


def _refuse_value(what: str, source: str, row: int, value: Any) -> NoReturn:
    if isinstance(value, float) and not np.isnan(value) and what in ID_COLUMNS:
        raise InputError(
            f"a {what} is a floating-point number",
            source=source,
            line=row,
            found=repr(value),
            expected="text or a whole number",
            advice="a missing value elsewhere in the column may have turned its integers into floats",
        )
    kind = "id" if what in ID_COLUMNS else "number"
    raise InputError(f"a {what} is missing or no {kind}", source=source, line=row, found=repr(value))


def _refuse_type(what: str, source: str, found: str) -> NoReturn:
    expected = "text or whole numbers" if what in ID_COLUMNS else "numbers"
    raise InputError(
        f"the {what} column cannot be used", source=source, found=f"values of type {found}", expected=expected
    )
