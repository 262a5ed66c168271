"""Against pytrec_eval-terrier, live, on generated collections: graded, tied, incomplete, partly unjudged."""

from __future__ import annotations

import math

import pytest
import pytrec_eval
from hypothesis import assume, given
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.measures import evaluate, find
from strategies import Grades, Scores, collections

TEXT = {"runid", "relstring"}
ROUNDED_OTHERWISE = {"iprec_at_recall", "11pt_avg"}
"""pytrec_eval embeds trec_eval 9, which takes ``⌊x·R + 0.9⌋`` documents for a recall of x where 10 rounds."""
MEASURES = pytrec_eval.supported_measures - TEXT - ROUNDED_OTHERWISE


@given(collections(grades=(-1, 3)), st.integers(1, 2))
def test_every_measure_that_it_supports(made: tuple[Grades, Scores], rel: int) -> None:
    qrels, runs = made
    # Where all grades of a topic are negative, trec_eval reads memory that it never wrote, and may never end.
    assume(all(max(grades.values()) >= 0 for grades in qrels.values()))
    c = align(qrels, runs, precision="single").at(rel)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, MEASURES, relevance_level=rel)
    for run, rankings in runs.items():
        for query, values in evaluator.evaluate(rankings).items():
            scores = evaluate(c, [find(name) for name in values])
            assert len(scores.measures) == len(values) > 80
            ours = scores.values[:, c.systems.index(run), c.queries.index(query)]
            for (name, theirs), value in zip(values.items(), ours, strict=True):
                geometric = name.startswith("gm_")
                expected = math.exp(theirs) if geometric else theirs
                assert max(value, 1e-5 if geometric else value) == pytest.approx(expected, rel=1e-12, abs=1e-12), name
