"""Building what is distributed, without a network, and installing it where nothing else is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from packaging.markers import Marker

ROOT = Path(__file__).parents[1]
NOWHERE = "http://127.0.0.1:9"
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "http_proxy": NOWHERE, "https_proxy": NOWHERE}
NO_COMPILER = {"PATH": str(Path(sys.executable).parent), "CC": "/bin/false", "CXX": "/bin/false"}


def call(*command: object, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> str:
    """What a program prints; a failure shows what it said."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, cwd=cwd, env={**os.environ, **(env or {})}
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def source_distribution(folder: Path) -> Path:
    """Made by what pip calls for it."""
    call(sys.executable, "-c", f"from scikit_build_core import build; build.build_sdist({str(folder)!r})", cwd=ROOT)
    [made] = folder.glob("*.tar.gz")
    return made


def wheel(sdist: Path, folder: Path, **variables: str) -> Path:
    """What pip makes of a source distribution with the build requirements that are installed here."""
    options = ("--no-deps", "--no-build-isolation", "--no-cache-dir", "--wheel-dir", folder)
    call(sys.executable, "-m", "pip", "wheel", *options, sdist, env=OFFLINE | variables)
    [made] = folder.glob("*.whl")
    return made


@dataclass(frozen=True)
class Bare:
    """An environment that holds what the core of rankdiff declares to need, and nothing else."""

    folder: Path

    @classmethod
    def make(cls, folder: Path, wheel: Path) -> Bare:
        """Make it, and install a wheel there."""
        made = cls(folder)
        venv.create(folder, with_pip=False)
        for name in needed_by("rankdiff"):
            made._link(name)
        call(sys.executable, "-m", "pip", "--python", made.python, "install", "--no-deps", wheel, env=OFFLINE)
        return made

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self._path("scripts") / "python"

    def run(self, *arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run its interpreter; no program but its own is on the path, so no compiler."""
        ours = ("PYTHON", "RANKDIFF")
        env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        command = list(map(str, (self.python, *arguments)))
        path = {"PATH": str(self.python.parent)}
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=env | path)

    def _path(self, kind: str) -> Path:
        base = str(self.folder)
        return Path(sysconfig.get_path(kind, "venv", {"base": base, "platbase": base, "installed_base": base}))

    def _link(self, name: str) -> None:
        """Have a distribution that is installed here."""
        paths = [path.parts[0] for path in distribution(name).files or [] if path.parts[0] != ".."]
        for top in set(paths) - {"__pycache__"}:
            (self._path("purelib") / top).symlink_to(Path(str(distribution(name).locate_file(top))))


def needed_by(name: str) -> set[str]:
    """The distributions that one needs, and those that they need; its extras do not count."""
    found: set[str] = set()
    for requirement in distribution(name).requires or []:
        needed, _, marker = requirement.partition(";")
        if not marker or Marker(marker).evaluate({"extra": ""}):
            other = re.split(r"[^\w.-]", needed)[0]
            found |= {other, *needed_by(other)}
    return found
