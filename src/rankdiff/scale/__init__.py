"""Rankings that are too many for one machine; ``rd.scale.spark`` works on Spark's tables."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["spark"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return import_module(f"rankdiff.scale.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
