"""Each test of the kernel runs on both twins."""

from __future__ import annotations

from typing import Any

import pytest

from twins import TWINS, twin


@pytest.fixture(params=TWINS, scope="session")
def kernel(request: pytest.FixtureRequest) -> Any:
    """The kernel under test."""
    return twin(request.param)
