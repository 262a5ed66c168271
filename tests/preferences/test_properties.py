"""What holds for preferences whatever the rankings: §3 of the definitions, property by property."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.ids import Ids
from rankdiff.preferences import find
from strategies import Grades, Scores, collections

BINARY = ("RPP(rel=1)", "RPP(weights='dcg', rel=1)", "RPP(weights='inverse', rel=1)", "sgnLP", "sgnLR")
ALL = (*BINARY, "RPP", "RPP(weights='dcg')", "rrLP", "rrLR", "OI", "OI(browsing='dcg')", "AP", "sgn(AP)", "sgn(RPP)")


def collection_of(rankings: list[tuple[int, ...]], retrieved: int = 10**6) -> Collection:
    """One query, the relevant documents of each ranking at the given ranks; those behind ``retrieved`` are missed."""
    rank = np.array(rankings, np.int32)
    rank[rank > retrieved] = 0
    systems, relevant = rank.shape
    return Collection(
        systems=tuple(str(i) for i in range(systems)),
        queries=("q",),
        documents=Ids.of(range(relevant)),
        start=np.array([0, relevant]),
        grade=np.ones(relevant),
        rank=rank,
        depth=np.full((systems, 1), min(retrieved, int(rank.max()))),
        answered=np.ones((systems, 1), bool),
    )


@st.composite
def arrangements(draw: st.DrawFn, rankings: int = 2, most: int = 6) -> list[tuple[int, ...]]:
    relevant = draw(st.integers(1, most))
    ranks = st.lists(st.integers(1, 40), min_size=relevant, max_size=relevant, unique=True)
    return [tuple(sorted(draw(ranks))) for _ in range(rankings)]


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=30)
@given(made=collections())
def test_antisymmetric_and_zero_against_itself(name: str, made: tuple[Grades, Scores]) -> None:
    c = align(*made)
    preferences = c.prefer(name)
    for run in c.systems:
        assert not preferences[run, run].any()
        for other in c.systems:
            np.testing.assert_array_equal(preferences[run, other], -preferences[other, run])
    matrix = preferences.matrix()
    np.testing.assert_array_equal(matrix, -matrix.T)
    low, high = preferences.preference.definition.range
    assert np.all((matrix >= low) & (matrix <= high))


@given(arrangements(), st.integers(1, 45))
def test_lexiprecision_agrees_with_rr_and_lexirecall_with_tse_where_those_differ(
    rankings: list[tuple[int, ...]], retrieved: int
) -> None:
    c = collection_of(rankings, retrieved)
    for lexicographic, measure in (("sgnLP", "sgn(RR)"), ("sgnLR", "sgn(TSE)"), ("sgnLR", "sgn(TSE(exposure='ndcg'))")):
        sign = c.prefer(measure)["0", "1"]
        assert sign in (0, c.prefer(lexicographic)["0", "1"])


@given(arrangements(most=1), st.integers(1, 45))
def test_with_one_relevant_document_all_are_the_sign_of_the_reciprocal_rank(
    rankings: list[tuple[int, ...]], retrieved: int
) -> None:
    c = collection_of(rankings, retrieved)
    signs = {name: c.prefer(name)["0", "1"].item() for name in ("RPP", "sgnLP", "sgnLR", "sgn(RR)")}
    assert len(set(signs.values())) == 1


@given(arrangements(), st.integers(1, 45), st.fractions(Fraction(1, 100), Fraction(1, 2)))
def test_lexiprecision_has_the_sign_of_rbp_with_impatient_users(
    rankings: list[tuple[int, ...]], retrieved: int, persistence: Fraction
) -> None:
    """In exact arithmetic: floats lose the tail."""
    ours, theirs = (sum(persistence**rank for rank in ranking if rank <= retrieved) for ranking in rankings)
    assert collection_of(rankings, retrieved).prefer("sgnLP")["0", "1"] == (ours > theirs) - (ours < theirs)


@given(arrangements(rankings=3), st.integers(1, 45))
def test_lexicographic_preferences_are_transitive(rankings: list[tuple[int, ...]], retrieved: int) -> None:
    c = collection_of(rankings, retrieved)
    for name in ("sgnLP", "sgnLR"):
        sign = c.prefer(name).matrix()
        for a, b, d in permutations(range(3)):
            if sign[a, b] >= 0 and sign[b, d] >= 0:
                assert sign[a, d] == max(sign[a, b], sign[b, d])


def test_recall_paired_preference_is_not_transitive() -> None:
    cycle = collection_of([(1, 5, 6), (2, 3, 7), (3, 4, 5)]).prefer("RPP")
    assert min(cycle["0", "1"], cycle["1", "2"], cycle["2", "0"]) == pytest.approx(1 / 3)


@given(arrangements(rankings=2), st.data())
def test_moving_a_relevant_document_up_never_hurts(rankings: list[tuple[int, ...]], data: st.DataObject) -> None:
    before, third = rankings
    moving = data.draw(st.sampled_from(before))
    target = data.draw(st.sampled_from([rank for rank in range(1, moving + 1) if rank == moving or rank not in before]))
    moved = tuple(sorted({*before} - {moving} | {target}))
    c = collection_of([moved, before, third])
    for name in BINARY:
        preferences = c.prefer(name)
        assert preferences["0", "1"] >= 0
        assert preferences["0", "2"] >= preferences["1", "2"]
    for name in ("rrLP", "rrLR"):
        preferences = c.prefer(name)
        assert preferences["0", "1"] >= 0
        assert np.sign(preferences["0", "2"]) >= np.sign(preferences["1", "2"])


@given(made=collections(systems=(2, 2)), data=st.data())
def test_moving_a_document_past_what_nobody_wants_never_hurts_graded_preferences(
    made: tuple[Grades, Scores], data: st.DataObject
) -> None:
    qrels, runs = made
    topic = next(iter(qrels))
    ranking = sorted(runs[next(iter(runs))].get(topic, {"x1": 1.0}))
    swaps = [
        i for i in range(len(ranking) - 1) if qrels[topic].get(ranking[i + 1], 0) > 0 >= qrels[topic].get(ranking[i], 0)
    ]
    if not swaps:
        return
    at = data.draw(st.sampled_from(swaps))
    moved = [*ranking[:at], ranking[at + 1], ranking[at], *ranking[at + 2 :]]
    scored = [{topic: {d: -float(i) for i, d in enumerate(documents)}} for documents in (moved, ranking)]
    third = runs[list(runs)[1]]
    c = align(qrels, {"moved": scored[0], "before": scored[1], "third": third})
    labels = {f"d{i}": "xyz"[: i % 4] for i in range(12)}
    labelled = any(grade >= 1 and labels[d] for grades in qrels.values() for d, grade in grades.items())
    for weights in ("uniform", "dcg", "inverse"):
        of_labels = [find("STRPP").definition(labels=labels, weights=weights)] * labelled
        for asked in (f"RPP(weights='{weights}')", *of_labels):
            preferences = c.prefer(asked)
            assert preferences.matrix()[0, 1] >= 0
            assert np.all(preferences["moved", "third"] >= preferences["before", "third"] - 1e-12)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=30)
@given(made=collections(systems=(2, 4)), data=st.data())
def test_names_and_order_of_runs_and_documents_do_not_matter(
    name: str, made: tuple[Grades, Scores], data: st.DataObject
) -> None:
    """Documents are renamed so that ties in scores are broken as before."""
    qrels, runs = made
    shuffled = data.draw(st.permutations(list(runs)))
    renamed = {run: f"run {i}" for i, run in enumerate(data.draw(st.permutations(list(runs))))}
    as_renamed = {
        renamed[run]: {q: {f"doc {d}": score for d, score in ranking.items()} for q, ranking in runs[run].items()}
        for run in shuffled
    }
    as_judged = {q: {f"doc {d}": grade for d, grade in reversed(docs.items())} for q, docs in qrels.items()}
    ours, theirs = align(qrels, runs).prefer(name), align(as_judged, as_renamed).prefer(name)
    for a, b in combinations(runs, 2):
        np.testing.assert_array_equal(ours[a, b], theirs[renamed[a], renamed[b]])


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=30)
@given(made=collections(systems=(2, 4)))
def test_win_rates_are_the_row_sums_of_the_matrix_of_each_query(name: str, made: tuple[Grades, Scores]) -> None:
    c = align(*made)
    preferences = c.prefer(name)
    rows = np.array([[preferences[run, other] for other in c.systems] for run in c.systems]).sum(axis=1)
    np.testing.assert_allclose(preferences.win_rates(), rows / (len(c.systems) - 1), atol=1e-12)


def subsets(ranking: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [wanted for size in range(1, len(ranking) + 1) for wanted in combinations(ranking, size)]


UTILITIES = {
    "AP": lambda wanted, _: sum(Fraction(i, rank) for i, rank in enumerate(wanted, 1)) / len(wanted),
    "RR": lambda wanted, _: Fraction(1, wanted[0]),
    "RBP": lambda wanted, _: sum(Fraction(3, 4) ** (rank - 1) for rank in wanted) / 4,
    "linear": lambda wanted, n: sum(1 - Fraction(rank, n) for rank in wanted) / len(wanted),
    "nDCG": lambda wanted, _: round(
        sum(1 / np.log2(rank + 1) for rank in wanted) / sum(1 / np.log2(i + 2) for i in range(len(wanted))), 12
    ),
}


def assert_same_order(preference: str, keys: list[tuple[Fraction, ...]], rankings: list[tuple[int, ...]]) -> None:
    """A preference over all arrangements at once is the order of their keys."""
    place_of = {key: place for place, key in enumerate(sorted(set(keys)))}
    place = np.array([place_of[key] for key in keys])
    signs = collection_of(rankings).prefer(preference).matrix()
    np.testing.assert_array_equal(signs, np.sign(place[:, None] - place[None, :]))


@pytest.mark.parametrize("relevant", range(1, 6))
@pytest.mark.parametrize("utility", UTILITIES)
def test_lexirecall_is_the_leximin_order_of_all_users_for_every_arrangement(utility: str, relevant: int) -> None:
    """All 2^m − 1 users, worst off first: the ranking that serves the first one it serves differently better."""
    for corpus in range(relevant, 10):
        rankings = list(combinations(range(1, corpus + 1), relevant))
        keys = [tuple(sorted(UTILITIES[utility](wanted, corpus) for wanted in subsets(r))) for r in rankings]
        assert_same_order("sgnLR", keys, rankings)


@pytest.mark.parametrize("relevant", range(1, 6))
def test_lexiprecision_is_the_leximax_order_of_users_who_want_one_document(relevant: int) -> None:
    for corpus in range(relevant, 10):
        rankings = list(combinations(range(1, corpus + 1), relevant))
        utilities = [[UTILITIES["RR"](wanted, corpus) for wanted in subsets(ranking)] for ranking in rankings]
        assert_same_order("sgnLP", [tuple(sorted(values, reverse=True)) for values in utilities], rankings)


def test_with_average_precision_the_leximax_order_is_another() -> None:
    """(3,5,8) against (4,5,6): the best-off user under AP wants everything, and is better served by the second."""
    rankings = [(3, 5, 8), (4, 5, 6)]
    best_off = [max(UTILITIES["AP"](wanted, 8) for wanted in subsets(ranking)) for ranking in rankings]
    assert best_off[0] < best_off[1]
    assert collection_of(rankings).prefer("sgnLP")["0", "1"] == 1
