"""What the papers call their datasets, and under which other names these are known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

KNOWN = {
    "robust (2004)": ("robust04", "trec robust 2004", "disks45/nocr/trec-robust-2004"),
    "core (2017)": ("core17", "nyt/trec-core-2017"),
    "core (2018)": ("core18", "wapo/v2/trec-core-2018"),
    "ml-1M (2018)": ("movielens-1m", "ml-1m"),
    "libraryThing (2018)": ("librarything",),
    "beerAdvocate (2018)": ("beeradvocate",),
    "TREC-5": ("trec5", "disks24/trec-5"),
    "TREC-8": ("trec8", "disks45/nocr/trec8"),
}
for year in range(2009, 2015):
    corpus = "clueweb09" if year < 2013 else "clueweb12"
    KNOWN[f"web ({year})"] = (f"web{year % 100:02}", f"trec web {year}", f"{corpus}/trec-web-{year}")
for year in range(2019, 2022):
    for papers, tracks in {"pass": ("passages", "passage", "pass"), "docs": ("documents", "document", "docs")}.items():
        corpus = f"msmarco-{'passage' if papers == 'pass' else 'document'}{'-v2' * (year == 2021)}"
        KNOWN[f"deep-{papers} ({year})"] = (
            *(f"{name} {year} {track}" for name in ("dl", "trec dl") for track in tracks),
            *(f"dl{year % 100} {track}" for track in tracks),
            f"{corpus}/trec-dl-{year}",
            f"{corpus}/trec-dl-{year}/judged",
        )
"""The names that the papers print (those of Diaz 2023 where they differ), each with others, ir_datasets' among them."""


def as_papers_call(label: str) -> str:
    """The papers' name of a dataset, whatever its case, blanks and hyphens; the label itself where they have none.

    >>> as_papers_call("trec-dl-2021-passages"), as_papers_call("Robust04"), as_papers_call("deep-pass-2021")
    ('deep-pass (2021)', 'robust (2004)', 'deep-pass (2021)')
    >>> as_papers_call("mine")
    'mine'
    """
    return _by_letters().get(_letters(label), label)


@cache
def _by_letters() -> Mapping[str, str]:
    return {_letters(name): papers for papers, others in KNOWN.items() for name in (papers, *others)}


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())
