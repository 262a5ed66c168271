"""ranx's ``compare`` with our measures and tests: ``from rankdiff.interop.ranx import compare`` is all that changes.

``ranx.Qrels``, ``ranx.Run`` and fused runs go into `rankdiff.align` as they are; what comes out here is a
``ranx.Report``, which prints, exports to LaTeX and saves as ranx's own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from ranx.data_structures import FrozensetDict
from ranx.data_structures.report import Report, chars

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures import find
from rankdiff.results import Scores
from rankdiff.statistics import all_pairs, paired

OURS = {
    "hits": "NumRelRet",
    "hit_rate": "Success",
    "precision": "P",
    "recall": "R",
    "f1": "SetF",
    "r-precision": "Rprec",
    "mrr": "RR",
    "map": "AP",
    "dcg": "dcg",
    "dcg_burges": "dcg(dcg='exp-log2')",
    "ndcg": "nDCG",
    "ndcg_burges": "nDCG(dcg='exp-log2')",
    "bpref": "Bpref",
}
"""Our measures by ranx's names."""

WITHOUT_CUTOFF = {"precision": "SetP", "recall": "SetR"}
ONLY_WITHOUT_CUTOFF = frozenset({"hits", "f1", "r-precision", "bpref"})
GRADED = frozenset({"dcg", "dcg_burges", "ndcg", "ndcg_burges"})

_METRIC = re.compile(r"(?P<name>[a-z][a-z0-9_-]*?)(?P<p>\.\d+)?(?:@(?P<k>\d+))?(?:-l(?P<rel>\d+))?")


def measure_of(metric: str) -> str:
    """The name of our measure that one of ranx's names stands for; our own names stay.

    >>> measure_of("ndcg@10"), measure_of("map-l2"), measure_of("precision"), measure_of("TSE")
    ('nDCG@10', 'AP(rel=2)', 'SetP', 'TSE')
    """
    match = _METRIC.fullmatch(metric)
    if match and match["name"] == "rbp":
        raise UsageError(f"{metric}: ranx's is multiplied by the grades; RBP(p=0.{(match['p'] or '.8')[1:]}) is binary")
    if not _is_ranxs(metric) or match is None:
        return find(metric).name
    name, cutoff, rel = match["name"], match["k"], match["rel"]
    if name in GRADED and rel:
        raise UsageError(f"{metric}: ranx takes {int(rel) - 1} off every grade there, which no measure here does")
    if name in ONLY_WITHOUT_CUTOFF and cutoff:
        raise UsageError(f"{metric}: there is no such measure with a cutoff here")
    if name == "hit_rate" and not cutoff:
        raise UsageError(f"{metric}: give a cutoff, as in hit_rate@10")
    ours = OURS[name] if cutoff or name not in WITHOUT_CUTOFF else WITHOUT_CUTOFF[name]
    return find(ours + (f"(rel={rel})" if rel else "") + (f"@{cutoff}" if cutoff else "")).name


class OurReport(Report):  # type: ignore[misc]
    """A report of ranx's that can show measures and tests which ranx does not know."""

    def get_metric_label(self, m: str) -> str:
        """What stands above the column of a measure."""
        return str(super().get_metric_label(m)) if _is_ranxs(m) else m

    def get_stat_test_label(self, stat_test: str) -> str:
        """What the caption calls the test."""
        return str(super().get_stat_test_label(stat_test)) if stat_test in TESTS else stat_test


TESTS = {"student": "t", "fisher": "randomization", "tukey": "tukey-hsd"}
"""Our tests by ranx's names; the last is of all runs at once."""


def compare(
    qrels: Any,
    runs: Sequence[Any],
    metrics: str | Sequence[str],
    stat_test: str = "student",
    *,
    n_permutations: int = 100_000,
    max_p: float = 0.01,
    random_seed: int = 42,
    rounding_digits: int = 3,
    show_percentages: bool = False,
    **rules: Any,
) -> Report:
    """Evaluate runs and test every pair, as ``ranx.compare``.

    ``metrics`` are ranx's names or ours. ``stat_test`` is "student", "fisher" (randomization of signs, exact where
    feasible) or "tukey" (on topics as blocks), or a method of `rankdiff.statistics.all_pairs`, such as "sign-flip",
    whose p are corrected for all pairs. Runs need not have the same topics; ``rules`` are the keywords of `align`.
    """
    asked = [metrics] if isinstance(metrics, str) else list(metrics)
    c = align(qrels, {getattr(run, "name", None) or f"run_{i}": run for i, run in enumerate(runs, 1)}, **rules)
    if len(c.systems) < len(runs):
        raise UsageError("two runs have the same name")
    if len(runs) > len(chars):
        raise UsageError(
            f"{len(runs)} runs: ranx's report has letters for {len(chars)}; c.measure(…).mean() has no limit"
        )
    scores = c.measure(*map(measure_of, asked))
    by_metric = {metric: scores[measure_of(metric)] for metric in asked}
    for metric, measure in zip(asked, scores.measures, strict=True):
        if not measure.higher_is_better:
            raise UsageError(f"{metric}: in ranx's report larger is better; c.compare(…) knows both directions")
    test = _Test(stat_test, n_permutations, max_p, random_seed)
    return OurReport(
        model_names=list(c.systems),
        results=_means(scores, asked),
        comparisons=test.of_all(c, by_metric),
        metrics=asked,
        max_p=max_p,
        win_tie_loss=_wins(c, by_metric),
        rounding_digits=rounding_digits,
        show_percentages=show_percentages,
        stat_test=stat_test,
    )


class _Test:
    def __init__(self, name: str, samples: int, max_p: float, seed: int) -> None:
        self.name, self.samples, self.max_p, self.seed = name, samples, max_p, seed

    def of_all(self, c: Collection, by_metric: dict[str, FloatArray]) -> Any:
        """The p of every pair under every metric."""
        p = {metric: self._of_metric(values) for metric, values in by_metric.items()}
        comparisons = FrozensetDict()
        for one, other in combinations(range(len(c.systems)), 2):
            comparisons[c.systems[one], c.systems[other]] = {
                metric: {"p_value": float(found[one, other]), "significant": bool(found[one, other] <= self.max_p)}
                for metric, found in p.items()
            }
        return comparisons

    def _of_metric(self, values: FloatArray) -> FloatArray:
        if self.name not in ("student", "fisher"):
            method: Any = TESTS.get(self.name, self.name)
            return np.asarray(all_pairs(values, method=method, samples=self.samples, seed=self.seed).p)
        p = np.ones((len(values), len(values)))
        options: dict[str, Any] = {"test": TESTS[self.name], "missing": "drop"}
        if self.name == "fisher":
            options |= {"samples": self.samples, "seed": self.seed}
        for one, other in combinations(range(len(values)), 2):
            p[one, other] = paired(values[one], values[other], **options).p
        return p


def _is_ranxs(metric: str) -> bool:
    match = _METRIC.fullmatch(metric)
    return match is not None and match["name"] in OURS


def _means(scores: Scores, asked: list[str]) -> dict[str, dict[str, float]]:
    return {
        system: dict(zip(asked, means, strict=True))
        for system, means in zip(scores.systems, scores.summary().T.tolist(), strict=True)
    }


def _wins(c: Collection, by_metric: dict[str, FloatArray]) -> dict[tuple[str, str], dict[str, dict[str, int]]]:
    """How many topics the first of two runs wins, ties and loses under each metric."""
    return {
        (one, other): {
            metric: {
                "W": int(np.sum(values[i] > values[j])),
                "T": int(np.sum(values[i] == values[j])),
                "L": int(np.sum(values[i] < values[j])),
            }
            for metric, values in by_metric.items()
        }
        for i, one in enumerate(c.systems)
        for j, other in enumerate(c.systems)
        if i != j
    }
