"""Preferences between all pairs of runs: rankdiff beside a plain loop over pairs, in memory and from files.

    python bench/preferences.py

The loop is what one would write without rankdiff: for each pair of runs and each topic, walk down the ranks of the
relevant documents. It is checked to give the same numbers, timed on some pairs, and scaled to all of them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import numpy as np
from data import collection
from processes import best_of, run

NAMES = ("RPP(rel=1)", "sgnLP", "sgnLR")
PAIRS_IN_MEMORY, PAIRS_FROM_FILES, TURNS = 300, 50, 10
MISSED = 10**9
"""The rank of what a run did not retrieve."""

Positions = dict[str, list[int]]
"""By topic, the ranks of the relevant documents in a run, ascending."""


def read_relevant(qrels: Path) -> dict[str, set[str]]:
    relevant: dict[str, set[str]] = {}
    for line in qrels.open():
        topic, _, document, grade = line.split()
        found = relevant.setdefault(topic, set())
        if int(grade) >= 1:
            found.add(document)
    return relevant


def read_positions(path: Path, relevant: dict[str, set[str]]) -> Positions:
    rankings: dict[str, list[tuple[float, str]]] = {}
    for line in path.open():
        topic, _, document, _, score, _ = line.split()
        rankings.setdefault(topic, []).append((float(score), document))
    positions = {}
    for topic, wanted in relevant.items():
        ranking = sorted(rankings.get(topic, ()), reverse=True)
        found = [rank for rank, (_, document) in enumerate(ranking, 1) if document in wanted]
        positions[topic] = found + [MISSED] * (len(wanted) - len(found))
    return positions


def loop(ours: Positions, theirs: Positions, relevant: dict[str, set[str]]) -> tuple[float, float, float]:
    """Mean RPP, sgnLP and sgnLR of one run over another."""
    totals = [0.0, 0.0, 0.0]
    for topic, wanted in relevant.items():
        levels = list(zip(ours[topic], theirs[topic], strict=True))
        totals[0] += sum((p < other) - (p > other) for p, other in levels) / max(len(wanted), 1)
        totals[1] += next((1 if p < other else -1 for p, other in levels if p != other), 0)
        totals[2] += next((1 if p < other else -1 for p, other in reversed(levels) if p != other), 0)
    rpp, precision, recall = (total / len(relevant) for total in totals)
    return rpp, precision, recall


def all_pairs(c: Any) -> list[Any]:
    """The means of all preferences over all pairs, from a collection as it is when files have just been read."""
    view = replace(c, _derived={})
    return [view.prefer(name).matrix() for name in NAMES]


def seconds(work: Callable[[], Any]) -> np.ndarray:
    """How long some work takes: by the clock, and in the time of all processors that it had."""
    began = time.perf_counter(), time.process_time()
    work()
    return np.array([time.perf_counter() - began[0], time.process_time() - began[1]])


def in_memory() -> str:
    """All pairs with the files read, beside the loop with its positions ready; in turns, the best of each."""
    from rankdiff.alignment import load

    folder = collection("b")
    c = load(folder / "qrels.txt", folder / "runs")
    relevant = read_relevant(folder / "qrels.txt")
    chosen = c.systems[:25]
    positions = {name: read_positions(run_file(folder, name), relevant) for name in chosen}
    pairs = list(islice(combinations(chosen, 2), PAIRS_IN_MEMORY))
    check_equal(c, pairs, np.array([loop(positions[a], positions[b], relevant) for a, b in pairs]))
    ours, looped = [], []
    for turn in range(TURNS):
        some = pairs[turn::TURNS]
        looped.append(
            seconds(lambda some=some: [loop(positions[a], positions[b], relevant) for a, b in some]) / len(some)
        )
        ours.append(seconds(lambda: all_pairs(c)))
    everything = len(c.systems) * (len(c.systems) - 1) // 2
    (wall, processor), whole = np.min(ours, axis=0), np.min(looped, axis=0) * everything
    return (
        f"{len(c.systems)} systems × {len(c.queries)} topics, all {everything} pairs, {', '.join(NAMES)}: "
        f"{wall:.3f} s (at most 0.2), {processor:.3f} s of processor time. A plain Python loop over pairs would "
        f"take {whole[0]:.0f} s, {whole[1]:.0f} s of processor time (timed on {len(pairs)} pairs and scaled; both in "
        f"{TURNS} turns, the best of each): **{whole[0] / wall:.0f}** times as long (at least 200), "
        f"{whole[1] / processor:.0f} times the processor time."
    )


def from_files() -> str:
    """The whole process from files, beside a loop that reads both runs for each pair."""
    folder = collection("b")
    whole = best_of(3, {"rankdiff": ("preferences.py", "--whole", str(folder))})["rankdiff"]
    relevant = read_relevant(folder / "qrels.txt")
    names = sorted(path.name for path in (folder / "runs").iterdir())
    everything = len(names) * (len(names) - 1) // 2
    began = time.perf_counter()
    for a, b in islice(combinations(names, 2), PAIRS_FROM_FILES):
        loop(*(read_positions(folder / "runs" / name, relevant) for name in (a, b)), relevant)
    scaled = (time.perf_counter() - began) / PAIRS_FROM_FILES * everything
    return (
        f"From files, start-up included: {whole.seconds:.2f} s. A loop that reads both runs for each pair would take "
        f"{scaled:.0f} s (timed on {PAIRS_FROM_FILES} pairs and scaled): **{scaled / whole.seconds:.0f}** times "
        f"as long (at least 500)."
    )


def win_rates() -> str:
    """The memory of win rates among very many systems."""
    process = run(("preferences.py", "--win-rates"))
    seconds = process.output.strip()
    return f"Win rates of 5,000 systems × 100 topics: {process.megabytes:.0f} MB (at most 1000), {seconds} s."


def make_many(systems: int = 5000, topics: int = 100, relevant: int = 70, depth: int = 1000) -> Any:
    """A collection of relevant documents only: most found by most systems, somewhere."""
    from rankdiff.collection import Collection
    from rankdiff.ids import Ids

    rng = np.random.default_rng(1)
    documents = topics * relevant
    rank = np.empty((systems, documents), np.int32)
    for row in rank:
        ranks = rng.permuted(np.tile(np.arange(1, depth + 1, dtype=np.int32), (topics, 1)), axis=1)[:, :relevant]
        row[:] = np.where(rng.random(documents) < 0.6, ranks.ravel(), 0)
    return Collection(
        systems=tuple(f"s{i}" for i in range(systems)),
        queries=tuple(f"q{i:03}" for i in range(topics)),
        documents=Ids.of(range(documents)),
        start=np.arange(topics + 1) * relevant,
        grade=np.ones(documents),
        rank=rank,
        depth=np.full((systems, topics), depth),
        answered=np.ones((systems, topics), bool),
    )


def run_file(folder: Path, name: str) -> Path:
    found = [path for path in (folder / "runs").iterdir() if path.name.split(".")[0] == name or path.name == name]
    return found[0]


def check_equal(c: Any, pairs: list[tuple[str, str]], looped: np.ndarray) -> None:
    place = {name: i for i, name in enumerate(c.systems)}
    for name, values in zip(NAMES, looped.T, strict=True):
        matrix = c.prefer(name).matrix()
        expected = np.array([matrix[place[a], place[b]] for a, b in pairs])
        if not np.allclose(values, expected, rtol=0, atol=1e-12):
            raise SystemExit(f"the loop gives another {name} than rankdiff")


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--whole"]:
        from rankdiff.alignment import load

        c = load(Path(arguments[1], "qrels.txt"), Path(arguments[1], "runs"))
        print(sum(float(matrix[0].sum()) for matrix in all_pairs(c)))
    elif arguments[:1] == ["--win-rates"]:
        c = make_many()
        began = time.perf_counter()
        rates = c.prefer("RPP").win_rates()
        print(f"{time.perf_counter() - began:.1f}")
        if not np.allclose(rates.sum(axis=0), 0, atol=1e-9):
            raise SystemExit("win rates of a query must sum to 0")
    else:
        for part in (in_memory, from_files, win_rates):
            print(part(), end="\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
