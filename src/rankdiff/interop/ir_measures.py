"""Importing this publishes every measure in ir_measures, and a provider that computes them.

>>> import ir_measures
>>> import rankdiff.interop.ir_measures
>>> qrels, run = {"q1": {"d1": 1, "d2": 1}}, {"q1": {"d1": 2.0, "x": 1.5, "d2": 1.0}}
>>> efficiency = ir_measures.parse_measure("TSE(exposure='rr')")
>>> ir_measures.calc_aggregate([efficiency, ir_measures.AP], qrels, run)[efficiency]
0.3333333333333333

What ir_measures computes by itself it goes on computing; `Provider` also computes those measures by our rules, as
``Provider(Rules(precision="single")).calc_aggregate(…)`` or from the registry of providers as ``rankdiff``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from math import isnan, nan
from typing import Any

import ir_measures
import numpy as np
from ir_measures import measures, providers
from ir_measures.measures.base import Agg

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.interop.collecting import collect
from rankdiff.measures import Definition, catalog, find
from rankdiff.read import Judgments, read_qrels
from rankdiff.read.frames import is_frame
from rankdiff.results import summarize
from rankdiff.rules import Rules

OTHERWISE_DEFINED = {"RBP": "rel"}
"""Measures that mean something else in ir_measures where this parameter is not given: there RBP is graded."""

PLAIN_TYPES = {"int": int, "float": (int, float), "bool": bool, "str": str}
"""What a parameter may be, by the words of its annotation."""


class Aggregate(Agg):
    """One number from those of topics, as the measure has it; topics where it is not defined (NaN) do not count."""

    def __init__(self, aggregate: str) -> None:
        self.aggregate, self.values = aggregate, list[float]()

    def add(self, value: float) -> None:
        """Take the value of one topic."""
        self.values.append(value)

    def result(self) -> float:
        """The aggregate; NaN where no topic has a value."""
        return summarize(np.array(self.values), self.aggregate)


class Evaluator(providers.Evaluator):
    """Measures and judgments, by which runs are evaluated."""

    def __init__(
        self, asked: Iterable[measures.Measure], judgments: Judgments | None, rules: Rules, **fields: Any
    ) -> None:
        super().__init__(list(asked), [] if judgments is None else list(judgments.queries))
        self.judgments, self.rules, self.fields = judgments, rules, fields

    def iter_calc(self, run: Any) -> Iterator[ir_measures.Metric]:
        """The value of each measure for each topic, those that the run lacks included; NaN where it is not defined."""
        if self.judgments is None:
            return
        table = _table(run)
        c: Collection = collect(self.judgments, None if table is None else {"run": table}, self.rules, **self.fields)
        for item in self.measures:
            for query, value in zip(c.queries, find(str(item))(c)[0].tolist(), strict=True):
                if not isnan(value) or isnan(item.DEFAULT):
                    yield ir_measures.Metric(query_id=query, measure=item, value=value)


class Provider(providers.Provider):
    """Our measures in ir_measures, by our rules; some need a ``corpus_size`` or a ``reference`` as in `align`."""

    NAME = "rankdiff"

    def __init__(self, rules: Rules | None = None, **fields: Any) -> None:
        self.rules, self.fields = rules or Rules(), fields
        self._is_available = True

    def supports(self, measure: measures.Measure) -> bool:
        """Whether a measure of ir_measures is one of ours."""
        measure.validate_params()
        needed = OTHERWISE_DEFINED.get(str(measure.NAME))
        if needed is not None and needed not in measure.params:
            return False
        try:
            find(str(measure))
        except UsageError:
            return False
        return True

    def _evaluator(self, asked: Iterable[measures.Measure], qrels: Any) -> Evaluator:
        table = _table(qrels)
        judgments = None if table is None else read_qrels(table)
        return Evaluator(asked, judgments, self.rules, **self.fields)


def publish(definition: Definition) -> measures.Measure:
    """Make a measure known to ir_measures under its name."""
    name = _name(definition)
    described: dict[str, Any] = {
        "__name__": name,
        "__doc__": definition.__doc__,
        "NAME": name,
        "PRETTY_NAME": definition.name,
        "SHORT_DESC": (definition.__doc__ or "").partition("\n")[0],
        "SUPPORTED_PARAMS": dict(_parameters(definition)),
        "DEFAULT": nan,
        "aggregator": lambda _: Aggregate(definition.aggregate),
    }
    published: measures.Measure = type(f"_{name}", (measures.Measure,), described)()
    measures.register(published)
    return published


def _name(definition: Definition) -> str:
    """The name of a measure, or another by which we find it where ir_measures could not parse that: ``_11pt_avg``."""
    return next(name for name in (definition.name, *definition.aliases) if name.isidentifier())


def _parameters(definition: Definition) -> Iterator[tuple[str, measures.ParamInfo]]:
    yield "judged_only", measures.ParamInfo(dtype=bool, default=False)
    for name, parameter in list(inspect.signature(definition.function).parameters.items())[1:]:
        required = parameter.default is parameter.empty
        kinds = [PLAIN_TYPES.get(word) for word in re.findall(r"\w+", str(parameter.annotation)) if word != "None"]
        yield (
            "cutoff" if name == "k" else name,
            measures.ParamInfo(
                dtype=kinds[0] if len(kinds) == 1 else None,
                required=required,
                default=providers.base.NOT_PROVIDED if required or parameter.default is None else parameter.default,
            ),
        )


def _table(given: Any) -> Any:
    """Judgments or a run as our reader takes them; None for those without a row."""
    if isinstance(given, Mapping):
        return given if any(len(inner) for inner in given.values()) else None
    if is_frame(given):
        return given if len(given) else None
    return list(given) or None


def __getattr__(name: str) -> Any:
    if name not in PUBLISHED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return PUBLISHED[name]


PUBLISHED: Mapping[str, measures.Measure] = {
    _name(definition): publish(definition)
    for definition in catalog().values()
    if _name(definition) not in measures.registry
}
"""The measures that ir_measures did not have; they are attributes of this module, too."""

providers.register(Provider())
ir_measures.DefaultPipeline.providers.append(providers.registry[Provider.NAME])
