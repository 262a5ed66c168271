"""A stand-in for pytrec_eval: ``from rankdiff.interop.pytrec_eval import RelevanceEvaluator`` is all that changes.

Measures, parameters, keys and values are pytrec_eval's: scores in single precision as in trec_eval 9, which it
embeds, and only topics that are both judged and in the run. What stops the original works here: grades and scores
of any numeric type, ids that are not text, judgments that are all negative, sets that are empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import InputError, UnknownNameError, UsageError
from rankdiff.hits import FloatArray
from rankdiff.ids import as_bytes
from rankdiff.interop.collecting import collect
from rankdiff.interop.trec_eval_rows import MEASURES, NICKNAMES, Value
from rankdiff.measures import Measure, find, measure
from rankdiff.measures.interpolation import RETRIEVAL_EVALUATION, TENTHS
from rankdiff.read import Judgments, read_qrels
from rankdiff.results.scores import GEOMETRIC_FLOOR
from rankdiff.rules import Rules

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

supported_measures = frozenset(MEASURES)
"""Those of pytrec_eval, and the ones that trec_eval 10 added."""

supported_nicknames: Mapping[str, frozenset[str]] = {
    **NICKNAMES,
    "all_trec": NICKNAMES["all_trec"] - {"rbp", "rbp_resid", "unj"},
}
"""The names of sets of measures."""

TEXT = frozenset({"runid", "relstring"})
"""What is text in trec_eval, and 0 in pytrec_eval."""

KEY_BY_PARAMETER = frozenset(
    {"P", "recall", "ndcg_cut", "map_cut", "relative_P", "success", "unj", "iprec_at_recall", "Rprec_mult"}
)
"""The measures that have a key for each parameter, as ``P_5`` and ``P_10``; the others have one key."""

_WITH_PARAMETERS = re.compile(r"(?P<base>\w+?)[._](?P<parameters>-?[0-9.][-0-9.,=]*)")


class UnsupportedMeasureError(UnknownNameError, ValueError):
    """No such measure; a ``ValueError`` as in pytrec_eval."""


class RelevanceEvaluator:
    """Judgments and measures, by which runs are evaluated.

    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 0, "d2": 1}, "q2": {"d2": 1}}, {"map", "ndcg_cut.1,2"})
    >>> evaluator.evaluate({"q1": {"d1": 1.0, "d2": 0.5}})["q1"]["map"]
    0.5
    """

    def __init__(
        self,
        query_relevance: Mapping[Any, Mapping[Any, float]],
        measures: Iterable[str],
        relevance_level: float = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        if not relevance_level > 0:
            raise UsageError(f"relevance_level={relevance_level}: expected a grade above 0")
        judged = {query: grades for query, grades in query_relevance.items() if len(grades)}
        self._judgments: Judgments | None = read_qrels(judged) if judged else None
        self._measures = _requested(measures)
        self._rules = Rules(precision="single", rel=relevance_level, judged_only=bool(judged_docs_only_flag))

    def evaluate(self, scores: Any) -> dict[Any, dict[str, float]]:
        """The value of each measure for each topic, ``{topic: {measure: value}}``.

        ``scores`` is a run in any form that `rankdiff.read_runs` takes; the dict ``{topic: {document: score}}`` is
        the usual one.
        """
        if self._judgments is None or len(scores) == 0:
            return {}
        c = collect(self._judgments, {"run": scores}, self._rules)
        c = c if c.answered.all() else c.select(queries=c.answered[0])
        values = np.empty((len(c.queries), len(self._measures)))
        for column, (name, item) in enumerate(self._measures.items()):
            values[:, column] = _values(name, item, c)
        other = {as_bytes(key): key for key in scores if type(key) is not str} if isinstance(scores, Mapping) else {}
        keys = [other.get(as_bytes(query), query) for query in c.queries] if other else c.queries
        return {
            key: dict(zip(self._measures, row, strict=True)) for key, row in zip(keys, values.tolist(), strict=True)
        }


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """One value from those of topics: counts are added, what begins with ``gm_`` has a geometric mean.

    >>> compute_aggregated_measure("map", [0.5, 1.0]), compute_aggregated_measure("num_ret", [3, 4])
    (0.75, 7.0)
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    mean = float(np.mean(values))
    return float(np.exp(mean)) if measure.startswith("gm_") else mean


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """The nested dict of the lines of a run.

    >>> parse_run(["q1 Q0 d1 1 2.5 bm25"])
    {'q1': {'d1': 2.5}}
    """
    return _nested((number, fields[0], fields[2], float(fields[4])) for number, fields in _fields(f_run, 6))


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """The nested dict of the lines of judgments.

    >>> parse_qrel(["q1 0 d1 2"])
    {'q1': {'d1': 2}}
    """
    return _nested((number, fields[0], fields[2], int(fields[3])) for number, fields in _fields(f_qrel, 4))


def _fields(lines: Iterable[str], expected: int) -> Iterable[tuple[int, list[str]]]:
    for number, line in enumerate(lines, 1):
        if len(fields := line.split()) != expected:
            raise InputError("not a line of this format", line=number, found=repr(line), expected=f"{expected} columns")
        yield number, fields


def _nested(rows: Iterable[tuple[int, str, str, Any]]) -> dict[str, dict[str, Any]]:
    nested: dict[str, dict[str, Any]] = {}
    for number, query, document, value in rows:
        if document in nested.setdefault(query, {}):
            raise InputError(f"document {document!r} of topic {query!r} stands twice", line=number)
        nested[query][document] = value
    return nested


def _requested(asked: Iterable[str]) -> dict[str, Measure | None]:
    """The measures by the keys that pytrec_eval gives them; None for those that are text."""
    parameters: dict[str, list[str]] = {}
    for name in (name for item in asked for name in sorted(supported_nicknames.get(item, {item}))):
        base, written = _taken_apart(name)
        parameters.setdefault(base, []).extend(written)
    return {key: item for base, written in parameters.items() for key, item in _keyed(base, written)}


def _taken_apart(name: str) -> tuple[str, list[str]]:
    """A measure and its parameters: ``P_5``, ``P.5,10`` and ``utility.1,-1,0,0`` are ways to write them."""
    match = None if name in MEASURES else _WITH_PARAMETERS.fullmatch(name)
    base = match["base"] if match else name
    if base not in MEASURES:
        raise UnsupportedMeasureError("measure of trec_eval", name, [*MEASURES, *supported_nicknames])
    return base, match["parameters"].split(",") if match else []


def _keyed(base: str, written: list[str]) -> Iterable[tuple[str, Measure | None]]:
    if base in TEXT:
        return [(base, None)]
    if base == "num_q":
        return [(base, find(base))]
    if base in KEY_BY_PARAMETER:
        written = list(dict.fromkeys(written))
    rows = MEASURES[base](base, ",".join(written) or None)
    return [
        (row.label if base in KEY_BY_PARAMETER else base, _as_trec_eval_9(base, row.measure))
        for row in rows
        if isinstance(row, Value)
    ]


def _as_trec_eval_9(base: str, item: Measure) -> Measure:
    match base:
        case "iprec_at_recall":
            return precision_at_recall(item.parameters["k"])
        case "11pt_avg":
            return eleven_points(**item.parameters)
        case _:
            return item


@measure("IPrec9", range=(0, 1), citation=RETRIEVAL_EVALUATION)
def precision_at_recall(c: Collection, k: float, rel: float = 1) -> FloatArray:
    """The best precision at ``⌊k·m + 0.9⌋`` hits or more: trec_eval 10 rounds ``k·m``, trec_eval 9 did not."""
    hits = c.hits(rel)
    least = np.floor(k * c.relevant(rel).size + 0.9)
    return hits.max(hits.level / hits.rank * (hits.level >= hits.of_group(least)))


@measure("11pt9", range=(0, 1), citation=RETRIEVAL_EVALUATION)
def eleven_points(c: Collection, rel: float = 1, points: tuple[float, ...] = TENTHS) -> FloatArray:
    """The mean of that over recall 0, 0.1, … 1."""
    total: FloatArray = np.sum([precision_at_recall.function(c, x, rel) for x in points], axis=0)
    return total / len(points)


def _values(key: str, item: Measure | None, c: Collection) -> FloatArray:
    if item is None:
        return np.zeros(len(c.queries))
    values: FloatArray = item(c)[0]
    return np.log(np.maximum(values, GEOMETRIC_FLOOR)) if key.startswith("gm_") else values
