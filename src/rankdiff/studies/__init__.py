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
from rankdiff.studies.orientation import orientation
from rankdiff.studies.random_ties import random_ties
from rankdiff.studies.robustness import robustness

__all__ = [
    "Definition",
    "averaging",
    "axioms",
    "catalog",
    "drawings",
    "find",
    "orientation",
    "random_ties",
    "robustness",
    "study",
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
