"""``rankdiff flip``: what would overturn the verdict between two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rankdiff.cli import completion
from rankdiff.cli.options import EVERY_TOPIC, Request, collection, output_format
from rankdiff.cli.output import FOR_PEOPLE, emit, emit_parts, progress, say

if TYPE_CHECKING:
    from rankdiff.collection import Collection
    from rankdiff.present.flip import Firmness
    from rankdiff.studies.criteria import Criterion
    from rankdiff.verdict import Flip, Unjudged


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
    shell_complete=completion.criteria,
    help="What the runs are compared by: a measure or a preference.",
)
@click.option("--level", default=0.05, show_default=True, help="The level of significance (Student's t, two-sided).")
@output_format()
@collection(segments=True)
def flip_command(request: Request, name: str, level: float, form: str) -> None:
    """List the fewest topics and judgments that the verdict between two runs hangs on.

    The first RUN is the baseline, the second the candidate; others only show who else ranks a document. Listed are
    the topics whose removal, and the judgments whose reversal, undo the sign of the mean difference, and its
    significance: relevant documents that would have to be non-relevant, judged non-relevant ones that would have to
    be relevant. Then: between which limits the difference lies, were everything judged that the two returned in their
    first 10, 20, 100, or at all, and which documents to judge first.
    """
    from rankdiff.present.flip import firmness_list, firmness_record, firmness_tables
    from rankdiff.present.records import value
    from rankdiff.studies.criteria import resolve

    criterion = resolve(name)
    c, flip = request.answer(lambda c: _between_the_first_two(c, criterion, level))
    unjudged = _unjudged(request, c)
    found = [(EVERY_TOPIC, _firmness(c, flip, criterion, unjudged))]
    for segment, part in request.parts(c):
        found.append((segment, _firmness(part, _between_the_first_two(part, criterion, level), criterion, unjudged)))
    if form == "json":
        records = [{"segment": segment, **firmness_record(firm)} for segment, firm in found]
        emit(value(records if request.segments else firmness_record(found[0][1])) + "\n")
    elif form in FOR_PEOPLE:
        emit_parts([(segment, list(firmness_tables(firm))) for segment, firm in found], form)
    else:
        emit_parts([(segment, [firmness_list(firm)]) for segment, firm in found], form)


def _between_the_first_two(c: Collection, criterion: Criterion, level: float) -> Flip:
    if len(c.systems) < 2:
        raise click.UsageError("flip needs two runs, the baseline and the candidate")
    with progress("asking what would undo it") as report:
        return c.flip(c.systems[0], c.systems[1], criterion, level=level, progress=report)


def _unjudged(request: Request, c: Collection) -> Unjudged | None:
    """The unjudged documents of the first two runs by name, None where they cannot be read again."""
    from rankdiff.verdict import unjudged_documents

    if request.qrels == "-" or request.is_piped:
        say("note: what comes through a pipe cannot be read again: unjudged documents are known by their ranks alone")
        return None
    return unjudged_documents(c, c.systems[0], c.systems[1], request.qrels, list(request.runs))


def _firmness(c: Collection, flip: Flip, criterion: Criterion, unjudged: Unjudged | None) -> Firmness:
    """What the verdict hangs on, if there is one; where the unjudged documents have no bounds, why."""
    from rankdiff.errors import UsageError
    from rankdiff.present.flip import Firmness
    from rankdiff.verdict import bounds_by_depth

    if not flip.answers:
        return Firmness(flip)
    try:
        with progress("bounding what nobody judged"):
            return Firmness(flip, bounds_by_depth(c, flip.baseline, flip.candidate, criterion, unjudged=unjudged))
    except UsageError as problem:
        return Firmness(flip, why_not=str(problem))
