"""Which kernel is used."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rankdiff import _kernel
from rankdiff._kernel import choose
from rankdiff.errors import UsageError
from twins import twin


def test_each_kernel_says_its_name() -> None:
    assert twin("python").NAME == "python"
    assert twin("native").NAME == "native"


def test_the_native_kernel_is_the_first_choice() -> None:
    assert choose("") is twin("native")


def test_without_the_native_kernel_its_twin_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rankdiff._kernel._native", None)
    assert choose("").NAME == "python"
    with pytest.raises(UsageError, match="RANKDIFF_KERNEL is 'native', but that kernel was not built"):
        choose("native")


def test_another_name_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="RANKDIFF_KERNEL is 'rust': it can be 'python' or 'native'"):
        choose("rust")


def test_the_environment_forces_the_choice() -> None:
    code = "from rankdiff import _kernel; print(_kernel.NAME, _kernel.rank.__module__)"
    forced = {**os.environ, "RANKDIFF_KERNEL": "python"}
    done = subprocess.run([sys.executable, "-c", code], env=forced, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["python", "rankdiff._kernel.python"]


def test_both_kernels_offer_the_same() -> None:
    for name in {*_kernel.__all__} - {"SLOWER"}:  # which tells of the choice itself
        assert callable(getattr(twin("native"), name)) == callable(getattr(twin("python"), name))
