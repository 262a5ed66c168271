"""Step-down counts against the definition, pair by pair and replicate by replicate."""

import numpy as np
import pytest

from rankdiff.statistics.stepdown import count_stepdown


def plain_counts(rows, thresholds):
    """In how many replicates a pair up to this one reaches its threshold."""
    replicates = range(rows.shape[1])
    return [
        sum(any(rows[pair, r] >= threshold for pair in range(place + 1)) for r in replicates)
        for place, threshold in enumerate(thresholds)
    ]


@pytest.mark.parametrize("size", [1, 3, 20])
@pytest.mark.parametrize("narrowing", [False, True])
def test_counts_in_chunks_are_those_of_the_definition(size, narrowing):
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 9, (20, 40)).astype(float)
    rows = rows[:, np.argsort(-rows.max(axis=0), kind="stable")]
    thresholds = np.sort(rng.integers(0, 12, 20)).astype(float)
    chunks = []
    for first in range(0, 20, size):
        reaching = np.count_nonzero(rows.max(axis=0) >= thresholds[first]) if narrowing else 40
        chunks.append(rows[first : first + size, :reaching])
    assert count_stepdown(chunks, thresholds, 40).tolist() == plain_counts(rows, thresholds)
