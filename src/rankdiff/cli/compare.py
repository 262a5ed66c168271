"""``rankdiff compare``: candidates against a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from rankdiff.cli import completion
from rankdiff.cli.completion import FILE, NewFile
from rankdiff.cli.options import EVERY_TOPIC, SEED, Request, collection, criteria, output_format
from rankdiff.cli.output import (
    FOR_PEOPLE,
    emit,
    emit_parts,
    emit_table,
    in_color,
    progress,
    say,
    terminal_width,
)

if TYPE_CHECKING:
    from rankdiff.collection import Collection
    from rankdiff.comparison import Gates
    from rankdiff.present.comparison import Besides
    from rankdiff.results import Comparison, Table

GATE_CLOSED = 3

TESTS = ("t", "randomization", "bootstrap", "wilcoxon", "sign")
MANY_RUNS = ("sign-flip", "max-t", "randomized-hsd", "shuffled-max-t", "tukey-hsd")


def margin(value: str) -> tuple[str, float]:
    """A measure and a number, such as a margin, with the last ``=`` between them."""
    measure, _, last = value.rpartition("=")
    try:
        number = float(last)
    except ValueError:
        number = -1.0
    if not measure.strip() or not number >= 0:
        raise click.BadParameter(f"{value!r} is no measure and number, as in nDCG@10=0.01")
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
    type=margin,
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
    help="For whom a candidate is better: tables by how many relevant documents users want, by grade, by subtopic and "
    "by segment.",
)
@click.option(
    "-o",
    "--output",
    "drawn",
    metavar="FILE",
    type=NewFile(),
    help="Draw the profile (.svg .png .pdf .html), as the name ends.",
)
@click.option(
    "--sequential",
    is_flag=True,
    help="After how many topics each row was decided, and gates that hold whenever one looks; the topics as the "
    "judgments name them, new ones at the end.",
)
@click.option(
    "--detect",
    type=margin,
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
    drawn: str | None,
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
    from rankdiff.present.comparison import Besides
    from rankdiff.present.files import refuse_no_figure
    from rankdiff.verdict import stopping

    if drawn:
        refuse_no_figure(drawn)
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
    shown = []
    for name, each in compared:
        besides = Besides(
            profile=profile,
            groups=request.groups_of_topics if name == EVERY_TOPIC else None,
            providers=providers,
            plan=_plan(name, each, dict(detect), power) if detect else None,
            stopping=stopping(each, judged=judged) if sequential else None,
        )
        shown.append((name, each, besides))
    _show(shown, gates, form)
    if drawn:
        _draw(compared, drawn)
    if gates is None:
        return 0
    say(str(gates))
    return 0 if gates.passed else GATE_CLOSED


def _plan(segment: str, comparison: Comparison, differences: dict[str, float], power: float) -> Table | None:
    """How many topics it takes; a segment whose topics allow no such plan is named with the reason."""
    from rankdiff.errors import RankdiffError

    try:
        return comparison.plan(differences, power=power)
    except RankdiffError as problem:
        if segment == EVERY_TOPIC:
            raise
        say(f"note: {segment}: {problem}")
        return None


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


def _show(shown: list[tuple[str, Comparison, Besides]], gates: Gates | None, form: str) -> None:
    from rankdiff.present.comparison import comparison_record, further_tables, people_tables, to_text
    from rankdiff.present.records import value

    several = len(shown) > 1
    if form == "json":
        records = [
            {"segment": name, **comparison_record(comparison, besides, gates if name == EVERY_TOPIC else None)}
            for name, comparison, besides in shown
        ]
        if not several:
            del records[0]["segment"]
        emit(value(records if several else records[0]) + "\n")
    elif form == "text":
        screen: dict[str, Any] = {"width": terminal_width(), "color": in_color()}
        for number, (name, comparison, besides) in enumerate(shown):
            with progress("finding words"):
                text = to_text(comparison, heading=name * several, **screen)
            emit("\n" * (number > 0) + text)
            for table in further_tables(comparison, besides):
                emit("\n")
                emit_table(table, form)
    elif form in FOR_PEOPLE:
        parts = [(name, [*people_tables(one), *further_tables(one, besides)]) for name, one, besides in shown]
        emit_parts(parts, form)
        say(shown[0][1].verdict)
    else:
        emit_parts([(name, [comparison.table()]) for name, comparison, _ in shown], form)
        for name, _, besides in shown:
            _say_numbers(f"{name}: " * several, besides)


def _say_numbers(where: str, besides: Besides) -> None:
    """What has no place in a table of rows."""
    for row in besides.plan.rows() if besides.plan is not None else ():
        if row["takes topics"] is not None:
            takes = f"{row['takes topics']} topics, at most {row['takes at most']}"
            say(f"{where}{row['candidate']}, {row['measure']}: to see {row['to see']:g} takes {takes}")
    for row in besides.stopping.rows() if besides.stopping is not None else ():
        decided = row["decided after"]
        end = f"decided after {decided} topics" if decided else "undecided"
        say(f"{where}{row['candidate']}, {row['measure']}: {end}")


def _draw(compared: list[tuple[str, Comparison]], path: str) -> None:
    """The profiles of all candidates, for all topics and each segment, one under the other."""
    from rankdiff.present.files import save_figure
    from rankdiff.present.profile import draw_profiles

    profiles = [
        (name * (len(compared) > 1), comparison.profile_of(candidate))
        for name, comparison in compared
        for candidate in comparison.candidates
    ]
    save_figure(draw_profiles(profiles), path)


def _order_of_judging(qrels: str) -> tuple[str, ...] | None:
    """The topics as the file names them; None where it cannot be read again, so that they come in order of name."""
    from rankdiff.read import topics_as_judged

    judged = topics_as_judged(qrels)
    if judged is None:
        say("note: standard input cannot be read again: the topics count as judged in the order of their names")
    return judged
