"""The numbers of docs/studies/findings.md: claims of the papers, each with an interval over topics.

    python bench/findings.py FOLDER ...             ties, significant pairs, and whether other topics agree
    python bench/findings.py --scores FOLDER        significant pairs by the scores of TREC's runs

A folder holds ``qrels.txt`` and ``runs``; that of scores files such as ``adhoc5_ap.csv.gz``, topic × run.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from scipy import stats

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.hits import BoolArray, FloatArray
from rankdiff.statistics import paired
from rankdiff.studies.criteria import resolve
from rankdiff.studies.pairwise import tied
from rankdiff.studies.testing import prepare

COMPARED = ("RPP", "RPP(rel=1)", "RPP(weights='dcg')", "AP", "nDCG", "RR", "rrLP", "sgnLP")
LEVEL = 0.05
PERMUTATIONS = 10_000
HALVES = 200
TRACKS = {f"TREC-{year}": f"adhoc{year}" for year in (5, 6, 7, 8)} | {
    f"web ({year})": f"web{year}" for year in range(2010, 2014)
}
MEASURES = {"ap": "AP", "p10": "P@10", "rr": "RR", "ndcg20": "nDCG"}


def report_ties(c: Collection) -> None:
    rr, lp = (tied(c, resolve(name)) for name in ("RR", "sgnLP"))
    for title, values in {"RR": rr, "sgnLP": lp, "RR less sgnLP": rr - lp}.items():
        found = paired(values, test="bootstrap")
        print(f"  {title:14} {found.difference:.4f} [{found.interval[0]:.4f}, {found.interval[1]:.4f}]")


def jackknife(topics: int, of: Callable[[BoolArray], FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Numbers that come from some of the topics, and the half-widths of their 95 % intervals: each topic is left out in
    turn."""
    without = np.array([of(np.arange(topics) != topic) for topic in range(topics)])
    errors = np.sqrt((topics - 1) * without.var(axis=0))
    return of(np.ones(topics, bool)), stats.t.ppf(0.975, topics - 1) * errors


def significant(c: Collection, names: Sequence[str], test: str) -> FloatArray:
    """The share of pairs that differ, of each measure."""
    found = [prepare(c, resolve(name), test, PERMUTATIONS, 0).whole for name in names]
    return np.array([np.triu(each.significant(LEVEL), 1).sum() / each.comparisons for each in found])


def kept_signs(c: Collection, names: Sequence[str]) -> FloatArray:
    """The share of pairs whose difference has the same sign on two disjoint halves of the topics, of each measure."""
    half = np.random.default_rng(0).random((HALVES, len(c.queries))).argsort(axis=1) < len(c.queries) // 2
    shares = []
    for name in names:
        values = np.concatenate([rows for _, rows in rd.preferences.resolve(name)(c).rows()])
        one, other = (np.sign(np.round(values @ part.T.astype(float), 9)) for part in (half, ~half))
        shares.append(np.mean(one == other))
    return np.array(shares)


def report(c: Collection, title: str, names: Sequence[str], of: Callable[[Collection], FloatArray]) -> None:
    """A number for each measure, and the first less each."""

    def compared(topics: BoolArray) -> FloatArray:
        values = of(c.select(queries=topics))
        return np.stack([values, values[0] - values])

    print(title)
    (values, less), (widths, less_widths) = jackknife(len(c.queries), compared)
    for at, name in enumerate(names):
        beside = f"; {names[0]} less it {less[at]:+.3f} ± {less_widths[at]:.3f}" if at else ""
        print(f"  {name:22} {values[at]:.3f} ± {widths[at]:.3f}{beside}", flush=True)


def report_power(c: Collection) -> None:
    few = ("RPP", "AP", "nDCG")
    report(
        c, "significant, t or sign test with Bonferroni", COMPARED, lambda view: significant(view, COMPARED, "paired")
    )
    report(c, "same sign on two halves of the topics", COMPARED, lambda view: kept_signs(view, COMPARED))
    report(c, "significant, sign flips", few, lambda view: significant(view, few, "sign-flip"))


def report_claims(c: Collection) -> None:
    study = rd.studies.power(c, COMPARED, tests=["sign-flip", "randomized-hsd", "paired"], levels=[LEVEL], jobs=2)
    print(study.table)


def matrix(path: Path) -> FloatArray:
    """Run × topic; topics are rows in the file."""
    return np.loadtxt(gzip.decompress(path.read_bytes()).decode().splitlines(), delimiter=",", skiprows=1).T


def report_scores(folder: Path) -> None:
    scores = {
        track: {
            name: matrix(folder / f"{stem}_{key}.csv.gz")
            for key, name in MEASURES.items()
            if (folder / f"{stem}_{key}.csv.gz").exists()
        }
        for track, stem in TRACKS.items()
    }
    tests = ["sign-flip", "randomized-hsd", "paired", "unpaired"]
    print(rd.studies.power_of_scores(scores, tests=tests, samples=1, permutations=2000).table)


def main() -> None:
    if sys.argv[1] == "--scores":
        report_scores(Path(sys.argv[2]))
        return
    for folder in map(Path, sys.argv[1:]):
        c = rd.load(folder / "qrels.txt", folder / "runs")
        print(f"{folder.name}: {c}")
        report_ties(c)
        report_claims(c)
        report_power(c)


if __name__ == "__main__":
    main()
