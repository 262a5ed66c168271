"""When a comparison could have been stopped, had its topics been judged one after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankdiff.errors import UsageError
from rankdiff.hits import IntArray
from rankdiff.results import Comparison, Table
from rankdiff.results.table import column
from rankdiff.statistics.sequential import sequential
from rankdiff.verdict.pair import yardstick


def in_order(queries: Sequence[str], judged: Sequence[str] | None) -> IntArray:
    """The places of topics in the order in which they were judged (their own order, where that is None).

    >>> in_order(("1", "10", "2"), ["2", "1", "10", "99"]).tolist()
    [2, 0, 1]
    """
    if judged is None:
        return np.arange(len(queries))
    turn = {name: number for number, name in enumerate(judged)}
    if missing := [name for name in queries if name not in turn]:
        raise UsageError(f"the order of judging lacks {len(missing)} of {len(queries)} topics, such as {missing[0]}")
    return np.array(sorted(range(len(queries)), key=lambda q: turn[queries[q]]), np.int64)


def stopping(comparison: Comparison, *, judged: Sequence[str] | None = None, confidence: float = 0.95) -> Table:
    """A confidence sequence for each row of a comparison and each candidate, the topics in the order in which they were
    ``judged``, or in their own.

    ``decided after`` is the first topic after which 0 is left out, and nothing where it never is; ``low`` and
    ``high`` are the limits after the last. They hold at every topic at once, so that judging may stop at any. Measures
    without a largest value have none, and are left out.

    >>> import rankdiff as rd
    >>> qrels = {f"q{i:02}": {"a": 1} for i in range(30)}
    >>> runs = {name: {topic: {"a": score, "x": 1} for topic in qrels} for name, score in (("old", 0), ("new", 2))}
    >>> stopping(rd.align(qrels, runs).compare("old", "new", measures=["RPP", "RR", "ASL"]))["decided after"]
    array([7, 12], dtype=object)
    """
    rows, without, topics = [], [], in_order(comparison.queries, judged)
    for measure in comparison.measures:
        limits = yardstick(measure).limits
        if not np.all(np.isfinite(limits)) or getattr(measure, "aggregate", "mean") in ("harmonic", "geometric"):
            without.append(measure.name)
            continue
        for candidate, values in zip(comparison.candidates, comparison[measure], strict=True):
            found = sequential(values[topics], bounds=limits, confidence=confidence)
            rows.append((candidate, measure.name, found.decided, len(found.mean), found.low[-1], found.high[-1]))
    names = ("candidate", "measure", "decided after", "topics", "low", "high")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else dict.fromkeys(names, ())
    notes = (
        f"a confidence sequence ({100 * confidence:g} %): it holds after every topic at once, in the order of "
        + ("the topics" if judged is None else "judging"),
        *([f"none for {', '.join(without)}: that needs differences between bounds, and a mean"] if without else []),
    )
    decided = np.array([*columns["decided after"], None], object)[:-1]
    arrays = {name: decided if name == "decided after" else column(values) for name, values in columns.items()}
    title = f"After how many topics it was decided against {comparison.baseline}, had one looked after each"
    return Table(arrays, title, notes, comparison.signature)
