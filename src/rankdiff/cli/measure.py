"""``rankdiff measure``: the values of measures."""

from __future__ import annotations

from typing import Any

import click

from rankdiff.cli import completion
from rankdiff.cli.completion import FILE
from rankdiff.cli.options import Request, collection, output_format
from rankdiff.cli.output import FOR_PEOPLE, emit, emit_parts

DEFAULT = ("nDCG@10", "AP", "RR", "P@10", "R@1000")


@click.command("measure")
@click.option(
    "-m",
    "--measure",
    "names",
    multiple=True,
    default=DEFAULT,
    metavar="MEASURE",
    shell_complete=completion.measures,
    help=f"A measure, as in `rankdiff explain`; repeatable.  [default: {', '.join(DEFAULT)}]",
)
@click.option("-q", "--per-query", is_flag=True, help="The value of every query, too.")
@click.option(
    "--aggregate",
    type=click.Choice(["mean", "geometric", "harmonic", "median", "sum"]),
    help="How values of queries become one number, instead of each measure's own way.",
)
@click.option(
    "--providers",
    metavar="FILE",
    type=FILE,
    help="Documents and their providers (authors, shops, ...), two columns: what exposure each provider gets, too.",
)
@output_format("trec")
@collection(segments=True)
def measure_command(
    request: Request,
    *,
    names: tuple[str, ...],
    per_query: bool,
    aggregate: str | None,
    providers: str | None,
    form: str,
) -> None:
    """Evaluate runs: a row a run, a column a measure.

    A RUN is a file, a folder or a glob; `-` is standard input. Files may be compressed.
    """
    from rankdiff.measures import resolve
    from rankdiff.present.evaluation import scores_table, to_trec
    from rankdiff.present.providers import with_providers

    measures = [resolve(name) for name in names]
    found = request.answers(lambda c: c.measure(*measures))
    if form == "trec":
        if request.segments is not None or providers is not None:
            raise click.UsageError("trec_eval's format knows no segments and no providers: take another --format")
        _, c, scores = found[0]
        emit(to_trec(scores, c.tags, per_query=per_query, aggregate=aggregate))
    else:
        shape: dict[str, Any] = {"wide": form in FOR_PEOPLE, "per_query": per_query, "aggregate": aggregate}
        tables = [(name, [scores_table(scores, **shape)]) for name, _, scores in found]
        if providers is not None:
            tables = [
                (name, with_providers(table, c, providers, wide=shape["wide"], per_query=per_query))
                for (name, (table,)), (_, c, _) in zip(tables, found, strict=True)
            ]
        emit_parts(tables, form)
