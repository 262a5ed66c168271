"""How a measure is declared, named and evaluated.

A measure is a function from a collection to an array, system × query. ``@measure`` adds what a reader of its
numbers must know: range, direction, citation, and the name that trec_eval gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from rankdiff.collection import Collection
from rankdiff.declaration import ANY_POSITIVE, Declaration, Named
from rankdiff.errors import UsageError
from rankdiff.grammar import Expression, Spelling
from rankdiff.hits import FloatArray

Aggregate = Literal["mean", "sum", "geometric", "harmonic", "median"]
NoRelevant = Literal["zero", "undefined", "computed"]
Notices = Callable[..., Iterable[str]]


@dataclass(frozen=True, eq=False)
class Definition(Declaration):
    """A measure as declared: its formula and what a reader of its numbers must know.

    ``trec_eval`` and ``aliases`` are other spellings; fields in braces stand for parameters: ``P_{k}``.
    """

    function: Callable[..., FloatArray]
    higher_is_better: bool = True
    trec_eval: tuple[str, ...] = ()
    aggregate: Aggregate = "mean"
    no_relevant: NoRelevant = "zero"
    blockwise: bool = True
    notices: Notices | None = None

    @cached_property
    def spellings(self) -> tuple[Spelling, ...]:
        """The other ways to write its name, trec_eval's and those of other tools."""
        return tuple(Spelling(template) for template in (*self.trec_eval, *self.aliases))

    def __call__(self, cutoff: Any = None, **parameters: Any) -> Measure:
        """The measure with these parameters: ``precision(10, rel=2)`` is ``P(rel=2)@10``."""
        return self.bind(Expression(self.name, parameters, cutoff))

    def bind(self, expression: Expression) -> Measure:
        """The measure that an expression asks for; ``UsageError`` where a parameter does not exist or fit."""
        return Measure(self, self.chosen(expression))


@dataclass(frozen=True, eq=False, repr=False)
class Measure(Named):
    """A definition with its parameters: something that can be evaluated, and that prints as its name."""

    definition: Definition

    @property
    def trec_eval(self) -> str | None:
        """The name that trec_eval prints for it, None where it has none: ``P@10`` is ``P_10``."""
        given = self.parameters.keys() - {"rel"}
        spellings = [Spelling(template) for template in self.definition.trec_eval]
        fitting = [spelling.write(self.parameters) for spelling in spellings if given == set(spelling.fields)]
        return fitting[0] if fitting else None

    @property
    def higher_is_better(self) -> bool:
        """Whether a larger value is better."""
        return self.definition.higher_is_better

    @property
    def aggregate(self) -> Aggregate:
        """How the values of single queries become one number."""
        return self.definition.aggregate

    def __call__(self, c: Collection) -> FloatArray:
        """The values, system × query; NaN where the measure has none there and the query does not count."""
        c, arguments = self.prepare(c)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.array(self._computed(c, arguments), np.float64)
        if values.shape != c.depth.shape:
            raise UsageError(
                f"{self.name} gave an array of shape {values.shape}, expected system × query, {c.depth.shape}"
            )
        rel = arguments.get("rel")
        empty = c.relevant(ANY_POSITIVE if rel is None else rel).size == 0
        undefined = c.rules.no_relevant == "drop" or self.definition.no_relevant == "undefined"
        if undefined or self.definition.no_relevant == "zero":
            values[:, empty] = np.nan if undefined else 0.0
        if c.rules.missing == "skip":
            values[~c.answered] = np.nan
        return values

    def _computed(self, c: Collection, arguments: dict[str, Any]) -> Any:
        if c.tied is None:
            return self.definition.function(c, **arguments)
        from rankdiff.measures.tied import expected

        return expected(self.definition.name, self.definition.function, c, arguments)

    def notices(self, c: Collection) -> tuple[str, ...]:
        """What a reader of the values on this collection must be told."""
        if self.definition.notices is None:
            return ()
        c, arguments = self.prepare(c)
        return tuple(self.definition.notices(c, **arguments))


def measure(
    name: str,
    *,
    range: tuple[float, float],
    citation: str,
    higher_is_better: bool = True,
    trec_eval: str | tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    aggregate: Aggregate = "mean",
    no_relevant: NoRelevant | None = None,
    notices: Notices | None = None,
) -> Callable[[Callable[..., FloatArray]], Definition]:
    """Declare a function of a collection as a measure.

    ``no_relevant`` says what a query without a relevant document is worth: 0, which is the default where higher
    is better; nothing (``undefined``: it is left out), the default where lower is better; or what the function
    computes. ``notices``, with the arguments of the measure, says what a reader of its values must be told.

    >>> @measure("Half", range=(0.5, 0.5), citation="nobody")
    ... def half(c, k=None):
    ...     return np.full(c.depth.shape, 0.5)
    >>> half(10).name
    'Half@10'
    """
    default: NoRelevant = "zero" if higher_is_better else "undefined"

    def declare(function: Callable[..., FloatArray]) -> Definition:
        return Definition(
            name=name,
            function=function,
            range=range,
            citation=citation,
            higher_is_better=higher_is_better,
            trec_eval=(trec_eval,) if isinstance(trec_eval, str) else trec_eval,
            aliases=aliases,
            aggregate=aggregate,
            no_relevant=no_relevant or default,
            notices=notices,
        )

    return declare
