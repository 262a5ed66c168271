"""Bradley–Terry strengths, with intervals from a bootstrap over topics."""

from __future__ import annotations

import numpy as np

from rankdiff.hits import FloatArray, IntArray

ITERATIONS = 100
BLOCK_CELLS = 1 << 21


def bradley_terry(standing: IntArray, samples: int = 1000, seed: int = 7) -> tuple[FloatArray, FloatArray]:
    """Strengths ``s`` such that ``1 / (1 + exp(s_b − s_a))`` is the chance that ``a`` stands above ``b`` for a query,
    and their 95 % intervals (lower and upper ends).

    Ties count as half a win each. One more tie between any two systems keeps the strengths finite where one stands
    above the other for every query. Strengths sum to 0. The intervals come from a bootstrap over topics, because the
    model's own would take comparisons for independent that share a topic.
    """
    queries = standing.shape[1]
    strength = _fit(_wins(standing, np.ones((1, queries))), np.zeros((1, len(standing))))[0]
    rng = np.random.Generator(np.random.Philox(seed))
    drawn = rng.multinomial(queries, np.full(queries, 1 / queries), size=samples).astype(np.float64)
    height = max(1, BLOCK_CELLS // max(len(standing) ** 2, 1))
    blocks = [drawn[first : first + height] for first in range(0, samples, height)]
    sampled = [_fit(_wins(standing, block), np.tile(strength, (len(block), 1))) for block in blocks]
    return strength, np.quantile(np.concatenate(sampled), [0.025, 0.975], axis=0)


def _wins(standing: IntArray, counts: FloatArray) -> FloatArray:
    """How often each system (rows) stands above each other (columns), for each sample of topics."""
    won = np.array([counts @ ((np.sign(own - standing) + 1) / 2).T for own in standing])
    wins: FloatArray = np.moveaxis(won, 0, 1) + 0.5
    return wins * (1 - np.eye(len(standing)))


def _fit(wins: FloatArray, start: FloatArray) -> FloatArray:
    """The strengths of greatest likelihood, by Newton's method, for several tables of wins at once."""
    strength = start.copy()
    games = wins + wins.swapaxes(1, 2)
    for _ in range(ITERATIONS):
        chance = 1 / (1 + np.exp(strength[:, None, :] - strength[:, :, None]))
        gradient = (wins - games * chance).sum(axis=2)
        weight = games * chance * (1 - chance)
        # Adding 1 to every entry pins the mean, which the likelihood leaves open, and changes nothing else.
        curvature = weight.sum(axis=2)[:, :, None] * np.eye(strength.shape[1]) - weight + 1
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        strength += step / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1)
        if np.abs(step).max(initial=0) < 1e-10:
            break
    return strength
