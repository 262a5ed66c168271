"""all_pairs(): brute force over all sign patterns, textbook values, other people's permutations, and the edges."""

import os
import subprocess
import sys
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rankdiff as rd
from rankdiff.errors import InputError, UnknownNameError, UsageError
from rankdiff.statistics import largest
from rankdiff.statistics.many import FAMILY_METHODS, all_pairs, all_pairs_preferences, all_rows
from rankdiff.statistics.paired import paired

matrices = st.tuples(st.integers(2, 5), st.integers(2, 6)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 9), min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
    )
)


def brute_force(rows, units, *, step_down=True):
    """Westfall and Young by the book: every sign pattern, every pair's sum, maxima over the pairs not above it."""
    patterns = np.array(list(product((-1, 1), repeat=rows.shape[1])))
    resampled = np.abs(patterns @ rows.T) / units
    observed = np.abs(rows.sum(axis=1)) / units
    p = np.empty(len(rows))
    for one, value in enumerate(observed):
        below = observed <= value + 1e-12 if step_down else np.full(len(rows), True)
        p[one] = np.mean(resampled[:, below].max(axis=1) >= value - 1e-9)
    return np.array([p[observed >= value - 1e-12].max() for value in observed])


def pair_rows(scores):
    return np.array([scores[i] - scores[j] for i, j in combinations(range(len(scores)), 2)])


def upper(matrix):
    return np.asarray(matrix)[np.triu_indices(len(matrix), 1)]


@settings(deadline=None)
@given(matrices, st.booleans())
def test_sign_flip_is_enumeration(scores, step_down):
    scores = np.array(scores)
    rows = pair_rows(scores)
    result = all_pairs(scores / 10, step_down=step_down)
    assert result.samples is None
    assert upper(result.p) == pytest.approx(brute_force(rows, np.ones(len(rows)), step_down=step_down), abs=1e-12)


@settings(deadline=None)
@given(matrices)
def test_max_t_is_enumeration(scores):
    rows = pair_rows(np.array(scores))
    norms = np.sqrt((rows**2).sum(axis=1))
    result = all_pairs(np.array(scores) / 10, "max-t")
    assert upper(result.p) == pytest.approx(brute_force(rows, np.where(norms > 0, norms, 1)), abs=1e-12)


@settings(deadline=None)
@given(matrices)
def test_preferences_are_enumeration_and_need_not_be_transitive(scores):
    signs = np.sign(np.array(scores)[:, None] - np.array(scores)[None]).astype(float)
    rows = signs[np.triu_indices(len(signs), 1)]
    result = all_pairs_preferences(signs)
    assert upper(result.p) == pytest.approx(brute_force(rows, np.ones(len(rows))), abs=1e-12)
    assert np.array_equal(result.difference, signs.mean(axis=2))


@settings(deadline=None)
@given(matrices)
def test_rows_together_are_enumeration_whatever_their_units(rows):
    rows = np.array(rows) - 4
    norms = np.sqrt((rows**2).sum(axis=1))
    result = all_rows(rows * np.array([1e-3, 7, 1e3, 0.1, 5])[: len(rows), None])
    assert result.p == pytest.approx(brute_force(rows, np.where(norms > 0, norms, 1)), abs=1e-12)


def test_rows_that_repeat_each_other_cost_nothing():
    differences = np.random.default_rng(18).normal(0.2, 1, 30)
    alone = all_rows(differences[None], samples=2000)
    repeated = all_rows(np.stack([differences, 100 * differences, -differences]), samples=2000)
    assert repeated.p == pytest.approx(alone.p[[0, 0, 0]])
    assert repeated.high[1] == pytest.approx(100 * alone.high[0])
    assert repeated.low[2] == pytest.approx(-alone.high[0])
    with pytest.raises(UsageError, match="row × topic"):
        all_rows(differences)


def test_two_runs_are_the_paired_test():
    rng = np.random.default_rng(4)
    scores = rng.random((2, 13)).round(2)
    for method in ("sign-flip", "max-t"):
        result = all_pairs(scores, method)
        alone = paired(scores[0], scores[1], test="randomization")
        assert result.p[0, 1] == pytest.approx(alone.p, abs=1e-12)
        assert result["0", "1"].difference == pytest.approx(alone.difference)
        assert (result["0", "1"].wins, result["0", "1"].losses) == (alone.wins, alone.losses)
        assert result["0", "1"].effect == pytest.approx(alone.effect)


def test_differences_of_scores_are_preferences():
    rng = np.random.default_rng(6)
    scores = rng.random((6, 40)) + np.linspace(0, 0.2, 6)[:, None]
    by_scores = all_pairs(scores, samples=3000)
    by_pairs = all_pairs_preferences(scores[:, None] - scores[None], samples=3000)
    assert np.array_equal(by_scores.p, by_pairs.p)
    assert by_scores.low == pytest.approx(by_pairs.low)


def test_sampling_comes_near_enumeration():
    rng = np.random.default_rng(9)
    scores = rng.random((5, 12)) + np.linspace(0, 0.4, 5)[:, None]
    exact, sampled = all_pairs(scores), all_pairs(scores, samples=4000)
    assert exact.samples is None
    assert sampled.samples == 4000
    noise = np.sqrt(exact.p * (1 - exact.p) / 4000)
    assert np.all(np.abs(exact.p - sampled.p) <= 4 * noise + 1 / 4000)


def test_against_one_run():
    scores = np.random.default_rng(2).integers(0, 9, (5, 8))
    rows = np.array([scores[i] - scores[2] for i in (0, 1, 3, 4)])
    result = all_pairs(scores, against=2)
    assert result.p[[0, 1, 3, 4], 2] == pytest.approx(brute_force(rows, np.ones(4)), abs=1e-12)
    assert result.p[2, [0, 1, 3, 4]] == pytest.approx(result.p[[0, 1, 3, 4], 2])
    assert np.isnan(result.p[0, 1])
    assert result.comparisons == 4


@pytest.mark.parametrize("method", FAMILY_METHODS)
def test_p_falls_as_the_difference_grows(method):
    scores = np.random.default_rng(3).random((8, 30)) + np.linspace(0, 0.3, 8)[:, None]
    result = all_pairs(scores, method, samples=2000)
    by_size = np.argsort(-np.abs(upper(result.effect if "max-t" in method else result.difference)))
    assert np.all(np.diff(upper(result.p)[by_size]) >= -1e-9)
    assert np.array_equal(result.p, result.p.T)
    assert np.array_equal(result.difference, -result.difference.T)
    assert np.array_equal(result.low, -result.high.T)
    assert np.all((result.low <= result.difference) & (result.difference <= result.high))


def test_nothing_is_ever_a_negative_zero():
    """It is printed as -0.0000, as if an interval that ends in 0 left 0 out."""
    scores = np.random.default_rng(23).integers(0, 3, (5, 12)) / 2
    scores[1] = scores[0]
    found = all_pairs(scores), all_pairs(scores, "max-t"), all_pairs(scores, "wilcoxon"), all_pairs(scores, "t")
    for result in found:
        for part in (result.difference, result.low, result.high, result.effect):
            assert not np.any(np.signbit(part) & (part == 0))
    assert np.any(found[0].low == 0)


def test_stepping_down_only_helps():
    scores = np.random.default_rng(5).random((9, 40)) + np.linspace(0, 0.5, 9)[:, None]
    for method in ("sign-flip", "max-t", "randomized-hsd", "shuffled-max-t"):
        single = all_pairs(scores, method, samples=2000, step_down=False)
        stepped = all_pairs(scores, method, samples=2000, step_down=True)
        assert np.all(stepped.p <= single.p)
        assert np.any(stepped.p < single.p)


def test_simultaneous_intervals_hold_together():
    rng = np.random.default_rng(7)
    true = np.array([0.0, 0.1, 0.1, 0.4])
    held = 0
    for _ in range(300):
        scores = true[:, None] + rng.normal(0, 0.3, 40) + rng.normal(0, 0.2, (4, 40))
        result = all_pairs(scores, samples=400)
        difference = true[:, None] - true[None]
        held += bool(np.all((result.low <= difference) & (difference <= result.high)))
    assert held / 300 == pytest.approx(0.95, abs=3.5 * np.sqrt(0.95 * 0.05 / 300))


def test_intervals_of_preferences_hold_together_too():
    rng = np.random.default_rng(17)
    held = 0
    for _ in range(300):
        scores = rng.normal([[0.0], [0.0], [0.7]], 1, (3, 40))
        cube = np.sign(np.round(scores[:, None] - scores[None]))
        result = all_pairs_preferences(cube, samples=400)
        chance = np.array([0, 0, TRUE_PREFERENCE])[:, None] - np.array([0, 0, TRUE_PREFERENCE])
        held += bool(np.all((result.low <= chance) & (chance <= result.high)))
    assert held / 300 == pytest.approx(0.95, abs=3.5 * np.sqrt(0.95 * 0.05 / 300))


TRUE_PREFERENCE = float(stats.norm.sf(0.5, 0.7, np.sqrt(2)) - stats.norm.cdf(-0.5, 0.7, np.sqrt(2)))
"""The mean sign of a rounded difference of normal scores whose means differ by 0.7."""


def test_topics_that_do_not_count():
    rng = np.random.default_rng(12)
    scores = rng.random((4, 9)).round(1)
    scores[:, 3] = np.nan
    assert np.array_equal(all_pairs(scores, missing="drop").p, all_pairs(np.delete(scores, 3, axis=1)).p)
    scores[1, 5] = np.nan
    result = all_pairs(scores, missing="drop")
    assert result.topics[0, 1] == 7
    assert result.topics[0, 2] == 8
    alone = all_pairs(scores, "t", correction="none", missing="drop")
    kept = ~np.isnan(scores[1])
    assert alone.p[0, 1] == pytest.approx(stats.ttest_rel(scores[0, kept], scores[1, kept]).pvalue)
    for method in ("randomized-hsd", "tukey-hsd"):
        with pytest.raises(InputError, match="1 of 8 topics without a value"):
            all_pairs(scores, method, missing="drop")


def test_nan_is_refused_where_nobody_said_what_it_means():
    scores = np.array([[0.1, np.nan, 0.3], [0.1, 0.2, 0.4]])
    for ask in (all_pairs, all_rows):
        with pytest.raises(InputError, match=r"no number for 1 of 3 topics.*missing='drop'"):
            ask(scores)
    with pytest.raises(InputError, match="preferences: no number for 1 of 3 topics"):
        all_pairs_preferences(scores[:, None] - scores[None])


def test_p_and_the_simultaneous_interval_do_not_contradict_each_other():
    """Large differences elsewhere spread the resamples behind p more than the centered ones behind the intervals."""
    scores = np.random.default_rng(19).normal(0, 0.1, (8, 20)) + np.linspace(0, 0.3, 8)[:, None]
    for result in (all_pairs(scores, samples=4000), all_rows(pair_rows(scores), samples=4000)):
        low, high, p = (upper(part) if part.ndim == 2 else part for part in (result.low, result.high, result.p))
        assert np.all((low <= 0) & (high >= 0) | (p <= 0.05))
    by_pairs = all_pairs(scores, samples=4000)
    drawn_out = upper((by_pairs.low == 0) | (by_pairs.high == 0))
    assert np.any(drawn_out & (upper(by_pairs.difference) != 0))


@pytest.mark.parametrize("shape", [(200, 12), (40, 2), (3, 1)])
def test_more_systems_than_topics(shape):
    scores = np.random.default_rng(13).random(shape)
    result = all_pairs(scores, samples=500)
    assert result.p.shape == (shape[0], shape[0])
    assert np.all((result.p > 0) & (result.p <= 1))
    if shape[1] == 1:
        assert np.all(result.p == 1)
        assert np.isinf(result.high[0, 1])


def test_all_equal_and_one_outlier():
    flat = all_pairs(np.full((4, 10), 0.3))
    assert np.all(flat.p == 1)
    assert np.all(upper(flat.topics) == 10)
    scores = np.full((4, 20), 0.5)
    scores[0, 0] = 0.0
    assert np.all(all_pairs(scores).p == 1)


@pytest.fixture(scope="module")
def collection():
    """Twelve queries of three relevant documents; "neural" finds them first, "bm25" third, "other" anywhere."""
    rng = np.random.default_rng(3)
    documents = [f"d{i}" for i in range(12)]
    qrels = {f"q{q}": {d: int(d in ("d0", "d1", "d2")) for d in documents} for q in range(12)}

    def run(first):
        place = dict(zip(documents, first, strict=True))
        return {q: {d: -float(place[d] + rng.integers(0, 3)) for d in documents} for q in qrels}

    return rd.align(
        qrels,
        {"bm25": run([2, 3, 5, 0, 1, *range(6, 13)]), "neural": run(range(12)), "other": run(rng.permutation(12))},
    )


def test_the_answer_is_an_array_with_labels(collection):
    result = all_pairs(collection.measure("AP"))
    assert np.array_equal(np.asarray(result), result.p)
    assert result["neural", "bm25"].difference > 0
    assert result.significant()[0, 1]
    assert not result.significant()[0, 0]
    assert repr(result) == "AllPairs(sign-flip, step-down, exact; 3 systems, 3 pairs)"
    with pytest.raises(UnknownNameError, match="did you mean bm25"):
        result["bm52", "other"]


def test_lower_is_better_is_turned(collection):
    scores = collection.measure("ASL")
    assert not scores.measures[0].higher_is_better
    result = all_pairs(scores)
    assert result["neural", "bm25"].difference == pytest.approx(np.mean(scores["ASL"][0] - scores["ASL"][1]))
    assert result["neural", "bm25"].difference > 0


def test_preferences_of_a_collection(collection):
    preferences = collection.prefer("RPP")
    result = all_pairs_preferences(preferences)
    assert result.systems == collection.systems
    assert result.difference == pytest.approx(preferences.matrix())
    alone = paired(preferences["neural", "bm25"], test="randomization")
    assert result["neural", "bm25"].wins == alone.wins
    assert result["neural", "bm25"].p >= alone.p


def test_preferences_by_their_win_rates(collection):
    preferences = collection.prefer("RPP")
    by_hand = all_pairs(preferences.win_rates(), "randomized-hsd", samples=500)
    result = all_pairs(preferences, "randomized-hsd", matrix="winrate", samples=500)
    assert np.array_equal(result.p, by_hand.p)
    assert result.systems == collection.systems
    assert result.estimand == "difference of win rates"
    assert not result.contradicted.any()
    with pytest.raises(UsageError, match="matrix='winrate' puts their win rates to other methods"):
        all_pairs(preferences, "randomized-hsd")


def test_blocks_and_the_order_of_runs_do_not_matter(monkeypatch):
    rng = np.random.default_rng(14)
    scores = rng.random((7, 30)) + np.linspace(0, 0.2, 7)[:, None]
    whole = all_pairs(scores, samples=1000)
    hsd = all_pairs(scores, "randomized-hsd", samples=1000)
    turned = all_pairs(scores[::-1], samples=1000)
    monkeypatch.setattr(largest, "LARGEST_BLOCK", 77)
    assert np.array_equal(all_pairs(scores, samples=1000).p, whole.p)
    assert np.array_equal(all_pairs(scores, "randomized-hsd", samples=1000).p, hsd.p)
    assert np.array_equal(turned.p[::-1, ::-1], whole.p)


def test_the_number_of_threads_does_not_matter():
    program = (
        "import numpy as np, hashlib; from rankdiff.statistics.many import all_pairs\n"
        "x = np.random.default_rng(1).random((60, 200))\n"
        "r = [all_pairs(x, m, samples=3000) for m in ('sign-flip', 'max-t')]\n"
        "print(hashlib.sha256(b''.join(a.p.tobytes() + a.low.tobytes() for a in r)).hexdigest())"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(printed) == 1


def test_progress_is_told_and_can_interrupt():
    scores = np.random.default_rng(15).random((20, 30))
    told = []
    all_pairs(scores, samples=30_000, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0

    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        all_pairs(scores, samples=30_000, progress=interrupt)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([[0.1, 0.2]], {}, "no pairs among 1 systems"),
        ([0.1, 0.2], {}, "a matrix of system × query"),
        ([[0.1, np.inf], [0, 0]], {}, "found inf"),
        ([[0.1, 0.2], [0, 0]], {"method": "anova"}, "expected one of sign-flip"),
        ([[0.1, 0.2], [0, 0]], {"correction": "holm"}, "corrects for all its pairs itself"),
        ([[0.1, 0.2], [0, 0]], {"method": "tukey-hsd", "step_down": True}, "does not step down"),
        ([[0.1, 0.2], [0, 0]], {"method": "tukey-hsd", "against": 0}, "compares all pairs"),
        ([[0.1, 0.2], [0, 0]], {"against": 5}, "no system number 5"),
        ([[0.1, 0.2], [0, 0]], {"samples": 0}, "at least 1"),
        ([[np.nan, np.nan], [np.nan, np.nan]], {"missing": "drop"}, "none of the 2 topics counts"),
        ([[0.1, 0.2], [0, 0]], {"matrix": "winrate"}, "belongs to Preferences"),
        ([[0.1, 0.2], [0, 0]], {"matrix": "mc4"}, "expected one of direct, winrate"),
    ],
)
def test_refusals(scores, options, message):
    with pytest.raises((InputError, UsageError), match=message):
        all_pairs(scores, **options)
