"""How a report was made: what it takes to make it again."""

from __future__ import annotations

import os
import platform
import sys
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rankdiff import __version__, _kernel
from rankdiff.present.cells import readable
from rankdiff.present.report.asked import Asked, Part
from rankdiff.present.report.cells import grid

PACKAGES = ("numpy", "scipy", "click")
CHUNK = 1 << 20


def gather(asked: Asked) -> Part:
    """Signature, versions, command line, sizes, and a digest of every input."""
    c = asked.c
    facts = {
        "rankdiff": f"{__version__}, {_kernel.NAME} kernel",
        "Python": f"{platform.python_version()} on {sys.platform}",
        **{name: found for name in PACKAGES if (found := _version(name))},
        "runs": f"{len(c.systems):,}",
        "topics": f"{len(c.queries):,}",
        "judged documents": f"{int((c.grade >= 0).sum()):,}",
        "relevant documents": f"{len(c.relevant(c.rules.rel).column):,} (grade {c.rules.rel:g} or more)",
        "seed": str(asked.seed),
    }
    files = [{"input": path, "bytes": os.path.getsize(path), "SHA-256": digest(path)} for path in asked.inputs]
    view = {
        "signature": readable(c.sign(",".join(item.name for item in asked.criteria))),
        "command": readable(asked.command),
        "facts": facts,
        "files": grid("Inputs", files) if files else None,
    }
    return Part("made", "How this was made", view)


def digest(path: str | os.PathLike[str]) -> str:
    """The SHA-256 of a file's bytes as they lie there, compressed or not."""
    found = sha256()
    with Path(path).open("rb") as file:
        while chunk := file.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
