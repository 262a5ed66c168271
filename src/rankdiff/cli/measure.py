"""``rankdiff measure``: the values of measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankdiff.cli import completion
from rankdiff.cli.completion import FILE
from rankdiff.cli.options import Request, collection, output_format
from rankdiff.cli.output import FOR_PEOPLE, emit, emit_parts, emit_table

if TYPE_CHECKING:
    from rankdiff.results import Table

DEFAULT = ("nDCG@10", "AP", "RR", "P@10", "R@1000")
SPARKS_RULES = frozenset(
    {"rel", "depth", "ties", "precision", "missing", "no_relevant", "judged_only", "duplicates", "corpus_size"}
)
SPARKS = SPARKS_RULES | {"qrels", "runs", "names", "form", "engine", "master", "output", "ship"}
"""The options that mean something with ``--engine spark``."""


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
@click.option(
    "--engine",
    type=click.Choice(["local", "spark"]),
    default="local",
    show_default=True,
    help="Where to compute: here, or by Spark; QRELS and RUN are then Parquet that Spark can reach.",
)
@click.option(
    "--master",
    metavar="URL",
    default="local[*]",
    show_default=True,
    help="Spark's cluster, such as yarn, spark://host:7077, or sc://host for Spark Connect.",
)
@click.option(
    "--output",
    metavar="FOLDER",
    help="With --engine spark: where the executors write the values of every query, as Parquet.",
)
@click.option("--ship", is_flag=True, help="With --engine spark: send rankdiff to executors that lack it.")
@output_format("trec")
@collection(segments=True)
@click.pass_context
def measure_command(
    context: click.Context,
    request: Request,
    *,
    names: tuple[str, ...],
    per_query: bool,
    aggregate: str | None,
    providers: str | None,
    form: str,
    engine: str,
    master: str,
    output: str | None,
    ship: bool,
) -> None:
    """Evaluate runs: a row a run, a column a measure.

    A RUN is a file, a folder or a glob; `-` is standard input. Files may be compressed.
    """
    if engine == "spark":
        _refuse_what_spark_lacks(context, form)
        emit_table(_by_spark(request, names, form, master, output, ship=ship), form)
        return
    if output is not None or ship:
        raise click.UsageError("--output and --ship are for --engine spark")
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


def _by_spark(
    request: Request, names: tuple[str, ...], form: str, master: str, output: str | None, *, ship: bool
) -> Table:
    from rankdiff.present.evaluation import in_rows
    from rankdiff.scale import spark

    rules = {name: value for name, value in request.rules.items() if name in SPARKS_RULES}
    with spark.session(master) as session:
        if ship:
            spark.ship(session)
        qrels, runs = spark.parquet(session, request.qrels), spark.parquet_runs(session, request.runs)
        means = spark.measure(session, qrels, runs, *names, output=output, **rules)
    return means if form in FOR_PEOPLE else in_rows(means)


def _refuse_what_spark_lacks(context: click.Context, form: str) -> None:
    given = (
        parameter.opts[-1]
        for parameter in context.command.params
        if parameter.name not in SPARKS
        and context.get_parameter_source(str(parameter.name)) is click.core.ParameterSource.COMMANDLINE
    )
    if lacking := ["--format trec"] * (form == "trec") or list(given):
        advice = "; --output writes the values of every query" if "--per-query" in lacking else ""
        raise click.UsageError(f"--engine spark has no {lacking[0]}{advice}")
