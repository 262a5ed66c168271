"""Lexiprecision and lexirecall: the first recall level at which two rankings differ decides, from the top or from
the bottom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.preferences.comparisons import Comparison, as_ranks, reciprocal
from rankdiff.preferences.definition import preference
from rankdiff.preferences.pairs import Pairs, TransitiveSigns, find_narrow_ranks, query_start
from rankdiff.preferences.populations import everybody
from rankdiff.preferences.standing import balance
from rankdiff.threads import share_out

BLOCK_CELLS = 1 << 20

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

    ``order[:, q]`` lists the systems from best to worst; ``differs[i, q]`` says whether the systems ``i`` and
    ``i + 1`` of that list have different ranks.
    """

    levels: IntArray
    start: IntArray
    order: IntArray
    differs: BoolArray
    from_bottom: bool = False
    compare: Comparison = reciprocal

    @property
    def shape(self) -> tuple[int, int]:
        return self.order.shape[0], self.order.shape[1]

    @cached_property
    def step(self) -> IntArray:
        """How many levels neighbors in the order share before they differ, all of them where they do not.

        The step of any two systems is the smallest between them, so no pair is compared level by level.
        """
        step = np.zeros(self.differs.shape, np.int64)
        words_of = _reader(self.levels, self.start, self.from_bottom)

        def compare(alike: IntArray) -> None:
            words = words_of(alike)
            ordered = np.take_along_axis(words, self.order[:, alike, None], axis=0)
            unequal = ordered[1:] != ordered[:-1]
            step[:, alike] = np.where(self.differs[:, alike], unequal.argmax(axis=-1), words.shape[-1])

        share_out(_alike(len(self.levels), self.start), compare)
        return step

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
        place[1:] = np.cumsum(self.differs, axis=0)
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
    order = np.tile(np.arange(systems)[:, None], (1, queries))
    differs = np.zeros((max(systems - 1, 0), queries), bool)
    words_of = _reader(levels, start, from_bottom)

    def sort(alike: IntArray) -> None:
        words = words_of(alike)
        letters = words.view(f"S{words.shape[-1] * words.itemsize}")[..., 0]
        order[:, alike] = ranked = np.argsort(letters, axis=0, kind="stable")
        ordered = np.take_along_axis(letters, ranked, axis=0)
        differs[:, alike] = ordered[1:] != ordered[:-1]

    share_out(_alike(systems, start), sort)
    return Lexicographic(levels, start, order, differs, from_bottom, compare)


def _alike(systems: int, start: IntArray) -> list[IntArray]:
    """Queries with equally many levels together, so many that their levels stay in the cache."""
    sizes = np.diff(start)
    together: list[IntArray] = []
    for size in np.unique(sizes[sizes > 0]).tolist():
        alike = np.flatnonzero(sizes == size)
        width = max(1, BLOCK_CELLS // max(systems * size, 1))
        together += [alike[first : first + width] for first in range(0, len(alike), width)]
    return together


def _reader(levels: IntArray, start: IntArray, from_bottom: bool) -> Callable[[IntArray], IntArray]:
    """What gives the rankings of queries with equally many levels, system × query × level, as bytes that sort like
    numbers."""
    letters = levels.astype(levels.dtype.newbyteorder(">")).view(levels.dtype)

    def words(alike: IntArray) -> IntArray:
        read = np.arange(start[alike[0] + 1] - start[alike[0]])
        return letters.take(start[alike][:, None] + (read[::-1] if from_bottom else read), axis=1)

    return words
