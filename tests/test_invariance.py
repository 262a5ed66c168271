"""Names, and the order of lines, runs and documents, are nothing: whatever the papers propose says the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rankdiff as rd
from rankdiff.collection import Collection
from strategies import Grades, Scores, collections

MEASURES = ("TSE", "NCP(weights='dcg')", "ISL", "TSL", "SL3", "AverageRank", "RecallError", "LexiRecall",
            "LexiPrecision", "ASL", "ASL(missing='returned')", "ASL(missing='corpus')", "ASL(first=2)", "AtomizedP",
            "InvASL", "EffectiveShare", "RareP@3", "RareAP(revised=True)@3",
            "RareAP(alpha='1/m', gains='graded')@3")  # fmt: skip
PREFERENCES = ("RPP", "RPP(weights='dcg', rel=1)", "sgnLP", "rrLP", "sgnLR", "rrLR", "OI")
METHODS = ("winrate", "mc4", "borda", "copeland")


def written(
    folder: Path, made: tuple[Grades, Scores], order: list[str], data: st.DataObject, prefix: str
) -> Collection:
    """Files of the judgments and the runs, their lines in any order; the prefix renames runs and documents."""
    qrels, runs = made
    folder.mkdir(exist_ok=True)
    judged = [f"{q} 0 {prefix}{d} {grade}\n" for q, grades in qrels.items() for d, grade in grades.items()]
    (folder / "qrels").write_text("".join(data.draw(st.permutations(judged))))
    paths = []
    for run in order:
        lines = [f"{q} Q0 {prefix}{d} 0 {score} t\n" for q, docs in runs[run].items() for d, score in docs.items()]
        paths.append(folder / f"{prefix}{run}.run")
        paths[-1].write_text("".join(data.draw(st.permutations(lines))))
    return rd.load(folder / "qrels", paths, pool=True)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=collections(systems=(2, 3)), data=st.data())
def test_renamed_and_reordered_files_say_the_same(
    tmp_path: Path, made: tuple[Grades, Scores], data: st.DataObject
) -> None:
    """The new names sort as the old ones do, so that ties in scores are broken as before."""
    names = sorted(made[1])
    before = written(tmp_path / "a", made, names, data, "")
    after = written(tmp_path / "b", made, data.draw(st.permutations(names)), data, "doc-")
    place = [after.systems.index(f"doc-{name}") for name in before.systems]
    assert before.queries == after.queries
    for name, ours, theirs in zip(
        MEASURES, before.measure(*MEASURES).values, after.measure(*MEASURES).values, strict=True
    ):
        np.testing.assert_array_equal(ours, theirs[place], err_msg=name)
    for name in PREFERENCES:
        ours, theirs = before.prefer(name), after.prefer(name)
        np.testing.assert_array_equal(ours.matrix(), theirs.matrix()[np.ix_(place, place)], err_msg=name)
        np.testing.assert_allclose(ours.win_rates(), theirs.win_rates()[place], atol=1e-15, err_msg=name)
        for method in METHODS:
            first, second = ours.order(method), theirs.order(method)
            assert [first[run] for run in names] == [second[f"doc-{run}"] for run in names]
    ours, theirs = (c.profile(*(p + name for name in names[:2])) for c, p in ((before, ""), (after, "doc-")))
    np.testing.assert_array_equal(ours.tenths, theirs.tenths)
    (tmp_path / "a" / "qrels").unlink()
    for path in [*tmp_path.glob("*/*.run"), tmp_path / "b" / "qrels"]:
        path.unlink()


@pytest.mark.parametrize("name", ["RPP", "OI"])
def test_a_topic_more_or_less_changes_no_other(name: str) -> None:
    """What is said of a query hangs on its own judgments and rankings."""
    qrels = {"q": {"a": 1, "b": 2}, "r": {"a": 1, "c": 1}}
    runs = {"x": {"q": {"a": 2, "b": 1}, "r": {"n": 2, "c": 1}}, "y": {"q": {"n": 2, "b": 1}, "r": {"a": 1}}}
    whole = rd.align(qrels, runs)
    for place, query in enumerate(qrels):
        part = rd.align({query: qrels[query]}, runs)
        assert part.prefer(name)["x", "y"] == whole.prefer(name)["x", "y"][place]
