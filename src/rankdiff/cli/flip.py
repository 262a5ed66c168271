"""``rankdiff flip``: what would overturn the verdict between two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rankdiff.cli.options import Request, collection, output_format
from rankdiff.cli.output import emit_table, progress

if TYPE_CHECKING:
    from rankdiff.collection import Collection
    from rankdiff.studies.criteria import Criterion
    from rankdiff.verdict import Flip


@click.command("flip")
@click.option(
    "-m",
    "--measure",
    "-p",
    "--preference",
    "name",
    default="nDCG@10",
    show_default=True,
    metavar="NAME",
    help="What the runs are compared by: a measure or a preference.",
)
@click.option("--level", default=0.05, show_default=True, help="The level of significance (Student's t, two-sided).")
@output_format()
@collection()
def flip_command(request: Request, name: str, level: float, form: str) -> None:
    """List the fewest topics and judgments that the verdict between two runs hangs on.

    The first RUN is the baseline, the second the candidate; others only show who else ranks a document. Listed are
    the topics whose removal, and the judgments whose reversal, undo the sign of the mean difference, and its
    significance: relevant documents that would have to be non-relevant, judged non-relevant ones that would have to
    be relevant.
    """
    from rankdiff.studies.criteria import resolve

    criterion = resolve(name)
    _, found = request.answer(lambda c: _between_the_first_two(c, criterion, level))
    emit_table(found.table, form)


def _between_the_first_two(c: Collection, criterion: Criterion, level: float) -> Flip:
    if len(c.systems) < 2:
        raise click.UsageError("flip needs two runs, the baseline and the candidate")
    with progress("asking what would undo it"):
        return c.flip(c.systems[0], c.systems[1], criterion, level=level)
