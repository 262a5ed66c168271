"""All rows and pairs of a comparison corrected together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankdiff.comparison.design import SAMPLED, Design, pairs_of
from rankdiff.comparison.rows import Row
from rankdiff.hits import FloatArray
from rankdiff.statistics import AllPairs, Paired, all_rows, correct
from rankdiff.statistics.comparisons import UNCORRECTED
from rankdiff.statistics.corrections import check_samples
from rankdiff.statistics.families import Pairs
from rankdiff.statistics.many import SAMPLES, SINGLE_METHODS


@dataclass(frozen=True, eq=False)
class Corrected:
    """p, and the limits of simultaneous intervals where there are such, of the pairs of one row: the first run of
    each pair over the second."""

    pairs: Pairs
    p: FloatArray
    low: FloatArray
    high: FloatArray
    how: str

    @property
    def _simultaneous(self) -> bool:
        return not np.isnan(self.low).all()

    def tests(self, tests: Sequence[Paired]) -> list[Paired]:
        """The tests of the candidates against the baseline, corrected."""
        return [self._test(test, candidate) for candidate, test in enumerate(tests, 1)]

    def _test(self, test: Paired, candidate: int) -> Paired:
        first, second = self.pairs
        place = int(np.flatnonzero((np.minimum(first, second) == 0) & (np.maximum(first, second) == candidate))[0])
        corrected = replace(test, p=float(self.p[place]), method=self._method(test.method))
        if not self._simultaneous:
            return corrected
        low, high = float(self.low[place]), float(self.high[place])
        limits = (low, high) if second[place] == 0 else (0.0 - high, 0.0 - low)
        return replace(corrected, interval=limits, interval_method="simultaneous over all rows")

    def family(self, found: AllPairs) -> AllPairs:
        """The tests of all pairs, corrected."""
        p, low, high = found.p.copy(), found.low.copy(), found.high.copy()
        first, second = self.pairs
        p[first, second] = p[second, first] = self.p
        if self._simultaneous:
            low[first, second], high[first, second] = self.low, self.high
            low[second, first], high[second, first] = 0.0 - self.high, 0.0 - self.low
        return replace(found, p=p, low=low, high=high, method=self._method(found.method))

    def _method(self, own: str) -> str:
        return self.how if self._simultaneous else f"{own.removesuffix(f', {UNCORRECTED}')}; {self.how}"


def correct_together(
    rows: Sequence[Row],
    tests: Sequence[Sequence[Paired]],
    families: Sequence[AllPairs | None],
    *,
    runs: tuple[str, ...],
    design: Design,
) -> list[Corrected]:
    """For each row, the p of its pairs corrected over all rows and pairs.

    Where a test of each pair alone is named, its p are corrected by their number; else all rows are tested anew, by
    random signs that all of them share.
    """
    pairs = pairs_of(runs, design)
    shape = len(rows), len(pairs[0])
    low, high = np.full(shape, np.nan), np.full(shape, np.nan)
    if design.test in SINGLE_METHODS:
        alone = [
            np.array([row[0].p]) if found is None else found.p[pairs]
            for row, found in zip(tests, families, strict=True)
        ]
        raw = np.concatenate([np.broadcast_to(p, shape[1]) for p in alone])
        correction = design.correction or "holm"
        if design.test in SAMPLED:
            check_samples(design.samples or SAMPLES, len(raw), correction, level=design.level)
        p = (raw if correction == "none" else correct(raw, correction)).reshape(shape)
        how = UNCORRECTED if correction == "none" else f"{correction} over all rows and pairs"
    else:
        values = np.array([row.between(pairs) for row in rows])
        counted = ~np.isnan(values).all(axis=2)
        found = all_rows(
            values[counted],
            samples=design.samples or SAMPLES,
            seed=design.seed,
            confidence=design.confidence,
            missing="drop",
            progress=design.progress,
        )
        p, how = np.full(shape, np.nan), found.method
        p[counted], low[counted], high[counted] = found.p, found.low, found.high
    return [Corrected(pairs, *limits, how) for limits in zip(p, low, high, strict=True)]
