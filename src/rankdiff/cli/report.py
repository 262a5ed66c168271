"""``rankdiff report``: everything about some runs on one page."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankdiff.cli import completion
from rankdiff.cli.completion import FILE, NewFile
from rankdiff.cli.options import SEED, Request, collection, criteria
from rankdiff.cli.output import progress, say

if TYPE_CHECKING:
    from rankdiff.check import Check
    from rankdiff.collection import Collection
    from rankdiff.read import Runs
    from rankdiff.results.study import Study
    from rankdiff.studies import Definition

PIPE = "-"
PAGES = (".html", ".htm")


@click.command("report")
@click.option(
    "-o",
    "--output",
    default="report.html",
    show_default=True,
    metavar="FILE",
    type=NewFile(),
    help="The page, one HTML file.",
)
@click.option(
    "--baseline",
    metavar="RUN",
    help="The run the others are compared with.  [default: of two runs the first, of many the second best]",
)
@criteria(
    "; the verdict rests on the first.  "
    "[default: of two runs those of `compare`, of many nDCG@10, AP, RR, ASL, RPP, sgnLP, sgnLR]"
)
@click.option(
    "--heading",
    default="",
    metavar="TEXT",
    help="What stands above it all.  [default: the two runs, or how many there are]",
)
@click.option(
    "--titles",
    metavar="FILE",
    type=FILE,
    help="The topics' words: two columns with a tab between, JSON lines, or irds:ID of ir_datasets.",
)
@click.option(
    "--docs",
    metavar="FILE",
    type=FILE,
    help="The documents' texts: JSON lines with id and text, or two columns with a tab between.",
)
@click.option(
    "--study",
    "studies",
    multiple=True,
    metavar="NAME",
    shell_complete=completion.studies,
    help="A study to show as well, with its defaults; repeatable.",
)
@SEED
@collection(segments=True)
def report_command(
    request: Request, output: str, names: tuple[str, ...], studies: tuple[str, ...], **shown: Any
) -> None:
    """Write a page that shows which ranking is better, for whom, and whether to believe it.

    Of two runs it tells the second from the first; of many it makes a leaderboard, and shows any two of them topic by
    topic. The page is one file that works offline.
    """
    from rankdiff.present.report import report
    from rankdiff.read import read_runs
    from rankdiff.studies import find
    from rankdiff.studies.criteria import resolve

    if Path(output).suffix.lower() not in PAGES:
        raise click.UsageError(f"{output}: the report is one HTML page, so let its name end in .html")
    asked = [find(name) for name in studies]
    measures = [resolve(name) for name in names]
    piped = PIPE in request.runs or request.qrels == PIPE
    runs = None if piped else read_runs(list(request.runs))

    def write(c: Collection) -> None:
        made = [_ask(study, c, shown["seed"]) for study in asked]
        with progress("checking runs"):
            checked = None if runs is None else _check(request, runs)
        with progress("writing the report") as step:
            report(
                output,
                c,
                measures=measures,
                studies=made,
                check=checked,
                command=shlex.join(["rankdiff", *sys.argv[1:]]),
                inputs=_files(request, runs, shown["titles"], shown["docs"], request.segments),
                segments=request.segments,
                progress=step,
                **shown,
            )

    request.answer(write)
    say(f"The report is in {Path(output).resolve()}")


def _ask(study: Definition, c: Collection, seed: int) -> Study:
    with progress(f"studying {study.name}") as step:
        return study(*[c] * study.needs_collection, seed=seed, progress=step)


def _check(request: Request, runs: Runs) -> Check:
    from rankdiff.check import check
    from rankdiff.read import read_qrels

    reading = {name: request.rules[name] for name in ("rel", "precision")}
    reading["ties"] = request.rules["ties"].replace("average", "docid-desc")
    return check(read_qrels(request.qrels, subtopics=request.rules["subtopics"]), runs, **reading)


def _files(request: Request, runs: Runs | None, *others: str | None) -> list[str]:
    """The inputs that are files, so that their bytes can be digested."""
    read = [run.source for run in runs.runs] if runs is not None else request.runs
    sources = [request.qrels, *read, request.reference, request.groups, *others]
    return [source for source in dict.fromkeys(sources) if source is not None and Path(source).is_file()]
