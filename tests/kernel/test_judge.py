"""From the text of judgments to arrays in bytewise order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff._kernel.problems import BadLineError
from rankdiff.ids import Ids
from texts import documents, lines, text_of, topics

subtopics = st.sampled_from([b"0", b"1", b"2", b"10", b"Q0"])
grades = st.sampled_from([b"0", b"1", b"2", b"-1", b"0.5", b"-2", b"+1"])


@st.composite
def judgments(draw: st.DrawFn) -> tuple[bytes, dict[tuple[bytes, bytes, bytes], float]]:
    """The text of judgments, a few of them said twice, and what it says."""
    keys = st.tuples(topics, documents, subtopics)
    said = draw(st.dictionaries(keys, grades, min_size=1, max_size=30))
    again = draw(st.lists(st.sampled_from(sorted(said)), max_size=3))
    order = draw(st.permutations([*said, *again]))
    text = b"".join(
        draw(lines([topic, name, document, said[topic, document, name]])) for topic, document, name in order
    )
    return text, {key: float(grade) for key, grade in said.items()}


@given(case=judgments())
def test_judgments_stand_in_bytewise_order(
    kernel: Any, case: tuple[bytes, dict[tuple[bytes, bytes, bytes], float]]
) -> None:
    text, said = case
    judged = kernel.judge(text_of(text), True)
    queries = sorted({topic for topic, _, _ in said})
    pairs = sorted({(topic, document) for topic, document, _ in said})
    names = sorted({name for _, _, name in said})
    assert Ids(*judged.queries) == Ids.of(queries)
    assert Ids(*judged.documents) == Ids.of(document for _, document in pairs)
    assert Ids(*judged.subtopics) == Ids.of(names)
    assert np.diff(judged.start).tolist() == [sum(topic == query for topic, _ in pairs) for query in queries]
    assert judged.grade.tolist() == [max(g for key, g in said.items() if key[:2] == pair) for pair in pairs]
    entries = zip(judged.entry_document, judged.entry_subtopic, judged.entry_grade, strict=True)
    found = [((*pairs[document], names[name]), grade) for document, name, grade in entries]
    assert found == sorted(said.items())
    assert judged.repeated == len([line for line in text.split(b"\n") if line.split() and line[:1] != b"#"]) - len(said)
    assert judged.comments == text.count(b"\n# a comment")


def test_the_second_column_can_be_passed_over(kernel: Any) -> None:
    judged = kernel.judge(text_of(b"1 x d 2\n1 y d 2\n1 y e 1\n"), False)
    assert (judged.grade.tolist(), judged.entry_document.tolist(), judged.repeated) == ([2.0, 1.0], [0, 1], 1)
    assert list(Ids(*judged.subtopics)) == [""]


@pytest.mark.parametrize(
    ("content", "by_subtopic", "fault"),
    [
        (b"1 0 d 1\n1 0 e\n", True, ("qrels columns", 2, b"1 0 e", b"", 3)),
        (b"#\n\n1 Q0 d 1 0.5 tag\r\n", True, ("qrels columns", 3, b"1 Q0 d 1 0.5 tag\r", b"", 6)),
        (b"1 0 d one\n", True, ("grade", 1, b"one", b"", 0)),
        (b"1 0 d nan\n", True, ("grade", 1, b"nan", b"", 0)),
        (b"2 0 d 1\n1 0 e 1\n1 0 e 2\n2 0 d 3\n1 0 e 3\n", True, ("conflict", 3, b"e", b"1", 2)),
        (b"1 a d 1\n1 b d 2\n", False, ("conflict", 2, b"d", b"1", 1)),
        (b"1 0 d 1\n1 0 d 2\n1 0 d x\n", True, ("grade", 3, b"x", b"", 0)),
    ],
)
def test_a_bad_judgment_says_what_is_wrong_with_it(
    kernel: Any, content: bytes, by_subtopic: bool, fault: tuple[Any, ...]
) -> None:
    with pytest.raises(BadLineError) as caught:
        kernel.judge(text_of(content), by_subtopic)
    assert caught.value.args == fault


def test_a_text_without_judgments_gives_empty_arrays(kernel: Any) -> None:
    judged = kernel.judge(text_of(b"# nothing\n\n"), True)
    assert (len(judged.grade), judged.start.tolist(), judged.comments) == (0, [0], 1)
    assert len(Ids(*judged.documents)) == len(Ids(*judged.queries)) == 0
