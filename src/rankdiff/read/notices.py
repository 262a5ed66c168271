"""The words for what was ignored, and where a bad line stands."""

from __future__ import annotations

from collections.abc import Collection

from rankdiff._kernel.problems import BadLineError
from rankdiff._kernel.results import Ranked
from rankdiff.errors import InputError
from rankdiff.ids import as_text
from rankdiff.read.runs import Run


def counted(number: int, thing: str) -> str:
    """A number and what it counts.

    >>> counted(1, "line"), counted(1200, "line")
    ('1 line', '1,200 lines')
    """
    return f"{number:,} {thing}{'s' * (number != 1)}"


def only_comments(number: int) -> str:
    """What was found in a file that holds nothing else; nothing where it does not hold them, either."""
    return f"only {counted(number, 'comment line')}" if number else ""


def located(bad: BadLineError, source: str, lines_before: int = 0) -> InputError:
    """The error for a bad line of a text that begins after so many lines of a source."""
    problem, found, expected, advice = bad.words(lines_before)
    return InputError(
        problem, source=source, line=bad.line + lines_before, found=found, expected=expected, advice=advice
    )


class Tally:
    """What was passed over while runs were read, added up so that a notice stays a sentence."""

    def __init__(self) -> None:
        self.tags: list[str] = []
        self._comments: dict[str, int] = {}
        self._duplicates: dict[str, int] = {}
        self._with_unknown: list[str] = []
        self._unknown: dict[bytes, None] = {}  # in the order of the files

    def add(self, run: Run, ranked: Ranked) -> None:
        """Count what one run held."""
        self.tags.append(as_text(ranked.tag) or run.name)
        if ranked.comments:
            self._comments[run.name] = ranked.comments
        if ranked.duplicates:
            self._duplicates[run.name] = ranked.duplicates
        if ranked.unknown:
            self._with_unknown.append(run.name)
            self._unknown.update(dict.fromkeys(ranked.unknown))

    @property
    def unknown(self) -> str:
        """The first topic without judgments, empty where there is none."""
        return as_text(next(iter(self._unknown), b""))

    def notices(self, duplicates: str) -> list[str]:
        """A sentence for each kind of thing that was passed over."""
        notices = []
        if self._comments:
            notices.append(
                f"{counted(sum(self._comments.values()), 'comment line')} of {_runs(self._comments)} ignored"
            )
        if self._duplicates:
            repeated = counted(sum(self._duplicates.values()), "duplicate document")
            notices.append(f"{repeated} of {_runs(self._duplicates)} ignored: the {duplicates} of each counts")
        if self._unknown:
            of = _runs(self._with_unknown)
            if len(self._unknown) == 1:
                notices.append(f"topic {self.unknown} of {of} is not in the judgments: ignored")
            else:
                notices.append(f"{counted(len(self._unknown), 'topic')} of {of} are not in the judgments: ignored")
        return notices


def _runs(names: Collection[str]) -> str:
    return f"run {next(iter(names))}" if len(names) == 1 else counted(len(names), "run")
