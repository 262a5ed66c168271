"""How the rows of a comparison are tested: what the caller of `rankdiff.comparison.compare` may say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rankdiff.statistics.comparisons import all_or_against
from rankdiff.statistics.families import Pairs

FAMILIES = ("primary", "all")
PAIRS = ("all", "baseline")
SAMPLED = ("randomization", "bootstrap")


@dataclass(frozen=True)
class Design:
    """How the rows of a comparison are tested."""

    test: str | None = None
    interval: str = "default"
    correction: str | None = None
    family: str = "primary"
    pairs: str = "all"
    seed: int = 0
    samples: int | None = None
    level: float = 0.05
    progress: Callable[[float], None] | None = None

    def method(self, runs: int) -> str:
        """The test for so many runs."""
        return self.test or ("t" if runs == 2 else "sign-flip")

    @property
    def confidence(self) -> float:
        """Of the intervals."""
        return 1 - self.level

    def part(self, number: int, of: int) -> Callable[[float], None] | None:
        """Progress within one of several equal parts of the work."""
        report = self.progress
        return None if report is None else lambda done: report((number + done) / of)


def pairs_of(runs: tuple[str, ...], design: Design) -> Pairs:
    """The runs, by place, that are compared with one another; the baseline has the place 0."""
    return all_or_against(runs, 0 if design.pairs == "baseline" else None)
