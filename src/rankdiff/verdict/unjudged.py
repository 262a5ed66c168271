"""The ranks that no judged document has, and what relevant documents there would add to a measure.

From a run's depth and the ranks of its judged documents the ranks of all others are known, though not which documents
stand there. For a measure that never falls when a relevant document moves up, the best case of r more relevant
documents is that they stand at the first r of these ranks, the worst that they stand at the last, or nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.measures import Measure
from rankdiff.measures.atomized import missing_length
from rankdiff.verdict.linear import Linear, linear_form
from rankdiff.verdict.pair import Yardstick


@dataclass(frozen=True, eq=False)
class Slots:
    """Ranks 1, 2, … of every ranking, system × query × rank: which hold an unjudged document, which a relevant one.

    ``within`` counts the unjudged ones down to the depth of judging, ``best`` lists all of them from the top (0 behind
    the last), ``worst`` those within the depth from the bottom.
    """

    relevant: BoolArray
    within: IntArray
    best: IntArray
    worst: IntArray


def slots(c: Collection, depth: int | None, rel: float) -> Slots:
    """The ranks of a collection's unjudged documents; those to ``depth`` are to be judged, all without one.

    >>> from rankdiff.alignment import align
    >>> c = align({"q": {"a": 1, "b": 0}}, {"run": {"q": {"x": 9, "a": 8, "y": 7, "z": 6, "b": 5}}})
    >>> found = slots(c, 3, rel=1)
    >>> found.best.tolist(), found.within.tolist(), found.worst.tolist()
    ([[[1, 3, 4]]], [[2]], [[[3, 1]]])
    """
    ranks = np.arange(1, int(c.depth.max(initial=1)) + 1)
    free = ranks <= c.depth[:, :, None]
    relevant = np.zeros(free.shape, bool)
    judged = np.flatnonzero(~np.isnan(c.grade))
    system, document = np.nonzero(c.rank[:, judged])
    column = judged[document]
    at = (system, c.query_of[column], c.rank[system, column] - 1)
    free[at] = False
    relevant[at] = c.grade[column] >= rel
    within = free & (ranks <= (len(ranks) if depth is None else depth))
    return Slots(relevant, within.sum(axis=2), _listed(free), _listed(within[:, :, ::-1], backwards=True))


def _listed(marked: BoolArray, backwards: bool = False) -> IntArray:
    """The ranks that are marked, in order, and 0 behind the last."""
    count = marked.sum(axis=2)
    listed = np.zeros((*count.shape, int(count.max(initial=0))), np.int32)
    system, query, place = np.nonzero(marked)
    number = np.cumsum(marked, axis=2)[system, query, place] - 1
    listed[system, query, number] = marked.shape[2] - place if backwards else place + 1
    return listed


@dataclass(frozen=True, eq=False)
class Gains:
    """What relevant documents at unjudged ranks add to the sum of a measure, and what the sum is divided by.

    ``base`` is the sum as judged, system × query. ``best`` is what 0, 1, 2, … more relevant documents add at best,
    ``worst`` at worst if they stand within the depth of judging; both system × query × number. Beside so many, each one
    that a run does not have adds its ``lacking``. ``steps`` are the levels of gain, and ``whole`` what each level
    contributes to the divisor, query × level × number.
    """

    base: FloatArray
    best: FloatArray
    worst: FloatArray
    within: IntArray
    steps: FloatArray
    whole: FloatArray
    constant: float
    lacking: FloatArray | None = None


def gains(by: Yardstick, c: Collection, depth: int | None) -> Gains | None:
    """These sums for a measure, None for one that is not of this kind."""
    form = linear_form(Yardstick(by.of), c)
    if form is not None:
        return _linear_gains(form, c, depth)
    if not isinstance(by.of, Measure) or by.of.definition.name not in {*_SUMS, "ASL"}:
        return None
    given = by.of.parameters
    rel, cutoff = given.get("rel", c.rules.rel), given.get("k", np.inf)
    found = slots(c, depth, rel)
    if by.of.definition.name == "ASL":
        whole = given.get("first") is None and given.get("missing") != "corpus"
        return _search_lengths(c, found, rel, given.get("missing", "padded")) if whole else None
    base, best, worst, divided = _SUMS[by.of.definition.name](found, cutoff)
    number = np.arange(best.shape[2])
    whole = (c.relevant(rel).size[:, None] + number)[:, None, :] * np.float64(divided)
    return Gains(base, best, worst, found.within, np.ones(1), np.asarray(whole), 0.0 if divided else 1.0)


def _linear_gains(form: Linear, c: Collection, depth: int | None) -> Gains:
    found = slots(c, depth, rel=np.inf)
    # Where nothing is divided by the relevant documents, those that the other run alone has do no good.
    most = int(found.within.max(initial=0)) * (2 if len(form.ideal) > 1 else 1)
    # From the cutoff on one more relevant document changes nothing, where the divisor stops growing there as well.
    if form.cutoff is not None and np.all(form.ideal[form.cutoff :] == form.ideal[-1]):
        most = min(most, form.cutoff)
    number = np.arange(most + 1)
    base = np.zeros(c.depth.shape)
    for system in range(len(c.systems)):
        base[system] = np.bincount(c.query_of, form.gain(c.grade) * form.weight(c.rank[system]), len(c.queries))
    ideal = form.ideal[np.clip(form.counts(c)[:, :, None] + number, 0, len(form.ideal) - 1)]
    best, worst = (_padded(form.weight(listed), most) for listed in (found.best, found.worst))
    return Gains(base, best, worst, found.within, form.steps, ideal * form.steps[:, None], form.constant)


def _padded(added: FloatArray, most: int) -> FloatArray:
    """Running sums along the last axis, from 0 to ``most`` terms; behind the last they stay."""
    total = np.zeros((*added.shape[:2], most + 1))
    length = min(most, added.shape[2])
    np.cumsum(added[:, :, :length], axis=2, out=total[:, :, 1 : length + 1])
    total[:, :, length + 1 :] = total[:, :, length, None]
    return total


Sums = tuple[FloatArray, FloatArray, FloatArray, bool]
"""The sum as judged, what is added at best and at worst, and whether it is divided by the relevant documents."""


def _average_precision(found: Slots, cutoff: float) -> Sums:
    """``Σ i / p_i``: a relevant document at rank u adds (relevant above + 1) / u, and 1/p for each one below."""
    ranks = np.arange(1, found.relevant.shape[2] + 1)
    inverse = np.where(ranks <= cutoff, 1 / ranks, 0.0)
    hits = found.relevant.cumsum(axis=2)
    base = np.sum(found.relevant * hits * inverse, axis=2)
    weighted = np.cumsum(found.relevant * inverse, axis=2)
    alone = hits * inverse + inverse + weighted[:, :, -1:] - weighted
    most = 2 * int(found.within.max(initial=0))
    best, best_inverse = _taken(alone, found.best), _taken(np.broadcast_to(inverse, alone.shape), found.best)
    worst, worst_inverse = _taken(alone, found.worst), _taken(np.broadcast_to(inverse, alone.shape), found.worst)
    best += best_inverse * np.arange(best.shape[2])
    worst += np.cumsum(worst_inverse, axis=2) - worst_inverse
    return base, _padded(best, most), _padded(worst, most), True


def _taken(values: FloatArray, listed: IntArray) -> FloatArray:
    """Values by rank at the ranks listed, 0 where none is."""
    return np.where(listed > 0, np.take_along_axis(values, np.maximum(listed - 1, 0), axis=2), 0.0)


def _search_lengths(c: Collection, found: Slots, rel: float, missing: str) -> Gains:
    """Lower is better, so lengths count below 0: ``Σ p − k (k − 1)/2`` for the ``k`` retrieved, and for each of the
    others what one counts that is missing beside ``k``."""
    most = 2 * int(found.within.max(initial=0))
    number = np.arange(most + 1)
    ranks = np.arange(1, found.relevant.shape[2] + 1)
    judged = (found.relevant * ranks).sum(axis=2)[:, :, None]
    had = found.relevant.sum(axis=2)[:, :, None]
    m = c.relevant(rel).size[:, None]

    def lengths(listed: IntArray, total: IntArray) -> tuple[FloatArray, FloatArray]:
        """Less all search lengths with 0, 1, 2, … more at the ranks listed, and less what a missing one counts."""
        k = had + np.minimum(number, np.count_nonzero(listed, axis=2)[:, :, None])
        absent = np.moveaxis(missing_length(c, missing, rel, np.moveaxis(k, 2, 0)), 0, 2)
        return -(judged + _padded(listed.astype(np.float64), most) - k * (k - 1) / 2 + (total - k) * absent), -absent

    best, _ = lengths(found.best, m + number)
    worst, lacking = lengths(found.worst, m)
    base = best[:, :, 0]
    whole = (m + number)[:, None, :].astype(np.float64)
    return Gains(base, best - base[:, :, None], worst - base[:, :, None], found.within, np.ones(1), whole, 0.0, lacking)


def _first(worth: Callable[[IntArray, float], FloatArray]) -> Callable[[Slots, float], Sums]:
    """A measure of the first relevant document's rank alone."""

    def sums(found: Slots, cutoff: float) -> Sums:
        rank = np.where(found.relevant.any(axis=2), found.relevant.argmax(axis=2) + 1, 0)
        base = worth(rank, cutoff)
        reached = (
            np.maximum.accumulate(np.maximum(worth(listed, cutoff), base[:, :, None]), axis=2)
            for listed in (found.best[:, :, :1], found.worst)
        )
        # One more relevant document is enough; a second one can only be the other run's.
        best, worst = (_padded(np.diff(value, axis=2, prepend=base[:, :, None]), 1) for value in reached)
        return base, best, worst, False

    return sums


def _reciprocal(rank: IntArray, cutoff: float) -> FloatArray:
    return np.where((rank > 0) & (rank <= cutoff), 1 / np.maximum(rank, 1), 0.0)


def _within(rank: IntArray, cutoff: float) -> FloatArray:
    return np.asarray(((rank > 0) & (rank <= cutoff)) * 1.0, np.float64)


_SUMS: dict[str, Callable[[Slots, float], Sums]] = {
    "AP": _average_precision,
    "RR": _first(_reciprocal),
    "Success": _first(_within),
}
