"""``rankdiff trec_eval``: for scripts that call trec_eval."""

from __future__ import annotations

import click

from rankdiff.cli import completion
from rankdiff.cli.output import emit, say


@click.command(
    "trec_eval",
    context_settings={"ignore_unknown_options": True},
    options_metavar="[OPTIONS]",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="QRELS RUN", shell_complete=completion.files)
def trec_eval_command(arguments: tuple[str, ...]) -> None:
    """trec_eval's own options, and the same bytes as `trec_eval -c` prints.

    \b
    -q          values of every topic, too
    -m MEASURE  a measure or a set (official, set, all_trec), with parameters
                behind a point, as in P.5,10; repeatable
    -c          average over all judged topics; always so here
    -l LEVEL    lowest grade that counts as relevant
    -n          no averages
    -M DEPTH    cut rankings at a depth
    -J          rank among judged documents only
    -N NUMBER   documents in the collection, for utility
    -R, -T      formats of the files: qrels and trec_results only
    --precision=single
                order scores as trec_eval 9 does (an option of ours)

    Long names and abbreviations work as in trec_eval. `-D`, `-o` and `-Z` are refused: docs/trec_eval.md says
    why, for them and for the measures that are not there.
    """
    from rankdiff.interop.trec_eval import collection, evaluate, parse

    options = parse(arguments)
    c = collection(options)
    for notice in c.notices:
        say(f"note: {notice}")
    if not options.complete and not c.answered.all():
        say("note: without -c trec_eval 10 would have stopped at a topic that the run lacks")
    emit(evaluate(c, options))
