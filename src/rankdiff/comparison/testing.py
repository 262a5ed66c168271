"""Which test a row gets: of two runs by themselves, of all pairs of many, or of all rows together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from rankdiff.comparison.correcting import correct_together
from rankdiff.comparison.design import SAMPLED, Design, pairs_of
from rankdiff.comparison.rows import Row
from rankdiff.errors import UsageError
from rankdiff.statistics import AllPairs, Paired, all_pairs, all_pairs_preferences, paired
from rankdiff.statistics.comparisons import compared
from rankdiff.statistics.inputs import one_of
from rankdiff.statistics.integers import BITS
from rankdiff.statistics.intervals import safe_interval
from rankdiff.statistics.many import FAMILY_METHODS, SAMPLES, SINGLE_METHODS
from rankdiff.statistics.outcome import Question
from rankdiff.statistics.singly import alone

Tests = tuple[tuple[Paired, ...], ...]

EXPLORATORY_SAMPLES = 10_000

INSTEAD = "randomization"
"""Of the default t, where all topics differ by the same: without a spread t is certain, be there only two of them."""

COMPARED_BY = {"harmonic": "1 over its values", "geometric": "the logarithm of its values"}
"""Of measures whose mean over topics is not the plain one."""

UNTESTED = Paired(
    p=np.nan, difference=np.nan, interval=(np.nan, np.nan), effect=np.nan, wins=0, ties=0, losses=0, topics=0,
    test="none", method="none: no topic counts for both", interval_method="none", estimand="", effect_name="",
)  # fmt: skip
"""What is said of two runs for which no topic counts."""


def examine(
    rows: Sequence[Row], runs: tuple[str, ...], design: Design
) -> tuple[Tests, tuple[AllPairs | None, ...], tuple[str, ...]]:
    """The tests by row and candidate, those of all pairs row by row where there are many runs, and what to say."""
    method = design.method(len(runs))
    one_of("test", method, SINGLE_METHODS + FAMILY_METHODS)
    if design.correction is not None:
        one_of("correction", design.correction, ("holm", "bonferroni", "bh", "none"))
    _refuse_correction(method, len(runs), design)
    alone = len(runs) == 2 and method in SINGLE_METHODS
    families = [
        None
        if alone or not row.counted.any()
        else _test_pairs(row, runs, method, _of_row(i, len(rows), method, design))
        for i, row in enumerate(rows)
    ]
    if alone:
        tests = [[_test_pair(row, method, design)] for row in rows]
    else:
        tests = [
            [UNTESTED if found is None or not counts else found[run, runs[0]]
             for run, counts in zip(runs[1:], row.counted, strict=True)]
            for row, found in zip(rows, families, strict=True)
        ]  # fmt: skip
    if design.family == "all":
        corrected = correct_together(rows, tests, families, runs=runs, design=design)
        tests = [part.tests(found) for part, found in zip(corrected, tests, strict=True)]
        families = [found and part.family(found) for part, found in zip(corrected, families, strict=True)]
    if design.interval == "safe":
        tests = [_safe(row, found, design) for row, found in zip(rows, tests, strict=True)]
    tests = [[_within(row, test) for test in found] for row, found in zip(rows, tests, strict=True)]
    return tuple(map(tuple, tests)), tuple(families), tuple(_notices(rows, runs, method, design))


def _of_row(number: int, of: int, method: str, design: Design) -> Design:
    """The design of one row: an exploratory one needs no p to the fourth decimal, and many runs take long."""
    fewer = number > 0 and method in FAMILY_METHODS and design.samples is None
    samples = EXPLORATORY_SAMPLES if fewer else design.samples
    return replace(design, samples=samples, progress=design.part(number, of))


def _refuse_correction(method: str, runs: int, design: Design) -> None:
    if design.correction in (None, "none"):
        return
    if method in FAMILY_METHODS:
        raise UsageError(f"{method} corrects for all its pairs itself: leave the correction {design.correction} out")
    if runs == 2 and design.family != "all":
        raise UsageError("two runs are one comparison: a correction needs more of them, or family='all' (--family all)")


def _test_pair(row: Row, method: str, design: Design) -> Paired:
    if not row.counted.any():
        return UNTESTED
    asked: dict[str, Any] = {"test": method, "confidence": design.confidence, "seed": design.seed, "missing": "drop"}
    if design.test is None and row.constant:
        method = asked["test"] = INSTEAD
    if method in SAMPLED:
        asked["samples"] = design.samples
    if row.merit is not None:
        return paired(row.merit[1], row.merit[0], **asked)
    return paired(row.over(1, np.array([0]))[0], **asked)


def _test_pairs(row: Row, runs: tuple[str, ...], method: str, design: Design) -> AllPairs:
    """All pairs of runs, or those with the baseline, under one measure or preference."""
    asked: dict[str, Any] = {
        "seed": design.seed, "samples": design.samples or SAMPLES, "confidence": design.confidence,
        "against": 0 if design.pairs == "baseline" else None, "progress": design.progress,
    }  # fmt: skip
    if row.preferences is not None and method == "sign-flip":
        return all_pairs_preferences(row.preferences, **asked)
    if row.preferences is not None and method in SINGLE_METHODS:
        return _each_preference(row, runs, method, design)
    if method in SINGLE_METHODS:
        asked |= {"correction": _correction(design), "level": design.level}
    if row.preferences is not None:
        return all_pairs(row.preferences, cast(Any, method), matrix="winrate", **asked)
    return replace(all_pairs(row.merit, cast(Any, method), missing="drop", **asked), systems=runs)


def _correction(design: Design) -> str:
    return "none" if design.family == "all" else design.correction or "holm"


def _each_preference(row: Row, runs: tuple[str, ...], method: str, design: Design) -> AllPairs:
    """Each pair of runs by a test of its own, of its preferences against zero."""
    pairs = pairs_of(runs, design)
    values = row.between(pairs)
    question = Question(
        confidence=design.confidence, seed=design.seed, samples=design.samples or SAMPLES, progress=design.progress
    )
    tolerance = float(np.nanmax(np.abs(values), initial=0.0)) * 2.0**-BITS
    facts = compared(runs, pairs, [values], tolerance, preferences=True)
    return facts.alone(*alone(values, method, question, _correction(design), design.level))


def _safe(row: Row, tests: list[Paired], design: Design) -> list[Paired]:
    """The intervals of these tests replaced by safe ones, where the row's differences have bounds."""
    low, high = row.bounds
    found = []
    for candidate, test in enumerate(tests, 1):
        values = row.over(candidate, np.array([0]))[0]
        values = values[~np.isnan(values)]
        limits, how = (np.nan, np.nan), "none: the differences have no bounds"
        if test.estimand == "difference of win rates":
            how = "none: the safe interval is of mean preferences"
        elif np.isfinite(low) and np.isfinite(high) and len(values):
            tail = design.level / 2
            limits = safe_interval(values, bounds=(low, high), tails=(tail, tail), seed=design.seed)
            how = "betting, safe for bounded values" + ", each by itself" * (len(tests) > 1)
        found.append(
            replace(
                test,
                interval=limits,
                interval_method=how,
                estimand=test.estimand if np.isnan(limits[0]) else "mean difference",
            )
        )
    return found


def _within(row: Row, test: Paired) -> Paired:
    """The test with an interval that goes no further than a mean difference can."""
    if not test.estimand.startswith("mean"):
        return test
    low, high = (float(np.clip(limit, *row.bounds)) if np.isfinite(limit) else limit for limit in test.interval)
    return replace(test, interval=(low, high))


def _notices(rows: Sequence[Row], runs: tuple[str, ...], method: str, design: Design) -> Iterator[str]:
    for row in rows:
        if row.merit is not None and (how := COMPARED_BY.get(getattr(row.criterion, "aggregate", ""))):
            yield f"{row.name} is compared by {how}, whose plain mean is the one that counts"
        if design.interval == "safe" and not np.isfinite(row.bounds).all():
            yield f"{row.name} has no safe interval: its differences have no bounds"
    constant = [row.name for row in rows if len(runs) == 2 and design.test is None and row.constant]
    if constant:
        names = ", ".join(constant)
        yield f"all topics differ by the same by {names}, which leaves t no spread: tested by random signs instead"
    ranked = [row.name for row in rows if row.preferences is not None]
    if len(runs) > 2 and ranked:
        yield f"win rates depend on the runs compared ({', '.join(ranked)})"
        if method in FAMILY_METHODS and method != "sign-flip":
            yield f"{method} tests preferences by their win rates"
    if method in ("randomized-hsd", "tukey-hsd", "shuffled-max-t"):
        yield f"{method} asks whether runs are exchangeable, not whether their means are equal (docs/statistics.md)"
