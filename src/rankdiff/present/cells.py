"""A value as it stands in a table: rounded for people, exact for programs."""

from __future__ import annotations

import math
import re
from typing import Any

DIGITS = 4

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


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


def readable(text: str) -> str:
    r"""Text that shows all that is in it: bytes that are not UTF-8, and marks that steer how a page is read (controls,
    overrides of the direction), as escapes.

    >>> readable("caf\udce9"), readable("run\u202ecba")
    ('caf\\xe9', 'run\\u202ecba')
    """
    shown_bytes = text.encode(errors="surrogateescape").decode(errors="backslashreplace")
    return _UNSEEN.sub(lambda mark: mark[0].encode("unicode_escape").decode(), shown_bytes)
