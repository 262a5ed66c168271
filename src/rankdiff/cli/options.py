"""The options that subcommands share: which collection is read and by which rules, and how results are written."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rankdiff.cli import completion
from rankdiff.cli.completion import FILE
from rankdiff.cli.output import NUMPY_KERNEL, PATIENCE, progress, say

if TYPE_CHECKING:
    from rankdiff.collection import Collection

Command = TypeVar("Command", bound=Callable[..., Any])
Answer = TypeVar("Answer")

EVERY_TOPIC = "all"
"""The segment of all topics."""

FORMATS = ("text", "tsv", "csv", "json", "jsonl", "latex", "markdown")


def depth(value: Any) -> int | str:
    """The depth that a word stands for: a number of documents, or ``common``."""
    if value == "common":
        return "common"
    if not str(value).isdecimal() or int(value) < 1:
        raise click.BadParameter(f"{value!r} is neither a whole number of at least 1 nor common")
    return int(value)


RULES = {
    "rel": click.option(
        "--rel", type=float, default=1, show_default=True, help="Lowest grade that counts as relevant."
    ),
    "depth": click.option(
        "--depth",
        type=depth,
        metavar="K|common",
        help="Cut rankings at K documents, or all at the shallowest run's depth.",
    ),
    "ties": click.option(
        "--ties",
        type=click.Choice(["docid-desc", "rank", "file", "average"]),
        default="docid-desc",
        show_default=True,
        help="Order of equal scores by document id, as trec_eval; or trust the rank column, or the lines' order; "
        "or the mean over all orders.",
    ),
    "precision": click.option(
        "--precision",
        type=click.Choice(["double", "single"]),
        default="double",
        show_default=True,
        help="Precision of scores; single as trec_eval 9 and pytrec_eval.",
    ),
    "missing": click.option(
        "--missing",
        type=click.Choice(["zero", "skip", "error"]),
        default="zero",
        show_default=True,
        help="A topic that a run lacks is an empty ranking, does not count for that run, or is refused.",
    ),
    "no_relevant": click.option(
        "--no-relevant",
        type=click.Choice(["zero", "drop"]),
        default="zero",
        show_default=True,
        help="A topic without relevant documents scores 0, or is dropped.",
    ),
    "judged_only": click.option(
        "--judged-only", is_flag=True, help="Rank among judged documents only (condensed lists)."
    ),
    "duplicates": click.option(
        "--duplicates",
        type=click.Choice(["error", "first", "best"]),
        default="error",
        show_default=True,
        help="A document twice in a ranking is refused, or its first or best-ranked line counts.",
    ),
    "on_bad_run": click.option(
        "--on-bad-run",
        type=click.Choice(["error", "skip"]),
        default="error",
        show_default=True,
        help="A run that cannot be used is refused, or left out and named.",
    ),
    "subtopics": click.option(
        "--subtopics/--no-subtopics", default=None, help="Whether column 2 of the judgments names subtopics."
    ),
    "pool": click.option("--pool", is_flag=True, help="Count the distinct documents of all runs as the corpus size."),
    "corpus_size": click.option(
        "--corpus-size", type=click.IntRange(min=1), metavar="N", help="How many documents there are."
    ),
    "jobs": click.option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="Threads that read.  [default: one a processor, at most 4]",
    ),
}
"""The keywords of `rankdiff.align`, each with its option."""

REFERENCE = click.option(
    "--reference",
    metavar="RUNS",
    type=FILE,
    help="Runs that count as the runs compared: a file, a folder or a glob; or a saved table of how many found each "
    "document (.tsv, .csv).",
)
GROUPS = click.option(
    "--groups",
    metavar="FILE",
    type=FILE,
    help="Runs and their teams, two columns: in rarity a team counts once.",
)
SEED = click.option("--seed", type=int, default=0, show_default=True, help="Of whatever is drawn.")
SEGMENTS = click.option(
    "--segments",
    metavar="FILE",
    type=FILE,
    help="A group for each topic, a topic and its group on each line: results also for each group.",
)


@dataclass(frozen=True)
class Request:
    """The collection that the arguments name."""

    qrels: str
    runs: tuple[str, ...]
    rules: dict[str, Any]
    reference: str | None
    groups: str | None = None
    segments: str | None = None

    def load(self, *, pool: bool = False, said: Container[str] = ()) -> Collection:
        """Read it, with a progress bar where that takes long, and say what was ignored or left out, unless it was
        said before."""
        from rankdiff import _kernel
        from rankdiff.alignment import align
        from rankdiff.read import read_qrels

        began = time.monotonic()
        rules = self.rules | {"pool": self.rules["pool"] or pool}
        reference: Any = self.reference
        with progress("reading judgments"):
            judgments = read_qrels(self.qrels, subtopics=self.rules["subtopics"])
        if reference is not None and not _is_saved_table(reference):
            with progress("reading runs to compare with") as report:
                reference = align(judgments, reference, progress=report, **rules)
        with progress("reading runs") as report:
            c = align(judgments, list(self.runs), reference=reference, groups=self.groups, progress=report, **rules)
        for notice in c.notices:
            if notice not in said:
                say(f"note: {notice}")
        if _kernel.SLOWER and time.monotonic() - began > PATIENCE and NUMPY_KERNEL not in said:
            say(f"note: {NUMPY_KERNEL}")
        return c

    @property
    def is_read_once(self) -> bool:
        """Whether documents must be counted in the first reading, as there is no second one."""
        return self.rules["corpus_size"] is None and self.is_piped

    @property
    def is_piped(self) -> bool:
        """Whether a run comes through a pipe, which cannot be read twice."""
        return any(run == "-" or Path(run).is_fifo() for run in self.runs)

    def answer(self, question: Callable[[Collection], Answer]) -> tuple[Collection, Answer]:
        """Read it and ask something of it.

        An answer may need to know how many documents there are. Where nobody said so, the runs are read once more
        and their documents counted; a pipe cannot be read twice, so that there they always are.
        """
        from rankdiff.errors import CorpusSizeError

        c = self.load(pool=self.is_read_once)
        try:
            return c, question(c)
        except CorpusSizeError:
            c = self.load(pool=True, said=(*c.notices, NUMPY_KERNEL))
            return c, question(c)

    def answers(self, question: Callable[[Collection], Answer]) -> list[tuple[str, Collection, Answer]]:
        """Ask the same of all topics and, where there are segments, of the topics of each."""

        def ask(c: Collection) -> Answer:
            with progress("computing"):
                return question(c)

        c, answer = self.answer(ask)
        return [(EVERY_TOPIC, c, answer), *((name, part, ask(part)) for name, part in self.parts(c))]

    @property
    def groups_of_topics(self) -> Mapping[str, str] | None:
        """The segment of each topic, where there are segments."""
        from rankdiff.studies.segments import read_segments

        return None if self.segments is None else read_segments(self.segments)

    def parts(self, c: Collection) -> list[tuple[str, Collection]]:
        """The topics of each segment that has any; the topics without a segment are counted in a note."""
        if self.segments is None:
            return []
        from rankdiff.studies.segments import parts

        found = parts(c, self.segments)
        if lacking := len(c.queries) - sum(len(part.queries) for part in found.values()):
            say(
                f"note: {lacking} of {len(c.queries)} topics have no segment in {self.segments}: they count under "
                f"`{EVERY_TOPIC}` alone"
            )
        return list(found.items())


def _is_saved_table(reference: str) -> bool:
    return Path(reference).is_file() and {".tsv", ".csv"} & set(Path(reference).suffixes) != set()


def collection(*names: str, segments: bool = False) -> Callable[[Command], Callable[..., Any]]:
    """Give a subcommand the arguments QRELS RUN... and the rules of these names (of all, if none) as a `Request`;
    with ``segments`` also the option of that name."""

    def decorate(command: Command) -> Callable[..., Any]:
        @wraps(command)
        def with_request(qrels: str, runs: tuple[str, ...], **options: Any) -> Any:
            rules = {name: options.pop(name) for name in names or RULES}
            further = {name: options.pop(name, None) for name in ("reference", "groups", "segments")}
            return command(Request(qrels, runs, rules, **further), **options)

        decorated: Callable[..., Any] = with_request
        if segments:
            decorated = SEGMENTS(decorated)
        if not names:
            decorated = REFERENCE(GROUPS(decorated))
        for name in reversed(names or tuple(RULES)):
            decorated = RULES[name](decorated)
        decorated = click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FILE)(decorated)
        return click.argument("qrels", metavar="QRELS", type=FILE)(decorated)

    return decorate


def criteria(several: str) -> Callable[[Command], Command]:
    """Give a subcommand the option ``-m`` or ``-p`` for measures and preferences; ``several`` says what becomes of more
    than one, and of none."""
    return click.option(
        "-m",
        "--measure",
        "-p",
        "--preference",
        "names",
        multiple=True,
        metavar="NAME",
        shell_complete=completion.criteria,
        help=f"A measure or a preference, as in `rankdiff explain`; repeatable{several}",
    )


def output_format(*further: str) -> Callable[[Command], Command]:
    """Give a subcommand the option ``--format``."""
    return click.option(
        "--format",
        "form",
        type=click.Choice([*FORMATS, *further]),
        default="text",
        show_default=True,
        help="How results are written; tsv, csv, json and jsonl are for programs, at full precision.",
    )
