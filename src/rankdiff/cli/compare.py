"""``rankdiff compare``: candidates against a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from rankdiff.cli import completion
from rankdiff.cli.completion import FILE
from rankdiff.cli.options import EVERY_TOPIC, SEED, Request, collection, criteria, output_format
from rankdiff.cli.output import FOR_PEOPLE, emit, emit_parts, in_color, progress, say, terminal_width

if TYPE_CHECKING:
    from rankdiff.collection import Collection
    from rankdiff.comparison import Gates
    from rankdiff.results import Comparison, Table

GATE_CLOSED = 3

TESTS = ("t", "randomization", "bootstrap", "wilcoxon", "sign")
MANY_RUNS = ("sign-flip", "max-t", "randomized-hsd", "shuffled-max-t", "tukey-hsd")


class Margin(click.ParamType[tuple[str, float]]):
    """A measure and a number, such as a margin, with the last ``=`` between them."""

    name = "measure=number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        """The measure and the margin that a word stands for."""
        measure, _, margin = str(value).rpartition("=")
        try:
            number = float(margin)
        except ValueError:
            number = -1.0
        if not measure.strip() or not number >= 0:
            self.fail(f"{value!r} is no measure and number, as in nDCG@10=0.01", param, ctx)
        return measure.strip(), number


@click.command("compare")
@click.option(
    "--baseline",
    metavar="RUN",
    help="The run the others are compared with, by name or path; of several runs, each with it alone.  "
    "[default: the first, and all pairs]",
)
@criteria(", the first is primary.  [default: RPP, sgnLP, sgnLR, ASL, nDCG@10, AP, RR]")
@click.option(
    "--primary",
    metavar="NAME",
    shell_complete=completion.criteria,
    help="The measure or preference that the verdict rests on.",
)
@click.option(
    "--test",
    type=click.Choice([*TESTS, *MANY_RUNS]),
    help="Of two runs the first five, of more runs any.  [default: t; sign-flip for more than two runs]",
)
@click.option(
    "--interval",
    type=click.Choice(["default", "safe"]),
    default="default",
    show_default=True,
    help="The test's own interval, or one that is safe for skewed and tied values and few topics.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bonferroni", "bh", "none"]),
    help="Of tests of each pair alone, where there are several.  [default: holm]",
)
@click.option(
    "--family",
    type=click.Choice(["primary", "all"]),
    default="primary",
    show_default=True,
    help="What is corrected together: each row's pairs, or all rows and pairs.",
)
@SEED
@click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Random samples of the tests that draw.")
@click.option("--level", type=float, default=0.05, show_default=True, help="p up to this is significant.")
@click.option(
    "--fail-if-worse",
    multiple=True,
    metavar="MEASURE",
    shell_complete=completion.measures,
    help="Exit with 3 if a candidate is shown to be worse under it; repeatable.",
)
@click.option(
    "--require-noninferior",
    type=Margin(),
    multiple=True,
    metavar="MEASURE=MARGIN",
    shell_complete=completion.measures,
    help="Exit with 3 unless every candidate is shown to be worse by less than the margin, if at all; repeatable.",
)
@click.option(
    "--providers",
    metavar="FILE",
    type=FILE,
    help="Documents and their providers (authors, shops, ...), two columns: for whose users a candidate is better, and "
    "what exposure each provider gets.",
)
@click.option(
    "--profile",
    is_flag=True,
    help="For whom a candidate is better: tables by how many relevant documents users want, by grade and by subtopic.",
)
@click.option(
    "--sequential",
    is_flag=True,
    help="After how many topics each row was decided, and gates that hold whenever one looks; the topics as the "
    "judgments name them, new ones at the end.",
)
@click.option(
    "--detect",
    type=Margin(),
    multiple=True,
    metavar="MEASURE=DIFFERENCE",
    shell_complete=completion.measures,
    help="How many topics it takes to see so large a difference, and what the topics at hand show; repeatable.",
)
@click.option("--power", type=float, default=0.8, show_default=True, help="Of --detect.")
@output_format()
@collection(segments=True)
def compare_command(
    request: Request,
    *,
    baseline: str | None,
    names: tuple[str, ...],
    fail_if_worse: tuple[str, ...],
    require_noninferior: tuple[tuple[str, float], ...],
    providers: str | None,
    profile: bool,
    sequential: bool,
    detect: tuple[tuple[str, float], ...],
    power: float,
    form: str,
    **design: Any,
) -> int:
    """Compare runs with a baseline: differences, tests, and a verdict in words; positive = candidate better.

    The table has a row a measure or preference; below it stand the verdict, for whom the candidate is better, what the
    topics could have shown, and the topics that changed most. `rankdiff QRELS RUN RUN` is short for it.
    """
    from rankdiff.comparison.comparing import rows_of

    if (providers is not None or profile) and form not in {*FOR_PEOPLE, "json"}:
        raise click.UsageError(
            f"tables of providers and profiles do not fit into {form}: take text, latex, markdown or json"
        )
    averaged = request.rules["ties"] == "average"
    design |= {
        "measures": rows_of(names, design.pop("primary"), averaged=averaged),
        "pairs": "all" if baseline is None else "baseline",
    }
    judged = _order_of_judging(request.qrels) if sequential else None
    asked = _gates(fail_if_worse, require_noninferior, design)
    if asked and sequential:
        asked |= {"sequential": judged or True, "test": None, "interval": "default"}

    def ask(c: Collection) -> Comparison:
        with _testing() as report:
            return c.compare(*_runs(c, baseline), progress=report, **design)

    def ask_all(c: Collection) -> tuple[Comparison, Gates | None]:
        compared = ask(c)
        with progress("testing for the gates"):
            return compared, c.gates(*_runs(c, baseline), lacking=_lacking(), **asked) if asked else None

    c, (comparison, gates) = request.answer(ask_all)
    compared = [(EVERY_TOPIC, comparison), *((name, ask(part)) for name, part in request.parts(c))]
    plan = comparison.plan(dict(detect), power=power) if detect else None
    _show(compared, gates, plan, form, providers=providers, profile=profile)
    if plan is not None:
        _show_plan(plan, form)
    if sequential:
        _show_stopping(comparison, judged, form)
    if gates is None:
        return 0
    say(str(gates))
    return 0 if gates.passed else GATE_CLOSED


def _gates(
    worse: tuple[str, ...], noninferior: tuple[tuple[str, float], ...], design: dict[str, Any]
) -> dict[str, Any]:
    """What is asked of the gates; nothing where there are none."""
    from rankdiff.studies.criteria import resolve

    if not worse and not noninferior:
        return {}
    test = design["test"]
    if test in ("wilcoxon", "sign"):
        raise click.UsageError(f"a gate is about the mean difference, of which --test {test} does not speak")
    shared = {name: design[name] for name in ("interval", "level", "seed", "samples")}
    own = test if test in TESTS else None
    return {
        **shared,
        "fail_if_worse": [resolve(name) for name in worse],
        "require_noninferior": {resolve(name): margin for name, margin in noninferior},
        "test": own,
    }


def _lacking() -> str:
    """Runs that lack topics pass no gate, unless the command line says what these topics are worth."""
    given = click.get_current_context().get_parameter_source("missing")
    return "fail" if given is click.core.ParameterSource.DEFAULT else "count"


def _runs(c: Collection, baseline: str | None) -> list[str]:
    """The names of the runs, the baseline first."""
    from rankdiff.read.runs import run_name

    first = c.systems[0] if baseline is None else baseline if baseline in c.systems else run_name(baseline)
    return [first, *(system for system in c.systems if system != first)]


@contextmanager
def _testing() -> Iterator[Callable[[float], None] | None]:
    with progress("testing") as report:
        yield None if report is None else lambda share: report(int(1000 * share), 1000)


def _show(
    compared: list[tuple[str, Comparison]], gates: Gates | None, plan: Table | None, form: str, **further: Any
) -> None:
    from rankdiff.present.comparison import comparison_record, further_tables, people_tables, to_text
    from rankdiff.present.records import value

    several = len(compared) > 1
    if form == "json":
        records = [{"segment": name, **comparison_record(comparison)} for name, comparison in compared]
        records[0] |= comparison_record(compared[0][1], gates, **further)
        records[0] |= {} if plan is None else {"plan": list(plan.rows())}
        if not several:
            del records[0]["segment"]
        emit(value(records if several else records[0]) + "\n")
    elif form == "text":
        screen: dict[str, Any] = {"width": terminal_width(), "color": in_color()}
        with progress("finding words"):
            text = "\n".join(to_text(comparison, heading=name * several, **screen) for name, comparison in compared)
        emit(text)
    elif form in FOR_PEOPLE:
        emit_parts([(name, list(people_tables(comparison))) for name, comparison in compared], form)
        say(compared[0][1].verdict)
    else:
        emit_parts([(name, [comparison.table()]) for name, comparison in compared], form)
    if form in FOR_PEOPLE and (tables := list(further_tables(compared[0][1], **further))):
        emit("\n" * (form == "text"))
        emit_parts([("", tables)], form)


def _show_plan(plan: Table, form: str) -> None:
    if form in FOR_PEOPLE:
        emit("\n" * (form == "text"))
        emit_parts([("", [plan])], form)
    elif form != "json":
        for row in plan.rows():
            if row["takes topics"] is not None:
                takes = f"{row['takes topics']} topics, at most {row['takes at most']}"
                say(f"{row['candidate']}, {row['measure']}: to see {row['to see']:g} takes {takes}")


def _order_of_judging(qrels: str) -> tuple[str, ...] | None:
    """The topics as the file names them; None where it cannot be read again, so that they come in order of name."""
    from rankdiff.read import topics_as_judged

    judged = topics_as_judged(qrels)
    if judged is None:
        say("note: standard input cannot be read again: the topics count as judged in the order of their names")
    return judged


def _show_stopping(comparison: Comparison, judged: tuple[str, ...] | None, form: str) -> None:
    from rankdiff.verdict import stopping

    table = stopping(comparison, judged=judged)
    if form in FOR_PEOPLE:
        emit_parts([("", [table])], form)
        return
    for row in table.rows():
        decided = row["decided after"]
        say(f"{row['candidate']}, {row['measure']}: " + (f"decided after {decided} topics" if decided else "undecided"))
