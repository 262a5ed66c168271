"""Whole numbers as ids."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twins import TWINS, twin

EDGES = [0, *(10**power + step for power in range(1, 20) for step in (-1, 0, 1)), 2**63 - 1, 2**63, 2**64 - 1]


def written(digits: tuple[Any, Any]) -> list[str]:
    blob, offsets = digits[0].tobytes().decode(), digits[1].tolist()
    assert offsets[0] == 0
    assert offsets[-1] == len(blob)
    return [blob[first:last] for first, last in pairwise(offsets)]


@pytest.mark.parametrize("name", TWINS)
@given(numbers=st.lists(st.integers(0, 2**64 - 1)))
def test_digits_are_those_that_python_writes(name: str, numbers: list[int]) -> None:
    kernel = twin(name)
    assert written(kernel.digits(np.array(numbers, np.uint64))) == [str(number) for number in numbers]
    signed = [number - 2**63 for number in numbers]
    assert written(kernel.digits(np.array(signed, np.int64))) == [str(number) for number in signed]


def test_where_digits_become_more(kernel: Any) -> None:
    assert written(kernel.digits(np.array(EDGES, np.uint64))) == [str(number) for number in EDGES]
    signed = [sign * number for number in EDGES if number < 2**63 for sign in (1, -1)] + [-(2**63)]
    assert written(kernel.digits(np.array(signed, np.int64))) == [str(number) for number in signed]
