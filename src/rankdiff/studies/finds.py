"""Which relevant documents do few runs find, and which run finds them?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rankdiff.collection import Collection
from rankdiff.measures.rarity import rarity_table
from rankdiff.results.table import Table
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, panels
from rankdiff.studies.tables import Note, Row


def draw(table: Table) -> Any:
    """How many relevant documents so many runs find."""
    alt = altair()
    bars = chart(table).mark_bar()
    found = alt.X("found_by:Q", title="runs that find it", bin=alt.Bin(maxbins=80))
    return panels(bars.encode(x=found, y=alt.Y("count()", title="relevant documents")), table)


@study("finds", question="which relevant documents do few runs find?", reproduces="innovation Table 4", draw=draw)
def finds(c: Collection, *, k: int = 100, most: int = 0, few: int = 3) -> Iterator[Row | Note]:
    """The relevant documents of every topic, those that fewest runs find first.

    - ``k``: the cutoff within which a run finds a document.
    - ``most``: only documents that at most so many runs find; all of them unless given.
    - ``few``: up to how many finders are named.

    A row a document: ``found_by`` of ``systems`` runs (or teams, where they were named) find it ``within`` the cutoff,
    and so its ``rarity`` is ``1 − found_by/systems``. Saved as .tsv or .csv, the table of all documents can be the
    ``reference`` of later runs, which are then scored by rarity against these.

    >>> import rankdiff as rd
    >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"a": 1}}}
    >>> table = rd.studies.finds(rd.align({"q": {"a": 1, "b": 1}}, runs)).table
    >>> table["document"].tolist(), table["found_by"].tolist(), table["which"].tolist()
    (['b', 'a'], [1, 2], ['x', 'x, y'])
    """
    rows = list(rarity_table(c, within=k, few=few).rows())
    alone = sum(row["found_by"] == 1 for row in rows)
    nobody = sum(row["found_by"] == 0 for row in rows)
    yield Note(f"of {len(rows)} relevant documents one alone finds {alone}, and nobody {nobody} within the top {k}")
    yield from (row for row in rows if not most or row["found_by"] <= most)
