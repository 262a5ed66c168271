"""Columns of ids and of numbers, whatever they are made of: Arrow arrays, NumPy arrays or lists.

Ids become bytes end to end, numbers doubles, without a loop over rows where the column has a type of its own.
What cannot be an id or a number is an error that names the row, counted from 1.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rankdiff._kernel.results import Floats, IdArrays, Ints
from rankdiff.errors import InputError
from rankdiff.ids import Ids, joined

Column: TypeAlias = Any  # a pyarrow array (chunked or not), a NumPy array of one dimension, a list, or Numbered

ID_COLUMNS = ("topic", "document", "subtopic", "run")
NOT_IDS = frozenset({float, np.float64, np.float32, np.float16, type(None), tuple, list, dict, set, frozenset})
SIGN_AND_DIGITS = "S21"  # room for those of any 64-bit integer


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
    if is_arrow(column):
        return _from_arrow(_as_one_array(column), what, source)
    if isinstance(column, np.ndarray):
        if column.dtype.kind in "iu":
            return _digits(column)
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
        coded = _as_one_array(column)
        if not hasattr(coded, "dictionary"):
            coded = coded.dictionary_encode()
        _refuse_missing(coded, what, source)
        distinct = _split(_from_arrow(coded.dictionary, what, source))
        codes = coded.indices.to_numpy(zero_copy_only=False)
        used = np.bincount(codes, minlength=len(distinct)) > 0
        if not used.all():  # a filtered column keeps the names of rows that are gone
            distinct = [distinct[number] for number in np.flatnonzero(used)]
            codes = (np.cumsum(used) - 1)[codes]
    elif isinstance(column, np.ndarray) and column.dtype.kind in "iuSU":
        values, codes = np.unique(column, return_inverse=True)
        distinct = _split(ids_of(values, what, source))
    else:
        return _number(_split(ids_of(column, what, source)))
    if len(set(distinct)) == len(distinct):
        return Numbered(distinct, codes.astype(np.int32))
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
    if pa.types.is_decimal(array.type) and array.type.scale == 0:
        array = array.cast(pa.large_string())  # whole numbers too, as DuckDB's sums are
    kind = str(array.type)
    if "string" not in kind and "binary" not in kind and not pa.types.is_integer(array.type):
        _refuse_type(what, source, kind)
    array = array.cast(pa.large_binary() if "binary" in kind else pa.large_string())
    _, ends, text = array.buffers()
    if not len(array):
        return np.empty(0, np.uint8), np.zeros(1, np.int64)
    offsets = np.frombuffer(ends, np.int64)[array.offset : array.offset + len(array) + 1]
    blob = np.empty(0, np.uint8) if text is None else np.frombuffer(text, np.uint8)
    return blob[offsets[0] : offsets[-1]], offsets - offsets[0] if offsets[0] else offsets


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


def _digits(numbers: NDArray[Any]) -> IdArrays:
    """The decimal digits of integers, four at a time."""
    if not len(numbers) or numbers.min() < 0:
        return _from_fixed_width(numbers.astype(SIGN_AND_DIGITS))
    largest = int(numbers.max())
    powers = [10**power for power in range(1, len(str(largest)))]
    rest: NDArray[Any] = numbers.astype(np.uint32 if largest < 2**32 else np.uint64)
    lengths = np.ones(len(rest), np.uint8)
    for power in powers:
        lengths += rest >= power
    below = np.arange(10_000)
    in_four = np.stack([below // power % 10 + ord("0") for power in (1000, 100, 10, 1)], axis=1).astype(np.uint8)
    blocks = np.empty((len(rest), len(powers) // 4 + 1), np.uint32)
    for block in reversed(range(blocks.shape[1])):
        higher = rest // 10_000
        blocks[:, block] = np.take(in_four.view(np.uint32), rest - 10_000 * higher)
        rest = higher
    padded = blocks.view(np.uint8)
    width = padded.shape[1]
    digits = np.arange(width) >= width - np.arange(width + 1)[:, None]
    return padded[np.take(digits, lengths, axis=0)], _offsets(lengths)


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
