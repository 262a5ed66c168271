"""Orders by majority: from the order of the runs for each query to one order of the systems."""

from __future__ import annotations

import numpy as np

from rankdiff.hits import FloatArray, IntArray


def majorities(standing: IntArray) -> IntArray:
    """For how many queries each system (rows) stands above each other (columns).

    >>> majorities(np.array([[1, 1, -1], [-1, -1, 1]])).tolist()
    [[0, 2], [1, 0]]
    """
    return np.array([(own > standing).sum(axis=1) for own in standing], np.int64).reshape((len(standing),) * 2)


def borda(standing: IntArray) -> FloatArray:
    """Runs worse less runs better, added up over the queries; ties count 0."""
    return np.asarray(standing.sum(axis=1), np.float64)


def copeland(standing: IntArray) -> FloatArray:
    """Majorities won less majorities lost."""
    above = majorities(standing)
    return np.asarray(np.sign(above - above.T).sum(axis=1), np.float64)


def mc4(standing: IntArray) -> tuple[FloatArray, IntArray]:
    """The fourth Markov chain of Dwork et al. 2001: the share of time it spends at each system, and the tiers.

    From a system the chain picks another one uniformly, and moves there if more queries prefer the other, with
    probability ½ if equally many do; otherwise it stays. Systems that can all be reached from one another are a
    tier, and every system of a tier beats every one of the next; the chain would end in the first and give the
    others nothing, so each tier has a stationary distribution of its own. It is solved, not iterated.
    """
    above = majorities(standing)
    wins = np.sign(above - above.T) + 1 - np.eye(len(above), dtype=np.int64)
    tier = _tiers(wins)
    share = np.zeros(len(above))
    for number in np.unique(tier):
        members = np.flatnonzero(tier == number)
        share[members] = _stationary(wins[np.ix_(members, members)])
    return share, tier


def _tiers(wins: IntArray) -> IntArray:
    """The strongly connected components of the majority graph, 1 being the best.

    ``wins`` is 2 for a majority won, 1 for a tie. Any two systems are joined, so the components are a chain; the
    best ``k`` systems by wins are a union of components exactly if they win all they can: ``k (k − 1)`` among
    themselves and 2 against each of the rest.
    """
    won = wins.sum(axis=1)
    best_first = np.argsort(-won, kind="stable")
    size = np.arange(1, len(won) + 1)
    closed = np.cumsum(won[best_first]) == size * (size - 1) + 2 * size * (len(won) - size)
    tier = np.empty(len(won), np.int64)
    tier[best_first] = 1 + np.append(0, np.cumsum(closed))[: len(won)]
    return tier


def _stationary(wins: IntArray) -> FloatArray:
    """The stationary distribution of the chain that moves to whoever wins, among systems that reach one another."""
    flow = wins.astype(np.float64)
    balance = flow - np.diag(flow.sum(axis=0))
    balance[-1] = 1.0
    return np.linalg.solve(balance, np.eye(len(wins))[-1])
