"""How a preference is declared, named and evaluated.

A preference is a function from a collection to the `Pairs` of its runs. ``@preference`` adds what a reader of its
numbers must know. A new one is mostly three choices: a population of users, a weight over recall levels, and a
comparison of two ranks::

    @preference("LinearRPP", citation="mine")
    def linear_recall_paired(c, rel=1):
        return expect(c, everybody(c, rel), weights=lambda level: level)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.declaration import Declaration, Named
from rankdiff.errors import UsageError
from rankdiff.grammar import Expression
from rankdiff.hits import BoolArray
from rankdiff.preferences.pairs import Pairs
from rankdiff.results.preferences import Preferences


@dataclass(frozen=True, eq=False)
class Definition(Declaration):
    """A preference as declared: its formula and what a reader of its numbers must know.

    ``transitive`` says that for a single query a run better than a second, and that better than a third, is better
    than the third.
    """

    transitive: bool = False

    def __call__(self, **parameters: Any) -> Preference:
        """The preference with these parameters: ``recall_paired(weights="dcg")`` is ``RPP(weights='dcg')``."""
        return self.bind(Expression(self.name, parameters))

    def bind(self, expression: Expression) -> Preference:
        """The preference that an expression asks for; ``UsageError`` where a parameter does not exist or fit."""
        return Preference(self, self.chosen(expression))


@dataclass(frozen=True, eq=False, repr=False)
class Preference(Named):
    """A definition with its parameters: something that can be evaluated, and that prints as its name."""

    definition: Definition

    def __call__(self, c: Collection) -> Preferences:
        """What it prefers, between all runs of a collection."""
        view, arguments = self.prepare(_with_peers(c))
        pairs = self.pairs(view, arguments)
        counts = _counts(view, pairs, arguments.get("rel"))
        rivals = np.isin(view.systems, c.peers.systems)
        return Preferences(c, self, pairs, counts, rivals)

    def pairs(self, c: Collection, arguments: dict[str, Any]) -> Pairs:
        """What the function gives, which must be the pairs of all runs and queries."""
        found = self.definition.function(c, **arguments)
        if not isinstance(found, Pairs) or found.shape != c.depth.shape:
            what = f"those of shape {found.shape}" if isinstance(found, Pairs) else repr(type(found).__name__)
            raise UsageError(
                f"{self.name} gave {what}, expected the Pairs of {len(c.systems)} systems × {len(c.queries)} queries, "
                "as rankdiff.preferences.expect makes them"
            )
        return found


def preference(
    name: str,
    *,
    citation: str,
    transitive: bool = False,
    range: tuple[float, float] = (-1, 1),
    aliases: tuple[str, ...] = (),
) -> Callable[[Callable[..., Pairs]], Definition]:
    """Declare a function from a collection to pairs as a preference.

    >>> from rankdiff.preferences import everybody, expect
    >>> @preference("FirstOnly", citation="nobody")
    ... def first_only(c, rel=1):
    ...     return expect(c, everybody(c, rel), weights=lambda level: level == 1)
    >>> first_only(rel=2).name
    'FirstOnly(rel=2)'
    """

    def declare(function: Callable[..., Pairs]) -> Definition:
        return Definition(name, function, range, citation, transitive=transitive, aliases=aliases)

    return declare


def _with_peers(c: Collection) -> Collection:
    """The runs and, behind them, those of the reference that they are compared with."""
    if c.reference is None:
        return c
    others = c.reference.select([name for name in c.reference.systems if name not in c.systems])
    return replace(
        c,
        systems=c.systems + others.systems,
        rank=np.vstack([c.rank, others.rank]),
        depth=np.vstack([c.depth, others.depth]),
        answered=np.vstack([c.answered, others.answered]),
        tags=(),
        groups=(),
        tied=None if c.tied is None or others.tied is None else c.tied.above(others.tied),
        _derived={},
    )


def _counts(c: Collection, pairs: Pairs, rel: float | None) -> BoolArray:
    """Where a run's ranking counts, system × query: by the rules, and where a measure has a value."""
    counts = pairs.defined()
    if c.rules.no_relevant == "drop":
        counts[:, c.relevant(c.rules.rel if rel is None else rel).size == 0] = False
    if c.rules.missing == "skip":
        counts &= c.answered
    return counts
