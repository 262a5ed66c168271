"""Every door beside pytrec_eval: one run of 7,000 queries × 100 documents from dicts, id arrays, frames and files.

pytrec_eval takes nested dicts only, so that from arrays and frames its time includes making them, as its users must.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytrec_eval
from numpy.typing import NDArray

import rankdiff as rd
from rankdiff.interop.pytrec_eval import RelevanceEvaluator

QUERIES, DEPTH = 7_000, 100
MEASURES = ("map", "ndcg_cut_10", "recip_rank", "recall_100", "P_10")


class Data:
    """The same run and judgments in every form."""

    def __init__(self) -> None:
        random = np.random.default_rng(7)
        self.topics = np.array([f"q{i}" for i in range(QUERIES)])
        self.ids = np.array([random.choice(8_841_823, DEPTH, replace=False) for _ in range(QUERIES)])
        self.scores = -np.sort(-random.random(self.ids.shape), axis=1) * 30
        self.run = as_dicts(self.topics, self.ids, self.scores)
        relevant = self.ids[np.arange(QUERIES), random.integers(0, DEPTH, QUERIES)]
        self.qrels = {topic: {str(document): 1} for topic, document in zip(self.topics, relevant, strict=True)}
        columns = {
            "qid": np.repeat(self.topics, DEPTH),
            "docno": self.ids.ravel().astype(str),
            "score": self.scores.ravel(),
        }
        self.pandas, self.polars = pd.DataFrame(columns), pl.DataFrame(columns)

    def write(self, folder: Path) -> None:
        """The files: text, Parquet, Feather, JSON."""
        columns = self.polars.select(
            pl.col("qid"),
            pl.lit("Q0").alias("q0"),
            pl.col("docno"),
            pl.int_range(pl.len()).over("qid").alias("rank"),
            pl.col("score"),
            pl.lit("tag").alias("tag"),
        )
        columns.write_csv(folder / "run.txt", separator=" ", include_header=False)
        self.polars.write_parquet(folder / "run.parquet")
        self.polars.write_ipc(folder / "run.feather")
        self.polars.write_csv(folder / "run.csv")


def as_dicts(topics: Any, ids: Any, scores: Any) -> dict[str, dict[str, float]]:
    """What a user of pytrec_eval makes of arrays."""
    return {
        topic: dict(zip(map(str, row), values, strict=True))
        for topic, row, values in zip(topics.tolist(), ids.tolist(), scores.tolist(), strict=True)
    }


def frame_as_dicts(frame: Any) -> dict[str, dict[str, float]]:
    """What a user of pytrec_eval makes of a frame, the quickest way."""
    run: dict[str, dict[str, float]] = {}
    for topic, document, score in zip(*(frame[name].to_list() for name in ("qid", "docno", "score")), strict=True):
        run.setdefault(topic, {})[document] = score
    return run


def file_as_dicts(path: Path) -> dict[str, dict[str, float]]:
    """What pytrec_eval's own reader makes of a file."""
    with path.open() as lines:
        return pytrec_eval.parse_run(lines)


def fastest(times: int, *calls: Callable[[], float]) -> NDArray[np.float64]:
    """The least times of each call, call × kind, taken in turns; all must return the same.

    First by the clock, then what all threads compute together, which a busy machine changes least; where a file is
    decoded by several threads, whoever waits for it waits less.
    """
    best = np.full((len(calls), 2), np.inf)
    for _ in range(times):
        values = []
        for place, call in enumerate(calls):
            began = time.perf_counter(), time.process_time()
            values.append(call())
            best[place] = np.minimum(best[place], np.subtract((time.perf_counter(), time.process_time()), began))
        if max(values) - min(values) > 1e-9:
            raise SystemExit(f"not the same values: {values}")
    return best


def table(times: int = 11) -> str:
    """The Markdown table: pytrec_eval's time over ours from the same form, the fastest of several, taken in turns."""
    data = Data()

    def theirs(run: Callable[[], Any]) -> float:
        values = pytrec_eval.RelevanceEvaluator(data.qrels, set(MEASURES)).evaluate(run())
        return float(np.mean([each["map"] for each in values.values()]))

    def ours(run: Any) -> float:
        return float(rd.align(data.qrels, run).measure(*MEASURES).summary()[0, 0])

    def stand_in(run: Any) -> float:
        values = RelevanceEvaluator(data.qrels, MEASURES).evaluate(run)
        return float(np.mean([each["map"] for each in values.values()]))

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data.write(folder)
        arrays = data.topics, data.ids, data.scores
        rows: dict[str, tuple[float, Callable[[], float], Callable[[], float]]] = {
            "nested dicts": (2, lambda: theirs(lambda: data.run), lambda: ours(data.run)),
            "nested dicts, `RelevanceEvaluator`": (2, lambda: theirs(lambda: data.run), lambda: stand_in(data.run)),
            "id arrays with scores": (10, lambda: theirs(lambda: as_dicts(*arrays)), lambda: ours(arrays)),
            "id arrays": (10, lambda: theirs(lambda: as_dicts(*arrays)), lambda: ours(arrays[:2])),
            "pandas": (10, lambda: theirs(lambda: frame_as_dicts(data.pandas)), lambda: ours(data.pandas)),
            "polars": (10, lambda: theirs(lambda: frame_as_dicts(data.polars)), lambda: ours(data.polars)),
            "text": (0, lambda: theirs(lambda: file_as_dicts(folder / "run.txt")), lambda: ours(folder / "run.txt")),
            "Parquet, beside text": (1, lambda: ours(folder / "run.txt"), lambda: ours(folder / "run.parquet")),
            "Feather, beside text": (1, lambda: ours(folder / "run.txt"), lambda: ours(folder / "run.feather")),
            "CSV, beside text": (0, lambda: ours(folder / "run.txt"), lambda: ours(folder / "run.csv")),
        }
        lines = ["| from | ratio | of processor time | at least | rankdiff, ms |", "|---|---|---|---|---|"]
        for form, (target, other, own) in rows.items():
            best = fastest(times, other, own)
            clock, computed = best[0] / best[1]
            lines.append(f"| {form} | **{clock:.2f}** | {computed:.2f} | {target or ''} | {1000 * best[1, 0]:.0f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
