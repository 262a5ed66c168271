"""Studies: what can a measure, a preference or a test collection tell apart?

Each study is a module with one function under ``@study``; ``rd.studies.orientation(…)`` runs it. To add one, import
it here: the names below are the functions, not the modules, whatever was imported first.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from rankdiff.errors import UnknownNameError
from rankdiff.studies.averaging import averaging
from rankdiff.studies.axioms import axioms
from rankdiff.studies.closed_forms import tie_probability
from rankdiff.studies.definition import Definition, study
from rankdiff.studies.drawings import drawings
from rankdiff.studies.headroom import headroom
from rankdiff.studies.labels import labels
from rankdiff.studies.orientation import orientation
from rankdiff.studies.queries import queries
from rankdiff.studies.random_ties import random_ties
from rankdiff.studies.rarity import rarity
from rankdiff.studies.reorder import reorder
from rankdiff.studies.reuse import reuse
from rankdiff.studies.robustness import robustness
from rankdiff.studies.systems import systems

__all__ = [
    "Definition",
    "averaging",
    "axioms",
    "catalog",
    "drawings",
    "find",
    "headroom",
    "labels",
    "orientation",
    "queries",
    "random_ties",
    "rarity",
    "reorder",
    "reuse",
    "robustness",
    "study",
    "systems",
    "tie_probability",
]


@cache
def catalog() -> MappingProxyType[str, Definition]:
    """Every study of the house by its name."""
    found = [item for item in globals().values() if isinstance(item, Definition)]
    return MappingProxyType({definition.name: definition for definition in found})


def find(name: str) -> Definition:
    """The study of a name.

    >>> find("orientation").question
    'how precision- or recall-oriented is a measure?'
    """
    if name not in catalog():
        raise UnknownNameError("study", name, catalog())
    return catalog()[name]
