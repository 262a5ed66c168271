"""``rankdiff check``: look before you compare."""

from __future__ import annotations

from dataclasses import replace

import click

from rankdiff.cli.options import EVERY_TOPIC, Request, collection, output_format
from rankdiff.cli.output import emit, emit_parts, progress

ERRORS_FOUND = 1


@click.command("check")
@click.option("--strict", is_flag=True, help="Exit with 1 where a run has errors.")
@output_format()
@collection("rel", "ties", "precision", "subtopics", segments=True)
def check_command(request: Request, strict: bool, form: str) -> None:
    """What is wrong, odd or worth knowing about runs before they are compared.

    Of each run: topics answered, empty and unknown; depth; groups of ties, and those that straddle a relevant
    document; topics whose rank column contradicts the scores, or only orders ties otherwise; duplicates; the share
    of judged documents in the first 10 and 100; comment lines. Then, in sentences, errors, runs that are copies of
    one another, by how much the order within ties can change a mean, and the like. A run that cannot be read is an
    error here, and the others are looked at.
    """
    from rankdiff.check import check
    from rankdiff.present.records import value
    from rankdiff.read import read_qrels, read_runs
    from rankdiff.studies.segments import members
    from rankdiff.verdict import decided_by_ties

    judgments = read_qrels(request.qrels, subtopics=request.rules["subtopics"])
    reading = {name: request.rules[name] for name in ("rel", "precision")}
    runs = read_runs(request.runs)
    segments = None if request.segments is None else members(list(judgments.queries), request.segments)
    with progress("checking runs"):
        ties = request.rules["ties"].replace("average", "docid-desc")
        found = check(judgments, runs, segments=segments, ties=ties, **reading)
    with progress("trying the orders of ties"):
        found = replace(found, remarks=(*found.remarks, *decided_by_ties(judgments, runs, found, reading["precision"])))
    if form == "json":
        emit(value(found) + "\n")
    else:
        emit_parts([(EVERY_TOPIC, [found.table]), *((name, [t]) for name, t in found.segment_tables.items())], form)
    if strict and found.errors:
        click.get_current_context().exit(ERRORS_FOUND)
