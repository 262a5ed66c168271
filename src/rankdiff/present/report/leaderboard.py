"""The verdict on many runs: who leads, who is not shown to differ, which ranks are possible, where orders disagree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rankdiff import statistics
from rankdiff.hits import BoolArray
from rankdiff.measures import Measure
from rankdiff.present.cells import readable
from rankdiff.present.report.asked import Asked, Part
from rankdiff.present.report.cells import Cell, Grid, Span, packed
from rankdiff.statistics.letters import letters

MOST_LETTERS = 30
"""Of more runs than this, letters of groups are unreadable, and a matrix is shown instead."""
LEVEL = 0.05
NAMED = 5


def gather(asked: Asked) -> Part:
    """Means and positions under every criterion, and a test of all pairs under the first."""
    c, primary = asked.c, asked.criteria[0]
    tested = _all_pairs(asked)
    # A run that lacks topics which others answer is never certified better.
    lacking = np.asarray((~c.answered & c.answered.any(axis=0)).any(axis=1))
    better = tested.significant(LEVEL) & (tested.difference > 0) & ~lacking[:, None]
    best_first = asked.primary_best_first()
    runs, merit = len(c.systems), -np.argsort(best_first)
    low, high = 1 + better.sum(axis=0), runs - better.sum(axis=1)
    groups = letters(better | better.T, merit.astype(np.float64)) if runs <= MOST_LETTERS else None
    values = {item.name: _values(asked, item) for item in asked.criteria}
    rows = []
    for i in best_first:
        position = int(asked.order_by(primary).position[i])
        span = Span.on(0.5, runs + 0.5, low[i] - 0.5, high[i] + 0.5, at=position)
        cells = [Cell.of(position), Cell.of(c.systems[i])]
        cells.append(Cell(f"{low[i]}–{high[i]}", str(low[i]), number=True, span=span))
        if groups is not None:
            cells.append(Cell.of(groups[i]))
        for item in asked.criteria:
            place = int(asked.order_by(item).position[i])
            cells.append(Cell.of(float(values[item.name][i]), mark=f"{place}"))
        rows.append(tuple(cells))
    columns = ("#", "run", "ranks", *(["group"] if groups is not None else []), *(item.name for item in asked.criteria))
    caption = f"Mean of each measure, win rate of each preference; small numbers are positions; by {primary.name}"
    view = {
        "many": True,
        "sentences": list(_sentences(asked, better, best_first, lacking)),
        "table": Grid(caption, columns, tuple(rows), heads=2, total=len(rows)),
        "directions": _directions(asked),
        "letters": groups is not None,
        "primary": primary.name,
        "test": tested.method,
        "level": LEVEL,
        "pairs": tested.comparisons,
        "significant": int(better.sum()),
        "agreement": _agreement(asked),
    }
    data: dict[str, Any] = {"movers": list(_movers(asked)), "names": [item.name for item in asked.criteria]}
    if groups is None:
        order = np.array(best_first)
        data["matrix"] = packed(better[np.ix_(order, order)].astype(np.uint8))
        data["order"] = [readable(c.systems[i]) for i in best_first]
    return Part("verdict", "Verdict", view, data)


def _all_pairs(asked: Asked) -> statistics.AllPairs:
    primary = asked.criteria[0]
    if isinstance(primary, Measure):
        return statistics.all_pairs(asked.c.measure(primary), seed=asked.seed)
    return statistics.all_pairs_preferences(asked.c.prefer(primary), seed=asked.seed)


def _values(asked: Asked, item: Any) -> Any:
    if isinstance(item, Measure) and asked.scores is not None:
        return asked.scores.summary()[asked.measures.index(item)]
    return asked.order_by(item).score


def _directions(asked: Asked) -> list[tuple[str, list[str]]]:
    """What is better in each column: words, and the names that they are said of."""
    found: dict[str, list[str]] = {}
    for item in asked.criteria:
        words = "win rate among the runs compared, −1 to 1"
        if isinstance(item, Measure):
            words = "higher is better" if item.higher_is_better else "lower is better"
        found.setdefault(words, []).append(item.name)
    return list(found.items())


def _sentences(asked: Asked, better: BoolArray, best_first: list[int], lacking: BoolArray) -> Iterator[str]:
    """Who leads, how many are not shown to differ from it, and which runs lack topics that others answer."""
    c, order = asked.c, asked.order_by(asked.criteria[0])
    leaders = [i for i in best_first if order.position[i] == 1]
    others = [i for i in best_first if order.position[i] > 1]
    alike = sum(not better[leaders, i].all() for i in others)
    lead, they, it = ("lead", "are", "them") if leaders[1:] else ("leads", "is", "it")
    first = f"{_named([readable(c.systems[i]) for i in leaders])} {lead} by {asked.criteria[0].name}"
    if not others:
        yield f"{first}: no run differs from another."
    elif not alike:
        yield f"{first}, and {they} shown to be better than each of the other {len(others)} runs."
    elif alike == len(others):
        yield f"{first}, and {they} not shown to differ from any of the other {len(others)} runs."
    else:
        yield f"{first}. {alike} of the other {len(others)} runs are not shown to differ from {it}."
    if lacking.any():
        named = _named([readable(c.systems[i]) for i in np.flatnonzero(lacking)])
        yield f"Not certified better than any run, as topics are missing that others answer: {named}."
    if nobody := int((~c.answered.any(axis=0)).sum()):
        yield f"No run answers {nobody:,} of {len(c.queries):,} topics, which tell no run from another."


def _named(names: list[str]) -> str:
    """Some names, and how many more there are.

    >>> _named(["a", "b"]), _named(list("abcdefg"))
    ('a and b', 'a, b, c, d, e and 2 more')
    """
    shown, more = names[:NAMED], len(names) - NAMED
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _agreement(asked: Asked) -> Grid:
    """Kendall's τ between the orders of the criteria."""
    names = [item.name for item in asked.criteria]
    orders = [asked.order_by(item) for item in asked.criteria]
    rows = []
    for name, order in zip(names, orders, strict=True):
        taus = [statistics.tau(order, other) if other is not order else 1.0 for other in orders]
        rows.append((Cell.of(name), *map(Cell.of, taus)))
    return Grid("Kendall’s τ between the orders of the runs", ("order", *names), tuple(rows), total=len(rows))


def _movers(asked: Asked, most: int = 8) -> Iterator[dict[str, Any]]:
    """The runs whose positions differ most between the criteria."""
    positions = np.array([asked.order_by(item).position for item in asked.criteria])
    spread = np.ptp(positions, axis=0)
    for i in np.argsort(-spread, kind="stable")[:most].tolist():
        if spread[i]:
            yield {"run": readable(asked.c.systems[i]), "positions": positions[:, i].tolist()}
