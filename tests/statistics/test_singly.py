"""Each pair by a test of its own, corrected for their number."""

import numpy as np
import pytest

from rankdiff.errors import UsageError
from rankdiff.statistics.many import all_pairs
from rankdiff.statistics.paired import paired


def upper(matrix):
    return np.asarray(matrix)[np.triu_indices(len(matrix), 1)]


def test_tests_of_each_pair_alone():
    rng = np.random.default_rng(10)
    scores = rng.random((4, 20)).round(2)
    for method in ("t", "wilcoxon", "sign", "randomization", "bootstrap"):
        result = all_pairs(scores, method, correction="none", samples=2000)
        alone = paired(scores[3], scores[1], test=method, samples=2000)
        assert result["3", "1"].p == pytest.approx(alone.p, abs=1e-12 if method != "bootstrap" else 1e-2)
        assert result["3", "1"].interval == pytest.approx(alone.interval, abs=1e-9 if method != "bootstrap" else 2e-2)
        assert result["3", "1"].estimand == alone.estimand


def test_holm_is_applied_to_pairs_once():
    scores = np.random.default_rng(11).random((4, 20))
    raw = upper(all_pairs(scores, "t", correction="none").p)
    assert upper(all_pairs(scores, "t").p) == pytest.approx(
        np.maximum.accumulate(np.minimum(1, np.sort(raw) * np.arange(6, 0, -1)))[np.argsort(np.argsort(raw))]
    )


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "bh"])
def test_110_runs_with_a_sampled_test_and_a_correction_are_refused(correction):
    message = rf"100,000 samples are too few for 5,995 comparisons with {correction}.*1,198,999"
    with pytest.raises(UsageError, match=message):
        all_pairs(np.random.default_rng(1).random((110, 30)), "randomization", correction=correction)


def test_what_goes_through_all_signs_draws_no_samples_and_is_not_refused():
    scores = np.random.default_rng(1).integers(0, 3, (40, 8))
    result = all_pairs(scores, "randomization", correction="bonferroni", samples=10)
    alone = paired(scores[0], scores[1], test="randomization")
    assert result.samples is None
    assert result.p[0, 1] == pytest.approx(min(1.0, 780 * alone.p))


@pytest.mark.parametrize("method", ["randomization", "bootstrap", "wilcoxon", "t"])
def test_tests_of_each_pair_alone_tell_how_far_they_are(method):
    scores = np.random.default_rng(15).random((12, 30)).round(2)
    scores[0, 3] = np.nan
    told = []
    all_pairs(scores, method, correction="none", samples=300, missing="drop", progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert 0 < told[0] < 1
