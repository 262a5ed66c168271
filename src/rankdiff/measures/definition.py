"""How a measure is declared, named and evaluated.

A measure is a function from a collection to an array, system × query. ``@measure`` adds what a reader of its
numbers must know: range, direction, citation, and the name that trec_eval gives it. Its parameters are those of
the function; two have a meaning of their own: ``rel`` is the lowest grade that counts as relevant (the
collection's, where a name does not give it), ``k`` the cutoff that stands behind ``@``. Every measure also takes
``judged_only=True``, which ranks among judged documents.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.grammar import Expression, Spelling
from rankdiff.hits import FloatArray

ANY_POSITIVE = math.nextafter(0.0, 1.0)
"""As a lowest relevant grade: every grade above 0."""

Aggregate = Literal["mean", "sum", "geometric", "median"]
NoRelevant = Literal["zero", "undefined", "computed"]


@dataclass(frozen=True, eq=False)
class Definition:
    """A measure as declared: its formula and what a reader of its numbers must know.

    ``trec_eval`` and ``aliases`` are other spellings; fields in braces stand for parameters: ``P_{k}``.
    """

    name: str
    function: Callable[..., FloatArray]
    range: tuple[float, float]
    citation: str
    higher_is_better: bool = True
    trec_eval: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    aggregate: Aggregate = "mean"
    no_relevant: NoRelevant = "zero"
    blockwise: bool = True

    def __post_init__(self) -> None:
        # So that help() and doctest see the function behind the declaration.
        vars(self).update(__wrapped__=self.function, __doc__=self.function.__doc__, __module__=self.function.__module__)

    @cached_property
    def _signature(self) -> Mapping[str, inspect.Parameter]:
        parameters = dict(list(inspect.signature(self.function).parameters.items())[1:])
        judged_only = inspect.Parameter("judged_only", inspect.Parameter.KEYWORD_ONLY, default=False, annotation="bool")
        return parameters | {"judged_only": judged_only}

    @property
    def defaults(self) -> Mapping[str, Any]:
        """The parameters and their default values, in the order of the function's signature."""
        return {name: parameter.default for name, parameter in self._signature.items()}

    @property
    def _fractional(self) -> bool:
        return "float" in str(self._signature["k"].annotation)

    @cached_property
    def spellings(self) -> tuple[Spelling, ...]:
        """The other ways to write its name, trec_eval's and those of other tools."""
        return tuple(Spelling(template) for template in (*self.trec_eval, *self.aliases))

    def __call__(self, cutoff: Any = None, **parameters: Any) -> Measure:
        """The measure with these parameters: ``precision(10, rel=2)`` is ``P(rel=2)@10``."""
        return self.bind(Expression(self.name, parameters, cutoff))

    def bind(self, expression: Expression) -> Measure:
        """The measure that an expression asks for; ``UsageError`` where a parameter does not exist or fit."""
        given = {"k" if key == "cutoff" else key: value for key, value in expression.parameters.items()}
        if expression.cutoff is not None:
            given["k"] = expression.cutoff
        defaults = self.defaults
        for key, value in given.items():
            if key not in defaults:
                if key == "k":
                    raise UsageError(f"{expression}: {self.name} takes no cutoff")
                raise UnknownNameError(f"parameter of {self.name}", key, [name for name in defaults if name != "k"])
            if key == "k":
                self._check_cutoff(expression, value)
            else:
                _check_kind(expression, self._signature[key], value)
        if missing := [key for key, value in defaults.items() if value is inspect.Parameter.empty and key not in given]:
            cutoff = f"{self.name}@{0.5 if self._fractional else 10}"
            what = f"a cutoff, as in {cutoff}" if missing[0] == "k" else f"{missing[0]}="
            raise UsageError(f"{expression}: {self.name} needs {what}")
        # A stated rel stays even where it is 1: the collection's own level may be another.
        kept = [key for key in defaults if key in given and (given[key] != defaults[key] or key == "rel")]
        return Measure(self, {key: given[key] for key in kept})

    def _check_cutoff(self, expression: Expression, cutoff: Any) -> None:
        if self._fractional:
            if not _is_number(cutoff) or not cutoff >= 0:
                raise UsageError(f"{expression}: the cutoff must be a number of at least 0, as in {self.name}@0.5")
        elif not _is_number(cutoff) or cutoff != cutoff // 1 or cutoff < 1:
            raise UsageError(f"{expression}: the cutoff must be a whole number of at least 1, as in {self.name}@10")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_KINDS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "bool": ("True or False", lambda value: isinstance(value, bool)),
    "int": ("a whole number", lambda value: _is_number(value) and value == value // 1),
    "float": ("a number", _is_number),
    "str": ("text in quotes", lambda value: isinstance(value, str)),
    "Mapping": ("a mapping such as {1: 3}", lambda value: isinstance(value, Mapping)),
    "None": ("None", lambda value: value is None),
}


def _check_kind(expression: Expression, parameter: inspect.Parameter, value: Any) -> None:
    """Refuse a value that the parameter's annotation rules out, as far as names can be typed in."""
    words = set(re.findall(r"\w+", re.sub(r"\[.*\]", "", str(parameter.annotation))))
    if words <= _KINDS.keys() and not any(_KINDS[word][1](value) for word in words):
        expected = " or ".join(text for word, (text, _) in _KINDS.items() if word in words - {"None"})
        raise UsageError(f"{expression}: {parameter.name} must be {expected}, not {value!r}")


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

    @property
    def trec_eval(self) -> str | None:
        """The name that trec_eval prints for it, None where it has none: ``P@10`` is ``P_10``."""
        given = self.parameters.keys() - {"rel"}
        spellings = [Spelling(template) for template in self.definition.trec_eval]
        fitting = [spelling.write(self.parameters) for spelling in spellings if given == set(spelling.fields)]
        return fitting[0] if fitting else None

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
        if arguments.pop("judged_only", False):
            c = _condensed(c)
        if self.definition.defaults.get("rel") is not None:
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


def _condensed(c: Collection) -> Collection:
    view = c._once("condensed", c.condense)
    return view if c.reference is None else replace(view, reference=_condensed(c.reference))


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
        )

    return declare
