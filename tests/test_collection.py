"""The collection against what a loop over nested dicts gives, and its views against collections made anew."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import NOT_RETRIEVED
from strategies import Grades, Scores, collections


def order(ranking: dict[str, float]) -> list[str]:
    """Score descending, then document id descending: the order of trec_eval."""
    return sorted(ranking, key=lambda document: (ranking[document], document), reverse=True)


def ranks(c: Collection) -> dict[tuple[str, str, str], int]:
    """The rank matrix as a dict, without zeros."""
    documents = list(c.documents)
    return {
        (c.systems[s], c.queries[c.query_of[d]], documents[d]): int(c.rank[s, d]) for s, d in np.argwhere(c.rank > 0)
    }


def loop_ranks(qrels: Grades, runs: Scores) -> dict[tuple[str, str, str], int]:
    return {
        (run, query, document): place
        for run, topics in runs.items()
        for query, ranking in topics.items()
        for place, document in enumerate(order(ranking), 1)
        if document in qrels.get(query, {})
    }


@given(collections())
def test_the_rank_matrix_is_what_a_loop_finds(made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    c = align(qrels, runs)
    assert c.queries == tuple(sorted(qrels))
    assert c.systems == tuple(runs)
    assert ranks(c) == loop_ranks(qrels, runs)
    for s, run in enumerate(c.systems):
        for q, query in enumerate(c.queries):
            assert c.depth[s, q] == len(runs[run].get(query, ()))
            assert c.answered[s, q] == (query in runs[run])


@given(collections(), st.integers(1, 3))
def test_hits_and_levels_are_the_sorted_ranks(made: tuple[Grades, Scores], rel: int) -> None:
    qrels, runs = made
    c = align(qrels, runs)
    population, hits, levels = c.relevant(rel), c.hits(rel), c.levels(rel)
    for s, run in enumerate(c.systems):
        for q, query in enumerate(c.queries):
            relevant = {document for document, grade in qrels[query].items() if grade >= rel}
            found = [i for i, d in enumerate(order(runs[run].get(query, {})), 1) if d in relevant]
            mine = hits.where(hits.ranking == s * len(c.queries) + q)
            assert mine.rank.tolist() == found
            assert mine.level.tolist() == list(range(1, len(found) + 1))
            assert hits.count[s, q] == len(found)
            lost = [NOT_RETRIEVED] * (len(relevant) - len(found))
            assert levels[s, population.start[q] : population.start[q + 1]].tolist() == found + lost
            assert population.size[q] == len(relevant)


@given(collections())
def test_a_sum_over_hits_adds_within_each_ranking(made: tuple[Grades, Scores]) -> None:
    c = align(*made)
    hits = c.judged_hits()
    values = hits.rank * 0.1
    expected = np.zeros(c.depth.shape)
    for ranking, value in zip(hits.ranking, values, strict=True):
        expected[divmod(int(ranking), len(c.queries))] += value
    assert np.array_equal(hits.sum(values), expected)
    running = hits.running(hits.rank)
    assert all(
        running[i] == hits.rank[: i + 1][hits.ranking[: i + 1] == hits.ranking[i]].sum() for i in range(len(running))
    )


def same(a: Collection, b: Collection) -> None:
    """Two collections hold the same."""
    assert (a.systems, a.queries, list(a.documents)) == (b.systems, b.queries, list(b.documents))
    for name in ("start", "grade", "rank", "depth", "answered"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert a.sign() == b.sign()


@given(collections(), st.data())
def test_views_by_system_and_query_equal_a_collection_made_of_them(
    made: tuple[Grades, Scores], data: st.DataObject
) -> None:
    qrels, runs = made
    c = align(qrels, runs)
    chosen = data.draw(st.lists(st.sampled_from(c.queries), min_size=1, unique=True))
    kept_runs = data.draw(st.lists(st.sampled_from(c.systems), min_size=1, unique=True))
    view = c.select(systems=kept_runs, queries=chosen)
    assert ranks(view) == loop_ranks({q: qrels[q] for q in chosen}, {run: runs[run] for run in kept_runs})
    assert view.systems == tuple(kept_runs)
    assert view.queries == tuple(sorted(chosen))
    same(view, c.select(queries=np.isin(c.queries, chosen)).select(systems=kept_runs))


@given(collections(), st.integers(1, 6))
def test_a_cut_is_what_shorter_runs_give(made: tuple[Grades, Scores], depth: int) -> None:
    qrels, runs = made
    shorter = {
        run: {query: {d: ranking[d] for d in order(ranking)[:depth]} for query, ranking in topics.items()}
        for run, topics in runs.items()
    }
    cut, anew = align(qrels, runs).cut(depth), align(qrels, shorter)
    assert np.array_equal(cut.rank, anew.rank)
    assert np.array_equal(cut.depth, anew.depth)
    assert np.array_equal(align(qrels, runs, depth=depth).rank, cut.rank)


@given(collections())
def test_condensed_lists_are_what_runs_of_judged_documents_give(made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    judged = {
        run: {
            query: {d: score for d, score in ranking.items() if qrels.get(query, {}).get(d, -1) >= 0}
            for query, ranking in topics.items()
        }
        for run, topics in runs.items()
    }
    condensed = align(qrels, runs, judged_only=True)
    assert ranks(condensed) == {
        (run, query, document): place
        for (run, query, document), place in loop_ranks(qrels, judged).items()
        if qrels[query][document] >= 0
    }
    assert [[len(judged[run].get(q, ())) for q in condensed.queries] for run in condensed.systems] == (
        condensed.depth.tolist()
    )


@given(collections())
def test_labels_taken_away_make_documents_unjudged(made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    c = align(qrels, runs)
    kept = np.arange(len(c.grade)) % 2 == 0
    view = c.keep_labels(kept)
    assert view.rank is c.rank
    assert view.relevant(1).size.sum() == np.count_nonzero(c.grade[kept] >= 1)
    assert set(view.judged_hits().column) <= set(np.flatnonzero(kept))


def test_a_slice_of_systems_shares_the_matrix() -> None:
    c = align({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}})
    assert np.shares_memory(c.select(systems=slice(1, 2)).rank, c.rank)
    assert c.at(2).rank is c.rank
    assert all(np.shares_memory(block.rank, c.rank) and block.peers is c for block in c.blocks(1))


def test_unknown_names_are_refused_with_a_hint() -> None:
    c = align({"q12": {"d": 1}}, {"bm25": {"q12": {"d": 1.0}}})
    with pytest.raises(UnknownNameError, match=r"no run is called .bm52.: did you mean bm25\?"):
        c.select(systems=["bm52"])
    with pytest.raises(UnknownNameError, match="no topic is called 'q21'"):
        c.select(queries=["q21"])


def test_the_corpus_size_is_the_pool_and_the_relevant_documents() -> None:
    qrels = {"q": {"d1": 1, "d2": 1, "d3": 0}}
    runs = {"a": {"q": {"d1": 2.0, "x": 1.0}}, "b": {"q": {"x": 2.0, "y": 1.0}}}
    c = align(qrels, runs, pool=True)
    assert c.n(1).tolist() == [4], "d1, x, y were retrieved, d2 is relevant; d3 is neither"
    assert c.cut(1).n(1).tolist() == [4], "a cut does not shrink the corpus"
    unlabeled = c.keep_labels(np.array([True, False, True]))
    assert unlabeled.n(1).tolist() == [4], "nor does taking away the label of d2, which no run retrieved"
    assert unlabeled.select(queries=["q"]).n(1).tolist() == [4]
    assert align(qrels, runs, corpus_size={"q": 10}).n(1).tolist() == [10]


def test_a_corpus_too_small_for_a_ranking_is_refused_with_the_least_size() -> None:
    qrels, runs = {"q": {"d1": 1, "d2": 1}}, {"short": {"q": {"d1": 1.0}}, "long": {"q": {"x": 2.0, "y": 1.0}}}
    with pytest.raises(UsageError, match=r"run long returned and missed 4 documents .* at least 4"):
        align(qrels, runs, corpus_size=3).n(1)
    with pytest.raises(UsageError, match=r"pool=True \(--pool\).*corpus_size=N \(--corpus-size N\)"):
        align(qrels, runs).n(1)


@given(collections())
def test_the_signature_is_that_of_the_content_not_of_its_order(made: tuple[Grades, Scores]) -> None:
    qrels, runs = made
    turned = {query: dict(reversed(grades.items())) for query, grades in reversed(qrels.items())}
    assert align(qrels, runs).sign("AP") == align(turned, dict(reversed(runs.items()))).sign("AP")


def test_the_signature_tells_rules_and_data_apart() -> None:
    qrels, run = {"q": {"d1": 1, "d2": 2}}, {"a": {"q": {"d1": 1.0}}}
    c = align(qrels, run)
    others = [
        align(qrels, run, ties="file"),
        align(qrels, run, precision="single"),
        align(qrels, run, missing="skip"),
        align(qrels, run, no_relevant="drop"),
        align(qrels, run, depth=5),
        align(qrels, run, judged_only=True),
        align(qrels, run, rel=2),
        align({"q": {"d1": 1, "d2": 1}}, run),
        align(qrels, {"b": {"q": {"d1": 1.0}}}),
        align(qrels, {"a": {"q": {"d2": 1.0}}}),
        align(qrels, run, reference=c),
        align(qrels, run, pool=True),
        align(qrels, run, corpus_size=10),
    ]
    signatures = [other.sign("AP") for other in (c, *others)]
    assert len(set(signatures)) == len(signatures)
    assert signatures[0].startswith("rankdiff 0.1.0|AP|ties:docid-desc|missing:zero|rel:1|queries:1|systems:1|qrels:")
