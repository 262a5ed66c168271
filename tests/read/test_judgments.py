"""Judgments from files and dicts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rankdiff.errors import InputError, UsageError
from rankdiff.read import read_qrels


def test_topics_and_documents_stand_in_bytewise_order(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_bytes(b"9 0 b 1\n10 0 \xff 2\n9 0 a 0\n10 0 z -1\n9 0 B 0.5\n")
    judgments = read_qrels(path)
    assert list(judgments.queries) == ["10", "9"]
    assert list(judgments.documents) == ["z", "\udcff", "B", "a", "b"]
    assert judgments.grade.tolist() == [-1, 2, 0.5, 0, 1]
    assert judgments.start.tolist() == [0, 2, 5]
    assert (judgments.subtopics, judgments.notices, judgments.source) == (None, (), str(path))


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf7 0 d 1\n7 0 e 0\n",
        b"7 0 d 1\r\n7 0 e 0\r\n",
        b"7 0 d 1\n7 0 e 0",
        b"7\t0   d \t1\n\n  7 0 e 0  \n",
        b"7 0 e 0\n7 0 d 1\n" + b"\n" * 4096,
        b"7 0 d 1\n7 0 e " + b" " * (4096 - 16) + b"0\n",
    ],
    ids=["byte order mark", "CRLF", "no last newline", "odd blanks", "blank lines", "as long as a page"],
)
def test_odd_but_good_judgments(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "qrels"
    path.write_bytes(content)
    judgments = read_qrels(path)
    assert (list(judgments.documents), judgments.grade.tolist(), judgments.notices) == (["d", "e"], [1, 0], ())


def test_what_is_passed_over_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("# one\n7 0 d 1\n# two\n7 0 d 1\n7 0 d 1\n")
    judgments = read_qrels(path)
    assert judgments.grade.tolist() == [1]
    assert judgments.notices == (
        f"{path}: 2 comment lines ignored",
        f"{path}: 2 judgments said again with the same grade",
    )


def test_two_values_of_the_second_column_make_subtopics(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("7 2 d 1\n7 1 d 3\n7 1 e 0\n8 0 d 1\n")
    judgments = read_qrels(path)
    assert judgments.grade.tolist() == [3, 0, 1]
    assert judgments.subtopics is not None
    assert list(judgments.subtopics.names) == ["0", "1", "2"]
    assert judgments.subtopics.document.tolist() == [0, 0, 1, 2]
    assert judgments.subtopics.name.tolist() == [1, 2, 1, 0]
    assert judgments.subtopics.grade.tolist() == [3, 1, 0, 1]


def test_subtopics_can_be_asked_for_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("7 0.5 d 1\n7 1 e 1\n")
    assert read_qrels(path).subtopics is None
    asked = read_qrels(path, subtopics=True).subtopics
    assert asked is not None
    assert list(asked.names) == ["0.5", "1"]
    path.write_text("7 1 d 1\n7 2 d 1\n")
    assert read_qrels(path, subtopics=False).subtopics is None
    path.write_text("7 1 d 1\n7 2 d 2\n")
    with pytest.raises(InputError, match=r":2: duplicate judgment with another grade.*'d'.*'7'.*line 1"):
        read_qrels(path, subtopics=False)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"7 0 d 1\n7 0 e\n", ":2: not a judgment: found 3 columns in '7 0 e', expected 4 columns"),
        (b"7 0 d 1 2\n", ":1: not a judgment: found 5 columns in '7 0 d 1 2', expected 4 columns"),
        (b"7 0 d good\n", ":1: the grade is not a number: found 'good', expected a number such as"),
        (b"7 0 d 1\n7 0 e nan\n", ":2: the grade is not a number: found 'nan', expected a number such as"),
        (b"7 0 d 1\n7 0 d 2\n", ":2: duplicate judgment with another grade: document 'd' of topic '7': expected one"),
        (b"7 0 d 1\n7 0 d 2\n", "(it stood on line 1)"),
        (b"7 Q0 d 1 0.5 tag\n", "(runs have 6; are judgments and runs in each other's place?)"),
        (b"", ": no judgment in it, it is empty or blank: expected lines of 4 columns"),
        (b" \n\t\n", ": no judgment in it, it is empty or blank: expected lines of 4 columns"),
        (b"\x00\x01\x02 \x7fELF\n", ":1: binary data: found '\\x00\\x01\\x02 \\x7fELF', expected lines of text"),
    ],
)
def test_bad_judgments_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "qrels"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_qrels(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_a_folder_or_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder is no file of judgments"):
        read_qrels(tmp_path)
    with pytest.raises(InputError, match=r"nowhere: cannot be read \(No such file"):
        read_qrels(tmp_path / "nowhere")


def test_ids_in_dicts_are_compared_by_their_bytes() -> None:
    judgments = read_qrels({7: {"d": 1, b"c": np.float32(0.5)}, "10": {np.int64(3): 0}})
    assert list(judgments.queries) == ["10", "7"]
    assert list(judgments.documents) == ["3", "c", "d"]
    assert judgments.grade.tolist() == [0, 0.5, 1]
    with pytest.raises(InputError, match="'3' of topic '7' has two grades"):
        read_qrels({7: {3: 1, "3": 2}})


@pytest.mark.parametrize("value", ["good", None, float("nan")])
def test_a_dict_holds_numbers(value: Any) -> None:
    with pytest.raises(InputError, match=r"document 'd' of topic '7' is not a number: found "):
        read_qrels({"7": {"d": value}})


def test_a_dict_must_hold_a_judgment_and_has_no_subtopics() -> None:
    with pytest.raises(InputError, match="no judgment"):
        read_qrels({"7": {}})
    with pytest.raises(UsageError, match="no subtopics"):
        read_qrels({"7": {"d": 1}}, subtopics=True)


def test_judging_rounds_are_no_subtopics_but_diversity_judgments_have_some(data: Callable[..., Path]) -> None:
    covid = read_qrels(data("trec-covid-round1", "qrels.txt"))
    assert (len(covid.queries), len(covid.documents), covid.subtopics) == (30, 8691, None)
    web = read_qrels(data("web-diversity", "2014", "qrels.txt.gz"))
    assert web.subtopics is not None
    single = read_qrels(data("web-diversity", "2014", "qrels.txt.gz"), subtopics=True).subtopics
    assert single is not None
    assert single.names == web.subtopics.names
