"""Corrections against their definitions written out, and against SciPy."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from rankdiff.errors import UsageError
from rankdiff.statistics.corrections import check_samples, correct

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_the_closed_bonferroni(p):
    """Holm's p of a hypothesis is the largest Bonferroni p over all sets of hypotheses that hold it."""
    everyone = range(len(p))
    sets = [chosen for size in range(1, len(p) + 1) for chosen in combinations(everyone, size)]
    closed = [
        max(min(1, len(chosen) * min(p[i] for i in chosen)) for chosen in sets if one in chosen) for one in everyone
    ]
    assert correct(p, "holm") == pytest.approx(closed)


@given(p_values)
def test_corrections_keep_the_order_and_only_raise(p):
    for method in ("bonferroni", "holm", "bh"):
        corrected = correct(p, method)
        assert np.all(corrected >= np.array(p) - 1e-15)
        assert np.all(np.diff(corrected[np.argsort(p)]) >= 0)
    assert np.all(correct(p, "holm") <= correct(p, "bonferroni"))


def test_bh_is_scipys():
    p = np.random.default_rng(1).random(50) ** 3
    assert np.array_equal(correct(p, "bh"), stats.false_discovery_control(p))


@pytest.mark.parametrize(("ours", "theirs"), [("bonferroni", "bonferroni"), ("holm", "holm"), ("bh", "fdr_bh")])
@pytest.mark.parametrize("size", [1, 7, 500])
def test_corrections_are_those_of_statsmodels(ours, theirs, size):
    p = np.round(np.random.default_rng(size).random(size) ** 4, 3)
    assert correct(p, ours) == pytest.approx(multipletests(p, method=theirs)[1], abs=1e-15)


def test_a_matrix_counts_each_pair_once():
    p = np.array([[1, 0.01, 0.02], [0.01, 1, 0.5], [0.02, 0.5, 1]])
    expected = np.array([[1, 0.03, 0.04], [0.03, 1, 0.5], [0.04, 0.5, 1]])
    assert correct(p, "holm") == pytest.approx(expected)


def test_nan_does_not_count():
    assert correct([0.02, np.nan, 0.5], "bonferroni") == pytest.approx([0.04, np.nan, 1.0], nan_ok=True)


def test_refusals():
    with pytest.raises(UsageError, match=r"found 1\.5"):
        correct([0.1, 1.5])
    with pytest.raises(UsageError, match="expected one of bonferroni, holm, bh"):
        correct([0.1], "sidak")


def test_too_few_samples_are_refused_with_the_number_needed():
    with pytest.raises(UsageError, match=r"100,000 samples are too few for 5,995 comparisons.*samples=1,198,999"):
        check_samples(100_000, 5995, "holm")
    check_samples(1_198_999, 5995, "holm")
