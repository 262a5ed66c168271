"""``rankdiff compare``: candidates against a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rankdiff.cli.options import Request, collection, output_format
from rankdiff.cli.output import emit, emit_table

if TYPE_CHECKING:
    from rankdiff.collection import Collection
    from rankdiff.results import Comparison


@click.command("compare")
@click.option(
    "--baseline", metavar="RUN", help="The run the others are compared with, by name or path.  [default: the first]"
)
@click.option(
    "-m",
    "--measure",
    "-p",
    "--preference",
    "names",
    multiple=True,
    metavar="NAME",
    help="A measure or a preference, as in `rankdiff explain`; repeatable.  "
    "[default: RPP, sgnLP, sgnLR, ASL, nDCG@10, AP, RR]",
)
@output_format()
@collection()
def compare_command(request: Request, baseline: str | None, names: tuple[str, ...], form: str) -> None:
    """Compare runs with a baseline under several measures and preferences; positive = candidate better.

    `rankdiff QRELS RUN RUN` is short for it.
    """
    from rankdiff.present.preferences import comparison_record, comparison_table
    from rankdiff.present.records import value

    _, comparison = request.answer(lambda c: _against(c, baseline, names))
    if form == "json":
        emit(value(comparison_record(comparison)) + "\n")
    else:
        emit_table(comparison_table(comparison), form)


def _against(c: Collection, baseline: str | None, names: tuple[str, ...]) -> Comparison:
    from rankdiff.read.runs import run_name

    first = c.systems[0] if baseline is None else baseline if baseline in c.systems else run_name(baseline)
    return c.compare(first, *(system for system in c.systems if system != first), measures=names)
