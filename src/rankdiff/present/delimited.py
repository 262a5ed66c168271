"""Tab- and comma-separated values: a header, numbers at full precision, an empty cell where there is no value."""

from __future__ import annotations

import csv
from io import StringIO

from rankdiff.errors import InputError
from rankdiff.present.cells import exact
from rankdiff.results import Table


def to_tsv(table: Table) -> str:
    r"""Tab-separated values, without quoting.

    >>> to_tsv(Table.of(run=["bm25", "neural"], AP=[0.1, float("nan")]))
    'run\tAP\nbm25\t0.1\nneural\t\n'
    """
    lines = [list(table.columns), *([exact(value) for value in row.values()] for row in table.rows())]
    for cell in (cell for line in lines for cell in line):
        if "\t" in cell or "\n" in cell or "\r" in cell:
            raise InputError(f"{cell!r} cannot stand in tab-separated values", advice="csv and json can hold it")
    return "".join("\t".join(line) + "\n" for line in lines)


def to_csv(table: Table) -> str:
    r"""Comma-separated values; what holds a comma, a quote or a line end is quoted.

    >>> to_csv(Table.of(run=["a,b", 'c"d'], AP=[0.1, 0.2]))
    'run,AP\n"a,b",0.1\n"c""d",0.2\n'
    """
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([exact(value) for value in row.values()] for row in table.rows())
    return text.getvalue()
