"""Means and ranges over ties against every order within them."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain, permutations, product
from math import factorial

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import UsageError
from rankdiff.measures import recall_levels
from rankdiff.preferences.recall_paired import subtopic_recall_paired
from rankdiff.verdict import over_ties, range_over_ties

EXACT = (
    "AP", "AP(rel=2)", "AP@3", "RR", "RR@2", "P@1", "P@3", "R@2", "relative_P@3", "Rprec", "Success@2", "RBP",
    "RBP(p=0.5)@3", "NCP", "NCP(weights='dcg')", "NCP(weights='inverse')", "NCP(partial='reciprocal')", "TSE",
    "TSE(exposure='ndcg')", "TSE(exposure='rbp', p=0.5)", "nDCG", "nDCG@3", "dcg@2",
    "nDCG(dcg='exp-log2')@4", "nDCG(gains={1: 2})", "ASL", "ASL(first=2)", "ASL(missing='corpus')",
    "ASL(missing='returned')",
)  # fmt: skip
RANGES = (*EXACT, "ERR", "Bpref")
OTHERS = replace(
    recall_levels.expected_partial(lambda level: 1 / level**2, exposure=recall_levels.LOGARITHMIC), name="others"
)


def tied_run(rng: np.random.Generator, documents: list[str]) -> dict[str, float]:
    """A ranking of some documents with few distinct scores; groups of at most four."""
    ranking = rng.permutation(documents)[: rng.integers(1, len(documents) + 1)]
    scores = np.sort(rng.integers(0, 3, len(ranking)))[::-1]
    run = {str(document): float(score) for document, score in zip(ranking, scores, strict=True)}
    sizes = np.bincount(scores)
    return run if np.prod([factorial(n) for n in sizes]) <= 200 else tied_run(rng, documents)


def every_order(run: dict[str, float]) -> list[dict[str, float]]:
    """The same ranking with its ties broken in every way."""
    groups = [[d for d in run if run[d] == score] for score in sorted(set(run.values()), reverse=True)]
    return [
        {document: float(-rank) for rank, document in enumerate(chain(*arranged))}
        for arranged in product(*(permutations(group) for group in groups))
    ]


def a_topic(rng: np.random.Generator) -> tuple[dict[str, int], dict[str, float]]:
    documents = [f"d{i}" for i in range(7)]
    grades = {document: int(rng.integers(-1, 4)) for document in documents[:5]}
    return grades | {"d0": int(rng.integers(1, 4)), "d1": 2}, tied_run(rng, documents)


@pytest.mark.parametrize("seed", range(15))
def test_means_and_ranges_are_those_of_all_orders(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grades, run = a_topic(rng)
    depth = int(rng.integers(3, 7)) if seed % 3 == 0 else None
    average = rd.align({"q": grades}, {"run": {"q": run}}, ties="average", depth=depth, corpus_size=20)
    orders = {f"{i}": {"q": order} for i, order in enumerate(every_order(run))}
    ordered = rd.align({"q": grades}, orders, depth=depth, corpus_size=20)
    fixed = ordered.measure(*RANGES, OTHERS)
    found = average.measure(*EXACT, OTHERS)
    for measure in [*EXACT, OTHERS]:
        name = getattr(measure, "__name__", measure)
        assert found[name][0, 0] == pytest.approx(fixed[name].mean(), abs=1e-12), name
    # A document that stands for D, the depth of ASL, is the same in all orders.
    table = over_ties(average, *RANGES)
    for row, name in zip(table.rows(), RANGES, strict=True):
        assert (row["low"], row["high"]) == pytest.approx((fixed[name].min(), fixed[name].max()), abs=1e-12), name
        if name in EXACT:
            assert row["expected"] == pytest.approx(fixed[name].mean(), abs=1e-12)
    assert np.isnan(table["expected"][-2:]).all()


@pytest.mark.parametrize("name", ["RPP", "RPP(weights='dcg', rel=1)", "sgnLP", "sgnLR", "AP", "sgn(nDCG)"])
def test_the_range_between_two_runs_is_that_of_all_pairs_of_orders(name: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(10):
        grades, old = a_topic(rng)
        new = tied_run(rng, [f"d{i}" for i in range(7)])
        olds, news = every_order(old)[:60], every_order(new)[:60]
        if len(olds) == 60 or len(news) == 60:
            continue
        low, high = range_over_ties(
            rd.align({"q": grades}, {"old": {"q": old}, "new": {"q": new}}, ties="average"), "old", "new", name
        )
        runs = {f"old {i}": {"q": run} for i, run in enumerate(olds)} | {
            f"new {i}": {"q": run} for i, run in enumerate(news)
        }
        preferences = rd.align({"q": grades}, runs).prefer(name)
        values = [preferences[f"new {j}", f"old {i}"][0] for i in range(len(olds)) for j in range(len(news))]
        assert (low[0], high[0]) == pytest.approx((min(values), max(values)), abs=1e-12)


def test_a_measure_that_is_asked_for_twice_is_shown_once() -> None:
    c = rd.align({"q": {"a": 1}}, {"run": {"q": {"a": 1, "x": 1}}}, ties="average")
    table = over_ties(c, "AP", "map", "P@1")
    assert table["measure"].tolist() == ["AP", "P@1"]
    assert table["by id"].tolist() == [0.5, 0.0]


def test_without_ties_nothing_changes() -> None:
    qrels = {"q": {"a": 2, "b": 1}, "r": {"a": 1}, "none": {"a": 0}}
    runs = {"x": {"q": {"a": 3, "n": 2, "b": 1}}, "y": {"q": {"b": 1}, "r": {"n": 2, "a": 1}, "none": {"a": 1}}}
    for options in ({}, {"missing": "skip"}, {"no_relevant": "drop"}, {"rel": 2}, {"depth": 2}):
        plain, average = (
            rd.align(qrels, runs, ties=ties, corpus_size=9, **options) for ties in ("docid-desc", "average")
        )
        np.testing.assert_allclose(plain.measure(*EXACT).values, average.measure(*EXACT).values, atol=1e-14)
    assert "ties:average" in average.measure("AP").signature


def test_single_precision_ties_what_double_precision_tells_apart() -> None:
    runs = {"run": {"q": {"x": 1 + 1e-9, "a": 1.0}}}
    single = rd.align({"q": {"a": 1}}, runs, ties="average", precision="single")
    double = rd.align({"q": {"a": 1}}, runs, ties="average")
    assert single.measure("RR").values.ravel() == pytest.approx([0.75])
    assert double.measure("RR").values.ravel() == pytest.approx([0.5])


def test_large_groups_keep_their_digits() -> None:
    documents = {f"d{i:04}": 1.0 for i in range(1000)}
    qrels = {"q": dict.fromkeys(list(documents)[:100], 1)}
    scores = rd.align(qrels, {"run": {"q": documents}}, ties="average").measure("P@10", "R@1000", "AP", "TSE")
    # E AP = 1/m Σ_t (1/t) (r/s) (1 + (t − 1)(r − 1)/(s − 1)); E 1/p_m by the same chance for the last one.
    places = np.arange(1, 1001)
    average = np.sum(0.1 / places * (1 + (places - 1) * 99 / 999)) / 100
    chance, last = 100 / 1000, 0.0
    for place in range(1000, 99, -1):
        last += chance / place
        chance *= (place - 100) / (place - 1)
    assert scores.values.ravel() == pytest.approx([0.1, 1.0, average, last], abs=1e-13)


def test_what_has_no_mean_or_range_is_refused_by_name() -> None:
    c = rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1, "b": 1}}, "y": {"q": {"b": 1}}}, ties="average")
    for name in ("ERR", "Bpref", "AtomizedP", "TSE(exposure='linear')"):
        with pytest.raises(UsageError, match="over the orders within ties is not known"):
            c.measure(name)
    for name in ("rrLP", "sgnLR", "OI"):
        with pytest.raises(UsageError, match="only RPP and STRPP have a mean over the orders"):
            c.prefer(name).mean()
    with pytest.raises(UsageError, match="judged_only"):
        c.measure("P(judged_only=True)@2")
    with pytest.raises(UsageError, match="is not known"):
        over_ties(c, "infAP")
    with pytest.raises(UsageError, match="ties='average'"):
        over_ties(rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1}}}), "AP")
    with pytest.raises(UsageError, match="rrLP"):
        range_over_ties(c, "x", "y", "rrLP")


def test_studies_of_ranks_do_not_fall_back_on_document_ids() -> None:
    c = rd.align({"q": {"a": 1}}, {"x": {"q": {"a": 1, "b": 1}}, "y": {"q": {"b": 1}}}, ties="average")
    for study in (rd.studies.levels, rd.studies.depth, rd.studies.finds, rd.studies.ties):
        with pytest.raises(UsageError, match="no one ranking whose ranks"):
            study(c, *[["AP"]] * (study in (rd.studies.levels, rd.studies.ties)))


def test_the_command_line_averages_and_checks(command, tmp_path) -> None:
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 a 1 1 t\nq Q0 x 2 1 t\n")
    averaged = command(
        "measure", tmp_path / "qrels", tmp_path / "run", "-m", "RR", "--ties", "average", "--format", "tsv"
    )
    assert averaged.out.split("\n")[1].endswith("0.75")
    checked = command("check", tmp_path / "qrels", tmp_path / "run")
    assert "the order within ties moves AP of run from 0.5000 to 1.0000, nDCG@10 of run from 0.6309" in checked.out


@pytest.mark.parametrize("depth", [None, 4])
@pytest.mark.parametrize("seed", range(12))
def test_recall_paired_preference_is_the_mean_over_all_pairs_of_orders(seed: int, depth: int | None) -> None:
    rng = np.random.default_rng(seed)
    grades, old = a_topic(rng)
    new = tied_run(rng, [f"d{i}" for i in range(7)])
    olds, news = every_order(old), every_order(new)
    qrels = {"q": grades}
    average = rd.align(qrels, {"old": {"q": old}, "new": {"q": new}}, ties="average", depth=depth)
    runs = {f"old {i}": {"q": run} for i, run in enumerate(olds)} | {
        f"new {i}": {"q": run} for i, run in enumerate(news)
    }
    fixed = rd.align(qrels, runs, depth=depth)
    labels = {"d0": "red", "d1": "blue", "d2": "red"}
    st_rpp = subtopic_recall_paired(labels=labels)
    for name in ("RPP", "RPP(rel=1)", "RPP(weights='dcg')", "RPP(weights='inverse', rel=2)", st_rpp):
        preferences = fixed.prefer(name)
        values = [
            preferences.over(fixed.systems.index(f"new {j}"), np.arange(len(olds)))[:, 0] for j in range(len(news))
        ]
        found = average.prefer(name)
        assert found["new", "old"][0] == pytest.approx(np.mean(values), abs=1e-12), name
        assert found["old", "new"][0] == -found["new", "old"][0]
    profile = average.profile("old", "new")
    assert profile.tenths.sum() == pytest.approx(average.prefer("RPP(rel=1)")["new", "old"][0], abs=1e-12)
    assert profile.by_grade()["contribution"].sum() == pytest.approx(average.prefer("RPP")["new", "old"][0], abs=1e-12)


def test_a_comparison_averages_over_ties(command, tmp_path) -> None:
    """Of a group of two, a is before x in half of the orders: RPP is 1/2 − 0, RR 3/4 − 1/2, ASL 2 − 3/2."""
    (tmp_path / "qrels").write_text("q 0 a 1\nr 0 a 1\n")
    (tmp_path / "old").write_text("".join(f"{q} Q0 {d} 0 {s} t\n" for q in "qr" for d, s in (("x", 2), ("a", 1))))
    (tmp_path / "new").write_text("".join(f"{q} Q0 {d} 0 1 t\n" for q in "qr" for d in "ax"))
    files = [tmp_path / name for name in ("qrels", "old", "new")]
    asked = command("compare", *files, "--ties", "average", "--format", "json")
    rows = {row["measure"]: row["difference"] for row in json.loads(asked.out)["rows"]}
    assert rows == {"RPP": 0.5, "ASL": 0.5, "nDCG@10": pytest.approx(0.5 - 0.5 / np.log2(3)), "AP": 0.25, "RR": 0.25}
    shown = command("compare", *files, "--ties", "average")
    assert "new is not shown to be better or worse for users of any share" in " ".join(shown.out.split())
    assert command("report", *files, "--ties", "average", "-o", tmp_path / "report.html").code == 0
    assert "means over the orders within ties" in (tmp_path / "report.html").read_text("utf-8")
    assert command("order", *files, "--ties", "average").code == 0


def test_a_reference_must_know_its_ties_too() -> None:
    qrels = {"q": {"a": 1}}
    tied, plain = {"q": {"a": 1, "x": 1}}, {"q": {"a": 1}}
    reference = rd.align(qrels, {"third": tied}, ties="average")
    c = rd.align(qrels, {"tied": tied, "plain": plain}, ties="average", reference=reference)
    assert c.prefer("RPP").win_rates()[:, 0] == pytest.approx([0.0, 0.5])  # against the third alone
