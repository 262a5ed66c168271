"""Bounds where the unjudged documents are known by name, against every way of judging them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.errors import UsageError
from rankdiff.verdict import unjudged_documents
from worlds import every_judging

EXACT = (
    "P@3", "R@4", "relative_P@4", "RBP", "RBP(p=0.5)@3", "dcg@4", "nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@5",
    "sgn(nDCG@3)",
)  # fmt: skip
OUTER = ("AP", "RR", "RPP", "sgnLR")


def shared_topic(
    rng: np.random.Generator, grades: int
) -> tuple[dict[str, int], dict[str, dict[str, dict[str, float]]]]:
    """Judgments of a topic, and two runs with up to ten unjudged documents, of which both have some."""
    judged = {f"d{i}": int(rng.integers(0, grades + 1)) for i in range(4)} | {"top": grades, "low": 1}
    runs = {}
    for name in ("old", "new"):
        unjudged = [f"{'s' if rng.random() < 0.6 else name}{i}" for i in range(5 if grades == 1 else 3)]
        ranking = rng.permutation([*judged, *unjudged])[: rng.integers(1, 12)]
        runs[name] = {"q": {str(document): float(-place) for place, document in enumerate(ranking)}}
    return judged, runs


@pytest.mark.parametrize("depth", [None, 3])
@pytest.mark.parametrize("grades", [1, 2])
def test_each_document_is_judged_once_for_both_runs(grades: int, depth: int | None) -> None:
    narrower = 0
    for seed in range(20):
        judged, runs = shared_topic(np.random.default_rng(seed), grades)
        qrels = {"q": judged}
        c = rd.align(qrels, runs)
        unjudged = unjudged_documents(c, "old", "new", qrels, runs)
        open_ = {name for name, near in zip(unjudged.document, unjudged.within(depth), strict=True) if near}
        everything = {document for run in runs.values() for document in run["q"]} - judged.keys()
        assert set(unjudged.document) == everything
        whole = rd.align({"q": judged | dict.fromkeys(everything, 0)}, runs)
        ways = every_judging(whole.keep_labels(np.array([d not in open_ for d in whole.documents])), range(grades + 1))
        for name in (*EXACT, *OUTER):
            found = c.bounds("old", "new", name, depth=depth, unjudged=unjudged).interval
            outer = c.bounds("old", "new", name, depth=depth).interval
            values = ways.prefer(name)["new", "old"]
            if name in EXACT:
                assert found == pytest.approx((values.min(), values.max()), abs=1e-12), name
            else:
                assert found[0] <= values.min() + 1e-12
                assert values.max() - 1e-12 <= found[1]
            assert outer[0] <= found[0] + 1e-12
            assert found[1] <= outer[1] + 1e-12
            narrower += np.ptp(found) < np.ptp(outer) - 1e-9
    assert narrower


@pytest.mark.parametrize("depth", [None, 2])
def test_what_to_judge_first_has_names_and_narrows_as_it_says(depth: int | None) -> None:
    listed = {"nDCG@3": 0, "AP": 0}
    for seed in range(20):
        judged, runs = shared_topic(np.random.default_rng(seed), 2)
        qrels = {"q": judged, "r": {"a": 1}}
        for run in runs.values():
            run["r"] = {"n": 3.0, "a": 2.0, "m": 1.0}
        c = rd.align(qrels, runs)
        for name in listed:
            unjudged = unjudged_documents(c, "old", "new", qrels, runs)
            before = c.bounds("old", "new", name, depth=depth, unjudged=unjudged)
            assert "unjudged:known" in before.signature
            listed[name] += len(before.judge_first)
            for row in before.judge_first.rows():
                known = {topic: dict(grades) for topic, grades in qrels.items()}
                known[row["topic"]][row["document"]] = 0
                less = rd.align(known, runs)
                rest = unjudged_documents(less, "old", "new", known, runs)
                after = less.bounds("old", "new", name, depth=depth, unjudged=rest)
                assert row["narrows"] == pytest.approx(np.ptp(before.interval) - np.ptp(after.interval), abs=1e-12)
                ranked = [list(runs[run][row["topic"]]) for run in ("old", "new")]
                at = [order.index(row["document"]) + 1 if row["document"] in order else None for order in ranked]
                assert [row["baseline rank"], row["candidate rank"]] == at
    assert min(listed.values()) > 20


def test_names_come_from_files_of_any_kind_and_rules(tmp_path: Path) -> None:
    """Ties by id descending, CRLF, blank lines, a comment, a topic without judgments, a depth."""
    (tmp_path / "qrels").write_text("7 0 a 1\n")
    (tmp_path / "old").write_bytes(
        b"# made by hand\r\n\r\n8 Q0 z 1 9 t\r\n7 Q0 x1 1 5 t\r\n7\tQ0 x2 2 5 t\r\n7 Q0 a 3 1 t"
    )
    (tmp_path / "new.csv").write_text("query_id,doc_id,score\n7,a,3\n7,x1,2\n7,y,1\n")
    files = [tmp_path / "old", tmp_path / "new.csv"]
    c = rd.load(tmp_path / "qrels", files)
    found = unjudged_documents(c, "old", "new", tmp_path / "qrels", files)
    assert dict(zip(found.document, found.rank.T.tolist(), strict=True)) == {"x2": [1, 0], "x1": [2, 2], "y": [0, 3]}
    by_line = rd.load(tmp_path / "qrels", files, ties="file", depth=2)
    found = unjudged_documents(by_line, "old", "new", tmp_path / "qrels", files)
    assert dict(zip(found.document, found.rank.T.tolist(), strict=True)) == {"x1": [1, 2], "x2": [2, 0]}


def test_what_does_not_fit_is_refused() -> None:
    qrels, runs = {"q": {"a": 1}}, {"old": {"q": {"x": 1}}, "new": {"q": {"a": 1}}}
    c = rd.align(qrels, runs)
    unjudged = unjudged_documents(c, "old", "new", qrels, runs)
    with pytest.raises(UsageError, match="those of old and new"):
        c.bounds("new", "old", unjudged=unjudged)
    with pytest.raises(UsageError, match="run new cannot be read again"):
        unjudged_documents(c, "old", "new", qrels, {"old": runs["old"]})
