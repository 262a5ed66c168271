"""rankdiff tells which of two rankings is better, for whom, by how much, and whether to believe it.

The public names below are imported when they are first used, so that ``import rankdiff`` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankdiff import errors, scale, statistics, studies
    from rankdiff.alignment import align, load
    from rankdiff.collection import Collection
    from rankdiff.measures import measure
    from rankdiff.order import Order
    from rankdiff.preferences import preference
    from rankdiff.present.report import report
    from rankdiff.profile import Profile
    from rankdiff.read import read_qrels, read_runs
    from rankdiff.results import Comparison, Preferences, Scores, Table

__version__ = "0.1.0"

__all__ = [
    "Collection",
    "Comparison",
    "Order",
    "Preferences",
    "Profile",
    "Scores",
    "Table",
    "align",
    "errors",
    "load",
    "measure",
    "preference",
    "read_qrels",
    "read_runs",
    "report",
    "scale",
    "statistics",
    "studies",
]

_HOMES = {
    "Collection": "rankdiff.collection",
    "Comparison": "rankdiff.results",
    "Order": "rankdiff.order",
    "Preferences": "rankdiff.results",
    "Profile": "rankdiff.profile",
    "Scores": "rankdiff.results",
    "Table": "rankdiff.results",
    "align": "rankdiff.alignment",
    "load": "rankdiff.alignment",
    "measure": "rankdiff.measures",
    "preference": "rankdiff.preferences",
    "read_qrels": "rankdiff.read",
    "read_runs": "rankdiff.read",
    "report": "rankdiff.present.report",
}
_MODULES = frozenset({"errors", "scale", "statistics", "studies"})


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"rankdiff.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'rankdiff' has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
