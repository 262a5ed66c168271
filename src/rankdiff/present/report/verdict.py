"""The verdict on two runs: the comparison, for whom the candidate is better, what would flip it, what nobody judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rankdiff.comparison.words import certified, probability
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.present.cells import DIGITS, exact, readable
from rankdiff.present.colors import mark
from rankdiff.present.report.asked import Asked, Part
from rankdiff.present.report.cells import Cell, Grid, Span, finite
from rankdiff.profile import Profile
from rankdiff.results import Comparison
from rankdiff.verdict import Bounds, Flip

MOST_TOPICS = 500
"""Of more topics it takes minutes to say which judgments a verdict hangs on, and a report should not."""
MOST_ROWS = 100


def gather(asked: Asked) -> Part:
    """What `compare` says of a baseline and a candidate, the profile with its band, and how far the verdict holds."""
    baseline, candidate = asked.pair
    comparison = asked.c.compare(baseline, candidate, measures=asked.criteria, seed=asked.seed)
    profile = comparison.profile
    by_share = profile.by_share()
    sentences = [readable(sentence) for sentence in comparison.verdict.split("\n")]
    hangs_on = _hangs_on(asked)
    view = {
        "many": False,
        "sentences": sentences,
        "table": _table(comparison),
        "tests": "; ".join(dict.fromkeys(str(test.method) for (test,) in comparison.tests)),
        "profile": Grid.of(by_share, "The profile by share of the relevant documents", heads=2),
        "for_whom": _for_whom(profile),
        "primary": comparison.primary.name,
        "hangs_on": hangs_on,
    }
    data = {
        "bounds": hangs_on["bounds"],
        "profile": {
            "tenths": by_share["preference"].tolist(),
            "sum": by_share["sum"].tolist(),
            "low": finite(by_share["low"]),
            "high": finite(by_share["high"]),
            "crossing": profile.crossing if np.any(by_share["sum"] > 0) else None,
            "baseline": readable(baseline),
            "candidate": readable(candidate),
        },
    }
    return Part("verdict", "Verdict", view, data)


def _table(comparison: Comparison) -> Grid:
    """A row for each measure, an interval in one cell, wins and losses in another, and the interval as a picture."""
    rows = []
    table = list(comparison.table().rows())
    spreads = [_spread(values[0]) for values in comparison.values]
    ends = [row[end] / spread for row, spread in zip(table, spreads, strict=True) for end in ("low", "high") if spread]
    known = [0.0, *(end for end in ends if np.isfinite(end))]
    least, most = min(known), max(known)
    for i, (row, spread) in enumerate(zip(table, spreads, strict=True)):
        interval = "" if np.isnan(row["low"]) else f"{_signed(row['low'])} to {_signed(row['high'])}"
        p, found = probability(row["p"]), certified(comparison, 0, i)
        kind = KINDS[found]
        drawn = {"at": row["difference"], "zero": 0.0, "kind": kind}
        span = Span.on(least * spread, most * spread, row["low"], row["high"], **drawn) if spread else None
        rows.append(
            (
                Cell.of(row["measure"], mark="primary" if i == 0 and len(comparison.measures) > 1 else ""),
                Cell.of(row["baseline mean"]),
                Cell.of(row["candidate mean"]),
                Cell(_signed(row["difference"]), exact(row["difference"]), number=True, mark=mark(found), kind=kind),
                Cell(interval, exact(row["low"]), number=True, missing=not interval),
                Cell("", exact(row["effect"]), number=False, span=span),
                Cell(p, exact(row["p"]), number=True, missing=not p),
                Cell(_signed(row["effect"], 2), exact(row["effect"]), number=True),
                Cell(f"{row['wins']} / {row['ties']} / {row['losses']}", str(row["wins"]), number=True),
            )
        )
    columns = ("measure", comparison.baseline, comparison.candidates[0], "difference", "interval", "in its spread", "p",
               "effect", "w / t / l")  # fmt: skip
    caption = "Candidate against baseline: positive differences speak for the candidate"
    return Grid(caption, tuple(map(readable, columns)), tuple(rows), notes=comparison.notices, total=len(rows))


KINDS = {1: "candidate", -1: "baseline", 0: "plain"}
"""The color of a finding: that of the run it speaks for."""


def _spread(values: FloatArray) -> float:
    """The standard deviation of the topics' differences, in which differences of several measures can be compared."""
    counted = values[~np.isnan(values)]
    return float(np.std(counted, ddof=1)) if len(counted) > 1 else 0.0


def _signed(value: float, digits: int = DIGITS) -> str:
    return "" if np.isnan(value) else f"{value:+.{digits}f}".replace("-", "−")


def _for_whom(profile: Profile) -> str:
    """What the running sum says, in words."""
    sums = np.cumsum(profile.tenths)
    baseline, candidate = readable(profile.baseline), readable(profile.candidate)
    if profile.crossing is None or not np.any(sums > 0):
        side, better = ("falls below", candidate) if profile.crossing is None else ("rises above", baseline)
        return (
            f"The running sum never {side} zero: on average, {better} serves every user at least as well whose weight "
            "falls from tenth to tenth of the relevant documents."
        )
    share = f"{profile.crossing:.0%}".replace("%", " %")
    return (
        f"The running sum changes its sign, and first ends a tenth below zero at {share}: which run serves a user "
        "better depends on how much that user wants."
    )


def _flip(flip: Flip) -> dict[str, Any]:
    """What would undo the verdict, and the topics or judgments that do."""
    answers = [
        {
            "sentence": readable(answer.sentence),
            "table": Grid.of(answer.table, f"The {answer.by} that undo the {answer.claim}", most=MOST_ROWS),
        }
        for answer in flip.answers
    ]
    bracketed = any(answer.count is not None and not answer.exact for answer in flip.answers)
    return {"sentence": readable(flip.sentences[0]), "answers": answers, "bracketed": bracketed}


def _bounds(bounds: Bounds) -> dict[str, Any]:
    """Between what the mean difference lies however the unjudged documents are judged."""
    low, high = bounds.interval
    return {"sentence": readable(bounds.sentence), "low": low, "at": bounds.difference, "high": high}


def _hangs_on(asked: Asked) -> dict[str, Any]:
    """What the verdict by the primary criterion hangs on; where that cannot be told, why."""
    found: dict[str, Any] = {"flip": None, "bounds": None, "why_not": []}
    if len(asked.c.queries) > MOST_TOPICS:
        return found | {"why_not": [f"of more than {MOST_TOPICS} topics a report does not ask; `rankdiff flip` tells"]}
    questions: dict[str, Callable[..., Any]] = {
        "flip": lambda *pair: _flip(asked.c.flip(*pair)),
        "bounds": lambda *pair: _bounds(asked.c.bounds(*pair)),
    }
    for name, ask in questions.items():
        try:
            found[name] = ask(*asked.pair, asked.criteria[0])
        except UsageError as problem:
            found["why_not"].append(readable(str(problem)))
    return found
