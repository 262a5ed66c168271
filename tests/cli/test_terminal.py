"""The command line on a terminal: a real one, of a width, with and without colors, and with work that takes time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import rankdiff as rd
from rankdiff.simulate import simulate

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals on this system")

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SUBCOMMANDS = {
    "compare two": ["compare", "qrels.txt", "runs/worst.run", "runs/best.run"],
    "compare": ["compare", "qrels.txt", "runs", "--samples", "200"],
    "order": ["order", "qrels.txt", "runs", "--by", "winrate"],
    "measure": ["measure", "qrels.txt", "runs"],
    "study": ["study", "ties", "qrels.txt", "runs", "-m", "RR", "-m", "AP"],
    "prefer": ["prefer", "qrels.txt", "runs"],
    "check": ["check", "qrels.txt", "runs"],
    "explain": ["explain"],
}
"""What prints tables; the signature below them is one word, and may be longer than a line."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A small collection: ``qrels.txt`` and ``runs``."""
    made = tmp_path_factory.mktemp("made")
    simulate(made, systems=12, topics=20, depth=40)
    best_first = rd.load(made / "qrels.txt", made / "runs").measure("AP").order().table()["run"].tolist()
    for run, name in ((best_first[0], "best"), (best_first[-1], "worst")):
        (made / "runs" / f"{run}.run").rename(made / "runs" / f"{name}.run")
    return made


def on_terminal(folder: Path, arguments: list[str], width: int = 80, **environment: str) -> str:
    """The data that the command line writes to a terminal of a width; words and progress go elsewhere."""
    return seen_of(["-m", "rankdiff", *arguments], folder, width, subprocess.DEVNULL, **environment)


def seen_of(arguments: list[str], folder: Path, width: int, words: int | None = None, **environment: str) -> str:
    """What Python writes to a terminal."""
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "LINES"}}
    program = subprocess.Popen(
        [sys.executable, *arguments], stdin=theirs, stdout=theirs, stderr=words or theirs, cwd=folder, close_fds=True,
        env={**kept, "TERM": "xterm-256color", **environment},
    )  # fmt: skip
    os.close(theirs)
    written = b"".join(pieces(ours))
    os.close(ours)
    assert program.wait() == 0, written.decode()
    return written.decode().replace("\r\n", "\n")


def pieces(terminal: int) -> Iterator[bytes]:
    """What is written until the other end is closed, which Linux says by an error."""
    with suppress(OSError):
        while piece := os.read(terminal, 1 << 16):
            yield piece


def tables_in(text: str) -> list[str]:
    """The lines, without colors, and without the signature."""
    return [line for line in ANSI.sub("", text).splitlines() if not line.startswith("rankdiff 0")]


@pytest.mark.parametrize("width", [60, 80, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_tables_fit_the_terminal(folder, name, width):
    written = tables_in(on_terminal(folder, SUBCOMMANDS[name], width))
    assert len(written) > 8
    assert [line for line in written if len(line) > width] == []


def test_colors_repeat_the_marks_and_can_be_refused(folder):
    colored = on_terminal(folder, SUBCOMMANDS["compare two"])
    assert re.search("\x1b\\[32m[^\x1b]*▲\x1b", colored)
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        bare = on_terminal(folder, SUBCOMMANDS["compare two"], **plain)
        assert not re.search(r"\x1b\[[0-9;]*m", bare)
        assert tables_in(bare) == tables_in(colored)


def test_a_pipe_gets_neither_colors_nor_bars_nor_cuts(folder):
    asked = [sys.executable, "-m", "rankdiff", *SUBCOMMANDS["order"]]
    piped = subprocess.run(asked, cwd=folder, capture_output=True, check=True).stdout.decode()
    assert "\x1b" not in piped
    assert "█" not in piped
    on_screen = ANSI.sub("", on_terminal(folder, SUBCOMMANDS["order"]))
    assert "█" in on_screen
    assert [line.split()[:2] for line in tables_in(on_screen)] == [line.split()[:2] for line in tables_in(piped)]


SLOW = """
import time
from rankdiff.cli import output
output.PATIENCE = 0.2
with output.progress({doing!r}) as report:
    assert report is not None
    {work}
"""


@pytest.mark.parametrize(
    ("work", "seen"),
    [
        ("time.sleep(1.2)", "reading runs"),  # though nothing is reported
        ("report(1, 4); time.sleep(1.2)", "25%"),
        ("pass", None),  # too quick for a bar
    ],
)
def test_a_bar_appears_by_itself_where_something_takes_long(tmp_path, work, seen):
    Path(tmp_path / "slow.py").write_text(SLOW.format(doing="reading runs", work=work))
    text = ANSI.sub("", seen_of(["slow.py"], tmp_path, 80))
    assert seen in text if seen else text == ""


def test_no_bar_where_no_terminal_is(capsys):
    from rankdiff.cli.output import progress

    with progress("anything") as report:
        assert report is None
    assert capsys.readouterr().err == ""
