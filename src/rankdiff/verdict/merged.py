"""Preferences when some unjudged documents turn out to be relevant, at the best ranks of one run and the worst of the
other."""

from __future__ import annotations

import numpy as np

from rankdiff.collection import Collection
from rankdiff.hits import NOT_RETRIEVED, FloatArray, IntArray
from rankdiff.preferences import Preference
from rankdiff.preferences.comparisons import sign
from rankdiff.verdict.ratios import Choices
from rankdiff.verdict.unjudged import Slots, slots
from rankdiff.weights import Weights, find_weight


def largest_preference(preference: Preference, pair: Collection, depth: int | None) -> FloatArray:
    """The most that the second of two runs can be preferred to the first, per query."""
    name, given = preference.definition.name, preference.parameters
    rel = given.get("rel")
    least = pair.rules.rel if rel is None else rel
    grades = pair.grades[pair.grades >= least] if name == "RPP" and rel is None else np.array([least])
    found = slots(pair, depth, least)
    largest = np.zeros(len(pair.queries))
    levels = [(pair.levels(grade), pair.relevant(grade).start) for grade in grades]
    for query in range(len(pair.queries)):
        documents = slice(pair.start[query], pair.start[query + 1])
        absent = np.array([not np.any(pair.grade[documents] == grade) for grade in grades])
        parts, wholes = [], []
        for ranks, start in levels:
            ours, theirs = merged(found, query, ranks[:, start[query] : start[query + 1]])
            size = np.arange(len(ours)) + start[query + 1] - start[query]
            if name == "RPP":
                parts.append(_recall_paired(ours, theirs, size, given.get("weights", "uniform")))
                wholes.append(size * 1.0)
            else:
                parts.append(_lexicographic(ours, theirs, from_bottom=name == "sgnLR"))
                wholes.append(np.zeros(len(size)))
        choices = Choices(
            np.zeros(()),
            np.array(parts),
            np.array(wholes),
            constant=0.0 if name == "RPP" else 1.0,
            optional=absent if len(grades) > 1 else None,
        )
        largest[query] = choices.largest()
    return largest


def merged(found: Slots, query: int, ranks: IntArray) -> tuple[IntArray, IntArray]:
    """The candidate's and the baseline's ranks by recall level with 0, 1, 2, … more relevant documents: a row each.

    Where the candidate has no more unjudged documents within the depth of judging, the further ones are the baseline's.
    """
    baseline, candidate = ranks
    ours_within, theirs_within = int(found.within[1, query]), int(found.within[0, query])
    number = np.arange(ours_within + theirs_within + 1)
    best, worst = (listed[run, query] for listed, run in ((found.best, 1), (found.worst, 0)))
    ours = _inserted(candidate, best, np.minimum(number, np.count_nonzero(best)), len(number) - 1)
    theirs = _inserted(baseline, worst, np.maximum(number - ours_within, 0), len(number) - 1)
    return ours, theirs


def _inserted(ranks: IntArray, further: IntArray, number: IntArray, most: int) -> IntArray:
    """Rankings with the first so many of further ranks inserted; as many documents in each that are not retrieved."""
    width = min(most, len(further))
    added = np.full((len(number), most), NOT_RETRIEVED, np.int32)
    used = np.arange(width) < number[:, None]
    added[:, :width] = np.where(used, further[:width], NOT_RETRIEVED)
    return np.sort(np.hstack([np.broadcast_to(ranks, (len(number), len(ranks))), added]), axis=1)


def _recall_paired(ours: IntArray, theirs: IntArray, size: IntArray, weights: Weights) -> FloatArray:
    """``size · RPP`` of each row, whose first ``size`` levels count."""
    level = np.arange(1, ours.shape[1] + 1)
    weight = np.asarray(find_weight(weights)(level), np.float64) * np.ones(len(level))
    counts = level <= size[:, None]
    total = np.sum(np.where(counts, weight, 0.0), axis=1)
    won = np.sum(np.where(counts, weight * sign(ours, theirs), 0.0), axis=1)
    return np.asarray(np.divide(size * won, total, out=np.zeros(len(size)), where=total > 0))


def _lexicographic(ours: IntArray, theirs: IntArray, from_bottom: bool) -> FloatArray:
    """The sign at the first (last) level that differs; levels that neither reaches do not."""
    signs = sign(ours, theirs)
    if from_bottom:
        signs = signs[:, ::-1]
    if not signs.shape[1]:
        return np.zeros(len(signs))
    return np.asarray(np.take_along_axis(signs, (signs != 0).argmax(axis=1)[:, None], axis=1)[:, 0], np.float64)
