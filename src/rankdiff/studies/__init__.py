"""Studies: what can a measure, a preference or a test collection tell apart?

Each study is a module with one function under ``@study``; ``rd.studies.orientation(…)`` runs it. To add one, import
it here: the names below are the functions, not the modules, whatever was imported first.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from rankdiff.errors import UnknownNameError
from rankdiff.studies.agreement import agreement
from rankdiff.studies.averaging import averaging
from rankdiff.studies.axioms import axioms
from rankdiff.studies.closed_forms import tie_probability
from rankdiff.studies.definition import Definition, study
from rankdiff.studies.depth import depth
from rankdiff.studies.drawings import drawings
from rankdiff.studies.finds import finds
from rankdiff.studies.glance import at_a_glance
from rankdiff.studies.headroom import headroom
from rankdiff.studies.labels import labels
from rankdiff.studies.lengths import lengths
from rankdiff.studies.levels import levels
from rankdiff.studies.locality import locality
from rankdiff.studies.orientation import orientation
from rankdiff.studies.power import power, power_of_scores
from rankdiff.studies.queries import queries
from rankdiff.studies.random_ties import random_ties
from rankdiff.studies.rarity import rarity
from rankdiff.studies.reorder import reorder
from rankdiff.studies.reuse import reuse
from rankdiff.studies.robustness import robustness
from rankdiff.studies.scatter import scatter
from rankdiff.studies.shallow_ties import shallow_ties
from rankdiff.studies.stability import stability
from rankdiff.studies.summary import summary
from rankdiff.studies.surfaces import surfaces
from rankdiff.studies.systems import systems
from rankdiff.studies.ties import ties

FIRST = ("summary", "ties", "power", "stability", "queries", "labels", "agreement", "scatter", "headroom", "reorder")
"""What a reader of all wants to know first; the others follow by name."""

__all__ = [
    "Definition",
    "agreement",
    "at_a_glance",
    "averaging",
    "axioms",
    "catalog",
    "depth",
    "drawings",
    "find",
    "finds",
    "headroom",
    "labels",
    "lengths",
    "levels",
    "locality",
    "orientation",
    "power",
    "power_of_scores",
    "queries",
    "random_ties",
    "rarity",
    "reorder",
    "reuse",
    "robustness",
    "scatter",
    "shallow_ties",
    "stability",
    "study",
    "summary",
    "surfaces",
    "systems",
    "tie_probability",
    "ties",
]


def __dir__() -> list[str]:
    return __all__  # what a notebook offers to complete


@cache
def catalog() -> MappingProxyType[str, Definition]:
    """Every study of the house by its name, in the order in which one would read them."""
    found = {item.name: item for item in globals().values() if isinstance(item, Definition)}
    return MappingProxyType({name: found[name] for name in (*FIRST, *sorted(found.keys() - set(FIRST)))})


def find(name: str) -> Definition:
    """The study of a name.

    >>> find("orientation").question
    'how precision- or recall-oriented is a measure?'
    """
    if name not in catalog():
        raise UnknownNameError("study", name, catalog())
    return catalog()[name]
