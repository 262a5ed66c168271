"""Which formal properties does a measure have? Tried on all small rankings, and on many drawn ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from rankdiff.hits import FloatArray
from rankdiff.measures import Measure
from rankdiff.measures.recall_levels import LINEAR_SHARE
from rankdiff.results.table import Table
from rankdiff.studies.criteria import Criterion, compare
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart
from rankdiff.studies.made import from_positions
from rankdiff.studies.optimal import recall_level_form
from rankdiff.studies.properties import CONCAVE, PROPERTIES, ROUNDING, Case, Order, Positions, Property, Ranking
from rankdiff.studies.published.lexirecall import TABLE_6
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Row, tabulate

THRL, POSITIVE, TSE, LR = "THRL", "THRL, z > 0", "TSE", "LR"
MARKS = {True: "✓", False: "–", None: "NA"}


def draw(table: Table) -> Any:
    """Table 6 as a picture: which property holds for which measure, and where the paper says otherwise."""
    alt = altair()
    cells = chart(table, width=320, height=360).encode(
        x=alt.X("measure:N", sort=None, title=None, axis=alt.Axis(labelAngle=-40)),
        y=alt.Y("named:N", sort=None, title=None, axis=alt.Axis(labelLimit=320)),
        tooltip=["measure:N", "named:N", "verdict:N", "counterexample:N"],
    )
    cells = cells.transform_calculate(
        named="datum.property + (datum.reading == 'as worded and proven' ? '' : ', ' + datum.reading)"
    )
    scale = alt.Scale(domain=["holds", "fails", "not asked"], range=["#4c9f70", "#e5e5e5", "#ffffff"])
    squares = cells.mark_rect(stroke="white").encode(color=alt.Color("outcome:N", scale=scale, title=None))
    return squares + cells.transform_filter("datum.verdict == 'contradicts the paper'").mark_text(text="≠", size=16)


@dataclass(frozen=True)
class Finding:
    """What was found out about one property of one measure: how many cases there were, and the first that failed."""

    tested: int = 0
    counterexample: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether it was met by all cases; None where it was not asked."""
        return not self.counterexample if self.tested else None

    def __add__(self, later: Finding) -> Finding:
        return Finding(self.tested + later.tested, self.counterexample or later.counterexample)


def describe(case: Case, values: Iterable[float]) -> str:
    """A case in words.

    >>> describe(((3, (2,)), (3, (1,))), [0.5, 1.0])
    'relevant at 2 of 3: 0.5; at 1 of 3: 1'
    """
    places = (f"at {', '.join(map(str, positions)) or 'no rank'} of {n}" for n, positions in case)
    return "relevant " + "; ".join(f"{place}: {value:.6g}" for place, value in zip(places, values, strict=True))


class PaperTable:
    """Table 6 of the paper: properties by measures, the paper's columns at the end; what contradicts it is noted."""

    def beside(self, table: Table) -> Table:
        """The wide table."""
        wide: dict[tuple[str, str], dict[str, Any]] = {}
        notes = []
        for row in table.rows():
            line = wide.setdefault(
                (row["property"], row["reading"]), {"property": row["property"], "reading": row["reading"]}
            )
            contradicts = row["verdict"] == "contradicts the paper"
            line[row["measure"]] = MARKS[{"holds": True, "fails": False}.get(row["outcome"])] + " ≠" * contradicts
            if contradicts:
                example = f" ({row['counterexample']})" if row["counterexample"] else ""
                notes.append(f"{row['measure']}, {row['property']}, {row['reading']}: {row['outcome']}{example}")
        for (name, _), line in wide.items():
            for column, said in claims()[name].items():
                line[f"{column} (paper)"] = {"yes": "✓", "if": "✓ if", "no": "–", "-": "NA"}[said]
        return tabulate(wide.values(), title="Diaz & Mitra 2023, Table 6", notes=notes, signature=table.signature)


@cache
def claims() -> Mapping[str, Mapping[str, str]]:
    """What the paper says of each property, by the class of the measure."""
    lines = [line.rsplit(maxsplit=4) for line in TABLE_6.strip().splitlines()]
    return {name: dict(zip((THRL, POSITIVE, TSE, LR), cells, strict=True)) for name, *cells in lines}


@study(
    "axioms",
    question="which formal properties does a measure have?",
    reproduces="lexirecall Table 6",
    draw=draw,
    about=("RR", "AP", "nDCG", "RBP(p=0.8)", LINEAR_SHARE, "TSE", "TSE(exposure='ndcg')", "sgnLR"),
    samples=100,
    printed=[PaperTable()],
)
def axioms(
    what: Sequence[Criterion], sampling: Sampling, *, n: int = 9, m: int = 4, draws: int = 1000, largest: int = 40
) -> Iterator[Row]:
    """Whether each property holds on all rankings of up to ``n`` documents, up to ``m`` of them relevant, and on
    drawn ones: a sample is ``draws`` rankings of up to ``largest`` documents, one case of each property from each.

    Properties are those of the paper's Appendix A, *as worded* there and *as proven* by its theorems where the two
    differ. ``counterexample`` is the smallest one. The paper's ``claim`` is about classes of measures; ``verdict``
    says whether a measure of the class *agrees* with it, *contradicts the paper*, or has more than the class
    guarantees (*holds beyond the paper*).

    >>> import rankdiff as rd
    >>> table = rd.studies.axioms(["AP"], samples=1, draws=1).table
    >>> row = table.row(property="concavity in contiguous swap depth", reading="as worded")
    >>> row["verdict"]
    'contradicts the paper'
    >>> print(row["counterexample"].replace("; ", chr(10)))
    relevant at 6, 8 of 8: 0.208333
    at 5, 8 of 8: 0.225
    at 6, 8 of 8: 0.208333
    at 6, 7 of 8: 0.22619
    """
    parts = [_examine(what, _all_cases(n, m)), *sampling.map(lambda rng: _examine(what, _drawn(rng, draws, largest)))]
    for item in what:
        kind = class_of(item)
        for i, prop in enumerate(PROPERTIES):
            finding = sum((part[item][i] for part in parts), Finding())
            claim = claims()[prop.name].get(kind, "")
            yield {
                "measure": item.name,
                "class": kind,
                "property": prop.name,
                "reading": prop.reading,
                "outcome": {True: "holds", False: "fails", None: "not asked"}[finding.holds],
                "claim": claim,
                "verdict": _verdict(item, prop, claim, finding.holds),
                "tested": finding.tested,
                "counterexample": finding.counterexample,
            }


def class_of(item: Criterion) -> str:
    """The column of Table 6 that a measure or preference belongs to; empty where it belongs to none."""
    if not isinstance(item, Measure):
        return LR if item.name == "sgnLR" else ""
    form = recall_level_form(item)
    if form is None or not form.is_top_heavy(6):
        return ""
    if item.definition.name == "TSE":
        return TSE
    levels = np.arange(1, 5)
    return POSITIVE if np.all(form.normalization(levels, np.full(4, 4)) > 0) else THRL


def _verdict(item: Criterion, prop: Property, claim: str, holds: bool | None) -> str:
    """An empty cell speaks of a class, so that one measure of it may hold more; but lexirecall is alone in its."""
    if not claim or holds is None:
        return ""
    if claim == "if" and prop.name in CONCAVE and not _strictly_convex(item):
        return "outside the paper's condition"
    if holds == (claim != "no"):
        return "agrees"
    return "holds beyond the paper" if holds and isinstance(item, Measure) else "contradicts the paper"


def _strictly_convex(item: Criterion) -> bool:
    """Whether the exposure falls less and less, the condition of strict concavity."""
    form = recall_level_form(item) if isinstance(item, Measure) else None
    ranks = np.arange(1, 21)
    return form is not None and bool(np.all(np.diff(form.exposure(ranks, 1, len(ranks)), 2) > ROUNDING))


def _all_cases(n: int, m: int) -> list[list[Case]]:
    """All cases of each property, the smallest corpora first."""
    cases: list[dict[Case, None]] = [{} for _ in PROPERTIES]
    for size in range(1, n + 1):
        for relevant in range(1, min(m, size) + 1):
            for positions in combinations(range(1, size + 1), relevant):
                for prop, found in zip(PROPERTIES, cases, strict=True):
                    found.update(dict.fromkeys(prop.cases(size, positions, list)))
    return [list(found) for found in cases]


def _drawn(rng: np.random.Generator, draws: int, largest: int) -> list[list[Case]]:
    """One case of each property from each of some rankings drawn at random, where the ranking has one."""

    def begun_anywhere(choices: Iterable[int]) -> list[int]:
        listed = list(choices)
        first = int(rng.random() * len(listed))
        return listed[first:] + listed[:first]

    cases: list[list[Case]] = [[] for _ in PROPERTIES]
    for _ in range(draws):
        n = int(rng.integers(4, largest + 1))
        m = int(rng.integers(1, max(n // 3, 1) + 1))
        positions = tuple(sorted((rng.choice(n, m, replace=False, shuffle=False) + 1).tolist()))
        for prop, found in zip(PROPERTIES, cases, strict=True):
            found.extend(_first(prop, n, positions, begun_anywhere))
    return cases


def _first(prop: Property, n: int, positions: Positions, order: Order) -> Iterator[Case]:
    for case in prop.cases(n, positions, order):
        yield case
        return


def _examine(what: Sequence[Criterion], cases: Sequence[Sequence[Case]]) -> Mapping[Criterion, Sequence[Finding]]:
    """Each measure and preference put to the cases of each property."""
    rankings = {r: i for i, r in enumerate(dict.fromkeys(r for group in cases for case in group for r in case))}
    places = [np.array([[rankings[r] for r in case] for case in group], np.int64) for group in cases]
    measures = [item for item in what if isinstance(item, Measure)]
    known = dict(zip(measures, _values(measures, list(rankings)), strict=True)) if measures else {}
    return {
        item: [
            _finding(item, prop, group, known[item][place] if group else None)
            if isinstance(item, Measure)
            else _finding(item, prop, group, None if prop.of_values or not group else _preferred(item, group))
            for prop, group, place in zip(PROPERTIES, cases, places, strict=True)
        ]
        for item in what
    }


def _finding(item: Criterion, prop: Property, cases: Sequence[Case], values: FloatArray | None) -> Finding:
    """What the values of some cases say of a property."""
    if values is None:
        return Finding()
    low, high = item.definition.range
    turned = isinstance(item, Measure) and not item.higher_is_better
    met = prop.demand(-values, -low) if turned else prop.demand(values, high)
    failing = int(np.argmin(met))
    return Finding(len(cases), "" if met.all() else describe(cases[failing], values[failing]))


def _values(measures: Sequence[Measure], rankings: Sequence[Ranking]) -> FloatArray:
    """The values of measures for rankings, each a request of its own."""
    positions = [np.array([ranks], np.int64) for _, ranks in rankings]
    c = from_positions(positions, np.array([n for n, _ in rankings]))
    return np.asarray(c.measure(*measures).values[:, 0])


def _preferred(item: Criterion, cases: Sequence[Case]) -> FloatArray:
    """The values of a preference for the second of two rankings, the first being 0."""
    positions = [np.array([ranks for _, ranks in case], np.int64) for case in cases]
    c = from_positions(positions, np.array([case[0][0] for case in cases]))
    second = compare(c, item).over(1, np.array([0]))[0]
    return np.stack([np.zeros_like(second), second], axis=1)
