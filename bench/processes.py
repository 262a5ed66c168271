"""Timing whole processes, start-up included, side by side."""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Run:
    """What one process cost: seconds on the wall and of processors, peak resident memory in MB, and what it printed."""

    seconds: float
    processor: float
    megabytes: float
    output: str


def run(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Run:
    """Run a Python script of this folder in a fresh interpreter."""
    variables = {**os.environ, **(environment or {})}
    # pip compiles what it installs; an editable installation is to have its bytecode, too, from its first run on.
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], cwd=HERE, stdout=subprocess.PIPE, env=variables)
    assert process.stdout is not None
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}")
    # The system passes the peak of the starting process on: below it, that of the started one cannot be told.
    told = usage.ru_maxrss > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024 if told else math.nan, output)


def best_of(times: int, contenders: Mapping[str, Sequence[str]]) -> dict[str, Run]:
    """The fastest of several runs of each contender, taken in turns so that all meet the same machine."""
    best: dict[str, Run] = {}
    for _ in range(times):
        for name, arguments in contenders.items():
            latest = run(arguments)
            if name not in best or latest.seconds < best[name].seconds:
                best[name] = latest
    return best
