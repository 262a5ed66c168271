"""What undoes a verdict against every subset of at most twelve topics, and of at most twelve judgments.

Nothing of the package is used but `flip` itself: the differences come from `by_hand`, p from the formula of the t-test.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

import rankdiff as rd
from by_hand import Difference, Ranking, every_difference

LEVEL = 0.3
NAMES = sorted(every_difference())
RULES: list[dict[str, Any]] = [
    {}, {}, {}, {"depth": 3}, {"rel": 2}, {"missing": "skip"}, {"no_relevant": "drop"}, {"judged_only": True},
]  # fmt: skip

Grades = dict[str, dict[str, float]]
Rankings = dict[str, dict[str, Ranking]]


def a_collection(rng: np.random.Generator, topics: int, judgments: int) -> tuple[Grades, Rankings]:
    """Judgments, some of them below 0, and two runs that rank some of their documents and two that nobody judged; some
    rankings are empty, some topics missing."""
    sizes = np.maximum(rng.multinomial(judgments - topics, np.full(topics, 1 / topics)) + 1, 1)
    most = int(rng.integers(1, 4))
    qrels: Grades = {}
    runs: Rankings = {"old": {}, "new": {}}
    for topic, size in enumerate(sizes.tolist()):
        documents = [f"d{i}" for i in range(size)]
        qrels[f"q{topic:02}"] = {d: float(rng.integers(-1 if rng.random() < 0.2 else 0, most + 1)) for d in documents}
        for run in runs.values():
            ranking = rng.permutation([*documents, "x0", "x1"])[: rng.integers(0, size + 3)]
            if len(ranking) and rng.random() < 0.95:
                run[f"q{topic:02}"] = ranking.tolist()
    qrels["q00"]["d0"] = 2.0
    for run in runs.values():
        run.setdefault("q00", ["x0"])
    return qrels, runs


def as_ranked(ranking: Ranking, grades: dict[str, float], rules: dict[str, Any]) -> Ranking:
    if rules.get("judged_only"):
        ranking = [document for document in ranking if grades.get(document, -1) >= 0]
    return ranking[: rules.get("depth")]


def reversals(
    of: Difference, turn: dict[float, float], qrels: Grades, runs: Rankings, rules: dict[str, Any]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each topic the difference under every set of reversals, the empty one first, and how many these are; ``turn``
    says what becomes of a grade."""
    for topic, grades in qrels.items():
        new, old = (as_ranked(runs[name].get(topic, []), grades, rules) for name in ("new", "old"))
        answered = rules.get("missing") != "skip" or all(topic in run for run in runs.values())
        open_ = [document for document, grade in grades.items() if grade >= 0]
        values, numbers = [], []
        for reversed_ in product([False, True], repeat=len(open_)):
            other = {d: turn[grades[d]] for d, turned in zip(open_, reversed_, strict=True) if turned}
            now = grades | other
            counts = answered and (
                rules.get("no_relevant") != "drop" or any(grade >= rules.get("rel", 1) for grade in now.values())
            )
            values.append(of(new, old, now) if counts else math.nan)
            numbers.append(len(other))
        yield np.array(values), np.array(numbers)


def holds(values: np.ndarray, what: str) -> np.ndarray:
    """Whether the claim that the mean is above 0 (significantly) holds, row by row; NaN does not count."""
    count, total = np.sum(~np.isnan(values), axis=1), np.nansum(values, axis=1)
    ahead = total > 1e-11
    if what == "sign":
        return ahead
    mean = total / np.maximum(count, 1)
    squares = np.nansum((values - mean[:, None]) ** 2, axis=1)
    flat = squares < 1e-18
    error = np.sqrt(np.where(flat, 1.0, squares) / np.maximum(count - 1, 1) / np.maximum(count, 1))
    p = np.where(flat, 0.0, 2 * student.sf(np.abs(mean) / error, np.maximum(count - 1, 1)))
    return ahead & (count > 1) & (p < LEVEL)


def fewest(undone: np.ndarray, number: np.ndarray) -> int | None:
    return int(number[undone].min()) if undone.any() else None


def check(c: rd.Collection, name: str, ways: list[tuple[np.ndarray, np.ndarray]]) -> int:
    """Compare `flip` with all subsets; returned is how many claims there were."""
    as_judged = np.array([values[0] for values, _ in ways])
    if np.isnan(as_judged).all():
        return 0
    found = c.flip("old", "new", name, level=LEVEL)
    assert found.difference == pytest.approx(np.nanmean(as_judged), abs=1e-12)
    side = 1.0 if np.nansum(as_judged) >= 0 else -1.0
    places = [grid.ravel() for grid in np.meshgrid(*(np.arange(len(values)) for values, _ in ways), indexing="ij")]
    under = side * np.array([values[place] for (values, _), place in zip(ways, places, strict=True)]).T
    reversed_ = sum(numbers[place] for (_, numbers), place in zip(ways, places, strict=True))
    counted = side * as_judged[~np.isnan(as_judged)]
    left_out = (np.arange(2 ** len(counted) - 1)[:, None] >> np.arange(len(counted)) & 1) == 1  # never all of them
    claims = 0
    for what in ("sign", "significance"):
        stands = holds(under, what)
        topics, judgments = (getattr(found, f"{what}_by_{things}") for things in ("topics", "judgments"))
        if not stands[0]:
            assert topics is None
            assert judgments is None
            continue
        claims += 1
        least_topics = fewest(~holds(np.where(left_out, np.nan, counted), what), left_out.sum(axis=1))
        for answer, least in ((topics, least_topics), (judgments, fewest(~stands, reversed_))):
            assert (answer.count, answer.exact, answer.impossible) == (least, least is not None, least is None)
    return claims


def collections(name: str, seeds: range, topics: tuple[int, int], most: int) -> Iterator[tuple[rd.Collection, Any]]:
    for seed in seeds:
        rng = np.random.default_rng([seed, len(name)])
        number = int(rng.integers(topics[0], topics[1] + 1))
        qrels, runs = a_collection(rng, number, int(rng.integers(number, most + 1)))
        rules = RULES[int(rng.integers(len(RULES)))]
        grades = sorted({grade for of in qrels.values() for grade in of.values()})
        rel = 1 if "rel=1" in name else rules.get("rel", 1)
        turn = {grade: 0.0 if grade >= rel else min(g for g in grades if g >= rel) for grade in grades}
        scores = {
            run: {topic: {d: -float(i) for i, d in enumerate(ranking)} for topic, ranking in of.items()}
            for run, of in runs.items()
        }
        of = every_difference(rules.get("rel", 1), graded=sum(grade >= rel for grade in grades) > 1)[name]
        yield rd.align(qrels, scores, **rules), list(reversals(of, turn, qrels, runs, rules))


@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(30, 600), marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMES)
def test_no_smaller_set_of_topics_or_judgments_undoes_the_verdict(name: str, seeds: range) -> None:
    assert sum(check(c, name, ways) for c, ways in collections(name, seeds, (1, 6), 10)) > len(seeds) / 2


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 50), marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMES)
def test_nor_does_one_of_twelve_topics_and_twelve_judgments(name: str, seeds: range) -> None:
    assert sum(check(c, name, ways) for c, ways in collections(name, seeds, (12, 12), 12)) > 0
