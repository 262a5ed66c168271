"""Each test of reading runs on both kernels."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def kernel(either_kernel: str) -> str:
    """The kernel in use."""
    return either_kernel
