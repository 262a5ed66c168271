"""Values that other people's tools printed for real collections, met to the last printed digit."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.measures import evaluate, find
from rankdiff.measures.relstring import relstring
from rankdiff.results import Scores

Find = Callable[..., Path]


def columns(path: Path) -> list[list[str]]:
    """The columns of a tab-separated table, without its header."""
    with gzip.open(path, "rt") as lines:
        next(lines)
        return [list(column) for column in zip(*csv.reader(lines, delimiter="\t"), strict=True)]


def looked_up(names: list[str], among: tuple[str, ...]) -> NDArray[np.int64]:
    """The position of each name."""
    position = {name: i for i, name in enumerate(among)}
    return np.array([position[name] for name in names])


def values_of(
    c: Collection, run: list[str], topic: list[str], measure: list[str], ours: Callable[[str], str] = str
) -> NDArray[np.float64]:
    """Our value for each row of a table; the topic ``all`` stands for the number of a run."""
    names = tuple(dict.fromkeys(measure))
    scores = evaluate(c, [find(ours(name)) for name in names])
    assert len(scores.measures) == len(names)
    table = np.concatenate([scores.values, scores.summary()[:, :, None]], axis=2)
    return table[looked_up(measure, names), looked_up(run, c.systems), looked_up(topic, (*c.queries, "all"))]


def as_printed(value: float, measure: str) -> str:
    return f"{value:.0f}" if measure.startswith("num_") else f"{value:6.4f}"


def differing(c: Collection, table: list[list[str]], exempt: Callable[[str, str], bool]) -> list[tuple[str, ...]]:
    """The first rows of a table of trec_eval's whose value we do not print, and what we print instead."""
    rows = [row for row in zip(*table, strict=True) if not exempt(row[1], row[2])]
    assert rows
    run, topic, measure, _ = (list(column) for column in zip(*rows, strict=True))
    ours = values_of(c, run, topic, measure).tolist()
    printed = (as_printed(value, name) for value, name in zip(ours, measure, strict=True))
    return [(*row, text) for row, text in zip(rows, printed, strict=True) if row[3] != text][:10]


def counted_at_any_level(topic: str, measure: str) -> bool:
    """trec_eval's sum of num_rel passes over the level."""
    return (topic, measure) == ("all", "num_rel")


def rounded_otherwise(_: str, measure: str) -> bool:
    """trec_eval 9 takes ``⌊x·R + 0.9⌋`` documents for a recall of x, where 10 (and we) round."""
    return measure.startswith(("iprec_at_recall", "11pt_avg"))


COLLECTIONS = [("trec-dl-2021-passages", 1), ("trec-dl-2021-passages", 2), ("trec-covid-round1", 1)]


@pytest.mark.parametrize(("collection", "level"), COLLECTIONS)
def test_trec_eval_10(data: Find, collection: str, level: int) -> None:
    c = align(data(collection, "qrels.txt"), data(collection, "runs"), rel=level)
    table = columns(data(collection, "expected", f"trec_eval-10.0.level-{level}.tsv.gz"))
    assert differing(c, table, counted_at_any_level) == []


@pytest.mark.parametrize(("collection", "level"), COLLECTIONS)
def test_trec_eval_9_with_single_precision(data: Find, collection: str, level: int) -> None:
    c = align(data(collection, "qrels.txt"), data(collection, "runs"), rel=level, precision="single")
    table = columns(data(collection, "expected", f"trec_eval-9.0.8.level-{level}.tsv.gz"))
    assert differing(c, table, rounded_otherwise) == []


@pytest.mark.parametrize(
    ("expected", "qrels", "run", "rules"),
    [
        ("out.test.aq", "qrels.test", "results.test", {}),
        ("out.test.aql", "qrels.rel_level", "results.test", {"rel": 2}),
    ],
)
def test_nists_own_values_of_every_measure(
    data: Find, expected: str, qrels: str, run: str, rules: dict[str, int]
) -> None:
    c = align(data("trec-eval-tests", qrels), data("trec-eval-tests", run), **rules)
    rows = [line.split("\t") for line in data("trec-eval-tests", expected).read_text().splitlines()]
    values = {(name.strip(), topic): value for name, topic, value in rows}
    numbers = [key for key in values if not key[0].startswith(("runid", "relstring"))]
    names, topics = (list(column) for column in zip(*numbers, strict=True))
    ours = values_of(c, [c.systems[0]] * len(names), topics, names).tolist()
    wrong = [
        (name, topic, values[name, topic], value)
        for name, topic, value in zip(names, topics, ours, strict=True)
        if values[name, topic] != as_printed(value, name) and not counted_at_any_level(topic, name)
    ]
    assert wrong == []
    assert set(c.tags) == {values["runid", "all"]}
    length = 20 if expected == "out.test.aql" else 10
    shown = dict(zip(c.queries, relstring(c, length)[0], strict=True))
    assert {topic: f"'{text}'" for topic, text in shown.items()} == {
        topic: value for (name, topic), value in values.items() if name.startswith("relstring")
    }


def test_gdeval(data: Find) -> None:
    names = {"ndcg@10": "nDCG(dcg='exp-log2')@10", "err@10": "ERR@10"}
    names |= {name.replace("10", "20"): ours.replace("10", "20") for name, ours in names.items()}
    c = align(data("trec-dl-2021-passages", "qrels.txt"), data("trec-dl-2021-passages", "runs"))
    run, topic, measure, expected = columns(data("trec-dl-2021-passages", "expected", "gdeval-1.3.tsv.gz"))
    topic = ["all" if name == "amean" else name for name in topic]
    ours = values_of(c, run, topic, measure, names.__getitem__)
    assert [f"{value:.5f}" for value in ours] == expected


def test_movielens_published_reciprocal_rank(data: Find) -> None:
    c = align(data("movielens-1m-time", "qrels.txt.gz"), data("movielens-1m-time", "runs"), ties="rank", missing="skip")
    with data("movielens-1m-time", "expected", "mrr10.tsv").open() as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    scores: Scores = c.measure("RR@10")
    ours = dict(zip(c.systems, scores.summary()[0], strict=True))
    counted = dict(zip(c.systems, scores.counted()[0], strict=True))
    assert len(rows) == len(c.systems)
    for row in rows:
        assert ours[row["run"]] == pytest.approx(float(row["published_mrr10"]), rel=0, abs=1e-12)
        assert counted[row["run"]] == int(row["users_in_run_and_qrels"])


def test_the_published_leaderboard_of_covid(data: Find) -> None:
    published: dict[str, dict[str, str]] = defaultdict(dict)
    with data("trec-covid-round1", "leaderboard.csv").open() as lines:
        for row in csv.DictReader(lines):
            published[row["run"]] = row
    c = align(data("trec-covid-round1", "qrels.txt"), data("trec-covid-round1", "runs"), precision="single")
    names = {"ndcg@10": "nDCG@10", "p@5": "P@5", "bpref": "Bpref", "MAP": "AP", "RBP(p=.5)": "rbp(p=0.5)"}
    summary = c.measure(*names.values()).summary()
    for column, ours in zip(names, summary, strict=True):
        printed = dict(zip(c.systems, np.char.mod("%.4f", ours), strict=True))
        assert printed == {run: published[run][column] for run in c.systems}
