"""Who is never worse off than whom? The papers' Hasse diagrams."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from rankdiff.errors import UsageError
from rankdiff.results.table import Table
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart
from rankdiff.studies.posets import diagram, lexiprecision_above, provider_above, rr_above, subsets, user_above
from rankdiff.studies.tables import Row

NODE_WIDTH, NODE_HEIGHT, HEIGHT = 48, 26, 540


def draw(table: Table) -> Any:
    """Reciprocal rank beside lexiprecision, and below them users beside providers."""
    alt = altair()
    rows = [[_hasse(table, name) for name in pair] for pair in (("RR", "lexiprecision"), ("users", "providers"))]
    return alt.vconcat(*(alt.hconcat(*row, spacing=40) for row in rows)).configure_view(stroke=None)


def _hasse(table: Table, name: str) -> Any:
    alt = altair()
    here = table["drawing"] == name
    width = int(2 * table["x"][here].max() + 1) * NODE_WIDTH
    height = max(HEIGHT, int(table["y"][here].max() + 1) * NODE_HEIGHT)
    elements = chart(table, width=width, height=height).transform_filter(f"datum.drawing == '{name}'")
    places = {
        "x": alt.X("x:Q", axis=None, scale=alt.Scale(nice=False, padding=NODE_WIDTH // 2)),
        "y": alt.Y("y:Q", axis=None, scale=alt.Scale(nice=False, padding=NODE_HEIGHT // 2)),
    }
    edges = elements.transform_filter("datum.above != null").mark_rule(color="#bbbbbb")
    nodes = elements.transform_filter("datum.above == null")
    boxes = nodes.mark_point(shape="square", size=280, filled=True, color="white", opacity=1)
    labels = nodes.mark_text().encode(text="element:N", **places)
    return alt.layer(edges.encode(x2="x2:Q", y2="y2:Q", **places), boxes.encode(**places), labels).properties(
        title=name
    )


@study(
    "drawings",
    question="who is never worse off than whom, and how finely do orders tell rankings apart?",
    reproduces="lexiprecision Fig. 1; lexirecall Fig. 15",
    draw=draw,
)
def drawings(m: int = 5, n: int = 7) -> Iterator[Row]:
    """Hasse diagrams: an edge leads from the better off to the worse off, with nothing between.

    *RR* and *lexiprecision* order all arrangements of ``m`` relevant documents among ``n``: the one has ``n − m + 1``
    levels, the other is a total order. *Users* need a set of recall levels, ordered by what holds for every top-heavy
    measure; *providers* own one, ordered by what holds for every exposure. Both have one worst-off member, who has the
    last recall level only. A set or an arrangement is written as its numbers, ``245`` for {2, 4, 5}.

    >>> import rankdiff as rd
    >>> table = rd.studies.drawings(m=2, n=3).table
    >>> [(row["element"], row["above"]) for row in table.rows() if row["drawing"] == "users" and row["above"]]
    [('1', '2'), ('12', '2')]
    """
    if not 1 <= m <= n:
        raise UsageError(f"{m} relevant documents cannot be arranged among {n}")
    arrangements = list(combinations(range(1, n + 1), m))
    yield from diagram("RR", arrangements, rr_above)
    yield from diagram("lexiprecision", arrangements, lexiprecision_above)
    yield from diagram("users", subsets(m), user_above)
    yield from diagram("providers", subsets(m), provider_above)
