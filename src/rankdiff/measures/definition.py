"""How a measure is declared, named and evaluated.

A measure is a function from a collection to an array, system × query. ``@measure`` adds what a reader of its
numbers must know: range, direction, citation, and the name that trec_eval gives it. Its parameters are those of
the function; ``rel`` is the lowest grade that counts as relevant, ``k`` the cutoff that stands behind ``@``.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.grammar import Expression
from rankdiff.hits import FloatArray

ANY_POSITIVE = math.nextafter(0.0, 1.0)
"""As a lowest relevant grade: every grade above 0."""

Aggregate = Literal["mean", "sum", "geometric", "median"]


@dataclass(frozen=True, eq=False)
class Definition:
    """A measure as declared: its formula and what a reader of its numbers must know."""

    name: str
    function: Callable[..., FloatArray]
    range: tuple[float, float]
    citation: str
    higher_is_better: bool = True
    trec_eval: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    aggregate: Aggregate = "mean"
    no_relevant: Literal["zero", "undefined", "computed"] = "zero"
    blockwise: bool = True

    @property
    def defaults(self) -> dict[str, Any]:
        """The parameters and their default values, in the order of the function's signature."""
        parameters = list(inspect.signature(self.function).parameters.values())[1:]
        return {parameter.name: parameter.default for parameter in parameters}

    def __call__(self, cutoff: Any = None, **parameters: Any) -> Measure:
        """The measure with these parameters: ``precision(10, rel=2)`` is ``P(rel=2)@10``."""
        return self.bind(Expression(self.name, parameters, cutoff))

    def bind(self, expression: Expression) -> Measure:
        """The measure that an expression asks for; ``UsageError`` where a parameter does not exist or fit."""
        given = dict(expression.parameters)
        if expression.cutoff is not None:
            given["k"] = expression.cutoff
        defaults = self.defaults
        for key in given:
            if key not in defaults:
                if key == "k":
                    raise UsageError(f"{expression}: {self.name} takes no cutoff")
                raise UnknownNameError(f"parameter of {self.name}", key, [name for name in defaults if name != "k"])
        if missing := [key for key, value in defaults.items() if value is inspect.Parameter.empty and key not in given]:
            what = "a cutoff, as in " + self.name + "@10" if missing == ["k"] else f"{missing[0]}="
            raise UsageError(f"{expression}: {self.name} needs {what}")
        _check_cutoff(expression, given.get("k"), defaults)
        return Measure(self, {key: given[key] for key in defaults if key in given and given[key] != defaults[key]})

    @property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """trec_eval's names of the measure as patterns, ``{k}`` standing for a number."""
        return tuple(re.compile(re.escape(name).replace(r"\{k\}", r"(?P<k>\d+(?:\.\d+)?)")) for name in self.trec_eval)


def _check_cutoff(expression: Expression, cutoff: Any, defaults: Mapping[str, Any]) -> None:
    if "k" not in defaults or cutoff is None:
        return
    whole = not isinstance(defaults["k"], float)
    if not isinstance(cutoff, (int, float)) or (whole and (cutoff != int(cutoff) or cutoff < 1)):
        raise UsageError(f"{expression}: the cutoff must be a whole number of at least 1, as in {expression.name}@10")


@dataclass(frozen=True, eq=False)
class Measure:
    """A definition with its parameters: something that can be evaluated, and that prints as its name."""

    definition: Definition
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The canonical name; parameters at their defaults are left out."""
        shown = {key: value for key, value in self.parameters.items() if key != "k"}
        return str(Expression(self.definition.name, shown, self.parameters.get("k")))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Measure({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

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
        arguments = dict(self.parameters)
        if "rel" in self.definition.defaults:
            arguments.setdefault("rel", c.rules.rel)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.array(self.definition.function(c, **arguments), np.float64)
        if values.shape != c.depth.shape:
            raise UsageError(
                f"{self.name} gave an array of shape {values.shape}, expected system × query, {c.depth.shape}"
            )
        empty = c.relevant(arguments.get("rel", ANY_POSITIVE)).size == 0
        if c.rules.no_relevant == "drop" or self.definition.no_relevant == "undefined":
            values[:, empty] = np.nan
        elif self.definition.no_relevant == "zero":
            values[:, empty] = 0.0
        if c.rules.missing == "skip":
            values[~c.answered] = np.nan
        return values


def measure(
    name: str,
    *,
    range: tuple[float, float],
    citation: str,
    higher_is_better: bool = True,
    trec_eval: str | tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    aggregate: Aggregate = "mean",
    no_relevant: Literal["zero", "undefined", "computed"] | None = None,
) -> Callable[[Callable[..., FloatArray]], Definition]:
    """Declare a function of a collection as a measure.

    ``no_relevant`` says what a query without a relevant document is worth: 0, which is the default where higher
    is better; nothing (``undefined``: it is left out), the default where lower is better; or what the function
    computes.

    >>> @measure("Half", range=(0.5, 0.5), citation="nobody")
    ... def half(c, k=None):
    ...     return np.full(c.depth.shape, 0.5)
    >>> half(10).name
    'Half@10'
    """
    default: Literal["zero", "undefined"] = "zero" if higher_is_better else "undefined"

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
        )

    return declare
