"""Where runs stand among others: counted one by one."""

from __future__ import annotations

import numpy as np
import pytest

from rankdiff.preferences import standing
from rankdiff.preferences.standing import balance, without_noise


@pytest.mark.parametrize("cells", [1, 20, 1 << 19])
@pytest.mark.parametrize("marked", [False, True])
def test_larger_less_smaller_by_counting(marked, cells, monkeypatch):
    monkeypatch.setattr(standing, "BLOCK_CELLS", cells)
    rng = np.random.default_rng(cells)
    for rows in (1, 2, 5, 9):
        position = rng.integers(0, 4, (rows, 7))
        rivals = rng.random(rows) < 0.6 if marked else np.ones(rows, bool)
        against = position[rivals]
        expected = [[np.sum(column > own) - np.sum(column < own) for own, column in zip(row, against.T, strict=True)]
                    for row in position]  # fmt: skip
        assert balance(position, rivals if marked else None).tolist() == expected


def test_noise_is_what_the_41st_bit_says():
    values = np.array([1.0, 1.0 + 2.0**-42, 1.0 + 2.0**-38, -3e-9, -3e-9 * (1 + 2.0**-42), 0.0])
    rounded = without_noise(values)
    assert rounded[0] == rounded[1] < rounded[2]
    assert rounded[3] == rounded[4] < rounded[5] == 0
    assert np.allclose(rounded, values, rtol=2.0**-40, atol=0)
