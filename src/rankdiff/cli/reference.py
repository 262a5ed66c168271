"""The page of the documentation that holds every subcommand's help: ``python -m rankdiff.cli.reference``."""

from __future__ import annotations

import click

from rankdiff.cli import COMMANDS, rankdiff

WIDTH = 100

HEAD = """\
# The command line

Every subcommand as its `--help` shows it. Data go to standard output, words and progress to standard error.
The exit code is 0 when all is done, 1 when the data cannot be used (the message names the file, the line, what was
found and what was expected), 2 for wrong usage, 3 when a gate did not pass, 4 when an extra is not installed (the
message has the `pip` line), and 130 when interrupted.
"""


def page() -> str:
    """The page as Markdown."""
    program = _context(rankdiff, "rankdiff")
    parts = [HEAD, _section("rankdiff", program.get_help())]
    for name in COMMANDS:
        command = rankdiff.get_command(program, name)
        if command is not None:
            parts.append(_section(f"rankdiff {name}", _context(command, name, program).get_help()))
    return "\n".join(parts)


def _context(command: click.Command, name: str, parent: click.Context | None = None) -> click.Context:
    return command.make_context(name, [], parent, resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH)


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n```text\n{text}\n```\n"


if __name__ == "__main__":
    click.echo(page(), nl=False)
