"""How rankings are read and which of them count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from rankdiff.errors import UnknownNameError, UsageError

Ties: TypeAlias = Literal["docid-desc", "rank", "file", "average"]
Precision: TypeAlias = Literal["double", "single"]
Duplicates: TypeAlias = Literal["error", "first", "best"]
Missing: TypeAlias = Literal["zero", "skip", "error"]
NoRelevant: TypeAlias = Literal["zero", "drop"]

CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ties": get_args(Ties),
        "precision": get_args(Precision),
        "duplicates": get_args(Duplicates),
        "missing": get_args(Missing),
        "no_relevant": get_args(NoRelevant),
    }
)
"""What each rule that has a name may be."""


@dataclass(frozen=True)
class Rules:
    """How rankings were read and which of them count; whatever differs from the default shows in a signature.

    >>> Rules(missing="skpi")
    Traceback (most recent call last):
    rankdiff.errors.UnknownNameError: no value of missing is called 'skpi': did you mean skip?
    """

    ties: Ties = "docid-desc"
    precision: Precision = "double"
    duplicates: Duplicates = "error"
    missing: Missing = "zero"
    no_relevant: NoRelevant = "zero"
    rel: float = 1
    depth: int | None = None
    judged_only: bool = False

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            check_choice(name, getattr(self, name), known)
        if not isinstance(self.rel, Real):
            raise UsageError(f"rel={self.rel!r}: expected a number, the lowest grade that counts as relevant")
        if self.depth is not None and not (isinstance(self.depth, Integral) and self.depth >= 1):
            raise UsageError(f"depth={self.depth!r}: expected a whole number of at least 1")

    def signature(self) -> list[str]:
        """The parts of a signature; those always shown come first.

        >>> Rules(depth=100).signature()
        ['ties:docid-desc', 'missing:zero', 'rel:1', 'depth:100']
        """
        optional = {
            "precision": self.precision != "double",
            "duplicates": self.duplicates != "error",
            "no_relevant": self.no_relevant != "zero",
            "depth": self.depth is not None,
        }
        parts = [f"ties:{self.ties}", f"missing:{self.missing}", f"rel:{self.rel:g}"]
        parts += [f"{name.replace('_', '-')}:{getattr(self, name)}" for name, shown in optional.items() if shown]
        return parts + ["judged-only"] * self.judged_only


def check_choice(name: str, value: object, known: tuple[str, ...]) -> None:
    """Refuse a value of a keyword that is not among the known ones."""
    if value not in known:
        raise UnknownNameError(f"value of {name}", str(value), known)
