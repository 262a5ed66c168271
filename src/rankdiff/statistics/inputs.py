"""The door of the statistics: what is handed in becomes arrays that are known to be sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankdiff.errors import InputError, UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures import Measure
from rankdiff.order import Order
from rankdiff.results import Scores
from rankdiff.results.scores import GEOMETRIC_FLOOR

ALTERNATIVES = ("two-sided", "greater", "less")


def score_matrix(scores: Any, *, missing: str = "drop") -> tuple[tuple[str, ...], FloatArray]:
    """The names of the systems and their values, system × topic, higher is better.

    ``Scores`` hold one measure (``scores.only("AP")`` picks it); they are turned if lower is better, see
    `comparable`, and NaN stands where a topic does not count for a run. An array is taken as it is, its systems are
    called 0, 1, 2 …; ``missing="drop"`` says that NaN means so there, too.

    >>> score_matrix([[0.5, 0.25], [1, 0]])[0]
    ('0', '1')
    """
    if isinstance(scores, Scores):
        if len(scores.measures) > 1:
            names = ", ".join(measure.name for measure in scores.measures)
            raise UsageError(f"these scores hold {names}: name one, as in scores.only({scores.measures[0].name!r})")
        return scores.systems, comparable(scores.values[0], scores.measures[0])
    values = np.asarray(scores, np.float64)
    if values.ndim != 2 or 0 in values.shape:
        raise UsageError(f"scores are a matrix of system × query, not an array of shape {values.shape}")
    return tuple(map(str, range(len(values)))), known(values, "scores", missing=missing)


def comparable(values: FloatArray, measure: Measure) -> FloatArray:
    """Values of a measure as they are compared: higher is better, and the plain mean is the one that counts.

    A measure whose mean is harmonic is compared by 1 over its values, one whose mean is geometric by their logarithm.

    >>> from rankdiff.measures import find
    >>> comparable(np.array([2.0, 4.0]), find("ISL")), comparable(np.array([0.5, 0.25]), find("InvASL"))
    (array([-2., -4.]), array([-2., -4.]))
    """
    higher_is_better = measure.higher_is_better
    if measure.aggregate == "harmonic":
        with np.errstate(divide="ignore"):
            values, higher_is_better = 1 / values, not higher_is_better
        refuse_infinite(values)
    elif measure.aggregate == "geometric":
        values = np.log(np.maximum(values, GEOMETRIC_FLOOR))
    return values if higher_is_better else -values


def one_per_topic(values: Any, name: str, *, missing: str) -> FloatArray:
    """One value for every topic; NaN only where the caller said that it marks a missing one."""
    array = np.asarray(values, np.float64)
    if array.ndim != 1:
        raise UsageError(f"{name} must be one value for each topic, not an array of shape {array.shape}")
    return known(array, name, missing=missing)


def known(values: FloatArray, name: str, *, missing: str) -> FloatArray:
    """Finite values whose last axis is the topics; NaN only where the caller said that it marks a missing topic."""
    one_of("missing", missing, ("refuse", "drop"))
    refuse_infinite(values)
    unknown = np.isnan(values)
    if missing == "refuse" and unknown.any():
        lacking, topics = int(unknown.any(axis=tuple(range(values.ndim - 1))).sum()), values.shape[-1]
        raise InputError(
            f"{name}: no number for {lacking} of {topics} topics",
            found="NaN",
            expected="a number for every topic",
            advice="missing='drop' leaves these topics out",
        )
    return values


def refuse_infinite(values: FloatArray) -> None:
    """Infinite values have no mean and no test."""
    if np.isinf(values).any():
        raise InputError("values must be finite", found="inf", expected="numbers, or NaN where none counts")


def shares_of(values: FloatArray, bounds: tuple[float, float], what: str) -> FloatArray:
    """Values as shares of the way between their bounds, which must hold.

    >>> shares_of(np.array([-1.0, 0.5]), (-1, 1), "betting")
    array([0.  , 0.75])
    """
    low, high = bounds
    if not low < high:
        raise UsageError(f"bounds={bounds}: expected the lowest and the highest possible value")
    outside = (values < low) | (values > high)
    if outside.any():
        raise InputError(
            f"{what} needs bounds that hold: {outside.sum()} of {len(values)} values lie outside",
            found=f"{values[outside][0]:g}",
            expected=f"values between {low:g} and {high:g}",
            advice="name the range of the values by bounds=(low, high)",
        )
    return np.asarray((values - low) / (high - low))


def one_of(option: str, value: str, known: tuple[str, ...]) -> None:
    """Refuse an option that is not among the known ones."""
    if value not in known:
        raise UsageError(f"{option}={value!r}: expected one of {', '.join(known)}")


def between(option: str, value: float, low: float, high: float) -> None:
    """Refuse a number outside the open interval."""
    if not low < value < high:
        raise UsageError(f"{option}={value!r}: expected a number between {low} and {high}")


def ordered_values(order: Any) -> tuple[tuple[str, ...] | None, FloatArray]:
    """An order as values, higher is better: an ``Order``, ``Scores`` (by the mean of their first measure), a mapping
    from system to score, or scores without names.

    >>> ordered_values({"a": 2.0, "b": 1.0})
    (('a', 'b'), array([2., 1.]))
    """
    arranged = order.order() if isinstance(order, Scores) else order
    if isinstance(arranged, Order):
        return arranged.systems, -arranged.position.astype(np.float64)
    named = isinstance(order, Mapping)
    values = np.asarray(list(order.values()) if named else order, np.float64)
    if values.ndim != 1 or not len(values):
        raise UsageError(f"an order is one score for each system, not an array of shape {values.shape}")
    if np.isnan(values).any():
        raise InputError("an order needs a score for every system", found="NaN", expected="a number")
    return tuple(map(str, order)) if named else None, values
