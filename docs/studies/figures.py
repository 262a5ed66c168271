"""The figures of these pages that are about data: ``python docs/studies/figures.py QRELS RUNS [NAME ...]``.

The pages show TREC's Deep Learning Track 2021 (passages). Without names, every study about data is drawn.
"""

from __future__ import annotations

import sys
from pathlib import Path

import rankdiff as rd

FOLDER = Path(__file__).parent / "figures"


def main() -> None:
    qrels, runs, *names = sys.argv[1:]
    c = rd.load(qrels, runs, pool=True)
    for name, study in rd.studies.catalog().items():
        if study.needs_collection and name in (names or [name]):
            study(c).save(FOLDER / f"{name.replace('_', '-')}.svg")


if __name__ == "__main__":
    main()
