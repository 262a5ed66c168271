"""The errors that are the user's to mend.

::

    RankdiffError
    ├── InputError            the data cannot be used: file, line, what was found, what was expected
    │   └── NoOverlapError    the judgments and the runs have no topic in common
    ├── UsageError            the request cannot be answered: an argument is missing or makes no sense
    │   ├── UnknownNameError  no measure, preference, run or topic has that name; close names are offered
    │   └── CorpusSizeError   the number of documents is needed, and was neither given nor counted
    └── MissingExtraError     an optional package is not installed; the message gives the pip line

Each class carries the exit code that the command line gives it.
"""

from __future__ import annotations

from collections.abc import Iterable


class RankdiffError(Exception):
    """Root of every error that the user can mend."""

    exit_code = 1


class InputError(RankdiffError):
    """The data cannot be used as they are.

    >>> str(InputError("not a number", source="bm25.run", line=7, found="'abc'", expected="a score"))
    "bm25.run:7: not a number: found 'abc', expected a score"
    """

    def __init__(
        self, problem: str, *, source: str = "", line: int = 0, found: str = "", expected: str = "", advice: str = ""
    ) -> None:
        where = f"{source}:{line}" if source and line else source or (f"line {line}" if line else "")
        details = ", ".join(part for part in (found and f"found {found}", expected and f"expected {expected}") if part)
        message = ": ".join(part for part in (where, problem, details) if part)
        super().__init__(f"{message} ({advice})" if advice else message)
        self.problem, self.source, self.line = problem, source, line
        self.found, self.expected, self.advice = found, expected, advice


class NoOverlapError(InputError):
    """The judgments and the runs have no topic in common."""


class UsageError(RankdiffError):
    """The request cannot be answered as it was put."""

    exit_code = 2


class UnknownNameError(UsageError):
    """No such name; the message offers the close ones, or tells which there are.

    >>> str(UnknownNameError("measure", "nDGC", ["AP", "nDCG"]))
    "no measure is called 'nDGC': did you mean nDCG?"
    >>> str(UnknownNameError("exposure", "steep", ["ap", "rr"]))
    "no exposure is called 'steep': there are ap, rr"

    Of the ``aliases`` of known names, those that are close are offered where no name is. A ``hint`` takes the place of
    all that.

    >>> str(UnknownNameError("measure", "nDGC", ["AP", "nDCG"], aliases=["ndcg", "map"]))
    "no measure is called 'nDGC': did you mean nDCG?"
    """

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, aliases: Iterable[str] = (), hint: str = ""
    ) -> None:
        names = list(known)
        close = _close(name, names) or _close(name, aliases)
        hint = hint or (f"did you mean {' or '.join(close)}?" if close else _listing(kind, names))
        super().__init__(f"no {kind} is called {name!r}" + (f": {hint}" if hint else ""))


def _close(name: str, known: Iterable[str]) -> list[str]:
    from difflib import get_close_matches

    by_folded = {candidate.lower(): candidate for candidate in known}
    return [by_folded[match] for match in get_close_matches(name.lower(), by_folded, n=3, cutoff=0.6)]


def _listing(kind: str, names: list[str]) -> str:
    """Where to look for the names: in the message itself, unless they are many."""
    if kind.startswith(("measure", "preference", "study")) and len(names) > _FEW:
        return f"`rankdiff explain` lists every {kind}"
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return f"there are {', '.join(names[:_FEW])}{more}" if names else ""


_FEW = 12


class CorpusSizeError(UsageError):
    """The number of documents is needed, and was neither given nor counted."""


class MissingExtraError(RankdiffError):
    """An optional package is not installed.

    >>> str(MissingExtraError("zstd files", "compression"))
    "zstd files need an extra: pip install 'rankdiff[compression]'"
    """

    exit_code = 4

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} need an extra: pip install 'rankdiff[{extra}]'")
