"""Matrices of document ids, topic × rank, as a nearest-neighbor search returns them."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from rankdiff._kernel.results import Rows
from rankdiff.errors import InputError
from rankdiff.read.columns import ids_of, numbered, numbers_of


def is_array(source: Any) -> bool:
    """Whether something is an array: NumPy's, or another library's that NumPy can take."""
    return hasattr(source, "__array__") and hasattr(source, "shape") and not hasattr(source, "columns")


def is_matrix_run(source: Any) -> TypeGuard[tuple[Any, ...]]:
    """Whether something is ``(topics, documents)`` or ``(topics, documents, scores)``, the documents a matrix."""
    return isinstance(source, tuple) and len(source) in (2, 3) and is_array(source[1]) and len(source[1].shape) == 2


def rows_of_matrix(topics: Any, documents: Any, scores: Any = None, *, source: str = "array") -> Rows:
    """The rows of a matrix of ids; without scores the columns stand in ranking order.

    A negative whole number is no document: indexes fill up with -1 where they found too few.

    >>> rows = rows_of_matrix(["q1", "q2"], np.array([[4, 7], [9, -1]]))
    >>> rows.topics, rows.topic.tolist(), rows.documents[0].tobytes(), rows.score.tolist()
    ([b'q1', b'q2'], [0, 0, 1], b'479', [-1.0, -2.0, -1.0])
    """
    matrix = np.asarray(documents)
    names, number = numbered(list(topics) if not is_array(topics) else np.asarray(topics), "topic", source)
    if len(number) != len(matrix):
        raise InputError(
            "topics and rows of the matrix do not match", source=source, found=f"{len(number)} and {len(matrix)}"
        )
    found = matrix >= 0 if matrix.dtype.kind == "i" else np.ones(matrix.shape, np.bool_)
    whole = bool(found.all())  # then nothing need be picked out

    def listed(values: NDArray[Any]) -> NDArray[Any]:
        return values.reshape(-1) if whole else values[found]

    rank = listed(np.broadcast_to(np.arange(1.0, matrix.shape[1] + 1), matrix.shape))
    topic = listed(np.broadcast_to(number[:, None], matrix.shape))
    score = -rank if scores is None else numbers_of(listed(_of_shape(matrix.shape, scores, source)), "score", source)
    return Rows(names, topic, ids_of(listed(matrix), "document", source), score, rank)


def _of_shape(shape: tuple[int, ...], scores: Any, source: str) -> NDArray[Any]:
    given = np.asarray(scores)
    if given.shape != shape:
        raise InputError("ids and scores differ in shape", source=source, found=f"{shape} and {given.shape}")
    return given
