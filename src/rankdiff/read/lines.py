"""The documents on some lines of a run: a ranking keeps numbers, and a person wants names."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rankdiff.errors import UsageError
from rankdiff.ids import Ids, as_text
from rankdiff.read.files import Text
from rankdiff.read.runs import Run

DOCUMENT = 2
"""The field that names the document, from 0."""


def documents_on(run: Run, lines: NDArray[np.int64]) -> list[str]:
    """The document on each of some lines (rows, of a table) of a run, counted from 1.

    >>> from rankdiff.read import read_runs
    >>> [run] = read_runs({"q": {"d1": 2.0, "d2": 1.0}}).runs
    >>> documents_on(run, np.array([2]))
    ['d2']
    """
    if not isinstance(run.origin, str):
        ids = Ids(*run.origin.rows().documents)
        return [ids[line - 1] for line in lines.tolist()]
    if run.origin == "-":
        raise UsageError("standard input cannot be read again")
    text = Text().read(run.origin)
    ends = np.flatnonzero(text == ord("\n"))
    begins = np.append(0, ends + 1)
    return [as_text(text[begins[line - 1] : ends[line - 1]].tobytes().split()[DOCUMENT]) for line in lines.tolist()]
