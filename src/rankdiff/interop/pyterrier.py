"""PyTerrier: ``pt.rankdiff.Experiment(…)`` is ``pt.Experiment(…)`` with preferences and a verdict beside the measures.

Importing this also lets ``pt.Experiment`` itself take our measures, as ``pt.rankdiff.measure("TSE")``, and our tests,
as ``test=pt.rankdiff.paired_test("randomization", seed=7)``. Result frames go into `rankdiff.align` as they are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import ir_measures
import numpy as np
import pandas as pd
import pyterrier as pt

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.interop.ir_measures import PUBLISHED
from rankdiff.measures import find
from rankdiff.statistics import paired

__all__ = ["Experiment", "measure", "paired_test"]

Frame: TypeAlias = Any
TestFunction: TypeAlias = Callable[[Any, Any], tuple[float, float]]

LEVEL = 0.05
"""Of the p in a verdict."""


def measure(name: str) -> ir_measures.Measure:
    """A measure for ``pt.Experiment`` by its name in ir_measures, or by ours.

    >>> measure("nDCG@10"), measure("TSE(exposure='rr')")
    (nDCG@10, TSE(exposure='rr'))
    """
    return PUBLISHED[name] if name in PUBLISHED else ir_measures.parse_measure(name)


def paired_test(test: str = "t", **options: Any) -> TestFunction:
    """One of our tests (`rankdiff.statistics.paired`) as ``pt.Experiment(test=…)`` takes it.

    >>> paired_test("randomization")([0.7, 0.3, 0.6, 0.4, 0.7], [0.5, 0.1, 0.2, 0.4, 0.5])[1]
    0.125
    """

    def compare(candidate: Any, baseline: Any) -> tuple[float, float]:
        named: dict[str, Any] = {"test": test, **options}
        outcome = paired(candidate, baseline, **named)
        return outcome.difference, outcome.p

    return compare


def Experiment(  # noqa: N802
    retr_systems: Sequence[Any] | Mapping[str, Any],
    topics: Any,
    qrels: Any,
    eval_metrics: Sequence[Any],
    names: Sequence[str] | None = None,
    *,
    preferences: Sequence[str] = ("RPP",),
    baseline: int | str | None = None,
    test: str | TestFunction = "t",
    filter_by_topics: bool = True,
    save_dir: str | None = None,
    **options: Any,
) -> Any:
    """``pt.Experiment`` with the same arguments; measures and tests can be ours by name, too.

    With a ``baseline``, each of the ``preferences`` adds four columns: the mean preference for the system over the
    baseline, on how many topics it is preferred, on how many the baseline is, and the p of the same test. The column
    ``verdict`` says what the first measure shows, and for which users the system is better. Dicts
    (``dataframe=False``) and styled frames (``highlight``) are PyTerrier's own.
    """
    systems, called = _named(retr_systems, names)
    recorded = [system if isinstance(system, pd.DataFrame) else Recorder(system) for system in systems]
    decide = paired_test(test) if isinstance(test, str) else test
    measures = [_asked(item) for item in eval_metrics]
    reference = called.index(baseline) if isinstance(baseline, str) else baseline
    options |= {"names": called, "filter_by_topics": filter_by_topics, "save_dir": save_dir, "baseline": reference}
    table = pt.Experiment(recorded, topics, qrels, measures, test=decide, **options)
    if reference is None or not isinstance(table, pd.DataFrame):
        return table
    judged = pt.io.read_qrels(qrels) if isinstance(qrels, str) else qrels
    if filter_by_topics:
        asked = pt.io.read_topics(topics) if isinstance(topics, str) else topics
        judged = judged[judged.qid.isin(asked.qid)]
    runs = {name: _results(each, name, save_dir) for name, each in zip(called, recorded, strict=True)}
    comparing = Comparing(align(judged, runs), called[reference], decide)
    primary = str(measures[0]) if str(measures[0]) in table else table.columns[1]
    return comparing.extended(table, preferences, primary)


class Recorder(pt.Transformer):
    """A transformer that keeps what another one returns."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.results = inner, list[Frame]()

    def transform(self, inp: Frame) -> Frame:
        """What the transformer returns."""
        result = self.inner(inp)
        self.results.append(result)
        return result

    def transform_outputs(self, input_columns: list[str]) -> list[str]:
        """The columns that the transformer returns, without a record of the attempt."""
        return list(pt.inspect.transformer_outputs(self.inner, input_columns))

    def __repr__(self) -> str:
        return repr(self.inner)


def _named(systems: Sequence[Any] | Mapping[str, Any], names: Sequence[str] | None) -> tuple[list[Any], list[str]]:
    if isinstance(systems, Mapping):
        return list(systems.values()), list(systems)
    called = [str(system) for system in systems] if names is None else list(names)
    if len(set(called)) < len(called):
        raise UsageError("two systems have the same name: give names=[…]")
    return list(systems), called


def _asked(item: Any) -> Any:
    """A measure that only ir_measures' grammar can name; whatever PyTerrier knows by itself stays."""
    if not isinstance(item, str):
        return item
    try:
        return measure(item)
    except (NameError, ValueError):
        return item


def _results(system: Any, name: str, folder: str | None) -> Frame:
    """What a system returned, in one frame or several; where PyTerrier reused a file, what that holds."""
    if not isinstance(system, Recorder):
        return system
    if not system.results and folder is not None:
        return pt.io.read_results(os.path.join(folder, f"{name}.res.gz"))
    return pd.concat(system.results)


@dataclass(frozen=True)
class Comparing:
    """Systems compared with a baseline, by a test."""

    c: Collection
    baseline: str
    test: TestFunction

    def extended(self, table: Frame, preferences: Sequence[str], primary: str) -> Frame:
        """The table with the columns of preferences, and the verdicts on the primary measure."""
        table = table.copy()
        others = table.name != self.baseline
        for name in preferences:
            preferred = self.c.prefer(name)
            over = [preferred[system, self.baseline] for system in table.name[others]]
            columns = {
                name: [values.mean() for values in over],
                f"{name} +": [np.sum(values > 0) for values in over],
                f"{name} -": [np.sum(values < 0) for values in over],
                f"{name} p-value": [self.test(values, np.zeros(len(values)))[1] for values in over],
            }
            for column, found in columns.items():
                table.loc[others, column] = np.array(found, np.float64)
        reference = table.loc[~others, primary].iloc[0]
        table["verdict"] = [
            self._verdict(row["name"], primary, row[primary] - reference, row[f"{primary} p-value"])
            if is_other
            else None
            for is_other, (_, row) in zip(others, table.iterrows(), strict=True)
        ]
        return table

    def _verdict(self, system: str, primary: str, difference: float, p: float) -> str:
        profile = self.c.profile(self.baseline, system)
        direction = "better" if (difference > 0) == _higher_is_better(primary) else "worse"
        shown = f"{direction} than {self.baseline}" if p <= LEVEL else f"not shown to differ from {self.baseline}"
        return f"{shown} ({primary}, p = {p:.3g}); {profile.sentence}"


def _higher_is_better(name: str) -> bool:
    try:
        return find(name).higher_is_better
    except UsageError:
        return True
