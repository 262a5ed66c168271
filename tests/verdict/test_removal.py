"""The fewest topics against every subset of the topics."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from rankdiff.errors import UsageError
from rankdiff.verdict import removal
from rankdiff.verdict.claims import Claim
from rankdiff.verdict.removal import fewest_removals


def holds(values: np.ndarray, what: str) -> bool:
    if what == "sign":
        return bool(values.sum() > 1e-9)
    if len(values) < 2 or values.sum() <= 1e-9:
        return False
    if np.ptp(values) < 1e-9:
        return True  # no spread and a mean above 0: the limit of t is p = 0
    return bool(ttest_1samp(values, 0).pvalue < 0.05)


@pytest.mark.parametrize("tried", [True, False])
@pytest.mark.parametrize("what", ["sign", "significance"])
@pytest.mark.parametrize("seed", range(40))
def test_no_smaller_subset_of_the_topics_undoes_the_claim(
    what: str, seed: int, tried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there are too many subsets to be tried, as of a track's topics, a bound stands beside what was found."""
    if not tried:
        monkeypatch.setattr(removal, "ENUMERATED", 0)
    rng = np.random.default_rng(seed)
    topics = int(rng.integers(2, 13))
    values = np.round(rng.normal(0.5, 0.5, topics), int(rng.integers(1, 4)))
    found = fewest_removals(values, Claim(what))
    assert (found is None) == (not holds(values, what))
    if found is None:
        return
    sizes = (
        size
        for size in range(1, topics)
        for left_out in combinations(range(topics), size)
        if not holds(np.delete(values, left_out), what)
    )
    fewest = next(sizes, None)
    if fewest is None:
        assert found.chosen is None
        return
    assert found.chosen is not None
    if tried or what == "sign":
        assert len(found.chosen) == found.at_least == fewest
    else:
        assert found.at_least <= fewest <= len(found.chosen)
    assert not holds(np.delete(values, found.chosen), what)


def test_the_sign_is_a_sort_for_any_number_of_topics() -> None:
    values = np.concatenate([np.full(300, 0.25), np.full(700, -0.1)])
    found = fewest_removals(values, Claim("sign"))
    assert found is not None
    assert found.exact
    assert len(found.chosen or ()) == 20  # 300/4 − 70 = 5 = 20/4


def test_where_every_topic_agrees_no_removal_undoes_the_sign() -> None:
    found = fewest_removals(np.array([0.1, 0.2, 0.3]), Claim("sign"))
    assert found is not None
    assert found.chosen is None
    assert found.at_least == 3


def test_the_level_must_lie_between_0_and_1() -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        Claim("significance", 5)
