"""Rarity: the hypothetical runs against real ones put into the collection, orders and documents."""

from __future__ import annotations

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import InputError, UsageError
from rankdiff.studies.rarity import hypothetical_ranks, rarity

QRELS = {"q": {f"r{i}": 1 for i in range(5)} | {"n": 0}, "other": {"x": 1}}
RUNS = {
    "one": ["r0", "r1", "n", "r2"],
    "two": ["r0", "n", "r1"],
    "three": ["n", "r0", "u", "v", "r3"],
    "four": ["u", "r0", "r1", "r2", "w"],
}
K = 4


def run(documents: list[str]) -> dict[str, dict[str, float]]:
    return {"q": {document: -float(rank) for rank, document in enumerate(documents)}}


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("found", [1, 2, 3, 4])
def test_ranks_are_those_of_runs_that_took_part(alpha, found):
    c = rd.align(QRELS, {name: run(documents) for name, documents in RUNS.items()})
    within = {d: sum(d in documents[:K] for documents in RUNS.values()) for d in QRELS["q"]}
    commonest = sorted([d for d in within if d != "n"], key=lambda d: (-within[d], d))
    made = {"rare": [f"new{i}" for i in range(found)], "common": commonest[:found]}
    qrels = {**QRELS, "q": QRELS["q"] | {f"new{i}": 1 for i in range(found)}}
    with_both = rd.align(qrels, {name: run(documents) for name, documents in (RUNS | made).items()})
    scores = with_both.measure(f"RareP(alpha={alpha})@{K}").values[0][:, with_both.queries.index("q")].round(9)
    ranks = hypothetical_ranks(c, c.queries.index("q"), alpha, K)
    for kind in ("rare", "common"):
        expected = 1 + np.sum(scores > scores[with_both.systems.index(kind)])
        assert ranks[kind][found - 1] == expected, kind


@pytest.mark.parametrize("name", ["RareP", "RareAP"])
def test_orders_are_compared_with_the_measure_without_rarity(name):
    c = rd.align(QRELS, {name: run(documents) for name, documents in RUNS.items()})
    table = rarity(c, alphas=[0, 1], k=K).table
    orders = [c.measure(f"{name}(alpha={alpha})@{K}").summary()[0] for alpha in (0, 1)]
    row = table.row(measure=f"{name}@{K}", alpha=1.0, quantity="tau with alpha 0")
    assert row["value"] == pytest.approx(rd.statistics.tau(orders[1], orders[0]))
    assert table.row(measure=f"{name}@{K}", alpha=0.0)["value"] == pytest.approx(1)


def test_documents_come_with_their_titles(tmp_path):
    c = rd.align(QRELS, {name: run(documents) for name, documents in RUNS.items()})
    (tmp_path / "titles.tsv").write_text("r3\tA rare one\nr0 A common one\n\nr1\n")
    table = rarity(c, k=5, titles=str(tmp_path / "titles.tsv"), documents=2).table
    listed = [row for row in table.rows() if row["quantity"] == "rarity"]
    assert [(row["document"], row["value"], row["title"]) for row in listed] == [
        ("r4", 1.0, ""),
        ("r3", 0.75, "A rare one"),
    ]
    (printed,) = rarity(c, k=5, documents=3, as_paper=True).printed
    assert [row["document"] for row in printed.rows()] == ["r4", "r2", "r0"]
    with pytest.raises(InputError, match="cannot be read"):
        rarity(c, titles=str(tmp_path / "none"))


def test_a_topic_can_be_named():
    c = rd.align(QRELS, {name: run(documents) for name, documents in RUNS.items()})
    assert set(rarity(c, topic="other").table["query"]) == {None, "other"}
    with pytest.raises(UsageError, match="no topic is called 'qq'"):
        rarity(c, topic="qq")
    with pytest.raises(UsageError, match="no topic has a relevant document"):
        rarity(rd.align(QRELS | {"barren": {"n": 0}}, {"one": run(["n"])}).select(queries=["barren"]))
