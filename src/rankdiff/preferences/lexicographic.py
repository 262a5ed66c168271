"""Lexiprecision and lexirecall: the first recall level at which two rankings differ decides, from the top or from
the bottom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from rankdiff import _kernel
from rankdiff._kernel.results import Levels
from rankdiff.collection import Collection
from rankdiff.hits import FloatArray, IntArray
from rankdiff.preferences.comparisons import Comparison, as_ranks, reciprocal
from rankdiff.preferences.definition import preference
from rankdiff.preferences.pairs import Pairs, TransitiveSigns, find_narrow_ranks, query_start
from rankdiff.preferences.populations import everybody
from rankdiff.preferences.standing import balance
from rankdiff.threads import share_out

BLOCK_QUERIES = 16
"""Queries that a thread takes at a time."""

DIAZ_2023 = "Diaz 2023, Best-Case Retrieval Evaluation"
DIAZ_MITRA_2023 = "Diaz & Mitra 2023, Recall, Robustness, and Lexicographic Evaluation"


@preference("sgnLP", transitive=True, citation=DIAZ_2023)
def sign_lexiprecision(c: Collection, rel: float = 1) -> Pairs:
    """Which ranking is better for the most satisfied user: at the first recall level where their ranks differ.

    ``sgn(p'_{i*} − p_{i*})`` with ``i* = min{i : p_i ≠ p'_i}``. It agrees with reciprocal rank wherever that
    differs, and ties only where all relevant documents stand at the same ranks. A level that one ranking does not
    reach is lost to the other.

    >>> from rankdiff.alignment import align
    >>> runs = {"x": {"q": {"a": 9, "n": 8, "m": 7, "b": 6}}, "y": {"q": {"a": 9, "n": 8, "b": 7}}}
    >>> align({"q": {"a": 1, "b": 1}}, runs).prefer("sgnLP")["x", "y"]  # ranks 1, 4 and 1, 3
    array([-1.])
    """
    return TransitiveSigns(lexicographic(c, rel))


@preference("rrLP", transitive=True, citation=DIAZ_2023)
def reciprocal_lexiprecision(c: Collection, rel: float = 1) -> Pairs:
    """Lexiprecision with a magnitude: the difference of the reciprocal ranks at the deciding level.

    ``1/p_{i*} − 1/p'_{i*}`` with ``i* = min{i : p_i ≠ p'_i}`` and ``1/p = 0`` where not retrieved.

    >>> from rankdiff.alignment import align
    >>> runs = {"x": {"q": {"a": 9, "n": 8, "m": 7, "b": 6}}, "y": {"q": {"a": 9, "b": 8}}}
    >>> align({"q": {"a": 1, "b": 1}}, runs).prefer("rrLP")["x", "y"]  # 1/4 − 1/2
    array([-0.25])
    """
    return lexicographic(c, rel)


@preference("sgnLR", transitive=True, citation=DIAZ_MITRA_2023)
def sign_lexirecall(c: Collection, rel: float = 1) -> Pairs:
    """Which ranking is better for the least satisfied user: at the last recall level where their ranks differ.

    ``sgn(p'_{i*} − p_{i*})`` with ``i* = max{i : p_i ≠ p'_i}``, documents not retrieved standing behind all others.
    So the ranking with more relevant documents wins; with equally many, the deepest one decides, then upwards.

    >>> from rankdiff.alignment import align
    >>> runs = {"x": {"q": {"a": 9}}, "y": {"q": {"n": 9, "a": 8, "b": 7}}}
    >>> align({"q": {"a": 1, "b": 1}}, runs).prefer("sgnLR")["x", "y"]  # the second document is y's alone
    array([-1.])
    """
    return TransitiveSigns(lexicographic(c, rel, from_bottom=True))


@preference("rrLR", transitive=True, citation=DIAZ_MITRA_2023 + ", with the magnitude of rrLP")
def reciprocal_lexirecall(c: Collection, rel: float = 1) -> Pairs:
    """Lexirecall with a magnitude: the difference of the reciprocal ranks at the deciding level.

    ``1/p_{i*} − 1/p'_{i*}`` with ``i* = max{i : p_i ≠ p'_i}`` and ``1/p = 0`` where not retrieved.

    >>> from rankdiff.alignment import align
    >>> runs = {"x": {"q": {"a": 9}}, "y": {"q": {"n": 9, "a": 8, "m": 7, "b": 6}}}
    >>> align({"q": {"a": 1, "b": 1}}, runs).prefer("rrLR")["x", "y"]  # 0 − 1/4
    array([-0.25])
    """
    return lexicographic(c, rel, from_bottom=True)


@dataclass(frozen=True, eq=False)
class Lexicographic(Pairs):
    """Rankings in lexicographic order.

    ``order[:, q]`` lists the systems from best to worst; ``step[i, q]`` says how many levels the systems ``i`` and
    ``i + 1`` of that list share before they differ, all of them where they do not. The step of any two systems is the
    smallest between them, so no pair is compared level by level.
    """

    levels: IntArray
    start: IntArray
    order: IntArray
    step: IntArray
    from_bottom: bool = False
    compare: Comparison = reciprocal

    @property
    def shape(self) -> tuple[int, int]:
        return self.order.shape[0], self.order.shape[1]

    def against(self, system: int, others: IntArray) -> FloatArray:
        if not self.levels.shape[1]:
            return np.zeros((len(others), self.shape[1]))
        size = np.diff(self.start)
        step = self._steps_from(system)[others]
        level = np.where(step < size, size - 1 - step if self.from_bottom else step, 0)
        entry = np.minimum(self.start[:-1] + level, self.levels.shape[1] - 1)
        ours, theirs = self.levels[system, entry], np.take_along_axis(self.levels[others], entry, axis=1)
        return np.asarray(np.where(step < size, self.compare(as_ranks(ours), as_ranks(theirs)), 0.0))

    def _steps_from(self, system: int) -> IntArray:
        """At which step one system differs from each, system × query."""
        count, queries = self.shape
        same = np.diff(self.start)
        own = np.argmax(self.order == system, axis=0)
        neighbor = np.arange(count - 1)[:, None]
        below = np.minimum.accumulate(np.where(neighbor >= own, self.step, same), axis=0)
        above = np.minimum.accumulate(np.where(neighbor < own, self.step, same)[::-1], axis=0)[::-1]
        edge = np.broadcast_to(same, (1, queries))
        listed = np.minimum(np.vstack([edge, below]), np.vstack([above, edge]))
        steps = np.empty_like(listed)
        np.put_along_axis(steps, self.order, listed, axis=0)
        return np.asarray(steps)

    def standing(self) -> IntArray:
        place = np.zeros(self.shape, np.int64)
        place[1:] = np.cumsum(self.step < np.diff(self.start), axis=0)
        unsorted = np.empty_like(place)
        np.put_along_axis(unsorted, self.order, place, axis=0)
        return balance(unsorted)


def lexicographic(c: Collection, rel: float = 1, from_bottom: bool = False) -> Lexicographic:
    """The relevant documents' ranks of a collection, in lexicographic order."""
    population = everybody(c, rel)
    return sort_rankings(find_narrow_ranks(c, population), query_start(c, population), from_bottom)


def sort_rankings(
    levels: IntArray, start: IntArray, from_bottom: bool = False, compare: Comparison = reciprocal
) -> Lexicographic:
    """Order the rankings of each query by their ranks as words are ordered by their letters."""
    systems, queries = len(levels), len(start) - 1
    rows, begin = cast("Levels", np.ascontiguousarray(levels)), np.ascontiguousarray(start, np.int64)
    order = np.empty((systems, queries), np.int32)
    step = np.empty((max(systems - 1, 0), queries), np.int32)

    def sort(first: int) -> None:
        some = slice(first, first + BLOCK_QUERIES)
        order[:, some], step[:, some] = _kernel.order_rankings(
            rows, begin[first : first + BLOCK_QUERIES + 1], from_bottom
        )

    share_out(range(0, queries, BLOCK_QUERIES), sort)
    return Lexicographic(levels, start, order, step, from_bottom, compare)
