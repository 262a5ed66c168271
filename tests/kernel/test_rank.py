"""From the text of a run to the ranks of its judged documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff._kernel.problems import BadLineError
from rankdiff._kernel.results import PADDING, Rows, Rules
from rankdiff.ids import Ids
from texts import index_of, judged, plain_rankings, runs, text_of
from twins import twin

TIES = ["docid-desc", "rank", "file"]
JUDGED = {b"1": {b"a": 1, b"b": 0}, b"2": {b"a": 1}}


def columns_of(judgments: dict[bytes, dict[bytes, int]]) -> dict[tuple[bytes, bytes], int]:
    pairs = [(topic, document) for topic in sorted(judgments) for document in sorted(judgments[topic])]
    return {pair: column for column, pair in enumerate(pairs)}


def unpacked(value: Any) -> Any:
    """Arrays as lists with their type, so that two results can be compared; NaN equals NaN."""
    if isinstance(value, tuple):
        return [unpacked(item) for item in value]
    return (str(value.dtype), [repr(item) for item in value.tolist()]) if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("ties", TIES)
@given(content=runs(), judgments=judged)
def test_ranks_are_those_of_the_plainest_reader(
    kernel: Any, ties: Any, content: bytes, judgments: dict[bytes, dict[bytes, int]]
) -> None:
    expected = plain_rankings(content, ties)
    pool = kernel.Pool(len(judgments))
    ranked = kernel.rank(index_of(kernel, judgments), text_of(content), Rules(ties), pool)
    known = [topic for topic in expected if topic in judgments]
    column = columns_of(judgments)
    assert ranked.query.tolist() == [sorted(judgments).index(topic) for topic in known]
    assert ranked.depth.tolist() == [len(expected[topic]) for topic in known]
    assert ranked.unknown == [topic for topic in expected if topic not in judgments]
    assert list(zip(ranked.column.tolist(), ranked.rank.tolist(), strict=True)) == [
        (column[topic, document], rank)
        for topic in known
        for rank, document in enumerate(expected[topic], 1)
        if document in judgments[topic]
    ]
    assert pool.counts().tolist() == [len(expected.get(topic, ())) for topic in sorted(judgments)]


@given(
    content=runs(),
    judgments=judged,
    rules=st.builds(
        Rules,
        ties=st.sampled_from(TIES),
        single=st.booleans(),
        duplicates=st.sampled_from(["error", "first", "best"]),
        columns=st.sampled_from([0, 5, 6]),
        lenient=st.booleans(),
        listing=st.just(True),
    ),
    copies=st.integers(0, 2),
)
def test_the_twins_are_equal_to_the_last_bit(
    content: bytes, judgments: dict[bytes, dict[bytes, int]], rules: Rules, copies: int
) -> None:
    content = content + b"\n" + content.split(b"\n", copies)[-1]
    outcomes = []
    for kernel in (twin("python"), twin("native")):
        try:
            outcomes.append(unpacked(kernel.rank(index_of(kernel, judgments), text_of(content), rules, None)))
        except BadLineError as bad:
            outcomes.append(bad.args)
    assert outcomes[0] == outcomes[1]


@given(content=st.lists(st.sampled_from([b"1", b"Q0", b"a", b"b", b"0.5", b"x", b" ", b"\n", b"#"])).map(b" ".join))
def test_the_twins_find_the_same_fault(content: bytes) -> None:
    outcomes = []
    for kernel in (twin("python"), twin("native")):
        try:
            ranked = kernel.rank(index_of(kernel, JUDGED), text_of(content), Rules("rank", listing=True), None)
            outcomes.append(unpacked(ranked))
        except BadLineError as bad:
            outcomes.append(bad.args)
    assert outcomes[0] == outcomes[1]


@given(content=runs(), judgments=judged)
def test_a_table_is_ranked_as_the_text_is(
    kernel: Any, content: bytes, judgments: dict[bytes, dict[bytes, int]]
) -> None:
    index = index_of(kernel, judgments)
    rows = [line.split() for line in content.split(b"\n") if line.split() and line[:1] != b"#"]
    topics = list(dict.fromkeys(row[0] for row in rows))
    documents = Ids.of(row[2] for row in rows)
    table = Rows(
        topics,
        np.array([topics.index(row[0]) for row in rows], np.int32),
        (documents.blob, documents.offsets),
        np.array([float(row[4]) for row in rows]),
        np.array([float(row[3]) for row in rows]),
    )
    from_text = kernel.rank(index, text_of(content), Rules(), None)
    from_table = kernel.rank_table(index, table, Rules(), None)
    assert unpacked(from_table) == unpacked(from_text._replace(comments=0, tag=b""))


def test_a_listing_shows_every_document(kernel: Any) -> None:
    text = text_of(b"1 Q0 b 2 0.5 t\n1 Q0 x one 0.5 t\n9 Q0 a 1 2 t\n1 Q0 a 1 0.7 t\n")
    ranked = kernel.rank(index_of(kernel, JUDGED), text, Rules(listing=True), None)
    listed = ranked.listed
    assert listed.query.tolist() == [0, 0, 0, -1]
    assert listed.column.tolist() == [0, -1, 1, -1]
    assert listed.score.tolist() == [0.7, 0.5, 0.5, 2.0]
    assert listed.line.tolist() == [4, 2, 1, 3]
    assert listed.stated_rank[[0, 2, 3]].tolist() == [1.0, 2.0, 1.0]
    assert np.isnan(listed.stated_rank[1])
    assert (ranked.unknown, ranked.unknown_depth.tolist()) == ([b"9"], [1])


@pytest.mark.parametrize(
    ("duplicates", "ties", "ranks"),
    [
        ("first", "docid-desc", [3, 2]),
        ("best", "docid-desc", [1, 3]),
        ("first", "rank", [2, 3]),
        ("best", "rank", [1, 3]),
    ],
)
def test_one_of_two_duplicates_is_kept(kernel: Any, duplicates: Any, ties: Any, ranks: list[int]) -> None:
    text = text_of(b"1 Q0 a 2 0.1 t\n1 Q0 c 1.5 0.9 t\n1 Q0 b 3 0.5 t\n1 Q0 a 1 0.95 t\n1 Q0 b 4 0.1 t\n")
    ranked = kernel.rank(index_of(kernel, JUDGED), text, Rules(ties, duplicates=duplicates), None)
    by_column = dict(zip(ranked.column.tolist(), ranked.rank.tolist(), strict=True))
    assert [by_column[0], by_column[1]] == ranks
    assert (ranked.depth.tolist(), ranked.duplicates) == ([3], 2)


def test_the_first_duplicate_of_a_text_is_named_with_both_lines(kernel: Any) -> None:
    text = text_of(b"# c\n1 Q0 a 1 3 t\n2 Q0 z 1 3 t\n1 Q0 b 2 2 t\n2 Q0 z 1 1 t\n1 Q0 a 3 1 t\n")
    with pytest.raises(BadLineError) as caught:
        kernel.rank(index_of(kernel, JUDGED), text, Rules(), None)
    assert caught.value.args == ("duplicate", 5, b"z", b"2", 3)


def test_a_malformed_line_is_reported_before_a_duplicate(kernel: Any) -> None:
    text = text_of(b"1 Q0 a 1 3 t\n1 Q0 a 2 2 t\n2 Q0 b 1 x t\n")
    with pytest.raises(BadLineError) as caught:
        kernel.rank(index_of(kernel, JUDGED), text, Rules(), None)
    assert caught.value.args == ("score", 3, b"x", b"", 0)


@pytest.mark.parametrize(
    ("content", "rules", "fault"),
    [
        (b"1 Q0 a 1 3 t\n1 Q0 b 2 2\n", Rules(), ("run columns", 2, b"1 Q0 b 2 2", b"", 5)),
        (b"1 Q0 a 1 3\n1 Q0 b 2 2 t\n", Rules(), ("run columns", 2, b"1 Q0 b 2 2 t", b"", 6)),
        (b"1 Q0 a 1 3 t x\n", Rules(), ("run columns", 1, b"1 Q0 a 1 3 t x", b"", 7)),
        (b"1 0 a 1\n", Rules(), ("run columns", 1, b"1 0 a 1", b"", 4)),
        (b"\n1\n", Rules(), ("run columns", 2, b"1", b"", 1)),
        (b"1 Q0\n", Rules(), ("run columns", 1, b"1 Q0", b"", 2)),
        (b"1 Q0 a\n", Rules(), ("run columns", 1, b"1 Q0 a", b"", 3)),
        (b"1 Q0 a 1 3 \n", Rules(columns=6), ("run columns", 1, b"1 Q0 a 1 3 ", b"", 5)),
        (b"1 Q0 a x 3 t\n", Rules("rank"), ("rank", 1, b"x", b"", 0)),
        (b"1 Q0 a nan y t\n", Rules("rank"), ("rank", 1, b"nan", b"", 0)),
        (b"1 Q0 a x y t\n", Rules("file"), ("score", 1, b"y", b"", 0)),
        (b"x" * 300, Rules(), ("run columns", 1, b"x" * 200, b"", 1)),
    ],
)
def test_a_bad_line_says_what_is_wrong_with_it(kernel: Any, content: bytes, rules: Rules, fault: Any) -> None:
    with pytest.raises(BadLineError) as caught:
        kernel.rank(index_of(kernel, JUDGED), text_of(content), rules, None)
    assert caught.value.args == fault


def test_fields_after_the_tag_are_passed_over_on_request(kernel: Any) -> None:
    text = text_of(b"1 Q0 a 1 3 t more\n1 Q0 b 2 4 t\n1 Q0 c 2 5 u even more\n")
    ranked = kernel.rank(index_of(kernel, JUDGED), text, Rules(lenient=True), None)
    assert (ranked.column.tolist(), ranked.rank.tolist(), ranked.tag) == ([1, 0], [2, 3], b"u")


def test_a_bad_text_does_not_count_in_the_pool(kernel: Any) -> None:
    pool = kernel.Pool(2)
    index = index_of(kernel, JUDGED)
    kernel.rank(index, text_of(b"1 Q0 a 1 3 t\n1 Q0 x 2 2 t\n"), Rules(), pool)
    with pytest.raises(BadLineError):
        kernel.rank(index, text_of(b"1 Q0 q 1 3 t\n2 Q0 b 1 x t\n"), Rules(), pool)
    kernel.rank(index, text_of(b"1 Q0 a 1 3 t\n1 Q0 y 2 2 t\n9 Q0 z 1 1 t\n"), Rules(), pool)
    assert pool.counts().tolist() == [3, 0]


def test_a_pool_of_many_documents_is_exact(kernel: Any) -> None:
    pool = kernel.Pool(2)
    index = index_of(kernel, JUDGED)
    for first in range(0, 3000, 500):
        lines = (b"1 Q0 doc%d 1 %d t\n" % (number, number) for number in range(first, first + 1000))
        kernel.rank(index, text_of(b"".join(lines)), Rules(), pool)
    assert pool.counts().tolist() == [3500, 0]


def test_a_text_without_padding_is_refused_by_the_native_kernel() -> None:
    native = twin("native")
    for content in (b"", b"1 Q0 a 1 3 t\n" * 10, b"\n" * (PADDING - 1) + b"x"):
        with pytest.raises(ValueError, match="padding"):
            native.rank(index_of(native, JUDGED), np.frombuffer(content, np.uint8), Rules(), None)
