"""The largest value of a ratio of sums, each of whose terms is chosen by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankdiff.hits import BoolArray, FloatArray, IntArray

STEPS = 100
FAR_BELOW = -1e9


@dataclass(frozen=True, eq=False)
class Choices:
    """Ratios ``(base + Σ_λ part[λ, r_λ]) / (constant + Σ_λ whole[λ, r_λ])``, and what the ``r_λ`` can be.

    The last two axes of ``part`` and ``whole`` are λ and r, those before run along with ``base``. A part of −inf
    marks a choice that there is not. Where ``nested``, no r_λ is larger than that of the λ before, as no more
    documents reach a higher level. Where ``optional``, a λ may be left out of both sums. A ratio of 0 to 0, that of a
    query without a relevant document, is 0.
    """

    base: FloatArray
    part: FloatArray
    whole: FloatArray
    constant: float = 0.0
    optional: BoolArray | None = None
    nested: bool = False

    def largest(self) -> FloatArray:
        """The largest ratio, by Dinkelbach's method: exact, as each term is chosen by itself for a given ratio.

        For a ratio t, choose each r_λ so that ``part − t · whole`` is largest; the ratio of that choice is the next
        t. It grows until t is the largest ratio, after a handful of steps.

        >>> part, whole = np.array([[[0.0, 3.0, 4.0]]]), np.array([[[1.0, 2.0, 4.0]]])
        >>> Choices(np.zeros(1), part, whole).largest().tolist()
        [1.5]
        """
        ratio = np.full(self.base.shape, FAR_BELOW)
        for _ in range(STEPS):
            part, whole = self._chosen(ratio)
            next_ratio = np.divide(part, whole, out=np.full(part.shape, FAR_BELOW), where=whole > 0)
            if not np.any(next_ratio > ratio):
                break
            ratio = np.maximum(ratio, next_ratio)
        return np.where(self._nothing, np.maximum(ratio, 0.0), ratio)

    def _chosen(self, ratio: FloatArray) -> tuple[FloatArray, FloatArray]:
        worth = self.part - ratio[..., None, None] * self.whole
        best = worth.argmax(axis=-1)
        if self.nested and np.any(np.diff(best, axis=-1) > 0):
            best = _nested(worth)
        best = best[..., None]
        part, whole = (np.take_along_axis(term, best, axis=-1)[..., 0] for term in self._terms)
        if self.optional is not None:
            left_out = self.optional & (np.take_along_axis(worth, best, axis=-1)[..., 0] < 0)
            part, whole = np.where(left_out, 0.0, part), np.where(left_out, 0.0, whole)
        return self.base + part.sum(axis=-1), self.constant + whole.sum(axis=-1)

    @property
    def _terms(self) -> tuple[FloatArray, FloatArray]:
        shape = np.broadcast_shapes(self.part.shape, self.whole.shape)
        return np.broadcast_to(self.part, shape), np.broadcast_to(self.whole, shape)

    @property
    def _nothing(self) -> BoolArray:
        """Whether the ratio of 0 to 0 is among the choices."""
        return np.asarray((self.constant + self.whole[..., 0].sum(axis=-1) == 0) & (self.base == 0))


def _nested(worth: FloatArray) -> IntArray:
    """The r_λ with the largest sum of ``worth[λ, r_λ]``, none larger than the one before.

    From the last λ backwards, the best that can be had from there on with at most r is a running maximum.

    >>> _nested(np.array([[0.0, 4.0, 1.0], [0.0, 1.0, 2.0]])).tolist()
    [1, 1]
    """
    levels = worth.shape[-2]
    number = np.arange(worth.shape[-1])
    reached: list[IntArray] = []
    best = np.zeros_like(worth[..., 0, :])
    for level in range(levels - 1, -1, -1):
        total = worth[..., level, :] + best
        best = np.maximum.accumulate(total, axis=-1)
        reached.append(np.maximum.accumulate(np.where(total >= best, number, 0), axis=-1))
    chosen = [reached[-1][..., -1]]
    for at_most in reversed(reached[:-1]):
        chosen.append(np.take_along_axis(at_most, chosen[-1][..., None], axis=-1)[..., 0])
    return np.stack(chosen, axis=-1)
