"""What a shell is offered to complete: files where files are wanted, and the names of what can be asked for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

FILE = click.Path(readable=False)
"""A file, a folder, a glob or ``-``: any text, and the shell completes files. Whoever reads it says what is wrong."""


class NewFile(click.Path):
    """A file to write: that it has no place is said before there is anything to write."""

    def __init__(self) -> None:
        super().__init__(writable=True, dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The file that a word names."""
        path = Path(str(super().convert(value, param, ctx)))
        if not path.parent.is_dir():
            self.fail(f"there is no folder {str(path.parent)!r} for {path.name!r}", param, ctx)
        return value


def files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The files that begin so, found by the shell."""
    return [CompletionItem(incomplete, type="file")]


def measures(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """The measures that begin so."""
    from rankdiff.measures import known

    return _beginning(known(), incomplete)


def preferences(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """The preferences that begin so."""
    from rankdiff.preferences import known

    return _beginning(known(), incomplete)


def criteria(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The measures and preferences that begin so."""
    return [*preferences(context, parameter, incomplete), *measures(context, parameter, incomplete)]


def explained(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Whatever can be explained and begins so."""
    from rankdiff.present.explanation import overview

    return _beginning([re.split(r"[@(\[]", name)[0] for name in overview()["name"].tolist()], incomplete)


def studies(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """The studies that begin so."""
    from rankdiff.studies import catalog

    return _beginning(catalog(), incomplete)


def _beginning(names: Any, incomplete: str) -> list[str]:
    """Names in any case, as people do not know which letters are large."""
    return [name for name in names if name.lower().startswith(incomplete.lower())]
