"""``rankdiff simulate`` and ``rankdiff demo``: collections that nobody had to judge."""

from __future__ import annotations

import inspect
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rankdiff.cli.output import emit, emit_table, in_color, progress, say, terminal_width
from rankdiff.errors import MissingExtraError

SHOWN = ("nDCG@10", "AP", "RR", "P@10", "R@100")
COMPARED = ("hazel-2", "cedar-1")


def keyword_options(command: Callable[..., None]) -> Callable[..., None]:
    """Every keyword of `rankdiff.simulate.simulate` as an option, with its default and its line of the docstring."""
    from rankdiff.simulate import simulate

    helps = dict(re.findall(r"^ *(\w+): (.+)$", inspect.getdoc(simulate) or "", re.MULTILINE))
    keywords = [p for p in inspect.signature(simulate).parameters.values() if p.kind is p.KEYWORD_ONLY]
    for keyword in reversed(keywords):
        text = helps[keyword.name]
        option = click.option(
            f"--{keyword.name.replace('_', '-')}",
            type=type(keyword.default),
            default=keyword.default,
            show_default=True,
            help=f"{text[0].upper()}{text[1:]}.",
        )
        command = option(command)
    return command


@click.command("simulate")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@keyword_options
def simulate_command(folder: str, **sizes: Any) -> None:
    """Make a realistic collection: DIR/qrels.txt, DIR/runs, DIR/teams.tsv, DIR/titles.tsv.

    The same options make the same bytes on every machine.
    """
    from rankdiff.simulate import simulate

    with progress("simulating"):
        made = simulate(folder, **sizes)
    say(
        f"{made.systems} runs × {made.topics} topics in {folder}: {made.lines} lines, "
        f"{made.judged} documents judged, {made.relevant} relevant"
    )


@click.command("demo")
@click.argument("folder", metavar="[DIR]", default="demo", type=click.Path(file_okay=False))
def demo_command(folder: str) -> None:
    """Make a small collection in DIR (./demo), show how its runs fare, and write a report about them."""
    from rankdiff.alignment import load
    from rankdiff.check import check
    from rankdiff.present.comparison import to_text
    from rankdiff.present.report import report
    from rankdiff.read import read_qrels, read_runs
    from rankdiff.simulate import simulate

    with progress("simulating"):
        made = simulate(folder)
    c = load(made.qrels, made.runs)
    emit_table(c.measure(*SHOWN).mean(), "text")
    emit(f"\n{to_text(c.compare(*COMPARED), terminal_width(), color=in_color())}")
    for notice in c.notices:
        say(f"note: {notice}")
    say(f"The runs are in {Path(folder, 'runs')}, the judgments in {made.qrels}. Now try:")
    read = (str(made.qrels), str(made.runs))
    for tried in (
        ("measure", *read, "-m", "AP", "-m", "AP(rel=2)", "--format", "markdown"),
        ("compare", *read, "-m", "nDCG@10"),
        ("check", *read),
    ):
        say(f"  {shlex.join((_program(), *tried))}")
    page = Path(folder, "report.html")
    found = check(read_qrels(made.qrels), read_runs(made.runs))
    told: dict[str, Any] = {"titles": made.titles, "check": found, "command": f"rankdiff demo {folder}"}
    try:
        with progress("writing the report") as step:
            report(page, c, inputs=[made.qrels, made.titles, *sorted(made.runs.iterdir())], progress=step, **told)
    except MissingExtraError as missing:
        say(f"note: {missing}")
    else:
        say(f"The report is in {page.resolve()}")


def _program() -> str:
    """The program that stands beside this interpreter, by its name where the shell finds it so."""
    beside = Path(sys.executable).with_name("rankdiff")
    found = shutil.which("rankdiff")
    if found is not None and Path(found) == beside:
        return "rankdiff"
    return str(beside.relative_to(Path.cwd()) if beside.is_relative_to(Path.cwd()) else beside)
