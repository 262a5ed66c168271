"""Small random collections, of which everything can be enumerated."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

import rankdiff as rd
from rankdiff.ids import Ids

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, dict[str, float]]]


def world(rng: np.random.Generator, judged: int, unjudged: int = 2, grades: int = 3) -> tuple[Grades, Scores]:
    """One to four topics with so many judged documents in all, two runs that rank some of their documents."""
    topics = int(rng.integers(1, 5))
    qrels: Grades = {}
    runs: Scores = {"old": {}, "new": {}}
    for topic in range(topics):
        documents = [f"d{i}" for i in range(judged // topics)]
        qrels[f"q{topic}"] = {document: int(rng.integers(0, grades + 1)) for document in documents}
        everything = [*documents, *(f"x{i}" for i in range(unjudged))]
        for run in runs.values():
            ranking = rng.permutation(everything)[: rng.integers(1, len(everything) + 1)]
            run[f"q{topic}"] = {str(document): float(-place) for place, document in enumerate(ranking)}
    qrels["q0"]["d0"] = 1
    return qrels, runs


def small(rng: np.random.Generator, judged: int, unjudged: int = 2, grades: int = 3) -> rd.Collection:
    """Such a world as a collection."""
    return rd.align(*world(rng, judged, unjudged, grades))


def every_judging(c: rd.Collection, grades: range) -> rd.Collection:
    """A query for each way of giving the unjudged documents (those without a label) a grade."""
    unjudged = np.flatnonzero(np.isnan(c.grade))
    ways = np.array(list(product(map(float, grades), repeat=len(unjudged))))
    grade = np.tile(c.grade, (len(ways), 1))
    grade[:, unjudged] = ways
    copies = np.zeros(len(ways), np.int64)
    return replace(
        c,
        queries=tuple(f"way {i}" for i in range(len(ways))),
        documents=Ids.of(range(grade.size)),
        start=np.arange(len(ways) + 1) * len(c.grade),
        grade=grade.ravel(),
        grade_as_read=None,
        rank=np.tile(c.rank, len(ways)),
        depth=c.depth[:, copies],
        answered=c.answered[:, copies],
        corpus_size=None if c.corpus_size is None else c.corpus_size[copies],
        _derived={},
        _judged={},
    )
