"""Measures: a number for every ranking.

Each family of measures is a module; a measure is one function under ``@measure``. `find` turns a name into a
measure, `evaluate` computes several for a collection.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from rankdiff.collection import Collection
from rankdiff.declaration import plugged_in
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.grammar import Expression, name_of, parse
from rankdiff.measures.definition import Definition, Measure, measure
from rankdiff.results import Scores

__all__ = ["Definition", "Measure", "catalog", "evaluate", "find", "known", "measure"]

FAMILIES = (
    "precision",
    "interpolation",
    "sets",
    "incomplete",
    "gain",
    "cascade",
    "subtopics",
    "recall_levels",
    "search_length",
    "lexicographic",
    "providers",
    "interval_scale",
    "atomized",
    "effective_share",
    "rarity",
)


@cache
def catalog() -> MappingProxyType[str, Definition]:
    """Every measure of the house by its name."""
    return MappingProxyType({name: one for family in FAMILIES for name, one in _measures_of(family).items()})


@cache
def _measures_of(family: str) -> dict[str, Definition]:
    found = vars(import_module(f"rankdiff.measures.{family}")).values()
    return {item.name: item for item in found if isinstance(item, Definition)}


def _of_the_house(name: str) -> Definition | None:
    """Families are imported as far as one has the name: all of them take longer than to evaluate a few runs."""
    return next((found[name] for family in FAMILIES if name in (found := _measures_of(family))), None)


def find(name: str) -> Measure:
    """The measure of a name: ours and ir_measures' (``nDCG@10``), or trec_eval's (``ndcg_cut_10``).

    >>> find("nDCG@10").name, find("ndcg_cut_10").name, find("recip_rank").name, find("iprec_at_recall_0.10").name
    ('nDCG@10', 'nDCG@10', 'RR', 'IPrec@0.1')
    """
    # Most names are the house's own: the other spellings, a hundred patterns, are tried where they are not.
    if ours := _of_the_house(name.strip().partition("@")[0].partition("(")[0]):
        expression = parse(name)
        if not isinstance(expression.cutoff, str):
            return ours.bind(expression)
    for definition in catalog().values():
        for spelling in definition.spellings:
            if (given := spelling.read(name.strip())) is not None:
                return definition.bind(Expression(definition.name, given))
    expression = parse(name)
    # To look for plug-ins takes longer than to evaluate a small collection: only an unknown name is worth it.
    asked = _by_plain_name().get(expression.name) or known().get(expression.name)
    if asked is None:
        _refuse_preference(expression)
        spelled = [spelling.example for definition in catalog().values() for spelling in definition.spellings]
        raise UnknownNameError("measure", expression.name, known(), aliases=spelled)
    return asked.bind(expression)


def _refuse_preference(expression: Expression) -> None:
    from rankdiff import preferences

    if expression.name in preferences.known():
        hint = "it is a preference between two runs, see `rankdiff prefer -p` (c.prefer) and `rankdiff compare -m`"
        raise UnknownNameError("measure", expression.name, (), hint=hint)


@cache
def _by_plain_name() -> Mapping[str, Definition]:
    plain = {
        spelling.template: definition
        for definition in catalog().values()
        for spelling in definition.spellings
        if not spelling.fields
    }
    return {**plain, **catalog()}


def known() -> Mapping[str, Definition]:
    """Every measure of the house, and those of other packages, which offer them under the entry point group
    ``rankdiff.measures``."""
    return {**cast("Mapping[str, Definition]", plugged_in("rankdiff.measures")), **catalog()}


def resolve(asked: Any) -> Measure:
    """A measure from its name, from a definition without parameters, or from a function of a collection."""
    if isinstance(asked, Measure):
        return asked
    if isinstance(asked, Definition):
        return asked()
    # The measures of ir_measures can be called, too; they print as their names.
    if callable(asked) and not hasattr(asked, "SUPPORTED_PARAMS"):
        return Measure(
            Definition(name_of(asked), asked, (-np.inf, np.inf), "user", no_relevant="computed", blockwise=False)
        )
    return find(str(asked))


def evaluate(c: Collection, asked: Iterable[Any]) -> Scores:
    """Evaluate measures on a collection, a block of systems at a time.

    A function of the user's sees the whole collection; the measures of the house look at other runs only
    through ``c.peers``.
    """
    measures = list(dict.fromkeys(resolve(item) for item in asked))
    if not measures:
        raise UsageError("no measure was named")
    values = np.empty((len(measures), *c.depth.shape))
    for i, item in enumerate(measures):
        if not item.definition.blockwise:
            values[i] = item(c)
    first = 0
    for block in c.blocks():
        rows = slice(first, first := first + len(block.systems))
        for i, item in enumerate(measures):
            if item.definition.blockwise:
                values[i, rows] = item(block)
    signature = c.sign(",".join(item.name for item in measures))
    notes = dict.fromkeys(note for item in measures for note in item.notices(c))
    return Scores(c.systems, c.queries, tuple(measures), values, signature, tuple(notes))
