"""Where runs placed the judged documents: good input, odd input, bad input."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankdiff.errors import InputError
from rankdiff.read import Placement, inspect, place, read_qrels, read_runs
from texts import judged, plain_rankings, runs

JUDGED = {"7": {"a": 1, "b": 0, "c": 2}, "8": {"a": 1}}
GOOD = b"7 Q0 a 1 3.5 t\n7 Q0 x 2 2 t\n7 Q0 c 3 1.5 t\n8 Q0 a 1 1 t\n"


def zstd_compress(content: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        zstd = pytest.importorskip("backports.zstd", reason="zstd needs the extra rankdiff[compression]")
    return bytes(zstd.compress(content))


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "gzip of two members": lambda content: gzip.compress(content[:20]) + gzip.compress(content[20:]),
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd_compress,
}


def placed(path: Path, content: bytes, judgments: Mapping[Any, Any] = JUDGED, **options: Any) -> Placement:
    """A run with this content, placed."""
    path.write_bytes(content)
    return place(read_qrels(judgments), read_runs(path), **options)


def same(one: Placement, other: Placement) -> bool:
    pairs = [(getattr(one, field.name), getattr(other, field.name)) for field in fields(one)]
    return all(np.array_equal(x, y) if isinstance(x, np.ndarray) else x == y for x, y in pairs)


@pytest.mark.parametrize("compress", COMPRESSORS.values(), ids=COMPRESSORS)
def test_compression_is_told_by_content(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    placement = placed(tmp_path / "bm25.run", compress(GOOD), pool=True)
    assert placement.systems == ("bm25",)
    assert placement.rank.tolist() == [[1, 0, 3, 1]]
    assert placement.depth.tolist() == [[3, 1]]
    assert placement.answered.tolist() == [[True, True]]
    assert placement.pool is not None
    assert placement.pooled is not None
    assert (placement.pool.tolist(), placement.pooled.tolist()) == ([3, 1], [True, False, True, True])
    assert (placement.tags, placement.notices) == (("t",), ())


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, zstd_compress])
def test_half_a_compressed_file_is_refused(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    whole = compress(bytes(range(32, 120)) * 50)
    with pytest.raises(InputError, match=r"bm25: the \w+ data are damaged or end too early"):
        placed(tmp_path / "bm25", whole[: len(whole) // 2])


def test_junk_after_gzip_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the gzip data are damaged"):
        placed(tmp_path / "bm25", gzip.compress(GOOD) + b"junk")


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.rstrip(),
        GOOD.replace(b" ", b" \t "),
        GOOD.replace(b"\n", b"\n\n"),
        GOOD.replace(b" t\n", b"\n"),
        b"".join(sorted(GOOD.splitlines(keepends=True), key=lambda line: line[-3:])),
        GOOD + b"\n" * (4096 - len(GOOD)),
        GOOD.replace(b" t\n", b" " + b"t" * ((8192 - len(GOOD)) // 4 + 1) + b"\n"),
    ],
    ids=[
        "byte order mark",
        "CRLF",
        "no last newline",
        "blanks",
        "blank lines",
        "5 columns",
        "mixed",
        "page",
        "2 pages",
    ],
)
def test_odd_but_good_runs(tmp_path: Path, content: bytes) -> None:
    placement = placed(tmp_path / "r", content)
    assert placement.rank.tolist() == [[1, 0, 3, 1]]
    assert placement.depth.tolist() == [[3, 1]]


def test_ids_may_be_any_bytes_of_any_length(tmp_path: Path) -> None:
    long = b"x" * 10_000
    qrels = tmp_path / "qrels"
    qrels.write_bytes(b"caf\xe9 0 \xff\xfe 1\ncaf\xe9 0 " + long + b" 1\ncaf\xe9 0 " + long + b"y 1\n")
    run = tmp_path / "run"
    run.write_bytes(b"caf\xe9 Q0 " + long + b" 1 3 t\ncaf\xe9 Q0 \xff\xfe 2 2 t\xe9\n")
    placement = place(read_qrels(qrels), read_runs(run))
    assert placement.rank.tolist() == [[1, 0, 2]]
    assert placement.tags[0].encode("utf-8", "surrogateescape") == b"t\xe9"


def test_a_topic_may_have_a_hundred_thousand_documents(tmp_path: Path) -> None:
    content = b"".join(b"7 Q0 d%d 1 %d t\n" % (number, number * 7919 % 100_003) for number in range(100_000))
    best = {f"d{number}": 1 for number in range(0, 100_000, 10_000)}
    placement = placed(tmp_path / "r", content, {"7": best})
    scores = [number * 7919 % 100_003 for number in range(100_000)]
    expected = [1 + sum(score > scores[int(name[1:])] for score in scores) for name in sorted(best)]
    assert placement.rank.tolist() == [expected]
    assert placement.depth.tolist() == [[100_000]]


def test_memory_does_not_grow_with_the_text_of_the_runs(tmp_path: Path) -> None:
    """What two threads need is held, whether there are six runs or forty; threads may need it at once or in turn."""
    judgments = read_qrels({"7": {"d7": 1}})
    text = b"".join(b"7 Q0 %s%d 0 %d t\n" % (b"d" * 500, number, -number) for number in range(400))
    for name in range(40):
        (tmp_path / str(name)).write_bytes(text)

    def peak(count: int) -> int:
        tracemalloc.start()
        place(judgments, read_runs([str(tmp_path / str(name)) for name in range(count)]), jobs=2)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(40) - peak(6) < 10 * len(text)


def test_topics_that_a_run_lacks_and_topics_without_judgments(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"8 Q0 a 1 1 t\n999 Q0 z 1 1 t\n")
    (tmp_path / "b").write_bytes(GOOD)
    placement = place(read_qrels(JUDGED), read_runs(tmp_path))
    assert placement.rank.tolist() == [[0, 0, 0, 1], [1, 0, 3, 1]]
    assert placement.answered.tolist() == [[False, True], [True, True]]
    assert placement.notices == ("topic 999 of run a is not in the judgments: ignored",)


def test_notices_are_added_up_over_runs(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"# x\n9 Q0 d 1 1 t\n10 Q0 d 1 1 t\n7 Q0 a 1 1 t\n7 Q0 a 1 1 t\n")
    (tmp_path / "b").write_bytes(b"# x\n# y\n9 Q0 d 1 1 t\n")
    placement = place(read_qrels(JUDGED), read_runs(tmp_path), duplicates="first")
    assert placement.notices == (
        "3 comment lines of 2 runs ignored",
        "1 duplicate document of run a ignored: the first of each counts",
        "2 topics of 2 runs are not in the judgments: ignored",
    )


BAD = [
    (b"7 Q0 a 1 1 t\n7 Q0 b 2 1\n", ":2: not a line of a run: found 5 columns in '7 Q0 b 2 1', expected 6 columns"),
    (b"7 Q0 a 1 1 t u\n", ":1: not a line of a run: found 7 columns in '7 Q0 a 1 1 t u', expected 6 columns"),
    (b"7 Q0 a 1 high t\n", ":1: the score is not a number: found 'high', expected a number such as"),
    (b"7 Q0 a 1 NaN t\n", ":1: the score is not a number: found 'NaN', expected a number such as"),
    (b"7 Q0 a 1 2 t\n7 Q0 a 2 1 t\n", ":2: duplicate document 'a' in the ranking of topic '7' (it stood on line 1;"),
    (b"", ": no run in it, it is empty or blank: expected lines of 6 columns"),
    (b"\n \n", ": no run in it, it is empty or blank: expected lines of 6 columns"),
    (b"\x89PNG\r\n\x1a\n\x00\x00", ":1: not a line of a run: found 1 column in '\\x89PNG\\r', expected 6 columns"),
    (b"\x7fELF\x02\x01\x00 x\n", ":1: binary data: found '\\x7fELF\\x02\\x01\\x00 x', expected lines of text"),
    (b"7 0 a 1\n", ":1: not a line of a run: found 4 columns in '7 0 a 1', expected 6 columns"),
    (b"7 0 a 1\n", "(judgments have 4; are judgments and runs in each other's place?)"),
]


@pytest.mark.parametrize(("content", "message"), BAD)
def test_a_bad_run_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        placed(tmp_path / "r", content)
    assert str(caught.value).startswith(str(tmp_path / "r"))
    assert message in str(caught.value)


def test_an_unreadable_run_is_named(tmp_path: Path) -> None:
    (tmp_path / "r").symlink_to(tmp_path / "gone")
    with pytest.raises(InputError, match=r"r: cannot be read \(No such file or directory\)"):
        place(read_qrels(JUDGED), read_runs(tmp_path))


@pytest.mark.parametrize("content", [content for content, _ in BAD])
@pytest.mark.parametrize("pool", [False, True])
def test_a_bad_run_of_a_folder_can_be_left_out(tmp_path: Path, content: bytes, pool: bool) -> None:
    (tmp_path / "a").write_bytes(GOOD)
    (tmp_path / "b").write_bytes(b"7 Q0 extra 1 9 t\n" + content if content.strip() else content)
    (tmp_path / "c").write_bytes(GOOD.replace(b" x ", b" y "))
    judgments = read_qrels(JUDGED)
    placement = place(judgments, read_runs(tmp_path), on_bad_run="skip", pool=pool)
    assert placement.notices[0].startswith(f"run b is left out: {tmp_path / 'b'}")
    without = place(judgments, read_runs([tmp_path / "a", tmp_path / "c"]), pool=pool)
    assert same(placement, Placement(*(getattr(without, f.name) for f in fields(without)[:-1]), placement.notices))


def test_when_no_run_is_left_the_first_fault_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="it is empty or blank"):
        placed(tmp_path / "r", b"", on_bad_run="skip")


def test_progress_is_told_run_by_run(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_bytes(GOOD)
    told: list[tuple[int, int]] = []
    place(read_qrels(JUDGED), read_runs(tmp_path), jobs=2, progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_standard_input_is_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (GOOD, gzip.compress(GOOD)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        placement = place(read_qrels(JUDGED), read_runs("-"))
        assert (placement.systems, placement.rank.tolist()) == (("stdin",), [[1, 0, 3, 1]])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(GOOD)[:20])))
    with pytest.raises(InputError, match="standard input: the gzip data are damaged"):
        place(read_qrels(JUDGED), read_runs("-"))


def test_dicts_are_ranked_as_files_are(tmp_path: Path) -> None:
    ranking = {7: {"a": 3.5, b"x": np.float32(2), "c": 1.5}, "8": {"a": 1}}
    placement = place(read_qrels(JUDGED), read_runs({"r": ranking}), pool=True)
    assert same(placement, placed(tmp_path / "r", GOOD.replace(b" t\n", b"\n"), pool=True))


def test_a_dict_may_hold_an_empty_ranking() -> None:
    placement = place(read_qrels(JUDGED), read_runs({"r": {"7": {}}}))
    assert (placement.answered.tolist(), placement.depth.tolist()) == ([[True, False]], [[0, 0]])


@pytest.mark.parametrize(
    ("ranking", "options", "message"),
    [
        ({"7": {"a": float("nan")}}, {}, "dict of run r: the value of document 'a' of topic '7' is not a number"),
        ({"7": {"a": "high"}}, {}, "found 'high', expected a number"),
        ({"7": {"1": 2, 1: 3}}, {}, "duplicate document '1' in the ranking of topic '7'"),
        ({"7": {"a": 1}}, {"ties": "rank"}, "dict of run r: has no rank column"),
        ({"7": {"a": 1}, "8": 3}, {}, "not a dict of dicts"),
    ],
)
def test_a_bad_dict_is_refused(ranking: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        place(read_qrels(JUDGED), read_runs({"r": ranking}), **options)
    assert message in str(caught.value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=runs(),
    judgments=judged.filter(bool),
    piece=st.integers(1, 200),
    ties=st.sampled_from(["docid-desc", "rank", "file"]),
)
def test_pieces_of_a_file_are_the_file(
    tmp_path: Path, content: bytes, judgments: dict[bytes, dict[bytes, int]], piece: int, ties: Any
) -> None:
    whole = placed(tmp_path / "r", content, judgments, ties=ties, pool=True)
    assert same(placed(tmp_path / "r", content, judgments, ties=ties, pool=True, piece=piece), whole)
    rankings = plain_rankings(content, ties)
    expected = [
        rankings[topic].index(document) + 1 if document in rankings.get(topic, ()) else 0
        for topic in sorted(judgments)
        for document in sorted(judgments[topic])
    ]
    assert whole.rank.tolist() == [expected]


@pytest.mark.parametrize("piece", [1, 10, 40, 100, 1000])
def test_faults_in_pieces_are_told_as_those_of_the_file(tmp_path: Path, piece: int) -> None:
    lines = [b"%d Q0 d%d 1 1 t\n" % (topic, document) for topic in range(10) for document in range(3)]
    faults = {
        b"".join(lines[:20]) + b"# c\n\n6 Q0 e 1 x t\n" + b"".join(lines[21:]): ":23: the score is not a number",
        b"".join(lines)
        + b"3 Q0 d1 9 9 t\n": ":31: duplicate document 'd1' in the ranking of topic '3' (it stood on line 11",
        lines[0] * 2 + b"".join(lines[3:]) + lines[-1]: ":2: duplicate document 'd0'",
        lines[0] * 2 + b"".join(lines[3:]) + b"99 Q0 d 1 1\n": ":30: not a line of a run: found 5 columns",
        b"".join(lines)[:-3] + b"\n" + b"".join(lines[:9]): ":30: not a line of a run: found 5 columns",
    }
    for content, message in faults.items():
        with pytest.raises(InputError) as caught:
            placed(tmp_path / "r", content, piece=piece)
        assert message in str(caught.value)


def test_a_listing_tells_ties_and_the_rank_column(tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.write_bytes(b"# c\n7 Q0 a 2 1 t\n7 Q0 x 1 2 t\n7 Q0 c 3 2 t\n9 Q0 z 1 1 t\n7 Q0 x 1 2 t\n")
    [listing] = inspect(read_qrels(JUDGED), read_runs(path))
    assert not isinstance(listing, InputError)
    assert (listing.system, listing.unknown, listing.duplicates, listing.comments) == ("r", ("9",), 1, 1)
    assert listing.query.tolist() == [0, 0, 0, -1]
    assert listing.column.tolist() == [-1, 2, 0, -1]
    assert listing.score.tolist() == [2, 2, 1, 1]
    assert listing.stated_rank.tolist() == [1, 3, 2, 1]
    assert listing.line.tolist() == [3, 4, 2, 5]


def test_a_listing_of_a_bad_run_is_its_fault(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"7 Q0 a 1 x t\n")
    (tmp_path / "b").write_bytes(GOOD)
    bad, good = inspect(read_qrels(JUDGED), read_runs(tmp_path))
    assert isinstance(bad, InputError)
    assert not isinstance(good, InputError)
