"""The profile against its definition in fractions, and against the preferences that it takes apart."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import rankdiff as rd
from rankdiff.hits import NOT_RETRIEVED
from rankdiff.preferences import find
from strategies import Grades, Scores, collections


def pair_of(ours: list[int], theirs: list[int]) -> rd.Collection:
    """One query whose relevant documents the candidate has at some ranks, and the baseline at others."""
    last = max(ours + theirs)
    documents = [f"d{i}" for i in range(len(ours))]

    def run(ranks: list[int]) -> dict[str, dict[str, float]]:
        at = dict(zip(ranks, documents, strict=True))
        return {"q": {at.get(rank, f"n{rank}"): float(-rank) for rank in range(1, last + 1)}}

    return rd.align({"q": dict.fromkeys(documents, 1)}, {"old": run(theirs), "new": run(ours)})


@given(made=collections(systems=(2, 2)))
def test_the_tenths_are_the_signed_mass_of_each_level_split_across_borders(made: tuple[Grades, Scores]) -> None:
    c = rd.align(*made)
    baseline, candidate = c.systems
    relevant, ranks = c.relevant(1), np.where(c.levels(1) == NOT_RETRIEVED, 10**6, c.levels(1))
    tenths = [Fraction(0)] * 10
    for query in range(len(c.queries)):
        theirs, ours = ranks[:, relevant.start[query] : relevant.start[query + 1]].tolist()
        m = len(ours)
        for level, (p, other) in enumerate(zip(ours, theirs, strict=True), 1):
            for tenth in range(10):
                low, high = (
                    max(Fraction(level - 1, m), Fraction(tenth, 10)),
                    min(Fraction(level, m), Fraction(tenth + 1, 10)),
                )
                tenths[tenth] += max(high - low, Fraction(0)) * ((p < other) - (p > other))
    profile = c.profile(baseline, candidate)
    np.testing.assert_allclose(profile.tenths, [float(mass / len(c.queries)) for mass in tenths], atol=1e-15)
    prefix = np.cumsum([float(mass) for mass in tenths])
    below = [tenth for tenth, total in enumerate(prefix, 1) if total < -1e-12]
    assert profile.crossing == (below[0] / 10 if below else None)


@given(made=collections(systems=(2, 2)))
def test_what_it_takes_apart_adds_up_to_the_preferences(made: tuple[Grades, Scores]) -> None:
    c = rd.align(*made)
    baseline, candidate = c.systems
    profile = c.profile(baseline, candidate)

    def mean(name: str) -> float:
        return float(c.prefer(name)[candidate, baseline].mean())

    assert profile.tenths.sum() == pytest.approx(mean("RPP(rel=1)"), abs=1e-14)
    assert profile.by_share()["sum"][-1] == pytest.approx(mean("RPP(rel=1)"), abs=1e-14)
    assert profile.by_grade()["contribution"].sum() == pytest.approx(mean("RPP"), abs=1e-14)
    labels = {f"d{i}": ("even", "odd")[i % 2] for i in range(12)}
    of_labels = c.prefer(find("STRPP").definition(labels=labels))[candidate, baseline].mean()
    assert profile.by_label(labels)["contribution"].sum() == pytest.approx(of_labels, abs=1e-14)
    for weights in ("uniform", "dcg", "inverse", [3, 2, 1]):
        by_level = profile.by_level(weights)
        assert by_level["preference"].sum() == pytest.approx(mean(f"RPP(weights={weights!r}, rel=1)"), abs=1e-14)


def test_levels_without_a_weight_count_each_query_that_has_them() -> None:
    qrels = {"q": {"a": 1, "b": 1}, "r": {"a": 1}}
    runs = {"old": {"q": {"n": 3, "b": 2, "a": 1}, "r": {"a": 1}}, "new": {"q": {"a": 1}, "r": {"n": 2, "a": 1}}}
    table = rd.align(qrels, runs).profile("old", "new").by_level()
    # Level 1: won for q, lost for r. Level 2: lost for q, which alone has it.
    assert list(table.rows()) == [
        {"level": 1, "queries": 2, "preference": 0.0, "sum": 0.0},
        {"level": 2, "queries": 1, "preference": -0.5, "sum": -0.5},
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "turns", "crossing", "sentence"),
    [
        ([1, 2, 9, 10, 11], [3, 4, 5, 6, 7], [0.4], 0.9,
         "new is better for users who stop before 40 % of the relevant documents, worse after"),
        ([3, 4, 5], [1, 2, 9], [2 / 3], 0.1,
         "new is worse for users who stop before 70 % of the relevant documents, better after"),
        ([1, 5, 6, 12], [2, 3, 7, 8], [0.3, 0.5, 0.8], None, ""),
        ([1, 2], [3, 4], [], None, "new is better for users at every share of the relevant documents"),
        ([1, 2], [1, 2], [], None, "new and old serve all users alike"),
    ],
)  # fmt: skip
def test_it_says_for_whom_the_candidate_is_better_and_where_it_turns(
    ours: list[int], theirs: list[int], turns: list[float], crossing: float | None, sentence: str
) -> None:
    profile = pair_of(ours, theirs).profile("old", "new")
    assert profile.turns == pytest.approx(turns, abs=0.051)
    assert profile.crossing == crossing
    assert sentence in profile.sentence
    assert profile.by_share().notes == (profile.sentence, profile.of_falling_weights)


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        ([1, 2, 9, 10, 11], [3, 4, 5, 6, 7], "prefer new: the sum changes its sign at 90 %"),
        ([3, 4, 5, 6, 7], [1, 2, 9, 10, 11], "prefer old: the sum changes its sign at 90 %"),
        ([1, 5, 6, 12], [2, 3, 7, 8],
         "all users whose weight falls with the share of the relevant documents prefer new"),
        ([2, 4], [1, 3], "all users whose weight falls with the share of the relevant documents prefer old"),
        ([1, 2], [1, 2], "no users whose weight falls"),
    ],
)  # fmt: skip
def test_it_says_whether_all_users_with_falling_weights_agree(ours: list[int], theirs: list[int], said: str) -> None:
    """Their weights are mixtures of those of users who want everything up to a share, all shares alike."""
    profile = pair_of(ours, theirs).profile("old", "new")
    assert said in profile.of_falling_weights
    signs = {np.sign(np.round(total, 12)) for total in np.cumsum(profile.tenths)} - {0}
    assert len(signs) == (2 if profile.of_falling_weights.startswith("not all") else len(signs) and 1)


@given(made=collections(systems=(2, 2)))
def test_all_means_every_weight_that_falls_within_tenths_too(made: tuple[Grades, Scores]) -> None:
    """By brute force over the users who want everything up to a share, alike, for every share at which a level ends."""
    c = rd.align(*made)
    baseline, candidate = c.systems
    relevant, ranks = c.relevant(1), np.where(c.levels(1) == NOT_RETRIEVED, 10**6, c.levels(1)).tolist()
    levels = [
        (int(level), int(relevant.size[group]), (ours < theirs) - (ours > theirs))
        for level, group, theirs, ours in zip(relevant.level, relevant.group, *ranks, strict=True)
    ]

    def upto(share: Fraction) -> Fraction:
        inside = (
            sign * min(max(share - Fraction(level - 1, m), Fraction(0)), Fraction(1, m)) for level, m, sign in levels
        )
        return sum(inside, Fraction(0))

    everywhere = {np.sign(upto(Fraction(level, m))) for level, m, _ in levels} - {0}
    at_tenths = {np.sign(upto(Fraction(tenth, 10))) for tenth in range(1, 11)} - {0}
    said = c.profile(baseline, candidate).of_falling_weights
    winner = {1: candidate, -1: baseline}
    fine, coarse = "users whose weight falls with the share", "users whose weight falls from tenth to tenth"
    if len(everywhere) < 2:
        expected = (
            f"all {fine} of the relevant documents prefer {winner[everywhere.pop()]}" if everywhere else f"no {fine}"
        )
    elif len(at_tenths) < 2:
        prefer = f"all {coarse} of the relevant documents prefer" if at_tenths else f"no {coarse}"
        expected = f"{prefer} {winner[at_tenths.pop()]}, not all" if at_tenths else prefer
    else:
        expected = f"not all {fine}"
    assert said.startswith(expected)


def test_a_sum_that_turns_within_a_tenth_is_told() -> None:
    """Of twenty levels the first is lost, the others won: the first tenth is 0, but who wants one document prefers the
    baseline."""
    ours, theirs = [2, *range(30, 49)], [1, *range(50, 69)]
    profile = pair_of(ours, theirs).profile("old", "new")
    assert profile.crossing is None
    assert profile.of_falling_weights == (
        "all users whose weight falls from tenth to tenth of the relevant documents prefer new, not all whose weight "
        "falls within a tenth: the sum up to 5 % speaks against it"
    )
    share, total = profile.running
    assert share[:4].tolist() == [0, 0.05, 0.1, 0.15]
    assert total[:4] == pytest.approx([0, -0.05, 0, 0.05], abs=1e-15)


def test_users_of_labels_subtopics_and_grades_are_told_apart() -> None:
    c = pair_of([1, 2, 9], [3, 4, 5])
    labels = {"d0": "film", "d1": "film", "d2": "book"}
    table = c.profile("old", "new").by_label(labels)
    assert table.row(label="film") == {
        "label": "film",
        "queries": 1,
        "preference": 1.0,
        "contribution": pytest.approx(2 / 6),
    }
    assert table.row(label="book")["contribution"] == pytest.approx(-1 / 6)
    assert table.row(label="all")["preference"] == pytest.approx(1 / 3)
    assert c.profile("old", "new").by_grade()["grade"].tolist() == ["1"]


def test_each_query_has_a_row_of_its_own_for_whatever_is_said_about_chance() -> None:
    qrels = {"q": {"a": 1}, "r": {"a": 1}, "none": {"a": 0}}
    runs = {"old": {"q": {"a": 1}, "r": {"n": 1}}, "new": {"q": {"n": 1}, "r": {"a": 1}}}
    c = rd.align(qrels, runs)
    np.testing.assert_allclose(c.profile("old", "new").shares, [[0] * 10, [-0.1] * 10, [0.1] * 10])
    dropped = rd.align(qrels, runs, no_relevant="drop", missing="skip").profile("old", "new")
    np.testing.assert_allclose(dropped.shares, [[-0.1] * 10, [0.1] * 10])


def test_groups_of_queries_have_their_own_share_and_add_up() -> None:
    qrels = {"1": {"a": 1, "b": 1}, "2": {"a": 1}, "3": {"a": 1}}
    ahead, behind = {"a": 3, "n": 2, "b": 1}, {"n": 3, "a": 2, "b": 1}
    c = rd.align(qrels, {"old": dict.fromkeys(qrels, behind), "new": {"1": ahead, "2": ahead, "3": {"m": 4, **behind}}})
    profile = c.profile("old", "new")
    table = profile.by_segment({"1": "long", "2": "short", "3": "short"})
    assert list(table.rows()) == [
        {"segment": "long", "queries": 1, "preference": 0.5, "falls below 0 at": None, "contribution": 0.5 / 3},
        {"segment": "short", "queries": 2, "preference": 0.0, "falls below 0 at": None, "contribution": 0.0},
    ]
    assert profile.by_segment({"3": "worse"}).row(segment="worse")["falls below 0 at"] == 0.1
    assert profile.by_segment({})["segment"].tolist() == [""]
    assert table["contribution"].sum() == pytest.approx(profile.tenths.sum())


def test_the_figure_has_a_bar_for_each_tenth() -> None:
    pytest.importorskip("altair")
    drawn = pair_of([1, 2, 9], [3, 4, 5]).profile("old", "new").figure.to_dict()
    assert len(drawn["layer"][0]["data"]["values"]) == 10


@pytest.mark.parametrize("missing", ["zero", "skip"])
def test_the_edges_of_a_profile(missing: str) -> None:
    """One relevant document fills all tenths; none adds nothing; a lacking topic is lost, or left out."""
    qrels = {"one": {"a": 1}, "none": {"a": 0}, "lacking": {"a": 1}}
    runs = {"old": {"one": {"n": 2, "a": 1}, "none": {"a": 1}}, "new": {q: {"a": 1} for q in qrels}}
    shares = rd.align(qrels, runs, missing=missing).profile("old", "new").shares
    expected = {"one": [0.1] * 10, "lacking": [0.1] * 10, "none": [0.0] * 10}
    kept = [expected[query] for query in sorted(qrels) if missing == "zero" or query != "lacking"]
    np.testing.assert_allclose(shares, kept, rtol=1e-15)


def test_identical_runs_and_runs_that_find_nothing_serve_all_alike() -> None:
    c = rd.align({"q": {"a": 1, "b": 1}}, {"x": {"q": {"a": 1}}, "twin": {"q": {"a": 1}}, "empty": {"q": {}},
                                           "blind": {"q": {"n": 1}}})  # fmt: skip
    for old, new in (("x", "twin"), ("empty", "blind")):
        profile = c.profile(old, new)
        assert not profile.tenths.any()
        assert (profile.crossing, profile.turns) == (None, [])
    assert c.profile("empty", "x").tenths.tolist() == pytest.approx([0.1] * 5 + [0.0] * 5)


def test_a_thousand_levels_are_split_exactly() -> None:
    """Ranks that alternate: every tenth holds a hundred levels, half of them won."""
    ours = [4 * i + 1 if i % 2 == 0 else 4 * i + 3 for i in range(1000)]
    theirs = [4 * i + 2 for i in range(1000)]
    tenths = pair_of(ours, theirs).profile("old", "new").tenths
    assert tenths.tolist() == [0.0] * 10
    assert pair_of(ours[:999], theirs[:999]).profile("old", "new").tenths.sum() == pytest.approx(1 / 999, abs=1e-15)
