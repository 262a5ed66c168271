"""What a report is asked to show, and the parts that it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rankdiff.check import Check
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.measures import Measure
from rankdiff.results import Scores
from rankdiff.results.study import Study
from rankdiff.studies.criteria import Criterion

LEADERBOARD = ("nDCG@10", "AP", "RR", "ASL", "RPP", "sgnLP", "sgnLR")
"""What is shown of many runs unless it is told otherwise; the first one is primary, the verdict rests on it."""


@dataclass(frozen=True)
class Asked:
    """The collection, and everything else that was said about its report."""

    c: Collection
    criteria: tuple[Criterion, ...]
    baseline: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    studies: tuple[Study, ...] = ()
    check: Check | None = None
    command: str = ""
    inputs: tuple[str, ...] = ()
    seed: int = 0
    segments: Mapping[str, Collection] = field(default_factory=dict)
    heading: str = ""

    def __post_init__(self) -> None:
        if len(self.c.systems) < 2:
            raise UsageError(f"a report compares runs: there is only {self.c.systems[0]}")
        if self.baseline is not None:
            self.c.system_index(self.baseline)

    @property
    def is_pair(self) -> bool:
        """Whether two runs are compared, or many put in an order."""
        return len(self.c.systems) == 2

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """Those of the criteria that are measures of one ranking."""
        return tuple(item for item in self.criteria if isinstance(item, Measure))

    @cached_property
    def scores(self) -> Scores | None:
        """The values of the measures, None where only preferences were named."""
        return self.c.measure(*self.measures) if self.measures else None

    @cached_property
    def pair(self) -> tuple[str, str]:
        """Baseline and candidate: the two runs, or of many the two best by the primary criterion."""
        if self.is_pair:
            first = self.baseline or self.c.systems[0]
            return first, next(name for name in self.c.systems if name != first)
        best = [self.c.systems[i] for i in self.primary_best_first()]
        baseline = self.baseline or best[1]
        return baseline, next(name for name in best if name != baseline)

    def primary_best_first(self) -> list[int]:
        """The runs from best to worst by the primary criterion, those that tie by name."""
        order = self.order_by(self.criteria[0])
        return sorted(range(len(order)), key=lambda i: (order.position[i], order.systems[i]))

    def order_by(self, item: Criterion) -> Any:
        """The order of the runs by one criterion: the mean of a measure, the win rates of a preference."""
        return self._orders[item.name]

    @cached_property
    def _orders(self) -> dict[str, Any]:
        def arranged(item: Criterion) -> Any:
            if isinstance(item, Measure) and self.scores is not None:
                return self.scores.order(item)
            return self.c.prefer(item).order("winrate")

        return {item.name: arranged(item) for item in self.criteria}


@dataclass(frozen=True)
class Part:
    """A part of the page: its heading, what its template shows, and what its script draws."""

    name: str
    title: str
    view: Mapping[str, Any]
    data: Mapping[str, Any] = field(default_factory=dict)
