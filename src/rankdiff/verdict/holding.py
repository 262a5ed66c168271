"""Down to which depth a verdict holds, however the documents that nobody judged fall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.verdict.bounding import NOISE, Bounds, bounds
from rankdiff.verdict.known import Unjudged

DEPTHS = (10, 20, 100)
"""To these depths, and in full, a verdict is tried."""


def bounds_by_depth(
    c: Collection, baseline: str, candidate: str, measure: Any = "nDCG@10", *, unjudged: Unjudged | None = None
) -> tuple[Bounds, ...]:
    """`bounds` were the first 10, 20, 100 documents of both runs judged, and all of them, the shallowest first.

    >>> import rankdiff as rd
    >>> runs = {name: {"q": {f"{name}{i}": float(-i) for i in range(30)}} for name in ("old", "new")}
    >>> c = rd.align({"q": {"old9": 1, "new2": 1}}, runs)
    >>> [found.depth for found in bounds_by_depth(c, "old", "new")]
    [10, 20, None]
    """
    deepest = int(c.select([baseline, candidate]).depth.max(initial=0))
    depths = [*(depth for depth in DEPTHS if depth < deepest), None]
    return tuple(bounds(c, baseline, candidate, measure, depth=depth, unjudged=unjudged) for depth in depths)


def holding(found: Sequence[Bounds]) -> str:
    """What bounds of a verdict to several depths, the shallowest first, say of it; nothing where the runs tie, or where
    nothing limits the measure.

    >>> import rankdiff as rd
    >>> runs = {"old": {"q": {"a": 1, "x": 0}}, "new": {"q": {"y": 2, "a": 1}}}
    >>> print(holding(bounds_by_depth(rd.align({"q": {"a": 1}}, runs), "new", "old", "RR")))
    The unjudged documents could turn it round: RR of old less new could lie anywhere between 0.0000 and 0.5000.
    """
    first = found[0]
    if abs(first.difference) <= NOISE:
        return ""
    better, worse = (first.candidate, first.baseline)[:: 1 if first.difference > 0 else -1]
    held = [bounds.depth for bounds in found if bounds.holds]
    if not held:
        low, high = first.interval
        if not np.isfinite([low, high]).all():
            return ""
        where = "" if first.depth is None else f" in the first {first.depth}"
        return (
            f"The unjudged documents{where} could turn it round: {first.by.name} of {first.candidate} less "
            f"{first.baseline} could lie anywhere between {low:.4f} and {high:.4f}."
        )
    if held[-1] is None:
        return f"On these topics {better} stays ahead of {worse} however the unjudged documents fall."
    return (
        f"On these topics {better} stays ahead of {worse} however the unjudged documents in the first {held[-1]} of "
        "both fall; those further down could turn it round."
    )
