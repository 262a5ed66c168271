"""``rankdiff order``: the systems from best to worst."""

from __future__ import annotations

import click

from rankdiff.cli import completion
from rankdiff.cli.options import Request, collection, output_format
from rankdiff.cli.output import emit, emit_parts

METHODS = ("mc4", "winrate", "borda", "copeland", "bradley-terry")


@click.command("order")
@click.option(
    "-p",
    "--preference",
    metavar="PREFERENCE",
    shell_complete=completion.criteria,
    help="By a preference of rankings.  [default: RPP]",
)
@click.option(
    "-m", "--measure", metavar="MEASURE", shell_complete=completion.measures, help="By the mean of a measure instead."
)
@click.option("--by", "method", type=click.Choice(METHODS), help="How preferences become an order.  [default: mc4]")
@click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Bootstrap samples of bradley-terry.")
@click.option("--seed", type=int, metavar="N", help="Seed of bradley-terry's bootstrap.")
@output_format()
@collection(segments=True)
def order_command(
    request: Request, preference: str | None, measure: str | None, method: str | None, form: str, **sampling: int | None
) -> None:
    """Order the systems from best to worst; those that tie share a position."""
    from rankdiff import measures, preferences
    from rankdiff.present.preferences import order_record
    from rankdiff.present.records import value

    if measure is not None and (preference is not None or method is not None):
        raise click.UsageError("a measure orders by its mean: give -m, or -p with --by (any measure can be -p)")
    bootstrap = {name: given for name, given in sampling.items() if given is not None}
    if bootstrap and method != "bradley-terry":
        raise click.UsageError(f"--{next(iter(bootstrap))} belongs to --by bradley-terry")
    if measure is not None:
        scored = measures.resolve(measure)
        found = request.answers(lambda c: c.measure(scored).order())
    else:
        preferred = preferences.resolve(preference or "RPP")
        found = request.answers(lambda c: c.prefer(preferred).order(method or "mc4", **bootstrap))
    if form == "json":
        records = [{"segment": name, **order_record(order)} for name, _, order in found]
        emit(value(order_record(found[0][2]) if request.segments is None else records) + "\n")
    else:
        emit_parts([(name, [order.table()]) for name, _, order in found], form)
