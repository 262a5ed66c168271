"""Partial orders of a few elements, and how to draw them: Hasse diagrams."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rankdiff.hits import BoolArray
from rankdiff.studies.tables import Row

Element = tuple[int, ...]
Above = Callable[[Element, Element], bool]
"""Whether the first element is at least as well off as the second."""


def subsets(m: int) -> list[Element]:
    """All sets of recall levels but the empty one: the users of a ranking, or its providers."""
    return [chosen for size in range(1, m + 1) for chosen in combinations(range(1, m + 1), size)]


def user_above(one: Element, other: Element) -> bool:
    """Whether a user who needs some recall levels is at least as well off as another, whatever the top-heavy measure.

    The last of his documents, as many as the other needs, stand as high: taking away what stands above them lowers
    no top-heavy measure, and moving documents down raises none.

    >>> user_above((1, 4), (5,)), user_above((1, 4), (3,)), user_above((2,), (1, 4))
    (True, False, False)
    """
    return _as_high(one[max(len(one) - len(other), 0) :], other)


def provider_above(one: Element, other: Element) -> bool:
    """Whether a provider of some recall levels gets as much exposure as another, whatever the exposure.

    The first of his documents, as many as the other has, stand as high.

    >>> provider_above((1, 4), (3,)), provider_above((3,), (1, 4)), provider_above((1, 4), (2, 3))
    (True, False, False)
    """
    return _as_high(one[: len(other)], other)


def _as_high(one: Element, other: Element) -> bool:
    return len(one) == len(other) and all(a <= b for a, b in zip(one, other, strict=True))


def rr_above(one: Element, other: Element) -> bool:
    """Whether reciprocal rank prefers one arrangement of relevant documents to another."""
    return one == other or one[0] < other[0]


def lexiprecision_above(one: Element, other: Element) -> bool:
    """Whether lexiprecision prefers one arrangement of relevant documents to another."""
    return one <= other


def covers(elements: Sequence[Element], above: Above) -> BoolArray:
    """The edges of a Hasse diagram: above, with nothing between.

    >>> covers([(1,), (2,), (3,)], lexiprecision_above).astype(int).tolist()
    [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    """
    order = np.array([[above(one, other) for other in elements] for one in elements])
    strict = order & ~order.T
    return np.asarray(strict & ~(strict @ strict))


def heights(edges: BoolArray) -> NDArray[np.int64]:
    """How long the longest way down from each element is."""
    height = np.zeros(len(edges), np.int64)
    for _ in range(len(edges)):
        height = np.where(edges, height + 1, 0).max(axis=1)
    return height


def diagram(name: str, elements: Sequence[Element], above: Above) -> Iterator[Row]:
    """The nodes and edges of a Hasse diagram, with their places: the better off, the higher."""
    edges = covers(elements, above)
    height = heights(edges)
    across = np.zeros(len(elements))
    for level in np.unique(height):
        here = np.flatnonzero(height == level)
        across[here] = np.arange(len(here)) - (len(here) - 1) / 2
    labels = ["".join(map(str, element)) if max(element) < 10 else str(element) for element in elements]
    for i, j in np.argwhere(edges).tolist():
        yield {
            **{"drawing": name, "element": labels[i], "above": labels[j], "x": float(across[i]), "y": int(height[i])},
            **{"x2": float(across[j]), "y2": int(height[j])},
        }
    for i, label in enumerate(labels):
        yield {"drawing": name, "element": label, "above": None, "x": float(across[i]), "y": int(height[i])}
