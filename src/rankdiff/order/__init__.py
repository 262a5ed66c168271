"""From queries to an order of systems: by the mean, by win rate, by majority (MC4, Borda, Copeland), by strength.

Every order is independent of the names of the runs and of the order in which they are given, and shows ties as ties.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.order.majority import borda, copeland, majorities, mc4
from rankdiff.order.positions import Order, positions
from rankdiff.order.strength import bradley_terry
from rankdiff.results.preferences import Preferences
from rankdiff.results.scores import Scores

__all__ = ["METHODS", "Order", "arrange", "arrange_scores", "borda", "bradley_terry", "copeland", "majorities", "mc4"]


def arrange(preferences: Preferences, method: str = "mc4", **options: Any) -> Order:
    """The order of the systems that a preference gives, over the queries that count for all of them.

    ``winrate``: mean win rate · ``mc4``: the Markov chain of Dwork et al. · ``borda`` · ``copeland`` ·
    ``bradley-terry``, with 95 % intervals from ``samples`` bootstraps over topics.

    >>> from rankdiff.alignment import align
    >>> c = align({"q": {"a": 1, "b": 1}}, {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"a": 1}}, "z": {"q": {"a": 3}}})
    >>> c.prefer("RPP").order("mc4")
    Order(mc4; x > y = z)
    """
    if method not in METHODS:
        raise UnknownNameError("order", method, METHODS)
    queries = int(preferences.shared.sum())
    if not queries:
        raise UsageError(
            "no topic counts for every run, so the runs cannot be ordered together: leave out those that answer few "
            "topics, or let missing='zero' (--missing zero) count what they lack as empty rankings"
        )
    found = METHODS[method](preferences, **options)
    position = positions(found["score"], found.get("tier"))
    signature = f"{preferences.signature}|order:{method}"
    return Order(preferences.systems, position, method=method, queries=queries, signature=signature, **found)


def arrange_scores(scores: Scores, measure: Any = None) -> Order:
    """The order of the systems by the mean (or whatever the measure aggregates by) of one measure.

    Without ``measure``, the first of the scores. Higher scores are better in the order: those of a measure where
    lower is better change their sign.
    """
    index = 0 if measure is None else scores._index(measure)
    chosen = scores.measures[index]
    value = scores.summary()[index] * (1 if chosen.higher_is_better else -1)
    queries = int(scores.counted()[index].max(initial=0))
    method = f"{chosen.aggregate} {chosen.name}"
    return Order(scores.systems, positions(value), value, method, queries, scores.signature)


def _by_win_rate(preferences: Preferences) -> dict[str, Any]:
    rates = preferences.win_rates()[:, preferences.shared]
    return {"score": rates.mean(axis=1) if len(preferences.systems) > 1 else np.zeros(1)}


def _by_mc4(preferences: Preferences) -> dict[str, Any]:
    score, tier = mc4(preferences.standings())
    return {"score": score, "tier": tier}


def _by_strength(preferences: Preferences, samples: int = 1000, seed: int = 7) -> dict[str, Any]:
    score, interval = bradley_terry(preferences.standings(), samples, seed)
    return {"score": score, "interval": interval}


METHODS: Mapping[str, Callable[..., dict[str, Any]]] = MappingProxyType(
    {
        "winrate": _by_win_rate,
        "mc4": _by_mc4,
        "borda": lambda preferences: {"score": borda(preferences.standings())},
        "copeland": lambda preferences: {"score": copeland(preferences.standings())},
        "bradley-terry": _by_strength,
    }
)
"""The ways to order systems by a preference."""
