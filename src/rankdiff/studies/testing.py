"""Tests of all pairs of runs, for measures and preferences alike, as the papers make them and as we do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError
from rankdiff.hits import FloatArray
from rankdiff.measures import Measure
from rankdiff.statistics import AllPairs, all_pairs, all_pairs_preferences
from rankdiff.statistics.comparisons import compared
from rankdiff.statistics.inputs import score_matrix
from rankdiff.statistics.many import FamilyMethod
from rankdiff.statistics.outcome import Question
from rankdiff.statistics.singly import each_alone
from rankdiff.studies.criteria import Criterion, compare

PairsTest = Callable[[FloatArray], AllPairs]

TESTS = {
    "sign-flip": "sign-flip range test with step-down; preferences directly, by the largest mean of a pair",
    "randomized-hsd": "randomized Tukey HSD (Carterette 2012); preferences by their win rates",
    "paired": "Student's t for each pair, the sign test for signs, with Bonferroni's correction",
    "unpaired": "Student's t for two independent samples, uncorrected; preferences by their win rates",
}
"""The tests that a study can make, and what each does."""


@dataclass(frozen=True, eq=False)
class UnderTest:
    """What is tested: values, system × topic, or system × system × topic for a preference, and by which test."""

    values: FloatArray
    test: PairsTest
    whole: AllPairs

    @classmethod
    def by(cls, test: PairsTest, values: FloatArray) -> UnderTest:
        """Values, and the test of all topics, which is made once."""
        return cls(values, test, test(values))

    def __call__(self, values: FloatArray) -> AllPairs:
        """The test of some of the topics, or of all."""
        return self.whole if values is self.values else self.test(values)


def prepare(c: Collection, item: Criterion, test: str, permutations: int, seed: int) -> UnderTest:
    """A measure or a preference as a test takes it; topics that do not count for every run are left out.

    >>> import rankdiff as rd
    >>> from rankdiff.studies.criteria import resolve
    >>> qrels = {f"q{i}": {"a": 1} for i in range(6)}
    >>> runs = {"x": {query: {"a": 1} for query in qrels}, "y": {query: {"n": 2, "a": 1} for query in qrels}}
    >>> prepare(rd.align(qrels, runs), resolve("sgnLP"), "paired", 1000, 0).whole.p[0, 1]  # 2 · 1/2⁶
    np.float64(0.03125)
    """
    if isinstance(item, Measure):
        return prepare_scores(score_matrix(c.measure(item))[1], test, permutations, seed)
    if test in ("randomized-hsd", "unpaired"):
        return prepare_scores(compare(c, item).win_rates(), test, permutations, seed)
    found = compare(c, item)
    every = np.arange(len(c.systems))
    cube = np.stack([found.over(run, every) for run in every.tolist()])[..., found.shared]
    if test == "sign-flip":
        return UnderTest.by(partial(all_pairs_preferences, samples=permutations, seed=seed), cube)
    return UnderTest.by(partial(_alone, test="sign" if item.name.startswith("sgn") else "t"), cube)


def prepare_scores(values: FloatArray, test: str, permutations: int, seed: int) -> UnderTest:
    """Scores, system × topic and higher is better, as a test takes them; incomplete topics are left out."""
    if test not in TESTS:
        raise UnknownNameError("test", test, TESTS)
    complete = np.ascontiguousarray(values[:, ~np.isnan(values).any(axis=0)])
    if test == "paired":
        return UnderTest.by(partial(all_pairs, method="t", correction="bonferroni"), complete)
    if test == "unpaired":
        return UnderTest.by(unpaired, complete)
    shuffled: FamilyMethod = "sign-flip" if test == "sign-flip" else "randomized-hsd"
    return UnderTest.by(partial(all_pairs, method=shuffled, samples=permutations, seed=seed), complete)


def _alone(cube: FloatArray, test: str) -> AllPairs:
    """A paired test of each pair's preferences against zero, with Bonferroni's correction."""
    pairs = np.triu_indices(len(cube), 1)
    rows = cube[pairs]
    outcome = each_alone(rows, test, Question())
    systems = tuple(map(str, range(len(cube))))
    return compared(systems, pairs, [rows], 0.0, preferences=True).alone(outcome, Question(), "bonferroni")


def unpaired(values: FloatArray) -> AllPairs:
    """Student's t for two independent samples of topics, each pair alone and uncorrected.

    This is what "Tukey's HSD" of two groups comes to. It is here to repeat a paper: runs over the same topics are no
    independent samples.

    >>> unpaired(np.array([[0.0, 1, 2, 3], [4.0, 5, 6, 7]])).p[0, 1].round(6)
    np.float64(0.004659)
    """
    from scipy.special import stdtr

    topics = values.shape[1]
    means, variances = values.mean(axis=1), values.var(axis=1, ddof=1)
    error = np.sqrt((variances[:, None] + variances) / topics)
    change = np.abs(means[:, None] - means)
    t = np.divide(change, error, out=np.where(change > 0, np.inf, 0.0), where=error > 0)
    return replace(
        all_pairs(values, "t", correction="none"), p=2 * stdtr(2 * topics - 2, -t), method="t, independent samples"
    )
