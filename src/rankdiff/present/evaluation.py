"""The values of measures: as tables for people and programs, and as trec_eval prints them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rankdiff.results import Scores, Table
from rankdiff.results.table import column

ALL = "all"
"""What stands in place of a query where a value speaks of all of them."""


def scores_table(scores: Scores, *, wide: bool, per_query: bool, aggregate: str | None = None) -> Table:
    """A wide table has a column for each measure, a long one a row for each value, means under the query ``all``.

    With ``per_query`` the long table holds the values of every query before the means.
    """
    if wide:
        return by_query(scores) if per_query else scores.mean(aggregate)
    means = scores.means_long(aggregate)
    if not per_query:
        return means
    single = scores.per_query()
    return Table(
        {name: np.concatenate([single[name], means[name]]) for name in single.columns}, signature=scores.signature
    )


def by_query(scores: Scores) -> Table:
    """The wide table of single queries: run, query, and a column for each measure."""
    system, query = (index.ravel() for index in np.indices(scores.values.shape[1:]))
    columns = {"run": column(scores.systems)[system], "query": column(scores.queries)[query]}
    columns |= {measure.name: values.ravel() for measure, values in zip(scores.measures, scores.values, strict=True)}
    return Table(columns, signature=scores.signature)


def in_rows(means: Table) -> Table:
    """A wide table of means as a long one, which is what programs read.

    >>> next(in_rows(Table.of(run=["bm25"], AP=[0.25], queries=[50])).rows())
    {'run': 'bm25', 'query': 'all', 'measure': 'AP', 'value': 0.25}
    """
    names = [name for name in means.columns if name not in ("run", "queries")]
    rows = {
        "run": column(means["run"].tolist() * len(names)),
        "query": column([ALL] * len(means) * len(names)),
        "measure": column([name for name in names for _ in range(len(means))]),
        "value": np.concatenate([means[name] for name in names]),
    }
    return Table(rows, signature=means.signature)


def to_trec(scores: Scores, tags: Sequence[str] = (), *, per_query: bool = False, aggregate: str | None = None) -> str:
    """As trec_eval prints: a block a run, which begins with its ``runid``; names are trec_eval's where it has one.

    ``tags`` are the runs' own names for themselves, which stand there instead of the names of their files.
    """
    summary = scores.summary(aggregate)
    names = [measure.trec_eval or measure.name for measure in scores.measures]
    lines: list[str] = []
    for system, run in enumerate(tags or scores.systems):
        lines.append(line("runid", ALL, run))
        if per_query:
            lines += _query_lines(scores, names, system)
        for name, measure, value in zip(names, scores.measures, summary[:, system], strict=True):
            lines.append(line(name, ALL, printed(value, count=measure.aggregate == "sum")))
    return "".join(lines)


def line(name: str, query: str, value: str) -> str:
    r"""One line of trec_eval's.

    >>> line("map", "all", "0.1785")
    'map                   \tall\t0.1785\n'
    """
    return f"{name:<22}\t{query}\t{value}\n"


def printed(value: float, *, count: bool) -> str:
    """A value as trec_eval prints it; counts are whole numbers.

    >>> printed(0.17849, count=False), printed(474.0, count=True)
    ('0.1785', '474')
    """
    return f"{value:.0f}" if count else f"{value:6.4f}"


def _query_lines(scores: Scores, names: Sequence[str], system: int) -> Iterator[str]:
    for query, identifier in enumerate(scores.queries):
        for name, measure, value in zip(names, scores.measures, scores.values[:, system, query], strict=True):
            if not np.isnan(value):
                yield line(name, identifier, printed(value, count=measure.aggregate == "sum"))
