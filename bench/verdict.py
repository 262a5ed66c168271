"""The verdict at speed: one pair, and all pairs, of a track of 63 runs × 53 topics.

    RANKDIFF_DATA=... python bench/verdict.py

Beside `flip` stands what its first step, what each single reversed judgment does, costs if the two runs are evaluated
anew for each judgment.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import rankdiff as rd
from rankdiff.verdict import bounds_of_all_pairs
from rankdiff.verdict.judged import Judged
from rankdiff.verdict.pair import duel

EVALUATED = 200
COMPARED = ("RPP", "sgnLP", "sgnLR", "ASL", "nDCG@10", "AP", "RR")
"""The rows of a comparison."""

PLACES = {"": (5, 15), " of the best run and the last": (0, -1)}
"""The pairs, by the places of their runs by nDCG@10."""


def seconds(times: int, work: Callable[[], Any]) -> float:
    """The best of several times."""
    best = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    if "RANKDIFF_DATA" not in os.environ:
        sys.exit("RANKDIFF_DATA must name the folder of data")
    folder = Path(os.environ["RANKDIFF_DATA"], "trec-dl-2021-passages")
    whole = rd.load(folder / "qrels.txt", folder / "runs")
    order = np.argsort(-whole.measure("nDCG@10")["nDCG@10"].mean(axis=1))

    def fresh() -> rd.Collection:
        return replace(whole, _derived={}, _judged={})

    print("| one pair, seconds (at most 1) | " + " | ".join(COMPARED) + " |")
    print("| --- |" + " --- |" * len(COMPARED))
    for which, places in PLACES.items():
        first, second = (whole.systems[order[place]] for place in places)
        took = [seconds(2, lambda n=name, a=first, b=second: fresh().flip(b, a, n)) for name in COMPARED]
        print(f"| flip{which} | " + " | ".join(f"{time:.2f}" for time in took) + " |")
    first, second = (whole.systems[order[place]] for place in PLACES[""])
    for depth in (10, None):
        took = [seconds(3, lambda n=name, d=depth: fresh().bounds(second, first, n, depth=d)) for name in COMPARED]
        print(f"| bounds, judged to depth {depth or 'all'} | " + " | ".join(f"{time:.3f}" for time in took) + " |")
    print(
        f"\nProfile with its band: {seconds(3, lambda: fresh().profile(second, first).by_share()):.3f} s (at most 1)\n"
    )
    for name, depth in (("nDCG@10", 10), ("nDCG@10", None), ("AP", None)):
        took = seconds(1, lambda n=name, d=depth: bounds_of_all_pairs(fresh(), n, depth=d))
        print(f"Bounds of all 1,953 pairs, {name}, judged to depth {depth or 'all'}: {took:.2f} s (at most 60)\n")
    for name in ("nDCG@10", "AP", "RPP"):
        print(one_by_one(fresh(), second, first, name) + "\n")


def one_by_one(c: rd.Collection, baseline: str, candidate: str, name: str) -> str:
    """Every judgment reversed by itself, beside evaluating the two runs for each."""
    judged = Judged.of(duel(c, baseline, candidate, name))
    began = time.perf_counter()
    column, value = judged.each
    ours = time.perf_counter() - began
    every = np.flatnonzero(judged.open)
    began = time.perf_counter()
    anew = [judged.under((document,)) for document in column[:EVALUATED].tolist()]
    theirs = (time.perf_counter() - began) / EVALUATED * len(every)
    again = [values[c.query_of[document]] for values, document in zip(anew, column.tolist(), strict=False)]
    if not np.allclose(value[:EVALUATED], again, atol=1e-12, equal_nan=True):
        raise SystemExit(f"the reversals of {name} differ from evaluating anew")
    return (
        f"Every judgment reversed, {name}: {ours:.3f} s; evaluating the two runs for each of {len(every)} judgments: "
        f"{theirs:.1f} s (timed on {EVALUATED}), **{theirs / ours:.0f}** times as long"
    )


if __name__ == "__main__":
    main()
