"""Preferences: which of two rankings is better, from the rankings themselves.

A preference is a number in [−1, 1] for two rankings of a query, positive where the first one is better. `find` turns
a name into a preference; every measure is one as well, by its difference, or with ``sgn(…)`` by its sign.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, cast

from rankdiff import measures
from rankdiff.collection import Collection
from rankdiff.declaration import plugged_in
from rankdiff.errors import UnknownNameError
from rankdiff.grammar import name_of, parse
from rankdiff.measures import Measure
from rankdiff.preferences.comparisons import reciprocal, sign
from rankdiff.preferences.definition import Definition, Preference, preference
from rankdiff.preferences.pairs import (
    Computed,
    Differences,
    Pairs,
    Signs,
    TransitiveSigns,
    antisymmetric,
    expect,
    find_ranks,
    query_start,
)
from rankdiff.preferences.populations import by_grade, by_label, by_subtopic, everybody, join
from rankdiff.results.preferences import Preferences
from rankdiff.weights import dcg, inverse, uniform

__all__ = [
    "Definition",
    "Pairs",
    "Preference",
    "by_grade",
    "by_label",
    "by_subtopic",
    "catalog",
    "dcg",
    "everybody",
    "expect",
    "find",
    "inverse",
    "join",
    "known",
    "preference",
    "reciprocal",
    "resolve",
    "sign",
    "uniform",
]

FAMILIES = ("recall_paired", "lexicographic", "interleaved")

PAPER_NAMES = MappingProxyType({"dcgRPP": "RPP(weights='dcg')", "invRPP": "RPP(weights='inverse')", "ST-RPP": "STRPP"})
"""What the papers call some of the preferences."""

_SIGN = re.compile(r"\s*sgn\((.*)\)\s*", re.DOTALL)


@cache
def catalog() -> MappingProxyType[str, Definition]:
    """Every preference of the house by its name."""
    modules = [import_module(f"rankdiff.preferences.{family}") for family in FAMILIES]
    definitions = [item for module in modules for item in vars(module).values() if isinstance(item, Definition)]
    return MappingProxyType({definition.name: definition for definition in definitions})


def known() -> Mapping[str, Definition]:
    """Every preference of the house, and those of other packages, which offer them under the entry point group
    ``rankdiff.preferences``."""
    return {**cast("Mapping[str, Definition]", plugged_in("rankdiff.preferences")), **catalog()}


def find(name: str) -> Preference:
    """The preference of a name: one of the house, a measure's difference (``AP``), or a sign (``sgn(AP)``).

    >>> find("RPP(weights='dcg')").name, find("dcgRPP").name, find("map").name, find("sgn(ndcg_cut_10)").name
    ("RPP(weights='dcg')", "RPP(weights='dcg')", 'AP', 'sgn(nDCG@10)')
    """
    if signed := _SIGN.fullmatch(name):
        return sign_of(find(signed[1]))
    expression = parse(PAPER_NAMES.get(name.strip(), name))
    if expression.name in catalog():
        return catalog()[expression.name].bind(expression)
    try:
        return difference_of(measures.find(name))
    except UnknownNameError:
        # To look for plug-ins takes long, as for measures.
        if expression.name in known():
            return known()[expression.name].bind(expression)
        if expression.name not in measures.known() and get_close_matches(expression.name, known(), cutoff=0.5):
            raise UnknownNameError("preference", expression.name, known()) from None
        raise


def resolve(asked: Any) -> Preference:
    """A preference from its name, a definition without parameters, a measure, or a function.

    A function of one argument takes a collection and gives its `Pairs`; a function of two takes the ranks of two
    rankings by recall level, ascending and infinite where not retrieved, and gives a number.
    """
    if isinstance(asked, Preference):
        return asked
    if isinstance(asked, Definition):
        return asked()
    if isinstance(asked, Measure):
        return difference_of(asked)
    if isinstance(asked, measures.Definition):
        return difference_of(asked())
    if callable(asked):
        return Definition(name_of(asked), _pairs_function(asked), (-1, 1), "user")()
    return find(str(asked))


def difference_of(measure: Measure) -> Preference:
    """A measure as a preference: the difference of its values, positive where the first ranking is better."""

    def difference(c: Collection) -> Pairs:
        return Differences(measures.evaluate(c, [measure]).values[0], measure.higher_is_better)

    difference.__doc__ = inspect.getdoc(measure.definition.function)
    low, high = measure.definition.range
    span = high - low
    return Definition(measure.name, difference, (-span, span), measure.definition.citation, transitive=True)()


def sign_of(preference: Preference) -> Preference:
    """Only which ranking a preference prefers: 1, 0 or −1."""
    definition = preference.definition

    def signs(c: Collection) -> Pairs:
        pairs = preference.pairs(*preference.prepare(c))
        return TransitiveSigns(pairs) if definition.transitive else Signs(pairs)

    signs.__doc__ = f"Which of two rankings {preference} prefers: 1, 0 or −1.\n\n{inspect.getdoc(definition.function)}"
    return Definition(
        f"sgn({preference.name})", signs, (-1, 1), definition.citation, transitive=definition.transitive
    )()


def _pairs_function(function: Callable[..., Any]) -> Callable[[Collection], Pairs]:
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    if len(needed) != 2:
        return function

    def compare(c: Collection) -> Pairs:
        relevant = everybody(c, c.rules.rel)
        return antisymmetric(Computed(find_ranks(c, relevant), query_start(c, relevant), function))

    return compare


def evaluate(c: Collection, asked: Any) -> Preferences:
    """A preference between all runs of a collection."""
    return resolve(asked)(c)
