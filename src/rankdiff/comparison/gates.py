"""Gates: may the candidate replace the baseline? For programs that must answer yes or no."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, nan
from typing import Any, Literal

import numpy as np

from rankdiff.collection import Collection
from rankdiff.comparison.rows import alike, evaluate_row, only
from rankdiff.comparison.testing import INSTEAD
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.read.notices import counted
from rankdiff.statistics import paired, smallest_difference
from rankdiff.statistics.inputs import between, one_of
from rankdiff.statistics.sequential import above
from rankdiff.studies.criteria import Criterion, resolve_all
from rankdiff.verdict.stopping import in_order

TESTS = ("t", "randomization", "bootstrap")
"""Tests whose interval is of the mean difference, which is what a gate is about."""

Kind = Literal["fail-if-worse", "require-noninferior"]


@dataclass(frozen=True)
class Gate:
    """One gate and whether it lets the candidate pass.

    ``limit`` is the end of the one-sided interval of candidate − baseline that decides: the upper one for
    ``fail-if-worse``, which stops a candidate with a limit below 0; the lower one for ``require-noninferior``, which
    stops it unless the limit is above −margin. ``smallest`` is the smallest difference that the topics could have
    shown with 80 % power. A ``sequential`` one may be asked again after every topic that is judged.
    """

    kind: Kind
    measure: str
    candidate: str
    margin: float
    lacking: tuple[str, ...] = ()
    passed: bool = False
    difference: float = nan
    limit: float = nan
    confidence: float = nan
    smallest: float = nan
    topics: int = 0
    sequential: bool = False

    def __str__(self) -> str:
        return f"{'passed' if self.passed else 'FAILED'}: {self._what}: {self._why}; {self._smallest}"

    @property
    def _what(self) -> str:
        asked = f"={self.margin:g}" if self.kind == "require-noninferior" else ""
        return f"--{self.kind} {self.measure}{asked} ({self.candidate})"

    @property
    def _why(self) -> str:
        if self.lacking:
            return f"{' and '.join(self.lacking)} lacks topics (--missing says what they are worth)"
        worse = self.kind == "fail-if-worse"
        side, needed = ("at most", "below 0") if worse else ("at least", f"above {0 - self.margin:g}")
        reached = self.passed != worse
        sure = f"{100 * self.confidence:.3g} % confidence{' at any time' * self.sequential}"
        return (
            f"the difference is {self.difference:+.4f}, with {sure} {side} {self.limit:+.4f}, "
            f"which is {'' if reached else 'not '}{needed}"
        )

    @property
    def _smallest(self) -> str:
        topics = counted(self.topics, "topic")
        if not isfinite(self.smallest):
            return f"{topics} could not have shown any difference with 80 % power"
        return f"{topics} could have shown a difference of {self.smallest:.4f} with 80 % power"


@dataclass(frozen=True)
class Gates:
    """Several gates, Holm-corrected together; ``passed`` if each of them lets the candidates pass."""

    gates: tuple[Gate, ...]

    @property
    def passed(self) -> bool:
        """Whether all gates are open."""
        return all(gate.passed for gate in self.gates)

    def __str__(self) -> str:
        return "\n".join(map(str, self.gates))


def gates(
    c: Collection,
    baseline: str,
    *candidates: str,
    fail_if_worse: Iterable[Any] = (),
    require_noninferior: Mapping[Any, float] | None = None,
    test: str | None = None,
    interval: Literal["default", "safe"] = "default",
    level: float = 0.05,
    seed: int = 0,
    samples: int | None = None,
    lacking: Literal["fail", "count"] = "fail",
    sequential: bool | Sequence[str] = False,
) -> Gates:
    """Whether candidates may pass: none is shown to be worse, each is shown to be no worse than by a margin.

    - ``fail_if_worse``: measures or preferences under which the upper end of the one-sided interval of candidate −
      baseline must not be below 0. It stops what is shown to be worse; few topics show little.
    - ``require_noninferior``: measure → margin; the lower end must be above −margin. Here the candidate has the burden
      of proof.
    - ``lacking="fail"``: where the candidate or the baseline lacks topics, no gate is passed; ``"count"`` goes by the
      collection's rule about missing topics.
    - ``sequential``: the limit is that of a confidence sequence instead, so that the gate can be asked again whenever
      a topic has been judged, and judging can stop when it decides; the topics in the order of their judging, or
      ``True`` if that is the collection's.

    Several gates share the error by Holm's method: the one with the smallest p is judged at level/k, and so on.

    >>> from rankdiff.alignment import align
    >>> qrels = {f"q{i}": {"a": 1} for i in range(9)}
    >>> good, bad = {"a": 2.0, "x": 1.0}, {"x": 2.0, "a": 1.0}
    >>> runs = {"old": {q: good for q in qrels}, "new": {q: bad if q < "q7" else good for q in qrels}}
    >>> c = align(qrels, runs)
    >>> gates(c, "old", "new", fail_if_worse=["RR"]).passed, gates(c, "new", "old", fail_if_worse=["RR"]).passed
    (False, True)
    """
    one_of("test", test or "t", TESTS)
    one_of("lacking", lacking, ("fail", "count"))
    between("level", level, 0, 1)
    margins = dict(require_noninferior or {})
    wanted: list[tuple[Kind, Criterion, float]] = [("fail-if-worse", item, 0.0) for item in _resolved(fail_if_worse)]
    for asked, margin in margins.items():
        if not (isfinite(margin) and margin >= 0):
            raise UsageError(f"the margin of {asked} is {margin:g}: expected a number of at least 0, such as 0.01")
        wanted.append(("require-noninferior", resolve_all([asked])[0], margin))
    if not wanted:
        raise UsageError("no gate was named: give fail_if_worse or require_noninferior")
    view = only(c, (baseline, *candidates))
    rows = {item: evaluate_row(view, item) for _, item, _ in wanted}
    asked_of: dict[str, Any] = {"test": test, "interval": interval, "seed": seed, "samples": samples}
    topics = in_order(view.queries, None if isinstance(sequential, bool) else sequential)
    if sequential:
        if test is not None or interval != "default":
            raise UsageError("a sequential gate has an interval of its own: leave out test and interval")
        asked_of = {"planned": level}
    complete = [lacking == "count" or bool(answered.all()) for answered in view.answered]

    def short(place: int) -> tuple[str, ...]:
        return tuple(view.systems[run] for run in (0, place) if not complete[run])

    trials = [
        _trial(
            Gate(kind, row.name, candidate, margin, short(place), sequential=bool(sequential)),
            row.over(place, np.array([0]))[0, topics],
            row.bounds,
            level,
        )
        for kind, item, margin in wanted
        for row in [rows[item]]
        for place, candidate in enumerate(candidates, 1)
    ]
    return Gates(tuple(_holm(trials, asked_of, level)))


def _resolved(asked: Iterable[Any]) -> tuple[Criterion, ...]:
    several = [asked] if isinstance(asked, str) else list(asked)
    return resolve_all(several) if several else ()


@dataclass(frozen=True, eq=False)
class _Trial:
    """A gate before it is judged, and the differences that it is judged by."""

    gate: Gate
    values: FloatArray
    bounds: tuple[float, float]

    def ask(self, options: Mapping[str, Any], level: float) -> tuple[float, float]:
        """p of the one-sided test of what would prove the claim, and the end of its interval that decides."""
        worse = self.gate.kind == "fail-if-worse"
        shifted = self.values + self.gate.margin
        bounds = self.bounds[0] + self.gate.margin, self.bounds[1] + self.gate.margin
        sequential = self.gate.sequential
        if (sequential or options["interval"] == "safe") and not np.isfinite(bounds).all():
            kind = "confidence sequence" if sequential else "safe interval"
            raise UsageError(f"{self.gate.measure} has no {kind}: its differences have no bounds")
        if sequential:
            if worse:
                p, limit = above(-shifted, bounds=(-bounds[1], -bounds[0]), level=level, **options)
                return p, -limit
            return above(shifted, bounds=bounds, level=level, **options)
        test = options["test"] or (INSTEAD if alike(shifted) else "t")
        given = {**options, "test": test, "samples": None if test == "t" else options["samples"]}
        side: Literal["less", "greater"] = "less" if worse else "greater"
        found = paired(shifted, alternative=side, confidence=1 - level, bounds=bounds, **given)
        return found.p, found.interval[1 if worse else 0]

    def judge(self, options: Mapping[str, Any], level: float) -> tuple[bool, Gate]:
        """Whether the claim is proven at the level, and the gate with the end of the interval that decides."""
        worse = self.gate.kind == "fail-if-worse"
        limit = self.ask(options, level)[1] - self.gate.margin
        proven = limit < 0 if worse else limit > -self.gate.margin
        return proven, replace(self.gate, limit=limit, confidence=1 - level)


def _trial(gate: Gate, values: FloatArray, bounds: tuple[float, float], level: float) -> _Trial:
    values = values[~np.isnan(values)]
    if not len(values):
        raise UsageError(f"{gate.measure}: no topic counts for {gate.candidate} and the baseline: the gate is void")
    smallest = smallest_difference(values, level=2 * level).difference if len(values) > 1 else float("inf")
    known = replace(gate, difference=float(values.mean()), smallest=smallest, topics=len(values))
    return _Trial(known, values, bounds)


def _holm(trials: list[_Trial], options: Mapping[str, Any], level: float) -> list[Gate]:
    """Judge the gates from the smallest p on, each at the level over the number of claims that are not proven yet."""
    order = sorted(range(len(trials)), key=lambda i: trials[i].ask(options, level)[0])
    judged: dict[int, Gate] = {}
    left = len(trials)
    for i in order:
        proven, gate = trials[i].judge(options, level / left)
        left -= proven
        judged[i] = replace(
            gate, passed=(proven if gate.kind == "require-noninferior" else not proven) and not gate.lacking
        )
    return [judged[i] for i in range(len(trials))]
