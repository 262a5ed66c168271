"""``rankdiff explain``: what a number means."""

from __future__ import annotations

import click

from rankdiff.cli import completion
from rankdiff.cli.options import output_format
from rankdiff.cli.output import emit, emit_table


@click.command("explain")
@click.argument("name", required=False, shell_complete=completion.explained)
@output_format()
def explain_command(name: str | None, form: str) -> None:
    """List every measure, preference, study, test and order, or explain one: formula, range, direction, citation.

    NAME may have parameters, and may be trec_eval's: `nDCG@10`, `map`.
    """
    from rankdiff.present.explanation import explain, overview

    if name is None:
        emit_table(overview(), form)
    elif form != "text":
        raise click.UsageError(f"one name is explained in words alone: leave out {name} or --format {form}")
    else:
        emit(explain(name))
