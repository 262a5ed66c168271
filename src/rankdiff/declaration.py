"""What measures and preferences have in common: a function under a name, with parameters that the name can give.

A *declaration* is the function as it was declared; with its parameters it is something *named*, which can be
evaluated and prints as its name. The function's first argument is a collection. Of the others, two have a meaning
of their own: ``rel`` is the lowest grade that counts as relevant (the collection's, where a name does not give
it), ``k`` the cutoff that stands behind ``@``. Everything declared also takes ``judged_only=True``, which ranks
among judged documents.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.grammar import Expression

ANY_POSITIVE = math.nextafter(0.0, 1.0)
"""As a lowest relevant grade: every grade above 0."""


@dataclass(frozen=True, eq=False)
class Declaration:
    """A function of a collection as declared: its formula and what a reader of its numbers must know."""

    name: str
    function: Callable[..., Any]
    range: tuple[float, float]
    citation: str
    aliases: tuple[str, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        # So that help() and doctest see the function behind the declaration.
        vars(self).update(__wrapped__=self.function, __doc__=self.function.__doc__, __module__=self.function.__module__)

    @cached_property
    def _signature(self) -> Mapping[str, inspect.Parameter]:
        of_function = list(inspect.signature(self.function).parameters.items())[1:]
        parameters = {name: parameter.replace(annotation=self._named(parameter)) for name, parameter in of_function}
        judged_only = inspect.Parameter("judged_only", inspect.Parameter.KEYWORD_ONLY, default=False, annotation="bool")
        return parameters | {"judged_only": judged_only}

    def _named(self, parameter: inspect.Parameter) -> str:
        """A parameter's annotation as it is written, or what the name that is written there stands for."""
        written = str(parameter.annotation)
        known = getattr(self.function, "__globals__", {}).get(written)
        return str(known) if "Literal[" in str(known) else written

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """The parameters and their default values, in the order of the function's signature."""
        return {name: parameter.default for name, parameter in self._signature.items()}

    @property
    def _fractional(self) -> bool:
        return "float" in str(self._signature["k"].annotation)

    def chosen(self, expression: Expression) -> dict[str, Any]:
        """The parameters that an expression sets; ``UsageError`` where one does not exist or fit."""
        defaults = self.defaults
        cutoff_in_full = "recall" if "k" in defaults and self._fractional else "cutoff"  # as ir_measures has it
        given = {"k" if key == cutoff_in_full else key: value for key, value in expression.parameters.items()}
        if expression.cutoff is not None:
            given["k"] = expression.cutoff
        given = {key: value.tolist() if hasattr(value, "tolist") else value for key, value in given.items()}
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
            cutoff = f"a cutoff, as in {self.name}@{0.5 if 'k' in defaults and self._fractional else 10}"
            raise UsageError(f"{expression}: {self.name} needs {cutoff if missing[0] == 'k' else missing[0] + '='}")
        # A stated rel stays even where it is 1: the collection's own level may be another.
        kept = [key for key in defaults if key in given and (given[key] != defaults[key] or key == "rel")]
        return {key: given[key] for key in kept}

    def _check_cutoff(self, expression: Expression, cutoff: Any) -> None:
        if self._fractional:
            if not _is_number(cutoff) or not cutoff >= 0:
                raise UsageError(f"{expression}: the cutoff must be a number of at least 0, as in {self.name}@0.5")
        elif not _is_number(cutoff) or cutoff != cutoff // 1 or cutoff < 1:
            raise UsageError(f"{expression}: the cutoff must be a whole number of at least 1, as in {self.name}@10")


@cache
def plugged_in(group: str) -> Mapping[str, Declaration]:
    """What installed packages declare under an entry point group, ``rankdiff.measures`` or ``rankdiff.preferences``."""
    from importlib.metadata import entry_points

    offered = {}
    for entry in entry_points(group=group):
        try:
            definition = entry.load()
        except Exception as problem:
            raise UsageError(f"the plug-in {entry.name} = {entry.value} cannot be loaded ({problem!r})") from problem
        if not isinstance(definition, Declaration):
            raise UsageError(
                f"the plug-in {entry.name} = {entry.value} is {type(definition).__name__}, expected a function under "
                f"@{group.removeprefix('rankdiff.')[:-1]}"
            )
        offered[definition.name] = definition
    return offered


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


_NAMES = re.compile(r"Literal\[(.*?)\]")


def _check_kind(expression: Expression, parameter: inspect.Parameter, value: Any) -> None:
    """Refuse a value that the parameter's annotation rules out, as far as names can be typed in."""
    if names := _NAMES.search(str(parameter.annotation)):
        known = ast.literal_eval(f"({names[1]},)")
        only_names = "Callable" not in str(parameter.annotation)
        if (only_names or isinstance(value, str)) and value not in known:
            raise UnknownNameError(f"value of {parameter.name}", str(value), known)
    words = set(re.findall(r"\w+", re.sub(r"\[.*\]", "", str(parameter.annotation))))
    if words <= _KINDS.keys() and not any(_KINDS[word][1](value) for word in words):
        expected = " or ".join(text for word, (text, _) in _KINDS.items() if word in words - {"None"})
        raise UsageError(f"{expression}: {parameter.name} must be {expected}, not {value!r}")


@dataclass(frozen=True, eq=False)
class Named:
    """A declaration with its parameters: it prints as its name, and equals whatever has the same name."""

    definition: Declaration
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The canonical name; parameters at their defaults are left out."""
        shown = {key: value for key, value in self.parameters.items() if key != "k"}
        return str(Expression(self.definition.name, shown, self.parameters.get("k")))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def prepare(self, c: Collection) -> tuple[Collection, dict[str, Any]]:
        """The collection and the arguments that the function is called with."""
        arguments = dict(self.parameters)
        if arguments.pop("judged_only", False):
            c = condensed(c)
        if self.definition.defaults.get("rel") is not None:
            arguments.setdefault("rel", c.rules.rel)
        return c, arguments


def condensed(c: Collection) -> Collection:
    """Condensed lists, as `Collection.condense` makes them, of the runs and of those they are compared with."""
    view = c._once("condensed", c.condense)
    return view if c.reference is None else replace(view, reference=condensed(c.reference))
