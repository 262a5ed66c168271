"""Orders of systems against what loops, exact arithmetic and social choice say."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankdiff as rd
from rankdiff.errors import UnknownNameError
from rankdiff.order import borda, bradley_terry, copeland, majorities, mc4
from rankdiff.order.positions import positions
from strategies import Grades, Scores, collections

METHODS = ("winrate", "mc4", "borda", "copeland")


@st.composite
def standings(draw: st.DrawFn, most: int = 6) -> np.ndarray:
    systems, queries = draw(st.integers(1, most)), draw(st.integers(1, 5))
    places = draw(
        st.lists(st.lists(st.integers(0, 4), min_size=queries, max_size=queries), min_size=systems, max_size=systems)
    )
    place = np.array(places)
    return (place[:, None] < place[None, :]).sum(axis=1) - (place[:, None] > place[None, :]).sum(axis=1)


def prefers(standing: np.ndarray, a: int, b: int) -> int:
    """1 if more queries prefer a, −1 if more prefer b."""
    return int(np.sign((standing[a] > standing[b]).sum() - (standing[a] < standing[b]).sum()))


def reachable(standing: np.ndarray, a: int) -> set[int]:
    seen, waiting = {a}, [a]
    while waiting:
        here = waiting.pop()
        found = {b for b in range(len(standing)) if b not in seen and prefers(standing, b, here) >= 0}
        seen |= found
        waiting += found
    return seen


def exact_shares(standing: np.ndarray, members: list[int]) -> list[Fraction]:
    """The stationary distribution by elimination of one state after another, in fractions (Grassmann et al. 1985)."""
    size = len(members)
    flow = [[Fraction(prefers(standing, b, a) + 1) if a != b else Fraction(0) for b in members] for a in members]
    for last in range(size - 1, 0, -1):
        out = sum(flow[last][:last])
        for a in range(last):
            flow[a][last] /= out
            for b in range(last):
                flow[a][b] += flow[a][last] * flow[last][b]
    share = [Fraction(1)]
    for last in range(1, size):
        share.append(sum(share[a] * flow[a][last] for a in range(last)))
    return [value / sum(share) for value in share]


@given(standings())
def test_the_markov_chain_has_the_tiers_and_shares_of_exact_arithmetic(standing: np.ndarray) -> None:
    share, tier = mc4(standing)
    up = [reachable(standing, a) for a in range(len(standing))]
    for a, b in combinations(range(len(standing)), 2):
        together = b in up[a] and a in up[b]
        assert (tier[a] == tier[b]) == together
        if not together:
            assert (tier[a] < tier[b]) == (a in up[b])
    for number in set(tier.tolist()):
        members = np.flatnonzero(tier == number).tolist()
        assert share[members] == pytest.approx([float(value) for value in exact_shares(standing, members)], abs=1e-12)


@given(standings())
def test_where_there_is_a_condorcet_order_the_chain_gives_it(standing: np.ndarray) -> None:
    size = len(standing)
    beaten = [sum(prefers(standing, a, b) > 0 for b in range(size)) for a in range(size)]
    if sorted(beaten) == list(range(size)):
        share, tier = mc4(standing)
        assert positions(share, tier).tolist() == [size - wins for wins in beaten]


def test_the_chain_goes_round_a_cycle_and_ties_it() -> None:
    cycle = np.array([[1, 0, -1], [0, -1, 1], [-1, 1, 0]])
    share, tier = mc4(cycle)
    assert share == pytest.approx([1 / 3] * 3)
    assert tier.tolist() == [1, 1, 1]
    assert positions(share, tier).tolist() == [1, 1, 1]


def test_the_chain_is_solved_not_iterated() -> None:
    """Two systems that tie, above a third: ten steps from anywhere would leave the third something."""
    share, tier = mc4(np.array([[1, 0], [0, 1], [-1, -1]]))
    assert share.tolist() == [0.5, 0.5, 1.0]
    assert tier.tolist() == [1, 1, 2]


@given(made=collections(systems=(1, 4)))
def test_borda_and_copeland_are_what_loops_count(made: tuple[Grades, Scores]) -> None:
    """By sgnLP, which is transitive, so the order for a query is the preference's own."""
    c = rd.align(*made)
    preferences = c.prefer("sgnLP")
    signs = np.array([[preferences[a, b] for b in c.systems] for a in c.systems])
    standing = preferences.standings()
    np.testing.assert_array_equal(borda(standing), signs.sum(axis=(1, 2)))
    np.testing.assert_array_equal(copeland(standing), np.sign(signs.sum(axis=2)).sum(axis=1))
    np.testing.assert_array_equal(majorities(standing), (signs > 0).sum(axis=2))


def test_a_preference_that_is_not_transitive_orders_each_query_by_win_rate() -> None:
    """The cycle of RPP: no run is better for the query than another, so all tie."""
    documents = {"a": 1, "b": 1, "c": 1}
    runs = {
        name: {
            "q": {
                **{f"n{i}": 10.0 - i for i in range(1, 8) if i not in ranks},
                **{d: 10.0 - r for d, r in zip("abc", ranks, strict=True)},
            }
        }
        for name, ranks in {"x": (1, 5, 6), "y": (2, 3, 7), "z": (3, 4, 5)}.items()
    }
    preferences = rd.align({"q": documents}, runs).prefer("RPP")
    assert preferences["x", "y"] > 0 < preferences["y", "z"]
    assert preferences["z", "x"] > 0
    for method in METHODS:
        assert repr(preferences.order(method)) == f"Order({method}; x = y = z)"


@pytest.mark.parametrize("method", METHODS)
@given(made=collections(systems=(1, 4)), data=st.data())
def test_orders_do_not_depend_on_names_or_on_the_order_of_the_runs(
    method: str, made: tuple[Grades, Scores], data: st.DataObject
) -> None:
    qrels, runs = made
    names = {run: f"run {i}" for i, run in enumerate(data.draw(st.permutations(list(runs))))}
    renamed = {names[run]: runs[run] for run in data.draw(st.permutations(list(runs)))}
    ours, theirs = (rd.align(qrels, of).prefer("RPP").order(method) for of in (runs, renamed))
    assert {names[run]: ours[run] for run in runs} == {run: theirs[run] for run in renamed}


@given(made=collections(systems=(1, 4)))
def test_scores_are_ordered_by_the_mean(made: tuple[Grades, Scores]) -> None:
    scores = rd.align(*made).measure("AP", "P@2")
    means = scores.mean()
    for name in ("AP", "P@2"):
        order = scores.order(name)
        for a, b in combinations(order.systems, 2):
            difference = means.row(run=a)[name] - means.row(run=b)[name]
            expected = 0 if abs(difference) < 1e-9 else np.sign(difference)
            assert np.sign(order[b] - order[a]) == expected
    assert scores.order().method == "mean AP"


def test_measures_where_lower_is_better_are_ordered_from_the_lowest() -> None:
    c = rd.align({"q": {"a": 1}}, {"low": {"q": {"x": 2, "a": 1}}, "high": {"q": {"a": 1}}}, corpus_size=5)
    assert repr(c.measure("ISL").order()) == "Order(mean ISL; high > low)"
    assert repr(c.prefer("ISL").order("winrate")) == "Order(winrate; high > low)"


@given(st.lists(st.sampled_from([0.0, 1e-12, 0.25, 0.5, 0.5 + 1e-10, float("nan")]), min_size=1, max_size=6))
def test_positions_share_the_best_of_those_that_tie(scores: list[float]) -> None:
    key = [-np.inf if np.isnan(score) else score for score in scores]
    expected = [1 + sum(other > own + 1e-9 for other in key) for own in key]
    assert positions(np.array(scores)).tolist() == expected


def test_strengths_maximize_the_likelihood_and_their_intervals_hold_them() -> None:
    rng = np.random.default_rng(5)
    place = np.argsort(np.argsort(rng.normal(size=(4, 60)) + np.array([[1.5], [0.5], [0.5], [-1]]), axis=0), axis=0)
    strength, (low, high) = bradley_terry(2 * place - 3, samples=200, seed=1)
    assert np.all((low < strength) & (strength < high))
    assert strength.sum() == pytest.approx(0, abs=1e-9)

    def likelihood(s: np.ndarray) -> float:
        wins = majorities(2 * place - 3) + 0.5
        return sum(wins[a, b] * -np.log1p(np.exp(s[b] - s[a])) for a in range(4) for b in range(4) if a != b)

    for i in range(4):
        for nudge in (-1e-3, 1e-3):
            assert likelihood(strength + nudge * np.eye(4)[i]) < likelihood(strength)


def test_strengths_stay_finite_for_a_run_that_always_wins_and_repeat_for_a_seed() -> None:
    standing = np.array([[1] * 20, [-1] * 20])
    strength, interval = bradley_terry(standing, samples=50, seed=3)
    # 20.5 wins of 21 games: the log of the odds, 41, is the difference.
    assert strength[0] - strength[1] == pytest.approx(np.log(41))
    np.testing.assert_array_equal(interval, bradley_terry(standing, samples=50, seed=3)[1])


def test_an_order_shows_positions_tiers_scores_and_over_how_many_queries() -> None:
    c = rd.align({"q": {"a": 1}, "r": {"a": 1}}, {"x": {"q": {"a": 1}}, "z": {"q": {"n": 1}}, "y": {"r": {"a": 1}}})
    order = c.prefer("RPP").order("mc4")
    table = order.table()
    assert list(table.rows()) == [
        {"position": 1, "run": "x", "tier": 1, "score": 0.5},
        {"position": 1, "run": "y", "tier": 1, "score": 0.5},
        {"position": 3, "run": "z", "tier": 2, "score": 1.0},
    ]
    assert table.notes == ("mc4 over 2 queries",)
    assert table.signature.startswith(f"rankdiff {rd.__version__}|RPP|")
    assert (len(order), order["z"], list(order.groups())) == (3, 3, [("x", "y"), ("z",)])
    strengths = c.prefer("RPP").order("bradley-terry", samples=20, seed=1).table()
    assert {"low", "high"} < set(strengths.columns)
    with pytest.raises(UnknownNameError, match="mc4"):
        c.prefer("RPP").order("mc5")
    with pytest.raises(UnknownNameError):
        order["nobody"]
