"""Colors for the terminal. They repeat what marks and words say, and are never the only sign of anything."""

from __future__ import annotations

import re

BETTER, WORSE = "▲", "▼"
"""The marks of what is shown to be better, and worse."""

_CODES = {"strong": "\x1b[1m", "faint": "\x1b[2m", BETTER: "\x1b[32m", WORSE: "\x1b[31m", "end": "\x1b[0m"}
_MARKED = re.compile(rf"[+−-]?[\d.,]* ?[{BETTER}{WORSE}]")


def mark(direction: int) -> str:
    """The mark of a direction: 1 better, −1 worse, 0 none.

    >>> mark(1), mark(-1), mark(0)
    ('▲', '▼', ' ')
    """
    return {1: BETTER, -1: WORSE}.get(direction, " ")


def strong(text: str, color: bool) -> str:
    """A heading."""
    return f"{_CODES['strong']}{text}{_CODES['end']}" if color and text else text


def faint(text: str, color: bool) -> str:
    """What stands beside the numbers."""
    return f"{_CODES['faint']}{text}{_CODES['end']}" if color and text else text


def marked(line: str, color: bool) -> str:
    r"""A line in which marks, and the numbers that they stand behind, have the color of the mark.

    >>> marked("AP  +0.1 ▲", color=True)
    'AP  \x1b[32m+0.1 ▲\x1b[0m'
    """
    if not color:
        return line
    return _MARKED.sub(lambda found: f"{_CODES[found[0][-1]]}{found[0]}{_CODES['end']}", line)
