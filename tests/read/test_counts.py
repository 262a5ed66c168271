"""Saved counts of documents, from files of several layouts and from tables."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from rankdiff.errors import InputError, UsageError
from rankdiff.read.counts import read_counts
from rankdiff.results import Table


def test_a_header_names_the_columns_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "counts").write_text(
        'systems,within,document,found_by,query,which\n9,100,a,3,q,"x1, x2"\n9,100,b,0,q,\n'
    )
    counts = read_counts(tmp_path / "counts")
    assert (counts.systems, counts.within) == (9, 100)
    assert [counts.of("q", document) for document in "abc"] == [3, 0, None]
    assert counts.of("other", "a") is None


def test_three_columns_with_a_header_of_the_authors_and_compressed(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "counts.tsv.gz", "wt") as out:
        out.write("topic\tdoc\tS_d\nq\ta\t3\n")
    counts = read_counts(tmp_path / "counts.tsv.gz", systems=3)
    assert (counts.of("q", "a"), counts.systems, counts.within) == (3, 3, None)


def test_two_columns_hold_for_every_topic(tmp_path: Path) -> None:
    (tmp_path / "counts").write_text("a\t3\nb\t2\n")
    counts = read_counts(tmp_path / "counts", systems=3)
    assert (counts.of("q", "a"), counts.of("p", "b"), counts.of("q", "c")) == (3, 2, None)


def test_a_table_is_read_like_a_file() -> None:
    counts = read_counts(Table.of(query=["q"], document=["a"], found_by=[2], systems=[4], within=[10]))
    assert (counts.of("q", "a"), counts.systems, counts.within) == (2, 4, 10)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("q\ta\t3\n", "does not say how many systems"),
        ("q\ta\tthree\n", "counts:1: not a count"),
        ("query\tdocument\tfound_by\tsystems\nq\ta\t3\t2\n", "more systems than there are"),
        ("query\tdocument\tfound_by\tsystems\nq\ta\t1\t2\nq\ta\t2\t2\n", "counts:3: .*two counts"),
        ("query\tdocument\tfound_by\tsystems\nq\ta\n", "counts:2: a column is missing: found 2 columns"),
        ("query\tfound_by\nq\t3\n", "holds no counts"),
        ("", "holds no counts"),
    ],
)
def test_what_cannot_be_used_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "counts").write_text(text)
    with pytest.raises((InputError, UsageError), match=problem):
        read_counts(tmp_path / "counts")
