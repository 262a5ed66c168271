"""Input as it comes: what is refused, in which words, and what must work nevertheless."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import json
import lzma
import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("either_kernel")

QRELS = b"7 0 d1 1\n7 0 d2 0\n8 0 d1 1\n"
RUN = b"7 Q0 d1 1 3 t\n7 Q0 d2 2 2 t\n8 Q0 d1 1 1 t\n"


@pytest.fixture
def measure(command, tmp_path, monkeypatch):
    """Measure AP of a run; each file is given by its bytes, and called ``qrels`` and ``run``."""
    monkeypatch.chdir(tmp_path)

    def call(qrels: bytes = QRELS, run: bytes = RUN, *options: str):
        Path("qrels").write_bytes(qrels)
        Path("run").write_bytes(run)
        return command("measure", "qrels", "run", "-m", "AP", "--format", "jsonl", *options)

    return call


def refused(outcome, *words: str) -> None:
    """Exit code 1, nothing on standard output, and a message that holds these words."""
    assert outcome.code == 1
    assert outcome.out == ""
    assert [word for word in words if word not in outcome.err] == []
    assert "Traceback" not in outcome.err


SIX_COLUMNS = "expected 6 columns, `topic Q0 document rank score tag`, or 5 without the tag on every line"
FOUR_COLUMNS = "expected 4 columns, `topic subtopic document grade`"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param(b"8 Q0 d1 1", ["found 4 columns", SIX_COLUMNS], id="two columns missing"),
        pytest.param(b"8 Q0 d1 1 1", ["found 5 columns", SIX_COLUMNS], id="the tag missing on one line"),
        pytest.param(b"8 Q0 d1 1 1 t u", ["found 7 columns", SIX_COLUMNS], id="a column too many"),
        pytest.param(b"8 Q0 d1 1 high t", ["score is not a number", "found 'high'", "expected a number"], id="score"),
        pytest.param(b"8 Q0 d1 1 nan t", ["score is not a number", "found 'nan'"], id="score nan"),
        pytest.param(b"8 Q0 d1 1 1_000 t", ["score is not a number", "found '1_000'"], id="score of Python"),
        pytest.param(b"8 Q0 d1 1 0x1p3 t", ["score is not a number", "found '0x1p3'"], id="score of C"),
        pytest.param(b"7 Q0 d1 3 1 t", ["duplicate document 'd1'", "topic '7'", "on line 1"], id="duplicate document"),
    ],
)
def test_a_bad_line_of_a_run_is_refused(measure, line, words):
    refused(measure(run=RUN + line + b"\n"), "run:4:", *words)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param(b"8 0 d2", ["found 3 columns", FOUR_COLUMNS], id="a column missing"),
        pytest.param(b"8 0 d2 1 1", ["found 5 columns", FOUR_COLUMNS], id="a column too many"),
        pytest.param(b"8 0 d2 good", ["grade is not a number", "found 'good'", "expected a number"], id="grade"),
        pytest.param(b"8 0 d2 nan", ["grade is not a number", "found 'nan'"], id="grade nan"),
        pytest.param(b"7 0 d1 0", ["another grade", "'d1'", "topic '7'", "on line 1"], id="another grade"),
    ],
)
def test_a_bad_line_of_the_judgments_is_refused(measure, line, words):
    refused(measure(qrels=QRELS + line + b"\n"), "qrels:4:", *words)


BINARY = b"\x7fELF\x02\x01\x01\x00\x00\x00\n\x00\x01\x02"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", ["empty or blank"], id="empty"),
        pytest.param(b"\n \n\t\r\n", ["empty or blank"], id="blank"),
        pytest.param(BINARY, ["binary data", "expected lines of text"], id="binary"),
        pytest.param(RUN.decode().encode("utf-16"), ["binary data", "UTF-16", "must be made UTF-8"], id="UTF-16"),
        pytest.param(b"# by hand\n\n# no more\n", ["empty or blank", "found only 2 comment lines"], id="comments"),
        pytest.param(gzip.compress(RUN)[:-12], ["gzip data are damaged or end too early"], id="half a gzip"),
    ],
)
@pytest.mark.parametrize("name", ["qrels", "run"])
def test_a_file_without_content_or_sense_is_refused(measure, name, content, words):
    refused(measure(**{name: content}), f"{name}:", *words)


def test_judgments_and_runs_in_each_others_place(measure):
    swapped = "are judgments and runs in each other's place?"
    refused(measure(run=QRELS), "run:1:", "found 4 columns", swapped)
    refused(measure(qrels=RUN), "qrels:1:", "found 6 columns", swapped)


def test_a_run_that_was_cut_short_is_not_taken_for_judgments(measure):
    outcome = measure(run=RUN + b"9 Q0 d1 1")
    refused(outcome, "run:4:", "found 4 columns")
    assert "each other's place" not in outcome.err


def test_standard_input_holds_one_thing(command, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(QRELS)))
    outcome = command("measure", "-", "-")
    assert (outcome.code, outcome.out) == (2, "")
    assert "standard input holds the judgments or a run, not both" in outcome.err


def test_a_file_that_may_not_be_read(measure, command, monkeypatch):
    measure()
    really_open = open

    def without_permission(path, *arguments, **options):
        if Path(path).name == "locked":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return really_open(path, *arguments, **options)

    # The superuser may read whatever there is.
    monkeypatch.setattr("builtins.open", without_permission)
    monkeypatch.setattr("os.access", lambda path, *_, **__: Path(path).name != "locked")
    Path("locked").touch()
    refused(command("measure", "qrels", "locked"), "locked: cannot be read (Permission denied)")
    refused(command("measure", "locked", "run"), "locked: cannot be read (Permission denied)")
    refused(command("check", "locked", "run"), "locked: cannot be read (Permission denied)")


def test_no_topic_in_common(measure):
    found = "found topics such as '7' in qrels and such as '9' in the runs, expected the same topics in both"
    refused(measure(run=b"9 Q0 d1 1 1 t\n"), "no topic in common", found)


def test_all_judgments_negative(measure):
    refused(measure(qrels=b"7 0 d1 -1\n7 0 d2 -2\n"), "qrels:", "every judgment is negative", "grades up to -1")


def test_no_relevant_document_anywhere(measure):
    refused(measure(qrels=b"7 0 d1 0\n7 0 d2 0\n"), "qrels:", "no document is relevant", "some grade of 1 or more")
    refused(measure(QRELS, RUN, "--rel", "2"), "grades up to 1", "some grade of 2 or more", "--rel")


def test_places_that_hold_nothing_to_read(measure, command):
    measure()
    Path("folder").mkdir()
    Path("dangling").symlink_to("nowhere")
    refused(command("measure", "qrels", "folder"), "folder: the folder holds no run")
    refused(command("measure", "qrels", "folder/*"), "folder/*: no file matches")
    refused(command("measure", "qrels", "nowhere"), "nowhere: there is no such file or folder")
    refused(command("measure", "qrels", "dangling"), "dangling: cannot be read")
    refused(command("measure", "dangling", "run"), "dangling: cannot be read")
    refused(command("measure", "folder", "run"), "folder: ")


def test_a_bad_run_in_a_folder_is_refused_or_left_out_and_named(measure, command):
    measure()
    Path("runs").mkdir()
    Path("runs/good").write_bytes(RUN)
    Path("runs/void").write_bytes(b"")
    refused(command("measure", "qrels", "runs"), "runs/void: no run in it")
    left_out = command("measure", "qrels", "runs", "-m", "AP", "--format", "tsv", "--on-bad-run", "skip")
    assert left_out.out == "run\tquery\tmeasure\tvalue\ngood\tall\tAP\t1.0\n"
    assert "run void is left out: runs/void: no run in it" in left_out.err


def values(outcome) -> dict[str, float]:
    """The values by query that a command gave; it must have worked."""
    assert outcome.code == 0, outcome.err
    return {record["query"]: record["value"] for record in map(json.loads, outcome.out.splitlines())}


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        pytest.param(QRELS.replace(b"\n", b"\r\n"), RUN.replace(b"\n", b"\r\n"), id="CRLF"),
        pytest.param(b"\xef\xbb\xbf" + QRELS, b"\xef\xbb\xbf" + RUN, id="byte order mark"),
        pytest.param(QRELS.rstrip(), RUN.rstrip(), id="no last newline"),
        pytest.param(QRELS.replace(b" ", b" \t "), RUN.replace(b" ", b"\t"), id="blanks and tabs"),
        pytest.param(b"\n" + QRELS, RUN.replace(b"\n", b"\n\n"), id="blank lines"),
        pytest.param(QRELS, RUN.replace(b" t\n", b"\n"), id="no tag on any line"),
        pytest.param(gzip.compress(QRELS), gzip.compress(RUN), id="gzip"),
        pytest.param(bz2.compress(QRELS), bz2.compress(RUN), id="bzip2"),
        pytest.param(lzma.compress(QRELS), lzma.compress(RUN), id="xz"),
        pytest.param(QRELS.replace(b"d1", b"d\xff1"), RUN.replace(b"d1", b"d\xff1"), id="ids that are not UTF-8"),
        pytest.param(QRELS.replace(b"d1", b"d" * 10_000), RUN.replace(b"d1", b"d" * 10_000), id="a very long id"),
        pytest.param(QRELS, b"".join(sorted(RUN.splitlines(keepends=True), reverse=True)), id="lines in any order"),
        pytest.param(QRELS, RUN.replace(b" 3 t", b" inf t").replace(b" 2 t", b" -inf t"), id="infinite scores"),
    ],
)
def test_what_must_work(measure, qrels, run):
    assert values(measure(qrels, run, "-q")) == {"7": 1.0, "8": 1.0, "all": 1.0}


def test_a_run_may_come_through_a_pipe_even_where_it_would_be_read_twice(measure, command):
    measure()
    out, into = os.pipe()
    os.write(into, gzip.compress(RUN))
    os.close(into)
    # As a shell hands over <(command).
    outcome = command("measure", "qrels", f"/dev/fd/{out}", "-m", "ISL", "--format", "jsonl")
    os.close(out)
    assert values(outcome) == {"all": 1.0}


def test_topics_that_are_not_utf8_come_out_as_their_bytes_or_escaped(measure, command):
    measure(QRELS.replace(b"7 ", b"\xff "), RUN.replace(b"7 ", b"\xff "))
    assert "run\t\udcff\tAP\t1.0\n" in command("measure", "qrels", "run", "-m", "AP", "-q", "--format", "tsv").out
    assert r'"query": "\udcff"' in command("measure", "qrels", "run", "-m", "AP", "-q", "--format", "jsonl").out


def test_the_same_judgment_twice_is_said(measure):
    outcome = measure(qrels=QRELS + b"7 0 d1 1\n")
    assert values(outcome) == {"all": 1.0}
    assert "qrels: 1 judgment" in outcome.err


def test_comments_and_topics_that_nobody_judged_are_counted(measure):
    outcome = measure(b"# made by hand\n" + QRELS, b"# a run\n" + RUN + b"9 Q0 d1 1 1 t\n# its end\n")
    assert values(outcome) == {"all": 1.0}
    assert "qrels: 1 comment line ignored" in outcome.err
    assert "2 comment lines" in outcome.err
    assert "topic 9 of run run is not in the judgments: ignored" in outcome.err


def test_a_topic_with_a_hundred_thousand_documents(measure):
    lines = [b"7 Q0 x%d %d %d t\n" % (i, i, 200_000 - i) for i in range(99_999)]
    outcome = measure(run=b"".join([*lines, b"7 Q0 d1 100000 1 t\n8 Q0 d1 1 1 t\n"]), qrels=QRELS)
    assert values(outcome) == {"all": (1 / 100_000 + 1) / 2}


@pytest.mark.parametrize(("choice", "value"), [("first", 1.0), ("best", 1.0)])
def test_a_duplicate_document_may_be_kept_once(measure, choice, value):
    outcome = measure(QRELS, RUN + b"7 Q0 d1 3 1 t\n", "--duplicates", choice)
    assert values(outcome) == {"all": value}
    assert "1 duplicate document" in outcome.err
