"""How many topics it takes: what the topics at hand can show under each row, and what a named difference would need."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import isfinite
from typing import Any

import numpy as np

from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.results import Comparison, Table
from rankdiff.results.table import column
from rankdiff.statistics import smallest_difference, topics_needed
from rankdiff.studies.criteria import resolve


def plan(comparison: Comparison, named: Mapping[Any, float], power: float) -> Table:
    """A row per candidate and measure: the smallest difference that the topics at hand show, and how many topics it
    takes to see the ``named`` one. "at most" is where topics differ as widely as the upper limit of their spread."""
    wanted = {resolve(measure).name: difference for measure, difference in named.items()}
    for name in wanted:
        comparison[name]  # a row, or it is an error that names what there is
    answer = partial(_row, power=power, level=comparison.level)
    rows = [
        (candidate, item.name, *answer(item.name, values[~np.isnan(values)], wanted.get(item.name)))
        for place, candidate in enumerate(comparison.candidates)
        for item, values in zip(comparison.measures, comparison.values[:, place], strict=True)
    ]
    heads = ("candidate", "measure", "topics", "they show", "at most", "to see", "takes topics", "takes at most")
    columns = {head: _values(values) for head, values in zip(heads, zip(*rows, strict=True), strict=True)}
    notes = (
        "they show: the smallest true difference that the topics at hand show; to see: the difference that was named",
        "at most: where topics differ as widely as the upper 80 % limit of their spread",
        f"each by a two-sided t-test at {comparison.level:g} of that row alone",
    )
    title = f"What so many topics show against {comparison.baseline} with {100 * power:g} % power"
    return Table(columns, title=title, notes=notes, signature=comparison.signature)


def _row(
    name: str, pilot: FloatArray, difference: float | None, *, power: float, level: float
) -> tuple[float | None, ...]:
    if len(pilot) < 2:
        return len(pilot), None, None, difference, None, None
    smallest = smallest_difference(pilot, power=power, level=level)
    shown = [value if isfinite(value) else None for value in (smallest.difference, smallest.difference_upper)]
    if difference is None:
        return len(pilot), *shown, None, None, None
    try:
        needed = topics_needed(pilot, difference, power=power, level=level)
    except UsageError as refused:
        raise UsageError(f"{name}: {refused}") from None
    return len(pilot), *shown, difference, needed.topics, needed.topics_upper


def _values(values: tuple[Any, ...]) -> Any:
    """A column in which None stands for what there is none of."""
    return np.array([*values, None], object)[:-1] if None in values else column(values)
