"""Formal properties of measures, as conditions on small sets of rankings.

Each property names the *cases* that test it, a few rankings each, and what it *demands* of their values. They are
those of Diaz & Mitra 2023, Appendix A, where rankings are imputed pessimistically: relevant documents that were not
retrieved stand at the very end of the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from rankdiff.hits import BoolArray, FloatArray

Positions = tuple[int, ...]
Ranking = tuple[int, Positions]
"""The size of the corpus, and the ranks of the relevant documents."""
Case = tuple[Ranking, ...]
Order = Callable[[Iterable[int]], list[int]]
"""In which order possibilities are tried: as they are, to list all cases; from a random one on, to draw one."""
Cases = Callable[[int, Positions, Order], Iterator[Case]]
Demand = Callable[[FloatArray, float], BoolArray]
"""From values (case × ranking, larger is better) and the best value there can be, to where the demand is met."""

ROUNDING = 1e-12
"""Values that differ by less are equal: the order in which floats are added is no difference."""
WORDED, PROVEN, BOTH = "as worded", "as proven", "as worded and proven"


@dataclass(frozen=True)
class Property:
    """A formal property: the cases that test it, and what it demands of their values.

    ``reading`` tells whether it is what the paper's text says or what its theorem proves, where they differ.
    ``of_values`` marks what can be asked of a measure only, not of a preference between two rankings.
    """

    name: str
    cases: Cases
    demand: Demand
    reading: str = BOTH
    of_values: bool = False


# ---- cases


def impute(n: int, m: int, top: Positions) -> Ranking:
    """A ranking of which only the top is known: the other relevant documents stand at the bottom.

    >>> impute(9, 4, (2, 3))
    (9, (2, 3, 8, 9))
    """
    return n, (*top, *range(n - m + len(top) + 1, n + 1))


def extended(n: int, positions: Positions, order: Order, relevant: bool) -> Iterator[Case]:
    """A document appended to what was retrieved, of which so much is left out that all relevant ones have room."""
    m = len(positions)
    for depth in order(range(n - m)):
        top = tuple(p for p in positions if p <= depth)
        if relevant and len(top) < m:
            yield impute(n, m, top), impute(n, m, (*top, depth + 1))
        if not relevant:
            # The document takes a place that no relevant one is imputed to, so that nothing moves.
            yield impute(n, m, top), impute(n, m, top)


def extended_by_relevant(n: int, positions: Positions, order: Order) -> Iterator[Case]:
    """A relevant document appended."""
    return extended(n, positions, order, relevant=True)


def extended_by_nonrelevant(n: int, positions: Positions, order: Order) -> Iterator[Case]:
    """A non-relevant document appended."""
    return extended(n, positions, order, relevant=False)


def extended_by_any(n: int, positions: Positions, order: Order) -> Iterator[Case]:
    """A document appended, relevant or not."""
    yield from extended_by_relevant(n, positions, order)
    yield from extended_by_nonrelevant(n, positions, order)


def moved(positions: Positions, old: int, new: int) -> Positions:
    """One relevant document moved to another rank.

    >>> moved((2, 5), 5, 1)
    (1, 2)
    """
    return tuple(sorted((set(positions) - {old}) | {new}))


def swapped_up(n: int, positions: Positions, order: Order) -> Iterator[Case]:
    """A relevant document swapped with a non-relevant one above it."""
    for rank in order(positions):
        for above in order(range(1, rank)):
            if above not in positions:
                yield (n, positions), (n, moved(positions, rank, above))


def two_steps_up(n: int, positions: Positions, order: Order) -> Iterator[Case]:
    """In one ranking, a relevant document moved up by a rank, against another one, farther down, moved so."""
    movable = [rank for rank in positions if rank > 1 and rank - 1 not in positions]
    for upper in order(movable):
        for lower in order(rank for rank in movable if rank > upper):
            steps = ((n, moved(positions, rank, rank - 1)) for rank in (upper, lower))
            yield (n, positions), next(steps), (n, positions), next(steps)


def same_level_up(n: int, positions: Positions, order: Order) -> Iterator[Case]:
    """The j-th relevant document moved up by a rank, in two rankings that differ in its rank only."""
    for j in order(range(len(positions))):
        upper = positions[j]
        ceiling = positions[j + 1] if j + 1 < len(positions) else n + 1
        if upper > 1 and upper - 1 not in positions:
            for lower in order(range(upper + 1, ceiling)):
                deeper = moved(positions, upper, lower)
                yield (
                    (n, positions),
                    (n, moved(positions, upper, upper - 1)),
                    (n, deeper),
                    (n, moved(deeper, lower, lower - 1)),
                )


def last_two_exchanged(n: int, positions: Positions, _: Order) -> Iterator[Case]:
    """Two rankings that share all but the last two ranks: the longest prefix that leaves anything open.

    So R@k fails in a corpus of ``k + 1`` documents, though it looks no farther than ``k``.
    """
    if n > 2 and (n in positions) != (n - 1 in positions):
        old, new = (n, n - 1) if n in positions else (n - 1, n)
        yield (n, positions), (n, moved(positions, old, new))


def first_two_exchanged(n: int, positions: Positions, _: Order) -> Iterator[Case]:
    """Two rankings that share all but the first two ranks: the longest suffix that leaves anything open."""
    if n > 2 and (1 in positions) != (2 in positions):
        old, new = (2, 1) if 2 in positions else (1, 2)
        yield (n, positions), (n, moved(positions, old, new))


def alone(n: int, positions: Positions, _: Order) -> Iterator[Case]:
    """One ranking."""
    yield ((n, positions),)


def one_more_beyond(n: int, positions: Positions, order: Order) -> Iterator[Case]:
    """The same retrieved documents in a corpus with one more document, which is relevant or not."""
    m = len(positions)
    for depth in order(range(1, n - m)):
        top = tuple(p for p in positions if p <= depth)
        yield impute(n, m, top), impute(n + 1, m, top)
        yield impute(n, m, top), impute(n + 1, m + 1, top)


def perfect_top(n: int, positions: Positions, order: Order) -> Iterator[Case]:
    """The best that can be retrieved to some depth."""
    m = len(positions)
    for depth in order(range(1, n - m)):
        yield (impute(n, m, tuple(range(1, min(depth, m) + 1))),)


def nothing_relevant(n: int, _positions: Positions, _order: Order) -> Iterator[Case]:
    """A request without a relevant document."""
    yield ((n, ()),)


# ---- demands


def not_worse(values: FloatArray, _: float) -> BoolArray:
    """The second ranking is as good or better."""
    return values[:, 1] >= values[:, 0] - ROUNDING


def better(values: FloatArray, _: float) -> BoolArray:
    """The second ranking is better."""
    return values[:, 1] > values[:, 0] + ROUNDING


def not_better(values: FloatArray, _: float) -> BoolArray:
    """The second ranking is as good or worse."""
    return values[:, 1] <= values[:, 0] + ROUNDING


def worse(values: FloatArray, _: float) -> BoolArray:
    """The second ranking is worse."""
    return values[:, 1] < values[:, 0] - ROUNDING


def equal(values: FloatArray, _: float) -> BoolArray:
    """Both are worth the same."""
    return np.abs(values[:, 1] - values[:, 0]) <= ROUNDING


def no_smaller_gain(values: FloatArray, _: float) -> BoolArray:
    """The first step gains as much as the second, or more."""
    return _gain(values, 0) >= _gain(values, 2) - ROUNDING


def larger_gain(values: FloatArray, _: float) -> BoolArray:
    """The first step gains more than the second."""
    return _gain(values, 0) > _gain(values, 2) + ROUNDING


def _gain(values: FloatArray, first: int) -> FloatArray:
    return np.asarray(values[:, first + 1] - values[:, first])


def within_unit(values: FloatArray, _: float) -> BoolArray:
    """The value lies between 0 and 1, in either direction."""
    return np.asarray((np.abs(values) <= 1 + ROUNDING).all(axis=1))


def best(values: FloatArray, bound: float) -> BoolArray:
    """The value is the best there can be."""
    return values[:, 0] >= bound - ROUNDING


def defined(values: FloatArray, _: float) -> BoolArray:
    """There is a value."""
    return ~np.isnan(values[:, 0])


CONCAVE = ("concavity in contiguous swap depth", "strict concavity in contiguous swap depth")

PROPERTIES = (
    Property("increasing in retrieval size", extended_by_any, not_worse),
    Property("decreasing in nonrelevance", extended_by_nonrelevant, not_better),
    Property("strictly decreasing in nonrelevance", extended_by_nonrelevant, worse),
    Property("increasing in relevance", extended_by_relevant, not_worse),
    Property("strictly increasing in relevance", extended_by_relevant, better),
    Property("increasing in swapping up", swapped_up, not_worse),
    Property("strictly increasing in swapping up", swapped_up, better),
    Property(CONCAVE[0], two_steps_up, no_smaller_gain, WORDED, of_values=True),
    Property(CONCAVE[0], same_level_up, no_smaller_gain, PROVEN, of_values=True),
    Property(CONCAVE[1], two_steps_up, larger_gain, WORDED, of_values=True),
    Property(CONCAVE[1], same_level_up, larger_gain, PROVEN, of_values=True),
    Property("suffix invariance", last_two_exchanged, equal),
    Property("prefix invariance", first_two_exchanged, equal),
    Property("boundedness", alone, within_unit, of_values=True),
    Property("localization", one_more_beyond, equal, of_values=True),
    Property("completeness", nothing_relevant, defined, of_values=True),
    Property("realizability", perfect_top, best, of_values=True),
)
"""The properties of Table 6, in its order."""
