"""Agreement of orders: the published examples of the authors of each variant, SciPy, and averages by brute force."""

import re
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rankdiff as rd
from rankdiff.errors import InputError, UsageError
from rankdiff.statistics.agreement import rank_differences, tau, tau_ap
from rankdiff.statistics.overlap import rbo

TRUTH = np.array([0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94])
ESTIMATE = np.array([0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94])

orders = st.integers(2, 6).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 4), min_size=n, max_size=n), st.lists(st.integers(0, 4), min_size=n, max_size=n)
    )
)


def broken(values):
    """All ways to break the ties of an order, as distinct scores."""
    for tie_break in permutations(range(len(values))):
        ranking = sorted(range(len(values)), key=lambda i: (values[i], tie_break[i]))
        yield np.argsort(ranking)


def test_urbano_and_marrero():
    """The worked example in the readme of the authors' own package."""
    assert tau(ESTIMATE, TRUTH) == pytest.approx(0.7777778, abs=1e-7)
    assert tau_ap(ESTIMATE, TRUTH, ties="a") == pytest.approx(0.7491182, abs=1e-7)
    tied = np.round(ESTIMATE * 5) / 5
    assert tau_ap(tied, TRUTH, ties="a") == pytest.approx(0.6074515, abs=1e-7)
    assert tau(tied, np.round(TRUTH * 5) / 5) == pytest.approx(0.75)
    assert tau_ap(tied, np.round(TRUTH * 5) / 5) == pytest.approx(0.6269841, abs=1e-7)


@given(orders)
def test_tau_is_scipys(pair):
    x, y = pair
    ours = tau(x, y)
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert ours == pytest.approx(stats.kendalltau(x, y).statistic)
    else:
        assert np.isnan(ours)


@given(st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_tau_ap_a_is_the_average_over_broken_ties(x):
    truth = np.arange(4)[::-1]
    average = np.mean([tau_ap(order, truth, ties="a") for order in broken(x)])
    assert tau_ap(x, truth, ties="a") == pytest.approx(average)


@given(orders)
def test_tau_ap_b_is_symmetric_and_bounded(pair):
    x, y = pair
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert tau_ap(x, y) == pytest.approx(tau_ap(y, x))
        assert -1 - 1e-12 <= tau_ap(x, y) <= 1 + 1e-12
        assert tau_ap(x, x) == pytest.approx(1)


CORSI_AND_URBANO = [
    (
        "i13 (i1 i4 i5 i6)",
        "i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2",
        0.92238320668128,
        [
            0.117578490431637,
            0.0763135264223449,
            0.114619469221414,
            0.0733545052121218,
            0.11474835409049,
            0.0734833900811979,
        ],
    ),
    (
        "(i3 i6) (i2 i7) i10",
        "(i3 i6 i7 i10) (i1 i2)",
        0.965413635276732,
        [
            0.946064537517568,
            0.343706790399566,
            0.92051534467649,
            0.319428239558438,
            0.956844651806714,
            0.348953051936765,
        ],
    ),
    (
        "i2 i5 i3 (i1 i4)",
        "i5 i8 i2 (i3 i9)",
        0.968922741966306,
        [
            0.580287544332462,
            0.196704918554571,
            0.580994268838527,
            0.197411643060636,
            0.583518284931614,
            0.199935659153723,
        ],
    ),
    (
        "(i3 i5 i6 i8 i9)",
        "(i1 i6) (i8 i10) i11 i2 (i3 i4)",
        0.946588158477176,
        [
            0.481477824833812,
            0.23269613702392,
            0.456505385192971,
            0.207870074991659,
            0.482684075039396,
            0.233899573241503,
        ],
    ),
    (
        "i21 i20 (i1 i16 i19) (i5 i10) i4",
        "(i12 i17) (i2 i3 i8 i11) (i15 i18) (i6 i13) (i7 i14) i9",
        0.930074017489188,
        [0, 0, 0, 0, 0, 0],
    ),
]


def ranking(text):
    """Scores from tie groups in brackets, best first."""
    groups = re.findall(r"\([^)]*\)|\S+", text)
    return {item: -place for place, group in enumerate(groups) for item in group.strip("()").split()}


@pytest.mark.parametrize(("x", "y", "p", "expected"), CORSI_AND_URBANO)
def test_rbo_with_ties(x, y, p, expected):
    """Rows of the test file of Corsi and Urbano: orders of different systems and lengths, RBO_EXT and RBO_MIN."""
    for at, (ties, extrapolate) in enumerate((t, e) for t in "wab" for e in (True, False)):
        ours = rbo(ranking(x), ranking(y), p=p, ties=ties, extrapolate=extrapolate)
        assert ours == pytest.approx(expected[at], abs=1e-12)
        assert rbo(ranking(y), ranking(x), p=p, ties=ties, extrapolate=extrapolate) == pytest.approx(ours)


triples = st.lists(st.integers(0, 2), min_size=3, max_size=3)


@given(triples, triples, st.floats(0.1, 0.95))
def test_rbo_a_is_the_average_over_broken_ties(x, y, p):
    average = np.mean([rbo(one, other, p=p) for one in broken(x) for other in broken(y)])
    assert rbo(x, y, p=p) == pytest.approx(average)
    assert rbo(x, x, p=p, ties="b") == pytest.approx(1)


def test_rbo_without_ties_by_its_definition():
    x, y = [4, 3, 2, 1], [3, 4, 1, 2]
    shares = [0, 1, 2 / 3, 1]
    seen = sum(0.2 * 0.8**d * share for d, share in enumerate(shares))
    assert rbo(x, y, p=0.8) == pytest.approx(seen + 0.8**4)


def test_orders_are_matched_by_name():
    values = {"a": [1.0, 2.0], "b": [2.0, 1.0], "c": [1.0, 1.0]}
    runs = {run: {"q": {"d1": first, "d2": second}} for run, (first, second) in values.items()}
    scores = rd.align({"q": {"d1": 1}}, runs).measure("RR")
    order = scores.order()
    reference = {"c": 0.4, "a": 0.4, "b": 0.9}
    assert tau(order, reference) == tau(scores, reference) == pytest.approx(1)
    assert tau_ap(order, reference) == rbo(order, reference, ties="b") == pytest.approx(1)
    assert tau(order, {"a": 3, "b": 2, "c": 2}) == pytest.approx(-0.5)


def test_who_moved():
    rows = rank_differences({"a": 3.0, "b": 2.0, "c": 2.0, "d": 0.0}, {"a": 0.5, "b": 0.6, "c": 0.4, "d": 0.7})
    assert [(row.system, row.rank, row.reference, row.gain) for row in rows] == [
        ("d", 4.0, 1.0, 3.0),
        ("a", 1.0, 3.0, -2.0),
        ("c", 2.5, 4.0, -1.5),
        ("b", 2.5, 2.0, 0.5),
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tau([1, 2], [1, 2, 3]), "of 2 and 3 systems"),
        (lambda: tau({"a": 1, "b": 2}, {"a": 1, "c": 2}), "only one of them holds 'b'"),
        (lambda: tau([1, np.nan], [1, 2]), "found NaN"),
        (lambda: tau([1], [1]), "nothing to agree on"),
        (lambda: tau([[1, 2]], [1, 2]), "one score for each system"),
        (lambda: tau_ap([1, 2, 3], [1, 1, 2], ties="a"), "reference without ties"),
        (lambda: rbo([1, 2], [1, 2], p=1), "between 0 and 1"),
        (lambda: rbo([1, 2], [1, 2], ties="c"), "expected one of a, b, w"),
    ],
)
def test_refusals(call, message):
    with pytest.raises((InputError, UsageError), match=message):
        call()
