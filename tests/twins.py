"""The two kernels, for tests that hold for both of them."""

from __future__ import annotations

import os
import shlex
import subprocess
from functools import cache
from typing import Any

import pytest

from rankdiff._kernel import choose
from rankdiff.errors import UsageError

TWINS = ["python", "native"]


def twin(name: str) -> Any:
    """A kernel by its name; the native one may lack only where no compiler works."""
    try:
        return choose(name)
    except UsageError:
        if compiler_works():
            raise
        pytest.skip("no C++ compiler works here, so the native kernel was not built")


@cache
def compiler_works() -> bool:
    """Whether the C++ compiler that an installation would use can compile anything."""
    command = [*shlex.split(os.environ.get("CXX", "c++")), "-x", "c++", "-fsyntax-only", "-"]
    try:
        return subprocess.run(command, input=b"int main() {}", capture_output=True, check=False).returncode == 0
    except OSError:
        return False
