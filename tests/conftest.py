"""What all tests share: the data of other people, and the count of what a run of the tests left out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from rankdiff import _kernel
from rankdiff._kernel import python
from rankdiff.cli import run
from twins import TWINS, twin

# A slow or busy machine is no failure.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

Find = Callable[..., Path]


@dataclass(frozen=True)
class Outcome:
    """What a command line did; text as Python has it, bytes that are not UTF-8 escaped."""

    code: int
    out: str
    err: str


@pytest.fixture
def command(capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Outcome]:
    """Run the command line in this process: ``command("measure", qrels, run)``."""

    def call(*arguments: object) -> Outcome:
        code = run([str(argument) for argument in arguments])
        out, err = capsysbinary.readouterr()
        return Outcome(code, out.decode(errors="surrogateescape"), err.decode(errors="surrogateescape"))

    return call


@pytest.fixture(params=TWINS)
def either_kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Has `rankdiff.read` use one of the kernels, and the test run with each."""
    for name in python.__all__:
        monkeypatch.setattr(_kernel, name, getattr(twin(request.param), name))
    return str(request.param)


@pytest.fixture(scope="session")
def data() -> Find:
    """Find a file of the data folder: ``data("trec-eval-tests", "qrels.test")``.

    Without ``RANKDIFF_DATA`` the test is skipped; with it, a file that is not there is a failure.
    """
    folder = os.environ.get("RANKDIFF_DATA")
    if not folder:
        pytest.skip("RANKDIFF_DATA is not set: it names the folder of data with expected values")

    def find(*parts: str) -> Path:
        path = Path(folder, *parts)
        assert path.exists(), f"RANKDIFF_DATA is set, but {path} does not exist"
        return path

    return find


class LeftOut:
    """Counts the tests that a marker expression deselects, here or in the worker processes of xdist."""

    slow = 0

    def pytest_deselected(self, items: Iterable[pytest.Item]) -> None:
        self.slow += sum(item.get_closest_marker("slow") is not None for item in items)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left out"] = self.slow

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.slow = getattr(node, "workeroutput", {}).get("left out", 0)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.slow:
            terminalreporter.write_line(f"left out: {self.slow} slow tests (make test-all runs them)")
        skipped = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])]
        for reason in sorted(set(skipped)):
            terminalreporter.write_line(f"left out ({skipped.count(reason)}): {reason.removeprefix('Skipped: ')}")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(LeftOut(), "left-out")
