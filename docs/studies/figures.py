"""The figures of these pages: ``python docs/studies/figures.py QRELS RUNS [NAME ...]``.

Those about data show TREC's Deep Learning Track 2021 (passages). Without names, every study is drawn.
"""

from __future__ import annotations

import sys
from pathlib import Path

import rankdiff as rd

FOLDER = Path(__file__).parent / "figures"


def main() -> None:
    """Draw them, with the defaults of each study."""
    qrels, runs, *names = sys.argv[1:]
    c = rd.load(qrels, runs, pool=True)
    for name, study in rd.studies.catalog().items():
        if name in (names or [name]):
            found = study(c) if study.needs_collection else study()
            found.save(FOLDER / f"{name.replace('_', '-')}.svg")


if __name__ == "__main__":
    main()
