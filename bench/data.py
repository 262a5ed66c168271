"""The four collections that the benchmarks run on, made under ``bench/data`` where they are absent.

    python bench/data.py [a b c d]

a: a shared task of forty runs; b: a large one, 1.1 GB of text and about 1200 judged documents a topic; c: a
recommender's users, with a few liked items each and no judgment of others; d: one run over many queries with one
relevant passage each.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from rankdiff.simulate import simulate

FOLDER = Path(__file__).parent / "data"
COLLECTIONS: dict[str, dict[str, Any]] = {
    "a": {"systems": 40, "topics": 43, "depth": 1000, "relevant": 100, "subtopics": 0, "pool_depth": 30},
    "b": {"systems": 110, "topics": 249, "depth": 1000, "relevant": 100, "subtopics": 0, "pool_depth": 48},
    "c": {
        "systems": 21, "topics": 6000, "depth": 100, "relevant": 8, "grades": 2, "subtopics": 0,
        "pool_depth": 0, "known": 1.0,
    },
    "d": {
        "systems": 1, "topics": 7000, "depth": 1000, "breadth": 4.0, "relevant": 1, "grades": 1, "subtopics": 0,
        "pool_depth": 0, "known": 1.0, "rounded": 0.0, "short": 0, "incomplete": 0,
    },
}  # fmt: skip


def collection(name: str) -> Path:
    """The folder of a collection (``qrels.txt``, ``runs``), made first if it is absent: in another process, as the
    peak memory of one that is measured counts from that of the process which starts it."""
    if not (FOLDER / name).exists():
        subprocess.run([sys.executable, __file__, name], check=True, stdout=subprocess.DEVNULL)
    return FOLDER / name


def make(name: str) -> Path:
    """Make a collection if it is absent."""
    finished = FOLDER / name
    if not finished.exists():
        unfinished = FOLDER / f"{name}.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        simulate(unfinished, **COLLECTIONS[name])
        unfinished.rename(finished)
    return finished


if __name__ == "__main__":
    for chosen in sys.argv[1:] or COLLECTIONS:
        print(make(chosen))
