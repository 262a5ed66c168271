"""The door of the statistics: what is handed in becomes arrays that are known to be sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankdiff.errors import InputError, UsageError
from rankdiff.hits import FloatArray

ALTERNATIVES = ("two-sided", "greater", "less")


def score_matrix(scores: Any) -> tuple[tuple[str, ...], FloatArray]:
    """The names of the systems and their values, system × query.

    Accepts an array, or a labelled object with ``systems`` and ``array()``, whose values are higher-is-better.
    NaN stands where a topic does not count for a run; a plain array is the caller's own, labelled 0, 1, 2 ….

    >>> score_matrix([[0.5, 0.25], [1, 0]])[0]
    ('0', '1')
    """
    labelled = hasattr(scores, "array") and hasattr(scores, "systems")
    values = np.asarray(scores.array() if labelled else scores, np.float64)
    if values.ndim != 2 or 0 in values.shape:
        raise UsageError(f"scores are a matrix of system × query, not an array of shape {values.shape}")
    refuse_infinite(values)
    return tuple(scores.systems) if labelled else tuple(map(str, range(len(values)))), values


def one_per_topic(values: Any, name: str, *, missing: str) -> FloatArray:
    """One value for every topic; NaN only where the caller said that it marks a missing one."""
    array = np.asarray(values, np.float64)
    if array.ndim != 1:
        raise UsageError(f"{name} must be one value for each topic, not an array of shape {array.shape}")
    refuse_infinite(array)
    if missing not in ("refuse", "drop"):
        raise UsageError(f"missing={missing!r}: expected 'refuse' or 'drop'")
    if missing == "refuse" and np.isnan(array).any():
        raise InputError(
            f"{name} holds no number for {np.isnan(array).sum()} of {len(array)} topics",
            found="NaN",
            expected="a number for every topic",
            advice="missing='drop' leaves these topics out",
        )
    return array


def refuse_infinite(values: FloatArray) -> None:
    """Infinite values have no mean and no test."""
    if np.isinf(values).any():
        raise InputError("values must be finite", found="inf", expected="numbers, or NaN where none counts")


def one_of(option: str, value: str, known: tuple[str, ...]) -> None:
    """Refuse an option that is not among the known ones."""
    if value not in known:
        raise UsageError(f"{option}={value!r}: expected one of {', '.join(known)}")


def between(option: str, value: float, low: float, high: float) -> None:
    """Refuse a number outside the open interval."""
    if not low < value < high:
        raise UsageError(f"{option}={value!r}: expected a number between {low} and {high}")


def ordered_values(order: Any) -> tuple[tuple[str, ...] | None, FloatArray]:
    """An order as values, higher is better: a mapping, scores, or an object with ``scores`` or ``positions``.

    >>> ordered_values({"a": 2.0, "b": 1.0})
    (('a', 'b'), array([2., 1.]))
    """
    names: tuple[str, ...] | None
    values: Any
    if isinstance(order, Mapping):
        names, values = tuple(map(str, order)), list(order.values())
    else:
        names = tuple(order.systems) if hasattr(order, "systems") else None
        values = getattr(order, "scores", None)
        if values is None:
            values = -np.asarray(order.positions, np.float64) if hasattr(order, "positions") else order
    array = np.asarray(values, np.float64)
    if array.ndim != 1 or not len(array):
        raise UsageError(f"an order is one score for each system, not an array of shape {array.shape}")
    if np.isnan(array).any():
        raise InputError("an order needs a score for every system", found="NaN", expected="a number")
    return names, array
