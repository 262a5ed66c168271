"""The fewest reversed judgments against every subset of the judgments, and against measures evaluated anew."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.statistics import paired
from rankdiff.verdict import subsets
from rankdiff.verdict.claims import Claim
from rankdiff.verdict.judged import Judged
from rankdiff.verdict.pair import duel
from rankdiff.verdict.reversal import fewest_reversals
from worlds import small, world

LEVEL = 0.3
EXACT = ("P@2", "R@2", "RBP", "nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@2", "dcg@3", "relative_P@2")
BOUNDED = ("AP", "RR", "TSE", "RPP(rel=1)", "sgnLR", "sgnLP", "RPP", "ASL", "sgn(AP)", "Bpref", "ERR", "rrLP", "OI")


def holds(values: np.ndarray, what: str) -> bool:
    values = values[~np.isnan(values)]
    if what == "sign" or values.sum() <= 1e-9:
        return bool(values.sum() > 1e-9)
    return paired(values, test="t").p < LEVEL


def graded_anew(c: rd.Collection, grade: np.ndarray) -> rd.Collection:
    return replace(c, grade=grade, _derived={}, _judged={})


def differences(c: rd.Collection, name: str) -> np.ndarray:
    """The candidate over the baseline, by the house's own preferences between all runs."""
    return np.asarray(c.prefer(name)["new", "old"])


def fails(judged: Judged, name: str, what: str, side: float, chosen: tuple[int, ...]) -> bool:
    grade = judged.duel.runs.grade.copy()
    grade[list(chosen)] = judged.reversed_grade[list(chosen)]
    return not holds(side * differences(graded_anew(judged.duel.runs, grade), name), what)


@pytest.mark.parametrize("tried", [True, False])
@pytest.mark.parametrize("what", ["sign", "significance"])
@pytest.mark.parametrize("name", [*EXACT, *BOUNDED])
def test_no_smaller_set_of_judgments_undoes_the_claim(
    name: str, what: str, tried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where there are too many sets to be tried, as between the runs of a track."""
    if not tried:
        monkeypatch.setattr(subsets, "CELLS", 0)
    rng = np.random.default_rng(len(name))
    certain = found_any = 0
    for _ in range(20):
        c = small(rng, judged=9)
        pair = duel(c, "old", "new", name)
        judged = Judged.of(pair)
        values = differences(c, name)
        np.testing.assert_allclose(pair.differences, values, atol=1e-14)
        side = 1.0 if np.nansum(values) >= 0 else -1.0
        found = fewest_reversals(judged, Claim(what, LEVEL))
        assert (found is None) == (not holds(side * values, what))
        if found is None:
            continue

        undone = partial(fails, judged, name, what, side)
        if found.chosen is not None:
            assert undone(found.chosen)
            assert not any(map(undone, combinations(found.chosen, len(found.chosen) - 1)))
        most = len(found.chosen) - 1 if found.chosen is not None else 3
        smaller = next((s for s in range(1, most + 1) if any(map(undone, combinations(range(len(c.grade)), s)))), None)
        fewest = smaller or (None if found.chosen is None else len(found.chosen))
        if fewest is not None:
            assert found.at_least <= fewest
            found_any += 1
            certain += found.exact and found.at_least == fewest
    assert found_any or what == "significance"
    if name in EXACT:
        assert certain == found_any


def test_a_reversal_makes_relevant_what_was_judged_not_to_be_and_the_reverse() -> None:
    c = rd.align(
        {"q": {"a": 3, "b": 1, "c": 0, "spam": -2}},
        {"old": {"q": {"b": 2, "c": 1}}, "new": {"q": {"a": 3, "spam": 2, "c": 1}}},
        rel=2,
    )
    judged = Judged.of(duel(c, "old", "new", "P@1"))
    assert dict(zip(c.documents, judged.reversed_grade.tolist(), strict=True)) == {
        "a": 0.0, "b": 3.0, "c": 3.0, "spam": 3.0
    }  # fmt: skip
    assert judged.open.tolist() == [True, True, True, False]


def test_what_depends_on_other_runs_sees_all_of_them() -> None:
    rng = np.random.default_rng(4)
    qrels, runs = world(rng, judged=12)
    runs["third"] = runs["old"]
    c = rd.align(qrels, runs)
    for name in ("RareP@3", "ASL", "sgn(ASL)", "RareAP(alpha=0.5)@3"):
        pair = duel(c, "old", "new", name)
        judged = Judged.of(pair)
        column, value = judged.each
        for document, one in zip(column.tolist(), value.tolist(), strict=True):
            grade = c.grade.copy()
            grade[document] = judged.reversed_grade[document]
            anew = differences(graded_anew(c, grade), name)[c.query_of[document]]
            assert one == pytest.approx(anew, abs=1e-12, nan_ok=True)
