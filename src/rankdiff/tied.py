"""Groups of equal scores: between which ranks each judged document could stand, were ties ordered otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankdiff.hits import BoolArray, IntArray
from rankdiff.read import Judgments, Listing, Runs, inspect


@dataclass(frozen=True, eq=False)
class Tied:
    """The tie group of each judged document in each run, system × document: its first rank, and how many documents
    it holds; 0 where a document is not retrieved."""

    first: IntArray
    size: IntArray

    def rows(self, systems: Any) -> Tied:
        """Those of some systems."""
        return Tied(self.first[systems], self.size[systems])

    def columns(self, documents: IntArray) -> Tied:
        """Those of some documents."""
        return Tied(self.first[:, documents], self.size[:, documents])

    def above(self, others: Tied) -> Tied:
        """With those of other systems below."""
        return Tied(np.vstack([self.first, others.first]), np.vstack([self.size, others.size]))


def find_ties(judgments: Judgments, runs: Runs, systems: tuple[str, ...], **reading: Any) -> Tied:
    """Read runs for the scores that tie; ``reading`` are keywords of `rankdiff.read.inspect`.

    >>> from rankdiff.read import read_qrels, read_runs
    >>> judgments = read_qrels({"q": {"a": 1, "b": 0}})
    >>> tied = find_ties(judgments, read_runs({"r": {"q": {"x": 9, "b": 5, "a": 5, "y": 5}}}), ("r",))
    >>> tied.first.tolist(), tied.size.tolist()
    ([[2, 2]], [[3, 3]])
    """
    first, size = (np.zeros((len(systems), len(judgments.documents)), np.int32) for _ in range(2))
    row = {name: i for i, name in enumerate(systems)}
    single = reading.get("precision") == "single"
    for found in inspect(judgments, runs, **reading):
        if not isinstance(found, Listing) or found.system not in row:
            continue
        begins, held = _groups(found, single)
        judged = found.column >= 0
        first[row[found.system], found.column[judged]] = begins[judged]
        size[row[found.system], found.column[judged]] = held[judged]
    return Tied(first, size)


def _groups(listing: Listing, single: bool) -> tuple[IntArray, IntArray]:
    """Of each document listed, the first rank and the size of its tie group."""
    score = listing.score.astype(np.float32) if single else listing.score
    new_topic = _changes(listing.query)
    new_group = new_topic | _changes(score)
    place = np.arange(len(score))
    topic_begins = np.maximum.accumulate(np.where(new_topic, place, 0))
    group = np.cumsum(new_group) - 1
    begins = np.flatnonzero(new_group)[group] if len(group) else place
    return begins - topic_begins + 1, np.bincount(group)[group] if len(group) else place


def _changes(values: Any) -> BoolArray:
    return np.append(True, values[1:] != values[:-1])[: len(values)]
