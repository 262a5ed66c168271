"""Each test of reading runs on both kernels."""

from __future__ import annotations

import pytest

from rankdiff import _kernel
from rankdiff._kernel import python
from twins import TWINS, twin


@pytest.fixture(params=TWINS, autouse=True)
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Has `rankdiff.read` use one of the kernels."""
    for name in python.__all__:
        monkeypatch.setattr(_kernel, name, getattr(twin(request.param), name))
    return str(request.param)
