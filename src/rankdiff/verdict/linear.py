"""Measures that are a sum over ranks divided by what only the numbers of relevant documents decide.

``(Σ_d gain(d) · weight(rank of d)) / whole``: precision, recall, RBP, DCG and nDCG. Other judgments of one document
change the sum by one term, and the whole by one count, so that questions about all judgments at once have exact
answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.measures import Measure
from rankdiff.measures.gain import log2
from rankdiff.verdict.pair import Yardstick

Weigh = Callable[[IntArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Linear:
    """``weight`` of ranks (0 = not retrieved), ``gain`` of grades, and what the sum is divided by.

    The whole is ``constant + Σ_λ step_λ · ideal[number of documents that gain λ or more]`` over the ``levels`` λ of
    gain; with binary gain there is one level. ``cutoff`` is the rank below which nothing counts.
    """

    weight: Weigh
    gain: Callable[[FloatArray], FloatArray]
    levels: FloatArray
    constant: float
    ideal: FloatArray
    cutoff: int | None

    @property
    def steps(self) -> FloatArray:
        """By how much each level of gain is above the one before."""
        return np.diff(self.levels, prepend=0.0)

    def whole(self, counts: IntArray) -> FloatArray:
        """What the sum is divided by, from how many documents reach each level (the last axis)."""
        ideal = self.ideal[np.clip(counts, 0, len(self.ideal) - 1)]
        return np.asarray(self.constant + ideal @ self.steps)

    def counts(self, c: Collection) -> IntArray:
        """How many documents of each query reach each level of gain, query × level."""
        reached = self.gain(c.grade)[:, None] >= self.levels
        total = np.zeros((len(c.queries), len(self.levels)), np.int64)
        np.add.at(total, c.query_of, reached)
        return total


def linear_form(by: Yardstick, c: Collection) -> Linear | None:
    """A measure in this form; None where it has another."""
    if by.signed or not isinstance(by.of, Measure):
        return None
    given = dict(by.of.parameters)
    if given.pop("judged_only", False) and not c.rules.judged_only:
        return None
    make = _FORMS.get(by.of.definition.name)
    return None if make is None else make(c, **given)


def _reaching(rel: float) -> Callable[[FloatArray], FloatArray]:
    return lambda grade: np.asarray((grade >= rel) * 1.0, np.float64)


def _binary(c: Collection, rel: float | None, **parts: Any) -> Linear:
    return Linear(gain=_reaching(c.rules.rel if rel is None else rel), levels=np.ones(1), **parts)


def _within(k: int | None) -> Weigh:
    return lambda rank: np.asarray(((rank > 0) & (rank <= (np.inf if k is None else k))) * 1.0, np.float64)


def _precision(c: Collection, k: int, rel: float | None = None) -> Linear:
    return _binary(c, rel, weight=_within(k), constant=float(k), ideal=np.zeros(1), cutoff=k)


def _recall(c: Collection, k: int, rel: float | None = None) -> Linear:
    return _binary(c, rel, weight=_within(k), constant=0.0, ideal=np.arange(_most(c) + 1.0), cutoff=k)


def _relative_precision(c: Collection, k: int, rel: float | None = None) -> Linear:
    return _binary(c, rel, weight=_within(k), constant=0.0, ideal=np.arange(k + 1.0), cutoff=k)


def _rank_biased(c: Collection, p: float = 0.8, k: int | None = None, rel: float | None = None) -> Linear:
    def weight(rank: IntArray) -> FloatArray:
        return np.asarray(_within(k)(rank) * (1 - p) * p ** np.maximum(rank - 1.0, 0))

    return _binary(c, rel, weight=weight, constant=1.0, ideal=np.zeros(1), cutoff=k)


def _discount(k: int | None) -> Weigh:
    return lambda rank: np.asarray(_within(k)(rank) / log2(np.maximum(rank, 1) + 1))


def _cumulated(
    c: Collection, k: int | None = None, dcg: str = "log2", gains: dict[float, float] | None = None
) -> Linear:
    def gain(grade: FloatArray) -> FloatArray:
        worth = np.where(grade >= 0, grade, 0.0)
        for at, value in (gains or {}).items():
            worth[grade == at] = value
        return np.asarray(np.exp2(worth) - 1 if dcg == "exp-log2" else worth)

    worths = np.unique(gain(c.grades))
    if worths[0] < 0:
        raise UsageError("a gain below 0 is not understood here: only of gains of 0 or more is the best ranking known")
    return Linear(_discount(k), gain, worths[worths > 0], 1.0, np.zeros(1), k)


def _normalized(
    c: Collection, k: int | None = None, dcg: str = "log2", gains: dict[float, float] | None = None
) -> Linear:
    form = _cumulated(c, k, dcg, gains)
    discounts = _discount(k)(np.arange(1, _most(c) + 1))
    return Linear(form.weight, form.gain, form.levels, 0.0, np.concatenate([[0.0], np.cumsum(discounts)]), k)


def _most(c: Collection) -> int:
    """More relevant documents than a query can have: all that were judged, and all that two runs returned."""
    return int(np.diff(c.start).max(initial=0) + 2 * c.depth.max(initial=0)) + 1


_FORMS: dict[str, Callable[..., Linear]] = {
    "P": _precision,
    "R": _recall,
    "relative_P": _relative_precision,
    "RBP": _rank_biased,
    "dcg": _cumulated,
    "nDCG": _normalized,
}
