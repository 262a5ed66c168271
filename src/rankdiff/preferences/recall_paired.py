"""Recall-paired preference: at each recall level, which ranking lets its users stop earlier?"""

from __future__ import annotations

from pathlib import Path

from rankdiff.collection import Collection
from rankdiff.measures.labelled import Labels
from rankdiff.preferences.definition import preference
from rankdiff.preferences.pairs import Pairs, expect
from rankdiff.preferences.populations import by_grade, by_label, by_subtopic, everybody, join
from rankdiff.weights import Weights

DIAZ_FERRARO_2022 = "Diaz & Ferraro 2022, Offline Retrieval Evaluation Without Evaluation Metrics"


@preference("RPP", citation=DIAZ_FERRARO_2022)
def recall_paired(c: Collection, weights: Weights = "uniform", rel: float | None = None) -> Pairs:
    """The share of users, by how many relevant documents they want, for whom a ranking is better, less the share
    for whom it is worse.

    ``RPP = Σ_i w(i) · sgn(p'_i − p_i)``, for each grade ``λ`` of the query over the documents of grade ``λ`` or
    more, weighted by ``p(λ) ∝ m_λ``; with ``rel``, binary, over the documents of grade ``rel`` or more. ``weights``
    is ``uniform``, ``dcg`` (``∝ 1/log2(i+1)``), ``inverse`` (``∝ 1/i``), numbers level by level (``[3, 2, 1]``, nobody
    wanting more than three), or any function of the recall level.
    A level that neither ranking reaches is a tie, one that only one reaches is its win. Not transitive.

    >>> from rankdiff.alignment import align
    >>> runs = {"x": {"q": {"a": 9, "n": 8, "m": 7, "b": 6}}, "y": {"q": {"n": 9, "a": 8, "b": 7}}}
    >>> c = align({"q": {"a": 1, "b": 1, "c": 1}}, runs)  # level 1: x; level 2: y; level 3: neither
    >>> c.prefer("RPP")["x", "y"], c.prefer("RPP(weights='inverse')")["x", "y"].round(3)  # (1 − 1/2) / (11/6)
    (array([0.]), array([0.273]))
    """
    return expect(c, by_grade(c, c.rules.rel) if rel is None else everybody(c, rel), weights)


@preference("STRPP", citation=DIAZ_FERRARO_2022)
def subtopic_recall_paired(
    c: Collection, weights: Weights = "uniform", rel: float = 1, labels: Labels | str | Path | None = None
) -> Pairs:
    """Recall-paired preference over the users of every subtopic, and those whom any relevant document satisfies.

    For each subtopic ``t`` RPP over the documents relevant to ``t``, weighted by ``p(t) ∝`` their number, beside the
    background population of all relevant documents with ``p(t*) ∝ m``. ``labels`` takes the place of the
    judgments' subtopics: a mapping from documents to genres, providers, …, or a file of two columns.

    >>> from rankdiff.alignment import align
    >>> c = align({"q": {"a": 1, "b": 1}}, {"x": {"q": {"a": 9}}, "y": {"q": {"n": 9, "b": 8}}})
    >>> st_rpp = subtopic_recall_paired(labels={"a": "red", "b": "blue"})
    >>> c.prefer(st_rpp)["x", "y"]  # red: 1/4 · 1; blue: 1/4 · −1; all: 2/4 · (1 + 0)/2
    array([0.25])
    """
    subtopics = by_subtopic(c, rel) if labels is None else by_label(c, labels, rel)
    return expect(c, join(subtopics, everybody(c, rel)), weights)
