"""A value as it stands in a table: rounded for people, exact for programs."""

from __future__ import annotations

import math
from typing import Any

DIGITS = 4


def shown(value: Any) -> str:
    """A value for people: numbers with four decimals, counts as they are, nothing where there is no value.

    >>> shown(0.123456), shown(40), shown(float("nan")), shown("bm25"), shown(None), shown(True)
    ('0.1235', '40', '', 'bm25', '', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.{DIGITS}f}"
    return "" if value is None else str(value)


def exact(value: Any) -> str:
    """A value for programs: the shortest digits that give the same number again, nothing where there is none.

    >>> exact(0.1), exact(40), exact(float("nan")), exact(float("-inf")), exact("bm25"), exact(True)
    ('0.1', '40', '', '-inf', 'bm25', 'true')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    return "" if value is None else str(value)


def is_number(value: Any) -> bool:
    """Whether a value is set flush right."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
