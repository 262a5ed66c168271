"""A pytest plugin: a test fails where a candidate ranking does not pass the gate against a committed baseline.

It is there wherever rankdiff is installed, as the fixture ``ranking_gate``::

    def test_the_new_ranker(ranking_gate):
        ranking_gate(my_ranker(), qrels="qrels.txt", baseline="baseline.run", fail_if_worse="nDCG@10")
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rankdiff.collection import Collection
    from rankdiff.comparison import Gates

BASELINE, CANDIDATE = "baseline", "candidate"


@pytest.fixture
def ranking_gate(request: pytest.FixtureRequest) -> Callable[..., Gates]:
    """`check`, with paths relative to the folder of the test."""

    def gate(candidate: Any, *, qrels: Any, baseline: Any, **options: Any) -> Gates:
        __tracebackhide__ = True
        folder = request.path.parent
        return check(
            _placed(candidate, folder), qrels=_placed(qrels, folder), baseline=_placed(baseline, folder), **options
        )

    return gate


def check(
    candidate: Any,
    *,
    qrels: Any,
    baseline: Any,
    fail_if_worse: str | Iterable[str] = (),
    require_noninferior: Mapping[str, float] | None = None,
    shown: int = 10,
    gate: Mapping[str, Any] | None = None,
    **rules: Any,
) -> Gates:
    """Raise ``AssertionError`` where the candidate does not pass, with the topics that lost most.

    ``candidate`` and ``baseline`` are runs in any form that `rankdiff.read_runs` takes. ``gate`` are further keywords
    of `rankdiff.comparison.gates` (test, interval, level, seed), ``rules`` those of `rankdiff.align`; where neither
    is given, what is not said elsewhere is said there.

    >>> qrels = {f"q{i}": {"a": 1} for i in range(9)}
    >>> good = {q: ["a", "x"] for q in qrels}
    >>> check(good, qrels=qrels, baseline=good, fail_if_worse="RR").passed
    True
    """
    __tracebackhide__ = True
    from rankdiff.alignment import align
    from rankdiff.comparison import gates

    c = align(qrels, {BASELINE: baseline, CANDIDATE: candidate}, **rules)
    found = gates(
        c,
        BASELINE,
        CANDIDATE,
        fail_if_worse=[fail_if_worse] if isinstance(fail_if_worse, str) else fail_if_worse,
        require_noninferior=require_noninferior,
        **(gate or {}),
    )
    if not found.passed:
        lost = [
            _lost(c, name, shown) for name in dict.fromkeys(each.measure for each in found.gates if not each.passed)
        ]
        raise AssertionError("\n\n".join(["the candidate does not pass the gate", str(found), *lost]))
    return found


def _placed(source: Any, folder: Path) -> Any:
    """A path relative to the folder of the test, where there is such a file."""
    if isinstance(source, (str, os.PathLike)) and (folder / source).exists():
        return folder / source
    return source


def _lost(c: Collection, name: str, shown: int) -> str:
    """The topics that the candidate lost under a measure or a preference, the largest losses first."""
    import numpy as np

    from rankdiff.preferences import resolve
    from rankdiff.results import Table

    compared = resolve(name)(c)
    differences = -compared.over(0, np.array([1]))[0]
    worst = np.argsort(differences, kind="stable")[: min(shown, int((differences < 0).sum()))]
    table = Table.of(topic=[c.queries[topic] for topic in worst], difference=differences[worst])
    won, lost = int((differences > 0).sum()), int((differences < 0).sum())
    return f"{name}: {lost} of {len(c.queries)} topics lost, {won} won; the largest losses\n{table}"
