"""Fewer labels: which go, and what measures and preferences then say, against pytrec_eval and plain counting."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import pytrec_eval

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError
from rankdiff.simulate import simulate
from rankdiff.studies.labels import kept_labels, labels, removal_order, remove

QREL, RUN = dict[str, dict[str, int]], dict[str, dict[str, float]]
RATES = (0.1, 0.29, 0.5, 0.7, 0.9, 1.0)


def made(folder) -> tuple[QREL, dict[str, RUN]]:
    simulate(folder, systems=6, topics=5, depth=40, relevant=12, team_size=1, seed=2)
    qrels: QREL = {}
    for line in (folder / "qrels.txt").read_text().splitlines():
        query, _, document, grade = line.split()
        qrels.setdefault(query, {})[document] = int(grade)
    runs: dict[str, RUN] = {}
    for path in sorted((folder / "runs").iterdir()):
        run = runs.setdefault(path.stem, {})
        for line in path.read_text().splitlines():
            query, _, document, _, score, _ = line.split()
            run.setdefault(query, {})[document] = float(score)
    return qrels, runs


@pytest.fixture(scope="module")
def texts(tmp_path_factory) -> tuple[QREL, dict[str, RUN]]:
    return made(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def c(texts) -> Collection:
    return rd.align(*texts)


def degraded(c: Collection, qrels: QREL, kept: np.ndarray) -> QREL:
    names = list(zip((c.queries[q] for q in c.query_of), c.documents, strict=True))
    gone = {name for name, keep in zip(names, kept, strict=True) if not keep}
    return {q: {d: g for d, g in documents.items() if (q, d) not in gone} for q, documents in qrels.items()}


@pytest.mark.parametrize("popular", [False, True])
def test_removals_are_nested_rounded_down_and_leave_one(c, popular):
    order = removal_order(c, np.random.default_rng(1), popular=popular)
    size, before = c.relevant(1).size, np.ones(len(c.grade), bool)
    for rate in RATES:
        kept = kept_labels(c, order, rate)
        assert np.all(kept <= before)
        left = np.bincount(c.query_of[kept & (c.grade >= 1)], minlength=len(c.queries))
        exact = [m - max(min(int(round(rate * 100) * m // 100), m - 1), 0) for m in size.tolist()]
        assert left.tolist() == exact
        assert kept[c.grade < 1].all()
        before = kept


def test_popular_documents_go_first_and_those_that_no_run_retrieves_last():
    found = {"a": 9, "b": 3, "c": 1, "d": 0}
    runs = {f"run{i}": {"q": {d: 1.0 for d, times in found.items() if i < times} | {"x": 0.5}} for i in range(9)}
    c = rd.align({"q": dict.fromkeys(found, 1)}, runs)
    rng = np.random.default_rng(0)
    orders = np.array([removal_order(c, rng, popular=True) for _ in range(3000)])
    assert set(orders[:, 3]) == {3}
    shares = np.mean(orders == 0, axis=0)
    assert shares[:3] == pytest.approx([9 / 13, 3 / 13, 1 / 13], abs=0.03)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("seed", [0, 1])
def test_values_are_those_of_pytrec_eval_on_the_degraded_judgments(texts, c, rate, seed):
    qrels, runs = texts
    names = {"AP": "map", "nDCG": "ndcg", "RR": "recip_rank", "P@10": "P_10", "R@100": "recall_100", "Rprec": "Rprec",
             "nDCG@10": "ndcg_cut_10", "Bpref": "bpref"}  # fmt: skip
    order = removal_order(c, np.random.default_rng(seed))
    view = remove(c, order, rate)
    fewer = degraded(c, qrels, kept_labels(c, order, rate))
    evaluator = pytrec_eval.RelevanceEvaluator(fewer, set(names.values()))
    for i, system in enumerate(c.systems):
        witness = evaluator.evaluate(runs[system])
        for ours, theirs in names.items():
            expected = [witness.get(q, {}).get(theirs, 0.0) for q in c.queries]
            assert rd.measures.find(ours)(view)[i] == pytest.approx(expected, abs=1e-12), ours


def test_a_view_is_the_collection_read_from_fewer_judgments(texts, c):
    qrels, runs = texts
    order = removal_order(c, np.random.default_rng(3), popular=True)
    view, again = remove(c, order, 0.5), rd.align(degraded(c, qrels, kept_labels(c, order, 0.5)), runs)
    for name in ("AP", "nDCG", "Bpref", "infAP", "ASL", "RareP@100"):
        assert rd.measures.find(name)(view) == pytest.approx(rd.measures.find(name)(again), nan_ok=True), name
    some = view.select(systems=c.systems[1:4]).cut(10)
    cut = again.select(systems=c.systems[1:4]).cut(10)
    assert rd.measures.find("AP")(some) == pytest.approx(rd.measures.find("AP")(cut))


@pytest.mark.parametrize("target", ["", "RR"])
def test_shares_are_counted_pair_by_pair(c, target):
    names, rate = ["Rprec", "sgnLR", "RPP", "ASL"], 0.7
    table = labels(c, names, samples=3, seed=4, rates=[rate], removed=["uniform"], target=target).table
    for name in names:
        shares = []
        for sample in range(3):
            rng = np.random.default_rng(np.random.SeedSequence(4, spawn_key=(sample,)))
            view = remove(c, removal_order(c, rng), rate)
            full, few = c.prefer(target or name), view.prefer(name)
            pairs = [
                (np.sign(np.round(full[a, b], 9)), np.sign(np.round(few[a, b], 9)))
                for a, b in combinations(c.systems, 2)
            ]
            before, after = (np.concatenate(side) for side in zip(*pairs, strict=True))
            told = np.nan_to_num(before) != 0
            shares.append(
                [
                    np.mean(after[~np.isnan(after)] == 0),
                    np.mean((after == before)[told]),
                    np.mean((after == -before)[told]),
                ]
            )
        quantities = ("tied pairs", "agreeing pairs", "opposite pairs")
        for quantity, values in zip(quantities, np.transpose(shares), strict=True):
            row = table.row(measure=name, rate=rate, quantity=quantity)
            assert (row["value"], row["sd"]) == pytest.approx((values.mean(), values.std(ddof=1))), (name, quantity)


def test_systems_are_ordered_by_means_and_majorities(c):
    table = labels(c, ["AP", "sgnLP"], samples=1, seed=9, rates=[0.5], removed=["popular"]).table
    rng = np.random.default_rng(np.random.SeedSequence(9, spawn_key=(0,)))
    view = remove(c, removal_order(c, rng, popular=True), 0.5)
    means = rd.statistics.tau(view.measure("AP").summary()[0], c.measure("AP").summary()[0])
    majority = rd.statistics.tau(view.prefer("sgnLP").order(), c.prefer("sgnLP").order())
    for name, expected in {"AP": means, "sgnLP": majority}.items():
        assert table.row(measure=name, rate=0.5, quantity="tau of systems")["value"] == pytest.approx(expected)


def test_full_data_agree_with_themselves(c):
    table = labels(c, ["AP", "RPP"], samples=1, rates=[0.1]).table
    for name in ("AP", "RPP"):
        assert table.row(measure=name, rate=0.0, quantity="agreeing pairs")["value"] == 1.0
        assert table.row(measure=name, rate=0.0, quantity="tau of systems")["value"] == pytest.approx(1.0)


def test_an_unknown_removal_is_refused(c):
    with pytest.raises(UnknownNameError, match="did you mean uniform"):
        labels(c, "AP", removed=["unifrom"])
