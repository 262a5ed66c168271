"""Every study about a collection, and ten samples × nine rates of label degradation for eight measures beside
pytrec_eval.

    python bench/studies.py [FOLDER ...]

A folder holds ``qrels.txt`` and ``runs``; without one, those of TREC below the folder that ``RANKDIFF_DATA`` names, and
the small shared task of ``data.py``. ``study all`` is a whole process, from the files to the page. In the
degradation both sides hold everything in memory before the clock starts, and pytrec_eval evaluates every run anew for
every degraded set of judgments; it is timed on a few of them. Values of AP and nDCG must be equal.
"""

from __future__ import annotations

import gzip
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytrec_eval
from data import collection
from processes import run

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.hits import BoolArray
from rankdiff.read.runs import run_name
from rankdiff.studies.labels import RATES, kept_labels, labels, removal_order

NAMES = {
    "AP": "map", "nDCG": "ndcg", "RR": "recip_rank", "P@10": "P_10", "R@1000": "recall_1000", "Rprec": "Rprec",
    "nDCG@10": "ndcg_cut_10", "P@100": "P_100",
}  # fmt: skip
SAMPLES = 10
TIMED = 3
"""Sets of judgments on which pytrec_eval is timed."""
TRACKS = ("trec-dl-2021-passages", "trec-covid-round1")
ALLOWED = 300
"""Seconds that every study of TREC's Deep Learning Track 2021 may take on two cores."""


def degradations(c: Collection) -> Iterator[BoolArray]:
    """Which labels are kept, for every sample and rate."""
    for sample in range(SAMPLES):
        order = removal_order(c, np.random.default_rng(sample))
        yield from (kept_labels(c, order, rate) for rate in RATES)


def seconds(work: Callable[[], object]) -> float:
    """The processor time that something takes, so that a busy machine does not matter."""
    began = time.process_time()
    work()
    return time.process_time() - began


def by_run(folder: Path, judged: frozenset[str]) -> dict[str, dict[str, dict[str, float]]]:
    """The runs as the nested dicts that pytrec_eval takes, without topics that have no judgments."""
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for path in sorted((folder / "runs").iterdir()):
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
            for query, _, document, _, score, _ in map(str.split, lines):
                if query in judged:
                    runs.setdefault(run_name(str(path)), {}).setdefault(query, {})[document] = float(score)
    return runs


def evaluate_anew(c: Collection, runs: dict[str, dict[str, dict[str, float]]], kept: BoolArray) -> float:
    """How long pytrec_eval takes for one degraded set of judgments; its AP and nDCG must be ours."""
    qrels: dict[str, dict[str, int]] = {query: {} for query in c.queries}
    for i in np.flatnonzero(kept).tolist():
        qrels[c.queries[c.query_of[i]]][c.documents[i]] = int(c.grade[i])
    found = {}

    def evaluate() -> None:
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES.values()))
        found.update({name: evaluator.evaluate(runs[name]) for name in c.systems})

    spent, view = seconds(evaluate), c.keep_labels(kept)
    for ours, theirs in {"AP": "map", "nDCG": "ndcg"}.items():
        expected = [[found[name].get(query, {}).get(theirs, 0.0) for query in c.queries] for name in c.systems]
        np.testing.assert_allclose(rd.measures.find(ours)(view), expected, atol=1e-9)
    return spent


def every_study(folder: Path) -> str:
    """How long ``study all`` takes, from the files to the page."""
    with tempfile.TemporaryDirectory() as written:
        asked = ["study", "all", str(folder / "qrels.txt"), str(folder / "runs"), "--samples", str(SAMPLES)]
        spent = run(["-m", "rankdiff", *asked, "--jobs", "2", "-o", written])
        files = len(list(Path(written).iterdir()))
    seconds = f"**{spent.seconds:.0f}** s on {os.cpu_count()} cores, {spent.processor:.0f} s of processor time"
    allowed = f" (at most {ALLOWED})" if folder.name == TRACKS[0] else ""
    return f"`study all`, {SAMPLES} samples, {folder.name}: {seconds}{allowed}; {files} files, {spent.megabytes:.0f} MB"


def fewer_labels(folder: Path) -> str:
    """The times of both, and their ratios, as a row of the table."""
    # pytrec_eval keeps scores in single precision.
    c = rd.load(folder / "qrels.txt", folder / "runs", precision="single")
    measures = [rd.measures.find(name) for name in NAMES]
    kept, runs = list(degradations(c)), by_run(folder, frozenset(c.queries))
    theirs = sum(evaluate_anew(c, runs, each) for each in kept[:: len(kept) // TIMED][:TIMED]) / TIMED * len(kept)
    del runs
    ours = min(seconds(lambda: [[item(view) for item in measures] for view in map(c.keep_labels, kept)]) for _ in "123")
    study = seconds(lambda: labels(c, list(NAMES), samples=SAMPLES, removed=["uniform"]))
    size = f"{len(c.systems)} × {len(c.queries)} × {np.median(c.depth):.0f}"
    times = f"{theirs:.1f} | {ours:.2f} | **{theirs / ours:.0f}** | {study:.2f} | {theirs / study:.0f}"
    return f"| {folder.name}: {size} | {times} |"


def folders() -> list[Path]:
    """Those that are named, or else those there are."""
    if named := sys.argv[1:]:
        return [Path(name) for name in named]
    data = os.environ.get("RANKDIFF_DATA")
    return [*(Path(data) / track for track in TRACKS if data), collection("a")]


def main() -> None:
    """Print both."""
    chosen = folders()
    for folder in chosen:
        print(f"{every_study(folder)}\n", flush=True)
    print(f"{SAMPLES} samples × {len(RATES)} rates of fewer labels, {len(NAMES)} measures; seconds of one processor,")
    print(f"pytrec_eval's from {TIMED} of the {SAMPLES * len(RATES)} sets of judgments; AP and nDCG are equal.\n")
    print("| runs × topics × documents | pytrec_eval | values | times as fast, at least 100 | study | times as fast |")
    print("|---|---|---|---|---|---|", flush=True)
    for folder in chosen:
        print(fewer_labels(folder), flush=True)
    print("\nThe study also counts ties and agreement of all pairs of runs, and orders the runs.")


if __name__ == "__main__":
    main()
