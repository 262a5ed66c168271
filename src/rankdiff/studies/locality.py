"""Do neighboring recall levels predict one another?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import BoolArray, FloatArray
from rankdiff.preferences.comparisons import as_ranks
from rankdiff.preferences.locality import masked_agreement
from rankdiff.results.table import Table
from rankdiff.studies.criteria import pairs
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, panel_fields, panels
from rankdiff.studies.published.lexiprecision import TABLE_1
from rankdiff.studies.tables import Row

AHEAD = 4
"""How many of the levels that follow a regression looks at."""


def draw(table: Table) -> Any:
    """Correlations between levels, and the weights of the next levels, as Figure 7."""
    alt = altair()
    squares = chart(table).transform_filter("datum.quantity == 'correlation'").mark_rect()
    other = alt.X("other:O", title="recall level", axis=alt.Axis(labelAngle=0))
    color = alt.Color("value:Q", title="r", scale=alt.Scale(domainMin=0))
    squares = squares.encode(x=other, y=alt.Y("level:O", title="recall level"), color=color)
    lines = chart(table, width=180).transform_filter("test(/regression/, datum.quantity)").mark_line(point=True)
    further = alt.X("ahead:O", title="levels further on", axis=alt.Axis(labelAngle=0))
    lines = lines.transform_calculate(ahead="datum.other - datum.level").encode(
        x=further,
        y=alt.Y("value:Q", title="coefficient"),
        color=alt.Color("level:N", title="level regressed"),
    )
    regressions = [kind for kind in dict.fromkeys(table["quantity"].tolist()) if "regression" in kind]
    parts = [lines.transform_filter(f"datum.quantity == '{kind}'").properties(title=kind) for kind in regressions]
    drawn = alt.hconcat(*(panels(part, table) for part in parts))
    if len(panel_fields(table)):
        return (panels(squares, table) & drawn).resolve_scale(color="independent")
    return (squares | drawn).resolve_scale(color="independent")


@study(
    "locality",
    question="do neighboring recall levels predict one another?",
    reproduces="lexiprecision Fig. 7, Table 1",
    draw=draw,
    printed=[TABLE_1],
)
def locality(c: Collection, deepest: int = 8, regressed: int = 4) -> Iterator[Row]:
    """How the differences of two rankings' reciprocal ranks at different recall levels hang together,
    ``δRR_i = 1/p_i − 1/p'_i`` (0 for ``1/p`` where not retrieved), over all pairs of runs and queries.

    - *correlation* of ``δRR_i`` and ``δRR_j``, over queries that have both levels
    - *regression* of ``δRR_i`` on the next four; *cascaded*, over the pairs that tie at all levels before ``i``; *of
      the sign* of ``δRR_i``, in place of its size
    - *agreement with the masked first level*: of the pairs with different reciprocal ranks, the share in which the
      later levels point the same way: lexiprecision over all of them (``sgnLP``), or the second alone. A tie is a
      disagreement.

    Each pair counts in both orders, so that all means are zero, and regressions have no constant.

    - ``deepest``: the last recall level whose correlations are told.
    - ``regressed``: the last recall level that is regressed on the next four.

    >>> import rankdiff as rd
    >>> qrels = {"q": {"a": 1, "b": 1}}
    >>> c = rd.align(qrels, {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"n": 3, "a": 2, "b": 1}}})
    >>> rd.studies.locality(c).table.row(quantity="correlation", level=1, other=2)["value"].__round__(6)
    1.0
    """
    found = masked_agreement(c, c.rules.rel)
    for predictor, value in {"sgnLP": found.suffix, "RR at level 2": found.second}.items():
        yield {"quantity": "agreement with the masked first level", "predictor": predictor, "value": value}
    sizes = c.relevant(c.rules.rel).size
    changes = _changes(c, max(deepest, regressed + AHEAD))
    for level in range(1, deepest + 1):
        for other in range(level + 1, deepest + 1):
            one, two = (changes[:, sizes >= other, at - 1] for at in (level, other))
            yield _row("correlation", level, other, _correlation(one, two))
    for level in range(1, regressed + 1):
        enough = changes[:, sizes >= level + AHEAD]
        target, following = enough[..., level - 1], enough[..., level : level + AHEAD]
        tied_before = np.all(enough[..., : level - 1] == 0, axis=-1)
        every = np.ones_like(tied_before)
        yield from _regression("regression", level, target, following, every)
        yield from _regression("cascaded regression", level, target, following, tied_before)
        yield from _regression("regression of the sign", level, np.sign(target), following, every)


def _row(quantity: str, level: int, other: int, value: float) -> Row:
    return {"quantity": quantity, "level": level, "other": other, "value": value}


def _changes(c: Collection, deepest: int) -> FloatArray:
    """``δRR_1``, ``δRR_2``, …: pair × query × level; 0 where a query has no such level."""
    relevant = c.relevant(c.rules.rel)
    reciprocal = np.zeros((*c.depth.shape, deepest))
    for level in range(1, deepest + 1):
        having = relevant.size >= level
        ranks = as_ranks(c.levels(c.rules.rel)[:, relevant.start[:-1][having] + level - 1])
        reciprocal[:, having, level - 1] = 1 / ranks
    first, second = pairs(c)
    return np.asarray(reciprocal[first] - reciprocal[second])


def _correlation(one: FloatArray, two: FloatArray) -> float:
    squares = np.sum(one**2) * np.sum(two**2)
    return float(np.sum(one * two) / np.sqrt(squares)) if squares > 0 else float("nan")


def _regression(kind: str, level: int, target: FloatArray, following: FloatArray, chosen: BoolArray) -> Iterator[Row]:
    rows = following[chosen]
    if not rows.any():
        return
    coefficients = np.linalg.lstsq(rows, target[chosen], rcond=None)[0]
    for ahead, value in enumerate(coefficients.tolist(), 1):
        yield _row(kind, level, level + ahead, value)
