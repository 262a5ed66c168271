"""What a collection can and cannot tell apart, in one table: a row for each measure, taken from several studies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rankdiff.results.study import Study
from rankdiff.results.table import Table
from rankdiff.studies.labels import AGREEING
from rankdiff.studies.queries import ALL, TAU
from rankdiff.studies.tables import tabulate

TITLE = "what the measures tell apart"


@dataclass(frozen=True)
class Column:
    """A column of the table: in which rows and which column of a study's table it is found."""

    title: str
    study: str
    value: str
    where: Mapping[str, Any] = field(default_factory=dict)


COLUMNS = (
    Column("rankings that tie", "ties", "value", {"by": "all"}),
    Column("pairs of runs told apart", "power", "share", {"level": 0.05, "test": "sign-flip"}),
    Column("of these, again on other topics", "power", "repeated", {"level": 0.05, "test": "sign-flip"}),
    Column("τ with half of the topics", "queries", "value", {"rate": 0.5, "compared": ALL, "quantity": TAU}),
    Column(
        "pairs of rankings kept with half of the labels",
        "labels",
        "value",
        {"removed": "uniform", "rate": 0.5, "quantity": AGREEING},
    ),
)
READ = (
    "A measure under which many rankings tie does not see what is there. Pairs of runs are told apart at p ≤ .05 by "
    "the sign-flip range test, corrected for their number; again on other topics: the share of such claims on half of "
    "the topics that the other half repeats. τ compares the order of the runs with that on all topics. Labels are "
    "taken away at random."
)


def at_a_glance(studies: Iterable[Study]) -> Table:
    """Ties, significant pairs, and what fewer topics and labels change, of every measure that the studies have in them.

    >>> import rankdiff as rd
    >>> qrels = {q: {"a": 1} for q in "1234"}
    >>> runs = {"x": {q: {"a": 1} for q in qrels}, "y": {q: {"n": 2, "a": 1} for q in qrels}}
    >>> found = rd.studies.ties(rd.align(qrels, runs), ["RR", "sgnLP"])
    >>> at_a_glance([found]).row(measure="RR")
    {'dataset': 'collection', 'measure': 'RR', 'rankings that tie': 0.0}
    """
    known = {study.name: study for study in studies}
    lines: dict[tuple[str, ...], dict[str, Any]] = {}
    for column in COLUMNS:
        for row in known[column.study].table.rows() if column.study in known else ():
            if all(row[name] == value for name, value in column.where.items()):
                at: dict[str, Any] = {name: row[name] for name in ("dataset", "segment", "measure") if name in row}
                lines.setdefault(tuple(at.values()), dict(at))[column.title] = row[column.value]
    several = [column.title for column in COLUMNS if column.study in known]
    shown = [line for line in lines.values() if len(line.keys() & set(several)) > len(several) // 2]
    signatures = dict.fromkeys(known[column.study].signature for column in COLUMNS if column.study in known)
    return tabulate(shown, title=TITLE, notes=[READ], signature="; ".join(signatures))
