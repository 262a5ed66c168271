"""trec_eval's command line: its options, and its output to the byte.

The output is that of ``trec_eval -c``: all judged topics count, a topic that the run lacks with 0. What trec_eval
prints comes from `rankdiff.interop.trec_eval_rows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from getopt import GetoptError, gnu_getopt
from typing import Literal, cast

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.errors import CorpusSizeError, UsageError
from rankdiff.interop.trec_eval_rows import Row, requested
from rankdiff.present.evaluation import ALL, line

SHORT = "qm:cl:nD:JN:M:R:T:oZ:"
LONG = {
    "query_eval_wanted": "-q",
    "measure=": "-m",
    "complete_rel_info_wanted": "-c",
    "level_for_rel=": "-l",
    "nosummary": "-n",
    "Debug_level=": "-D",
    "Judged_docs_only": "-J",
    "Number_docs_in_coll=": "-N",
    "Max_retrieved_per_topic=": "-M",
    "Rel_info_format=": "-R",
    "Results_format=": "-T",
    "Output_old_results_format": "-o",
    "Zscore=": "-Z",
    "precision=": "--precision",
}
"""trec_eval's long options, and one of ours: ``--precision=single`` orders scores as trec_eval 9 does."""

UNSUPPORTED = {
    "-D": "prints the steps of trec_eval's own computation; there are other steps here",
    "-o": "is obsolete: trec_eval itself no longer has the old format",
    "-Z": "needs a file of means and deviations of other systems",
}


@dataclass
class Options:
    """What the command line says."""

    qrels: str = ""
    run: str = ""
    measures: list[str] = field(default_factory=list)
    per_query: bool = False
    complete: bool = False
    summary: bool = True
    judged_only: bool = False
    level: int = 1
    documents: int | None = None
    depth: int | None = None
    precision: Literal["double", "single"] = "double"


def parse(arguments: Sequence[str]) -> Options:
    """Read trec_eval's options as trec_eval does: anywhere, joined, abbreviated.

    >>> options = parse(["-qc", "-l2", "-mP.5,10", "qrels", "--meas", "map", "run"])
    >>> options.measures, options.level, options.per_query, options.qrels, options.run
    (['P.5,10', 'map'], 2, True, 'qrels', 'run')
    """
    try:
        given, files = gnu_getopt(list(arguments), SHORT, list(LONG))
    except GetoptError as problem:
        raise UsageError(f"{problem.msg} (rankdiff trec_eval --help lists trec_eval's)") from None
    if len(files) != 2:
        raise UsageError(f"trec_eval takes two files, judgments and a run; found {len(files)}")
    options = Options(qrels=files[0], run=files[1])
    spelled_out = {name.rstrip("="): short for name, short in LONG.items()}
    for name, value in given:
        _set(options, spelled_out[name[2:]] if name.startswith("--") else name, value)
    return options


def _set(options: Options, name: str, value: str) -> None:
    match name:
        case "-q":
            options.per_query = True
        case "-c":
            options.complete = True
        case "-n":
            options.summary = False
        case "-J":
            options.judged_only = True
        case "-m":
            options.measures.append(value)
        case "-l":
            options.level = _whole(name, value)
        case "-N":
            options.documents = _whole(name, value)
        case "-M":
            options.depth = _whole(name, value)
        case "-R" | "-T":
            _require_format(name, value)
        case "--precision" if value in {"double", "single"}:
            options.precision = cast(Literal["double", "single"], value)
        case "--precision":
            raise UsageError(f"--precision={value}: expected double or single")
        case _:
            raise UsageError(f"{name} is not supported: it {UNSUPPORTED[name]}")


def _require_format(name: str, value: str) -> None:
    known = {"-R": "qrels", "-T": "trec_results"}[name]
    if value != known:
        raise UsageError(f"{name} {value} is not supported: {known} is the only format here")


def _whole(name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise UsageError(f"{name} {value}: expected a whole number") from None


def collection(options: Options) -> Collection:
    """The judgments and the run, read as trec_eval reads them: what stands behind the tag is no error."""
    c = align(
        options.qrels,
        options.run,
        rel=options.level,
        precision=options.precision,
        corpus_size=options.documents,
        lenient=True,
    )
    # In trec_eval's order: the ranking is cut before unjudged documents are taken out.
    if options.depth is not None:
        c = c.cut(options.depth)
    return c.condense() if options.judged_only else c


def evaluate(c: Collection, options: Options) -> str:
    """What trec_eval prints; of several runs, a block each."""
    rows = requested(options.measures, complete=options.complete)
    try:
        return "".join(_block(c.select(systems=slice(i, i + 1)), rows, options) for i in range(len(c.systems)))
    except CorpusSizeError as lacking:
        raise UsageError(
            "the last number of utility is for documents not returned: -N says how many there are"
        ) from lacking


def _block(c: Collection, rows: Sequence[Row], options: Options) -> str:
    lines: list[str] = []
    if options.per_query:
        single = [(row.label, row.single(c)) for row in rows]
        for query, identifier in enumerate(c.queries):
            lines += (line(label, identifier, values[query]) for label, values in single if values is not None)
    if options.summary:
        overall = [(row.label, row.overall(c)) for row in rows]
        lines += (line(label, ALL, value) for label, value in overall if value is not None)
    return "".join(lines)
