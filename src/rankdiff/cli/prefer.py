"""``rankdiff prefer``: preferences between all runs."""

from __future__ import annotations

import click

from rankdiff.cli import completion
from rankdiff.cli.options import Request, collection, output_format
from rankdiff.cli.output import FOR_PEOPLE, emit_parts


@click.command("prefer")
@click.option(
    "-p",
    "--preference",
    "names",
    multiple=True,
    default=("RPP",),
    metavar="PREFERENCE",
    shell_complete=completion.criteria,
    help="A preference, as in `rankdiff explain`, or a measure; repeatable.  [default: RPP]",
)
@click.option("-q", "--per-query", is_flag=True, help="The value of every query, too.")
@output_format()
@collection(segments=True)
def prefer_command(request: Request, names: tuple[str, ...], per_query: bool, form: str) -> None:
    """Prefer runs to one another: a value for each pair, positive where the run of the row is better.

    RPP, STRPP, sgnLP, rrLP, sgnLR, rrLR, OI; any measure is a preference by its difference, `sgn(AP)` by its sign.
    """
    from rankdiff.preferences import resolve
    from rankdiff.present.preferences import preferences_tables

    preferences = [resolve(name) for name in names]
    found = request.answers(lambda c: [c.prefer(preference) for preference in preferences])
    wide = form in FOR_PEOPLE
    emit_parts(
        [(name, preferences_tables(results, wide=wide, per_query=per_query)) for name, _, results in found], form
    )
