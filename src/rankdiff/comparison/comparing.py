"""Compare candidates with a baseline: every row its differences, and one test that says what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.comparison.design import FAMILIES, PAIRS, Design
from rankdiff.comparison.rows import Row, evaluate_row, only
from rankdiff.comparison.testing import examine
from rankdiff.errors import UsageError
from rankdiff.results import Comparison
from rankdiff.statistics.inputs import between, one_of
from rankdiff.studies.criteria import Criterion, resolve_all

COMPARED = ("RPP", "sgnLP", "sgnLR", "ASL", "nDCG@10", "AP", "RR")
"""What a comparison shows unless it is told otherwise."""

AVERAGED = ("RPP", "ASL", "nDCG@10", "AP", "RR")
"""Those of them that have a mean over the orders within ties."""


def compare(
    c: Collection,
    baseline: str,
    *candidates: str,
    measures: Iterable[Any] = (),
    primary: Any = None,
    test: str | None = None,
    interval: str = "default",
    correction: str | None = None,
    family: str = "primary",
    pairs: str = "all",
    seed: int = 0,
    samples: int | None = None,
    level: float = 0.05,
    progress: Callable[[float], None] | None = None,
) -> Comparison:
    """Candidates against a baseline under several measures and preferences; positive = candidate better.

    - ``measures``: the rows; the first, or ``primary``, is the one that the verdict rests on.
    - ``test``: of two runs "t" (the default), "randomization", "bootstrap", "wilcoxon" or "sign". Of more runs
      "sign-flip" (the default), which compares all pairs at once, or another of `rankdiff.statistics.all_pairs`.
    - ``interval="safe"`` holds for skewed and tied values at any number of topics.
    - ``correction``: of tests of each pair alone: "holm" (the default), "bonferroni", "bh" or "none".
    - ``family="all"`` corrects over all rows and pairs together, by the same random signs for all, or by
      ``correction`` where a test of each pair alone is named.
    - ``pairs``: of more than two runs "all" are compared, or each candidate with the "baseline" alone.

    What depends on the runs compared (padded depths, rarity) is computed among all runs of the collection.

    >>> from rankdiff.alignment import align
    >>> c = align({"q": {"a": 1, "b": 1}}, {"old": {"q": {"x": 2, "a": 1}}, "new": {"q": {"a": 2, "b": 1}}})
    >>> c.compare("old", "new", measures=["RPP", "AP"]).test("AP").difference
    0.75
    """
    if not candidates:
        raise UsageError(f"nothing to compare {baseline} with: name at least one candidate")
    if len({baseline, *candidates}) <= len(candidates):
        raise UsageError(f"a run cannot be compared with itself: {', '.join((baseline, *candidates))}")
    one_of("family", family, FAMILIES)
    one_of("pairs", pairs, PAIRS)
    one_of("interval", interval, ("default", "safe"))
    between("level", level, 0, 1)
    criteria = rows_of(measures, primary, averaged=c.tied is not None)
    view = only(c, (baseline, *candidates))
    rows = [evaluate_row(view, criterion) for criterion in criteria]
    design = Design(test, interval, correction, family, pairs, seed, samples, level, progress)
    tests, families, notices = examine(rows, view.systems, design)
    others = np.arange(1, len(view.systems))
    return Comparison(
        collection=view,
        measures=criteria,
        values=np.array([0.0 - row.over(0, others) for row in rows]),
        scores=np.array([_scores(row, view) for row in rows]),
        tests=tests,
        families=families,
        family=family,
        level=level,
        seed=seed,
        signature=_signature(c, baseline, candidates, rows, design),
        notices=notices,
    )


def rows_of(measures: Iterable[Any], primary: Any = None, *, averaged: bool = False) -> tuple[Criterion, ...]:
    """The measures and preferences of a comparison, the primary one first; ``averaged``, if over ties."""
    several = (measures,) if isinstance(measures, str) else tuple(measures)
    first = () if primary is None else (primary,)
    return resolve_all((*first, *(several or (AVERAGED if averaged else COMPARED))))


def _scores(row: Row, c: Collection) -> np.ndarray:
    return np.full(c.depth.shape, np.nan) if row.scores is None else row.scores


def _signature(c: Collection, baseline: str, candidates: tuple[str, ...], rows: list[Row], design: Design) -> str:
    against = [f"baseline:{baseline}"]
    against += [f"candidates:{','.join(candidates)}"] if len(candidates) + 1 < len(c.systems) else []
    asked = [f"test:{design.method(len(candidates) + 1)}"]
    asked += [f"interval:{design.interval}"] * (design.interval != "default")
    asked += [f"correction:{design.correction}"] * (design.correction is not None)
    asked += [f"family:{design.family}"] * (design.family != "primary")
    asked += [f"pairs:{design.pairs}"] * (design.pairs != "all")
    asked += [f"samples:{design.samples}"] * (design.samples is not None)
    asked += [f"level:{design.level:g}"] * (design.level != 0.05)
    return c.sign(",".join(row.name for row in rows), *against, *asked, f"seed:{design.seed}")
