"""The rules at the door: what is refused, what is counted, what is said."""

from __future__ import annotations

import re

import pytest

from rankdiff.alignment import align, load
from rankdiff.errors import InputError, NoOverlapError, UsageError

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}}
RUN = {"a": {"q1": {"d1": 2.0, "d2": 1.0}}}


def test_no_topic_in_common_is_an_error_not_a_table_of_zeros() -> None:
    with pytest.raises(NoOverlapError, match="no topic in common"):
        align(QRELS, {"a": {"q9": {"d1": 1.0}}})


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        ({"q1": {"d1": -1, "d2": -2}}, "every judgment is negative"),
        ({"q1": {"d1": 0, "d2": -2}}, "no document is relevant for any topic"),
    ],
)
def test_judgments_that_cannot_tell_anything_are_refused(qrels: dict[str, dict[str, int]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        align(qrels, RUN)


def test_a_level_nothing_reaches_is_refused_and_named() -> None:
    with pytest.raises(InputError, match=r"found grades up to 2, expected some grade of 3 or more \(rel \(--rel, "):
        align(QRELS, RUN, rel=3)
    with pytest.raises(InputError, match="no document is relevant"):
        align(QRELS, RUN, rel=float("nan"))


def test_missing_topics_are_counted_skipped_or_refused() -> None:
    zero, skip = align(QRELS, RUN), align(QRELS, RUN, missing="skip")
    assert any("1 of 1 runs lack topics (a: 1 of 2): counted as empty" in notice for notice in zero.notices)
    assert any("left out for that run" in notice for notice in skip.notices)
    assert zero.measure("AP").summary().tolist() == [[0.5]]
    assert skip.measure("AP").summary().tolist() == [[1.0]]
    assert skip.measure("AP").counted().tolist() == [[1]]
    with pytest.raises(InputError, match="run a lacks topic q2"):
        align(QRELS, RUN, missing="error")


def test_topics_without_a_relevant_document_score_zero_or_are_dropped() -> None:
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 0}}
    zero, drop = align(qrels, RUN), align(qrels, RUN, no_relevant="drop")
    assert any("1 of 2 topics have no relevant document" in notice for notice in zero.notices)
    assert zero.measure("AP").summary().tolist() == [[0.5]]
    assert drop.measure("AP").summary().tolist() == [[1.0]]


def test_the_common_depth_is_that_of_the_shallowest_run() -> None:
    runs = {"long": {"q1": {"x": 3.0, "y": 2.0, "d1": 1.0}}, "short": {"q1": {"d1": 2.0, "x": 1.0}}}
    c = align(QRELS, runs, depth="common")
    assert c.rules.depth == 2
    assert c.depth.max() == 2
    assert c.measure("RR").summary().tolist() == [[0.0, 0.5]]


def test_a_run_that_returns_nothing_leaves_no_common_depth() -> None:
    runs = {**RUN, "elsewhere": {"q9": {"d1": 1.0}}}
    with pytest.raises(UsageError, match="run elsewhere returned nothing for any judged topic"):
        align(QRELS, runs, depth="common")


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"ties": "docid"}, "no value of ties is called 'docid': did you mean docid-desc?"),
        ({"precision": "half"}, "no value of precision is called 'half': there are double, single"),
        ({"missing": "skpi"}, "did you mean skip?"),
        ({"no_relevant": "dorp"}, "did you mean drop?"),
        ({"duplicates": "last"}, "there are error, first, best"),
        ({"on_bad_run": "ignore"}, "no value of on_bad_run is called 'ignore': there are error, skip"),
        ({"rel": "2"}, "rel='2': expected a number"),
        ({"depth": 0}, "depth=0: expected a whole number of at least 1"),
        ({"depth": 2.5}, "depth=2.5: expected a whole number"),
        ({"depth": "shallow"}, "depth='shallow': expected a whole number"),
        ({"corpus_size": -1}, "corpus_size=-1: expected how many documents there are, at least 1"),
    ],
)
def test_a_rule_that_does_not_exist_is_refused_and_never_taken_for_another(rule, message) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        align(QRELS, RUN, **rule)


def test_a_corpus_size_must_name_every_topic() -> None:
    with pytest.raises(UsageError, match="no entry for topic q2"):
        align(QRELS, RUN, corpus_size={"q1": 10})


def test_load_takes_one_source_or_several(tmp_path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    for name in ("a", "b"):
        (tmp_path / f"{name}.run").write_text(f"q1 Q0 d1 1 0.5 {name}\n")
    separate = load(tmp_path / "qrels.txt", tmp_path / "a.run", tmp_path / "b.run")
    together = load(tmp_path / "qrels.txt", str(tmp_path / "*.run"))
    assert separate.systems == together.systems == ("a", "b")
    assert separate.sign() == together.sign()
