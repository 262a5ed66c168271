"""``rankdiff study``: a subcommand for every study, with the study's own options, and ``all`` of them at once."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankdiff.cli.completion import FILE, NewFile
from rankdiff.cli.options import REFERENCE, RULES, SEED, Request, criteria, output_format
from rankdiff.cli.output import emit, emit_table, progress, say

if TYPE_CHECKING:
    from rankdiff.collection import Collection
    from rankdiff.present.studies import Entry
    from rankdiff.results.study import Study
    from rankdiff.studies import Definition

EVERYTHING = "all"
OWN = "own_"
"""Before the names under which a study's own options are kept, which may be those of shared arguments."""

ARGUMENTS = (
    click.argument("qrels", required=False, metavar="[QRELS RUN...", type=FILE),
    click.argument("runs", nargs=-1, metavar="| FOLDER...]", type=FILE),
    click.option(
        "--collection",
        "collections",
        multiple=True,
        metavar="LABEL=QRELS,RUNS",
        help="Judgments and runs under a label, instead of QRELS RUN...; repeatable, for several side by side. A "
        "FOLDER has judgments (qrels*) and a folder runs, or is a folder of such, each called as its folder.",
    ),
    click.option(
        "--segments",
        metavar="FILE",
        type=FILE,
        help="A group for each topic, a topic and its group on each line: every number also for each group.",
    ),
    *RULES.values(),
    REFERENCE,
)
"""What a study about data is given."""

NAMES = criteria(".  [default: those the study is about, or with --as-paper those of the tables]")
SAMPLES = click.option(
    "--samples", type=click.IntRange(min=1), metavar="N", help="How often it draws.  [default: the study's own number]"
)
JOBS = click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Threads that draw; the result does not depend on it."
)
AS_PAPER = click.option(
    "--as-paper",
    is_flag=True,
    help="The paper's conditions and tables, its numbers beside ours where it used the data.",
)

OUTPUT = click.option(
    "-o",
    "--output",
    multiple=True,
    metavar="FILE",
    type=NewFile(),
    help="Write the table (.csv .tsv .json .jsonl .parquet .tex .md .txt) or the figure (.svg .png .pdf .html), as the "
    "name ends; repeatable.",
)


def several(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Several values of one kind with commas between; a default is a tuple already."""

    def values(value: Any) -> tuple[Any, ...]:
        try:
            return tuple(kind(part.strip()) for part in value.split(",")) if isinstance(value, str) else tuple(value)
        except ValueError:
            raise click.BadParameter(f"{value!r} is no list of {kind.__name__} with commas between") from None

    return values


class Studies(click.Group):
    """A subcommand for each study, made from its declaration when it is asked for."""

    def list_commands(self, _: click.Context) -> list[str]:
        """The studies about data, then those about measures alone, then ``all``."""
        from rankdiff.studies import catalog

        return [*sorted(catalog(), key=lambda name: not catalog()[name].needs_collection), EVERYTHING]

    def get_command(self, _: click.Context, name: str) -> click.Command:
        """The subcommand of a study."""
        from rankdiff.studies import find

        return every_command if name == EVERYTHING else _command(find(name))


@click.command("study", cls=Studies, subcommand_metavar="NAME [QRELS RUN...]")
def study_command() -> None:
    """Ask what a measure or a collection can tell apart: a table and its figure.

    `rankdiff study NAME --help` shows the options of one study, `rankdiff study all QRELS RUN... -o FOLDER` runs all
    that are about data.
    """


def _command(study: Definition) -> click.Command:
    def command(form: str, output: tuple[str, ...], **given: Any) -> int:
        from rankdiff.present.files import refuse_unknown
        from rankdiff.studies.criteria import resolve_all

        for path in output:
            refuse_unknown(path)
        requests = _requests(given) if study.needs_collection else {}
        options = {name.removeprefix(OWN): value for name, value in given.items() if value is not None}
        if names := options.pop("names", ()):
            options["what"] = resolve_all(names)

        def run(collections: Mapping[str, Collection]) -> Study:
            data = {"c": collections} if study.needs_collection else {}
            with progress(study.name) as report:
                return study(**data, **options, progress=report)

        return _deliver(_answer(requests, run), form, output)

    own = [
        parameter for name, parameter in inspect.signature(study.function).parameters.items() if name in study.options
    ]
    helps = dict(re.findall(r"^- ``(\w+)``: (.+(?:\n  .+)*)", inspect.getdoc(study.function) or "", re.MULTILINE))
    decorators: list[Callable[[Any], Any]] = [
        *(ARGUMENTS if study.needs_collection else ()),
        *([NAMES] if study.about else []),
        *(_option(parameter, helps.get(parameter.name, "")) for parameter in own),
        *([SAMPLES] if study.samples else []),
        *([JOBS] if study.samples and not study.needs_collection else []),
        SEED,
        AS_PAPER,
        OUTPUT,
        output_format(),
    ]
    about = f"{study.question[0].upper()}{study.question[1:]}\n\nReproduces {study.reproduces}."
    named: click.Command = click.command(study.name, help=about)(_decorate(command, *decorators))
    return named


def _option(parameter: inspect.Parameter, text: str) -> Callable[[Any], Any]:
    """An option of a study, its kind seen from the annotation or the default."""
    flag, default = f"--{parameter.name.replace('_', '-')}", parameter.default
    stored, text = f"{OWN}{parameter.name}", " ".join(text.replace("`", "").split())
    if isinstance(default, bool):
        return click.option(f"{flag}/--no-{flag[2:]}", stored, default=default, show_default=True, help=text)
    kind: Any = str if default is None else type(default)
    shown = None
    if listed := re.match(r"Sequence\[(\w+)", str(parameter.annotation)):
        kind, default, shown = (
            several(KINDS[listed[1]]),
            ",".join(map(str, default or ())) or None,
            f"{listed[1].upper()},…",
        )
    told = default not in (None, "")
    return click.option(flag, stored, type=kind, metavar=shown, default=default, show_default=told, help=text)


KINDS: Mapping[str, type] = {"int": int, "float": float, "str": str}


def _requests(given: dict[str, Any]) -> dict[str, Request]:
    """The collections that the arguments name, by label; what concerns them is taken out of the arguments."""
    from rankdiff.studies.running import UNNAMED

    rules = {name: given.pop(name) for name in RULES}
    qrels, runs, reference = given.pop("qrels"), given.pop("runs"), given.pop("reference")
    given["jobs"] = rules["jobs"]
    named = _named(given.pop("collections"))
    folders = [qrels, *runs] if qrels and Path(qrels).is_dir() else []
    if bool(runs or folders) == bool(named):
        raise click.UsageError(
            "name one collection by QRELS RUN..., each by --collection LABEL=QRELS,RUNS, or folders that hold them"
        )
    if folders:
        named = _in_folders(folders)
    elif runs:
        named = {UNNAMED: (qrels, runs)}
    elif qrels is not None:
        raise click.UsageError(f"{qrels!r} stands beside --collection: give judgments by one way or the other")
    return {label: Request(judgments, files, rules, reference) for label, (judgments, files) in named.items()}


Named = Mapping[str, tuple[str, tuple[str, ...]]]
"""Judgments and runs by label."""


def _named(collections: Sequence[str]) -> Named:
    """Those that ``--collection`` names."""
    named: dict[str, tuple[str, tuple[str, ...]]] = {}
    for text in collections:
        label, _, files = text.partition("=")
        judgments, _, runs = files.partition(",")
        if not (label and judgments and runs) or label in named:
            raise click.UsageError(f"--collection {text!r}: expected LABEL=QRELS,RUNS, each label once")
        named[label] = judgments, tuple(runs.split(","))
    return named


def _in_folders(folders: Sequence[str]) -> Named:
    """Every collection in some folders, called as the folder that holds its judgments and its runs."""
    named: dict[str, tuple[str, tuple[str, ...]]] = {}
    for folder in map(Path, folders):
        below = sorted(folder.iterdir()) if folder.is_dir() else []
        for place in [folder, *(path for path in below if path.is_dir())]:
            judgments = sorted(path for path in place.glob("qrels*") if path.is_file())
            if len(judgments) == 1 and (place / "runs").is_dir():
                named[place.resolve().name] = str(judgments[0]), (str(place / "runs"),)
    if not named:
        raise click.UsageError(f"{', '.join(folders)}: no folder there has judgments (qrels*) and a folder runs")
    return named


def _answer(requests: Mapping[str, Request], run: Callable[[Mapping[str, Collection]], Study]) -> Study:
    """The study of all collections; they are read once more, and documents counted, where it needs to know how many."""
    from rankdiff.errors import CorpusSizeError

    collections = {
        label: _load(label, request, requests, pool=request.is_read_once) for label, request in requests.items()
    }
    try:
        return run(collections)
    except CorpusSizeError:
        if not requests:
            raise
        said = {label: c.notices for label, c in collections.items()}
        return run({label: request.load(pool=True, said=said[label]) for label, request in requests.items()})


def _load(label: str, request: Request, requests: Mapping[str, Request], *, pool: bool) -> Collection:
    """Read a collection; where there are several, what is said of it stands behind its label."""
    if len(requests) > 1:
        say(f"{label}:")
    return request.load(pool=pool)


def _deliver(study: Study, form: str, output: Sequence[str]) -> int:
    """Write a study where it is asked for; the exit code."""
    from rankdiff.cli import INTERRUPTED

    for path in output:
        study.save(path)
    if output:
        for note in study.table.notes:
            say(f"note: {note}")
    elif form == "json":
        from rankdiff.present.studies import to_json

        emit(to_json(study))
    else:
        for table in study.tables if form in {"text", "latex", "markdown"} else [study.table]:
            emit_table(table, form)
    return INTERRUPTED if study.interrupted else 0


def _decorate(command: Any, *decorators: Callable[[Any], Any]) -> Any:
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


def _every(output: Path, **given: Any) -> int:
    """Every study about data: its table and its figure in FOLDER, and index.html, a page of all.

    The page begins with what the measures tell apart. A study that the collection or the measures do not allow (one
    run, two topics) is named there with the reason. Ctrl-C keeps what is finished.
    """
    from rankdiff.cli import INTERRUPTED
    from rankdiff.present.studies import save_index, save_study
    from rankdiff.studies import catalog
    from rankdiff.studies.drawing import altair

    altair()
    requests = _requests(given)
    output.mkdir(parents=True, exist_ok=True)
    collections = {label: _load(label, request, requests, pool=True) for label, request in requests.items()}
    entries: list[Entry] = []
    studies = [study for study in catalog().values() if study.needs_collection]
    interrupted = False
    for number, study in enumerate(studies, 1):
        say(f"{number} of {len(studies)}: {study.name}")
        try:
            found = _one_of_all(study, collections, given)
        except KeyboardInterrupt:
            interrupted = True
            break
        entries.append(found)
        if found.study is not None:
            save_study(found.study, output)
            interrupted = found.study.interrupted
        if interrupted:
            break
    say(f"{len(entries)} of {len(studies)} studies: {save_index(entries, output)}")
    return INTERRUPTED if interrupted else 0


def _one_of_all(study: Definition, collections: Mapping[str, Collection], given: Mapping[str, Any]) -> Entry:
    from rankdiff.errors import RankdiffError
    from rankdiff.present.studies import Entry
    from rankdiff.studies.criteria import resolve_all

    told = {name for name in given if name != "names" and (study.samples or name not in SAMPLING)}
    options = {name: given[name] for name in told if given[name] is not None}
    if given["names"] and study.about:
        options["what"] = resolve_all(given["names"])
    try:
        with progress(study.name) as report:
            return Entry(study.name, study.question, study(collections, **options, progress=report))
    except RankdiffError as problem:
        return Entry(study.name, study.question, reason=str(problem))


SAMPLING = frozenset({"samples", "jobs"})
"""What only a study that samples is told."""
FOLDER = click.option(
    "-o", "--output", required=True, metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path)
)
every_command: click.Command = click.command(EVERYTHING)(
    _decorate(_every, *ARGUMENTS, NAMES, SAMPLES, SEED, AS_PAPER, FOLDER)
)
