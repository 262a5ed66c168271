"""What a study is about: measures and preferences, mixed freely."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankdiff.errors import UsageError
from rankdiff.measures import Measure, resolve

Criterion = Measure


def resolve_all(asked: Any) -> tuple[Criterion, ...]:
    """Measures and preferences from names, objects and functions; one alone need not stand in a list.

    >>> [item.name for item in resolve_all(["ndcg_cut_10", "AP"])], [item.name for item in resolve_all("map")]
    (['nDCG@10', 'AP'], ['AP'])
    """
    items = asked if isinstance(asked, Iterable) and not isinstance(asked, str) else [asked]
    criteria = tuple(dict.fromkeys(resolve(item) for item in items))
    if not criteria:
        raise UsageError("no measure or preference was named")
    return criteria
