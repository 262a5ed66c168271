"""Where output goes: data to standard output, words and progress to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rankdiff.results import Table

FOR_PEOPLE = frozenset({"text", "latex", "markdown"})
"""Formats with the notes in them, and with wide tables."""

PATIENCE = 1.0
"""Seconds that pass before a progress bar appears."""

NUMPY_KERNEL = "NumPy kernel: the native one is not built or not wanted; the numbers are the same, reading is slower"

Report = Callable[[int, int], None]


def say(words: str) -> None:
    """Tell a person something that is not data."""
    click.echo(words.encode(errors="surrogateescape"), err=True)


def emit(text: str) -> None:
    """Write data; ids that are not UTF-8 come out as the bytes they are. A reader who leaves early is no error."""
    try:
        sys.stdout.buffer.write(text.encode(errors="surrogateescape"))
        sys.stdout.buffer.flush()
    except OSError as problem:
        # What is still in the buffer would raise again when the interpreter flushes it at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(problem, BrokenPipeError):
            raise


def terminal_width() -> int | None:
    """How wide text may be: as wide as the terminal; what goes elsewhere is not cut."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def in_color() -> bool:
    """Whether text may have colors: on a terminal only, and not where ``NO_COLOR`` is set (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def emit_table(table: Table, form: str) -> None:
    """Write a table; in the formats for programs, what is to be said with it goes to standard error."""
    from rankdiff.present import FORMATS, render

    if form == "text":
        emit(render(table, terminal_width(), color=in_color()))
        return
    emit(FORMATS[form](table))
    if form not in FOR_PEOPLE:
        for remark in (*table.notes, table.signature):
            if remark:
                say(f"note: {remark}")


def emit_parts(parts: Sequence[tuple[str, Sequence[Table]]], form: str) -> None:
    """Write the tables of one segment after the other for people, as one table with a column ``segment`` for
    programs; a single part is written as it is."""
    from rankdiff.present.segments import stacked, titled

    if len(parts) == 1:
        tables = list(parts[0][1])
    elif form in FOR_PEOPLE:
        tables = [titled((name, table)) for name, several in parts for table in several]
    else:
        tables = [stacked([(name, table) for name, several in parts for table in several])]
    for number, table in enumerate(tables):
        if number and form == "text":
            emit("\n")
        emit_table(table, form)


@contextmanager
def progress(doing: str) -> Iterator[Report | None]:
    """A progress bar: on a terminal only, and only for what takes longer than a moment.

    It appears by itself when the moment is over, and moves to and fro until it is told how much is done.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(doing)
    try:
        yield bar.report
    finally:
        bar.stop()


class _Bar:
    """A bar that waits; what is reported meanwhile it shows when it comes."""

    def __init__(self, doing: str) -> None:
        self.doing, self.shown = doing, (0, 0)
        self.bar: Any = None
        self.stopped = False
        self.lock = Lock()
        self.timer = Timer(PATIENCE, self._start)
        self.timer.daemon = True
        self.timer.start()

    def report(self, done: int, total: int) -> None:
        """So much of so much is done."""
        with self.lock:
            self.shown = done, total
            if self.bar is not None:
                self.bar.update(self.task, completed=done, total=total)

    def stop(self) -> None:
        """Away with it."""
        self.timer.cancel()
        with self.lock:
            self.stopped = True
            if self.bar is not None:
                self.bar.stop()

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        with self.lock:
            if self.stopped:
                return
            told = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
            self.bar = Progress(
                *told, TextColumn("left"), TimeRemainingColumn(), console=Console(stderr=True), transient=True
            )
            done, total = self.shown
            self.task = self.bar.add_task(self.doing, completed=done, total=total or None)
            self.bar.start()
