"""The command line: one function a subcommand, no arithmetic.

Data go to standard output, words and progress to standard error. The exit code is 0 when all is done, 1 when the
data cannot be used, or the results not written, 2 for wrong usage, 3 when a gate did not pass, 4 when an extra is not
installed, and 130 when interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from rankdiff.errors import RankdiffError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

UNWRITTEN = 1
INTERRUPTED = 130

DATASET = "irds:"
"""What judgments begin with that are no file; it stands in `rankdiff.read.irds`, too, which takes NumPy to import."""

COMMANDS = {
    "measure": ("measure", "Evaluate runs: a row a run, a column a measure."),
    "prefer": (
        "prefer",
        "Prefer runs to one another: a value for each pair, positive where the run of the row is better.",
    ),
    "compare": ("compare", "Compare runs with a baseline under several measures and preferences."),
    "flip": ("flip", "List the fewest topics and judgments that the verdict between two runs hangs on."),
    "order": ("order", "Order the systems from best to worst; those that tie share a position."),
    "study": ("study", "Ask what a measure or a collection can tell apart: a table and its figure."),
    "report": ("report", "Write a page that shows which ranking is better, for whom, and whether to believe it."),
    "check": ("check", "What is wrong, odd or worth knowing about runs before they are compared."),
    "explain": ("explain", "List every measure, preference, study, test and order, or explain one."),
    "trec_eval": ("trec_eval", "trec_eval's options, and its output to the byte."),
    "simulate": ("simulate", "Make a realistic collection of judgments and runs."),
    "demo": ("simulate", "Make a small collection and show how its runs fare."),
}
"""The subcommands, in the order of the help page: the module of this package that each stands in, and what it does."""


class Subcommands(click.Group):
    """Subcommands that are imported when they are used, so that the help page comes at once."""

    def list_commands(self, _: click.Context) -> list[str]:
        """The names, the most used first."""
        return list(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """The subcommand of a name."""
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"rankdiff.cli.{COMMANDS[name][0]}"), f"{name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand that the arguments begin with; ``compare`` where they begin with a file, the judgments."""
        name = args[0]
        if name not in COMMANDS and (name == "-" or name.startswith(DATASET) or Path(name).exists()):
            return "compare", self.get_command(ctx, "compare"), args
        if name not in COMMANDS and not name.startswith("-"):
            close = get_close_matches(name, COMMANDS)
            hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(COMMANDS)}"
            raise click.UsageError(f"no subcommand is called {name!r}: {hint}", ctx)
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Subcommands, and the files that the short form of compare begins with."""
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        named = [CompletionItem(name, help=text) for name, (_, text) in COMMANDS.items() if name.startswith(incomplete)]
        return named or [CompletionItem(incomplete, type="file")]

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of subcommands, none of them imported."""
        with formatter.section("Subcommands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


def _print_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from rankdiff import __version__, _kernel
        from rankdiff.cli.output import NUMPY_KERNEL

        click.echo(f"rankdiff {__version__} ({'native kernel' if _kernel.NAME == 'native' else NUMPY_KERNEL})")
        context.exit()


@click.command(cls=Subcommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and the kernel in use.",
)
def rankdiff() -> None:
    """Which of two rankings is better, for whom, by how much, and whether to believe it.

    `rankdiff QRELS RUN RUN` is the short form of `rankdiff compare QRELS RUN RUN`.
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say; the exit code."""
    try:
        code = rankdiff.main(arguments, prog_name="rankdiff", standalone_mode=False)
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except click.Abort:
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except RankdiffError as problem:
        click.echo(f"rankdiff: {problem}".encode(errors="surrogateescape"), err=True)
        return problem.exit_code
    except OSError as problem:  # what cannot be read is told by who reads it
        what = f"{problem.filename}:" if problem.filename else "output"
        click.echo(f"rankdiff: {what} cannot be written ({problem.strerror})", err=True)
        return UNWRITTEN
    return code if isinstance(code, int) else 0


def main() -> NoReturn:
    """The program."""
    sys.exit(run())
