"""Two-column files of names and labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from rankdiff.errors import InputError
from rankdiff.read.labels import read_labels


@pytest.mark.parametrize("text", ["x1\tX\nx2\tX\n", "x1 X\n\nx2   X", "x1\t X \r\nx2\tX\r\n", "\ufeffx1\tX\nx2\tX\n"])
def test_tabs_blanks_line_ends_and_a_byte_order_mark(tmp_path: Path, text: str) -> None:
    (tmp_path / "labels").write_text(text, "utf-8", newline="")
    assert read_labels(tmp_path / "labels") == {"x1": ("X",), "x2": ("X",)}


def test_a_name_may_have_several_labels_and_a_label_blanks(tmp_path: Path) -> None:
    (tmp_path / "genres.tsv").write_text("m1\tfilm noir\nm1\tcomedy\nm1\tcomedy\nm2\tcomedy\n")
    assert read_labels(tmp_path / "genres.tsv") == {"m1": ("film noir", "comedy"), "m2": ("comedy",)}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x1\tX\nx2\tX\tmore\n", "labels:2: not a name and a label: found 3 columns"),
        ("x1\n", "labels:1: .*1 columns"),
        ("x1\t\n", "labels:1: not a name and a label"),
        ("\n\n", "holds no label"),
    ],
)
def test_what_is_no_pair_is_refused_by_its_line(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "labels").write_text(text)
    with pytest.raises(InputError, match=problem):
        read_labels(tmp_path / "labels")
