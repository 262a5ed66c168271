"""The command lines that README and the pages show: each is one that the program understands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from rankdiff.cli import rankdiff
from rankdiff.studies.criteria import resolve

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def command_lines(page: Path) -> Iterator[str]:
    """What stands behind a prompt, or at the beginning of a line, in the examples of a page."""
    if page.name == "command-line.md":  # help pages, no examples
        return
    for block in re.findall(r"^```\w*\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        lines = block.replace("\\\n", " ").splitlines()
        yield from (line.removeprefix("$ ") for line in lines if re.match(r"(\$ )?rankdiff (?![\d.]+\|)", line))


LINES = [pytest.param(line, id=f"{page.name}: {line}") for page in PAGES for line in command_lines(page)]


def arguments_of(line: str) -> list[str]:
    """The arguments, without the comment, and without what the shell does with the output."""
    words = shlex.split(line, comments=True)[1:]
    ends = [i for i, word in enumerate(words) if word in {"|", ">", "&&"}]
    return words[: ends[0]] if ends else words


@pytest.mark.parametrize("line", LINES)
def test_a_command_line_is_understood(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").touch()  # the short form of compare begins with a file
    command, words = rankdiff, arguments_of(line)
    # With the program's settings: a command keeps the names of its help option from where it is first asked for them.
    context = rankdiff.make_context("rankdiff", [], resilient_parsing=True)
    while isinstance(command, click.Group):
        name, command, words = command.resolve_command(context, words)
    given = command.make_context(name, words, context).params
    for name in (*(given.get("names") or ()), *(given.get("fail_if_worse") or ())):
        assert str(resolve(name))


def test_there_are_examples():
    assert len(LINES) > 20
