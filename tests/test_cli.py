"""The command line: streams, formats, exit codes, and what it says to somebody who mistyped."""

from __future__ import annotations

import csv
import json
import os
import shlex
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from rankdiff import __version__
from rankdiff.cli import COMMANDS
from rankdiff.cli.compare import MANY_RUNS, TESTS
from rankdiff.cli.order import METHODS

pytestmark = pytest.mark.usefixtures("here")

QRELS = "1 0 a 2\n1 0 b 1\n1 0 c 0\n2 0 a 1\n2 0 d 0\n"
RUNS = {
    "first": "1 Q0 a 1 9 one\n1 Q0 x 2 8 one\n1 Q0 b 3 7 one\n2 Q0 d 1 9 one\n2 Q0 a 2 8 one\n",
    "second": "1 Q0 c 1 9 two\n1 Q0 a 2 8 two\n",
}


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """A folder to work in, with ``qrels`` and ``runs/first``, ``runs/second``."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("runs").mkdir()
    for name, text in RUNS.items():
        Path("runs", name).write_text(text)
    return tmp_path


def program(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "rankdiff", *arguments], capture_output=True, text=True, check=False, **options
    )


# AP of the runs by hand: first (1 + 2/3)/2 and 1/2, second (1/2)/2 and no ranking for topic 2.
AP = {("first", "1"): 5 / 6, ("first", "2"): 1 / 2, ("second", "1"): 1 / 4, ("second", "2"): 0.0}
MEANS = {("first", "all"): 2 / 3, ("second", "all"): 1 / 8}


@pytest.mark.parametrize("per_query", [False, True])
@pytest.mark.parametrize("form", ["tsv", "csv", "json", "jsonl"])
def test_formats_for_programs_are_long_and_exact(command, form, per_query):
    outcome = command("measure", "qrels", "runs", "-m", "AP", "--format", form, *["-q"] * per_query)
    if form in {"tsv", "csv"}:
        records = list(csv.DictReader(StringIO(outcome.out), delimiter="\t" if form == "tsv" else ","))
    else:
        records = json.loads(outcome.out) if form == "json" else list(map(json.loads, outcome.out.splitlines()))
    assert {tuple(record) for record in records} == {("run", "query", "measure", "value")}
    values = {(record["run"], record["query"]): float(record["value"]) for record in records}
    assert values == pytest.approx((AP | MEANS) if per_query else MEANS, abs=1e-15)
    assert len(records) == len(values)
    assert "rankdiff" not in outcome.out


def test_text_is_a_table_of_runs_and_measures(command):
    lines = command("measure", "qrels", "runs", "-m", "AP", "-m", "NumRet").out.splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["run", "AP", "NumRet", "queries"],
        ["first", "0.6667", "5.0000", "2"],
        ["second", "0.1250", "2.0000", "2"],
    ]
    assert lines[-1].startswith(f"rankdiff {__version__}|AP,NumRet|")


@pytest.mark.parametrize(("form", "row"), [("latex", r"first & 1 & 0.8333 \\"), ("markdown", "| first | 1 | 0.8333 |")])
def test_formats_for_papers_have_a_column_for_each_measure(command, form, row):
    assert row in command("measure", "qrels", "runs", "-m", "AP", "-q", "--format", form).out.splitlines()


def test_trec_format_is_a_block_a_run(command):
    outcome = command(
        "measure", "qrels", "runs", "-m", "map", "-m", "RBP(p=0.5)", "-m", "num_ret", "-q", "--format", "trec"
    )
    lines = [line.split() for line in outcome.out.splitlines()]
    assert lines[0] == ["runid", "all", "one"]
    assert ["map", "1", "0.8333"] in lines
    assert ["num_ret", "all", "5"] in lines
    assert lines[-3:] == [["map", "all", "0.1250"], ["RBP(p=0.5)", "all", "0.1250"], ["num_ret", "all", "2"]]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--missing", "skip"], {"first": 2 / 3, "second": 1 / 4}),
        (["--rel", "2"], {"first": 1 / 2, "second": 1 / 4}),
        (["--rel", "2", "--no-relevant", "drop"], {"first": 1.0, "second": 1 / 2}),
        (["--depth", "1"], {"first": 1 / 4, "second": 0.0}),
        (["--judged-only"], {"first": 3 / 4, "second": 1 / 8}),
        (["--ties", "file"], {"first": 2 / 3, "second": 1 / 8}),
        (["--aggregate", "median"], {"first": 2 / 3, "second": 1 / 8}),
        (["--aggregate", "sum"], {"first": 4 / 3, "second": 1 / 4}),
    ],
)
def test_rules_reach_the_collection(command, options, expected):
    outcome = command("measure", "qrels", "runs", "-m", "AP", "--format", "jsonl", *options)
    values = {record["run"]: record["value"] for record in map(json.loads, outcome.out.splitlines())}
    assert values == pytest.approx(expected, abs=1e-15)


def test_a_corpus_size_is_counted_where_a_measure_needs_it(command):
    # Topic 1 has a, b, c, x: its last relevant document is at rank 3 of first, and at the end of second.
    outcome = command("measure", "qrels", "runs", "-m", "TSL", "-q", "--format", "jsonl")
    values = {(r["run"], r["query"]): r["value"] for r in map(json.loads, outcome.out.splitlines())}
    assert (values["first", "1"], values["second", "1"]) == (3.0, 4.0)
    given = command("measure", "qrels", "runs", "-m", "TSL", "-q", "--format", "jsonl", "--corpus-size", "10")
    values = {(r["run"], r["query"]): r["value"] for r in map(json.loads, given.out.splitlines())}
    assert values["second", "1"] == 10.0


def test_what_is_said_of_the_runs_is_said_once_though_they_are_read_twice(command):
    outcome = command("measure", "qrels", "runs", "-m", "TSL", "--format", "tsv")
    assert outcome.err.count("1 of 2 runs lack topics (second: 1 of 2)") == 1


def test_words_go_to_standard_error(command):
    outcome = command("measure", "qrels", "runs", "-m", "AP", "--format", "tsv")
    assert "1 of 2 runs lack topics (second: 1 of 2)" in outcome.err
    assert "|missing:zero|rel:1|" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mesure", "qrels", "runs"], "no subcommand is called 'mesure': did you mean measure?"),
        (["qqq"], "no subcommand is called 'qqq'"),
        (["measure", "qrels"], "Missing argument 'RUN...'"),
        (["measure", "qrels", "runs", "-m", "nDGC"], "no measure is called 'nDGC': did you mean nDCG"),
        (["measure", "qrels", "runs", "-m", "P"], "P needs a cutoff, as in P@10"),
        (["measure", "qrels", "runs", "-m", "AP(rle=2)"], "no parameter of AP is called 'rle': did you mean rel?"),
        (["measure", "qrels", "runs", "--depth", "0"], "'0' is neither a whole number of at least 1 nor common"),
        (["measure", "qrels", "runs", "--depth", "shallow"], "'shallow' is neither"),
        (["explain", "AP", "--format", "json"], "one name is explained in words alone"),
        (["measure", "qrels", "runs", "--tie", "x"], "--ties"),
        (["measure", "qrels", "runs", "--format", "xml"], "'xml' is not one of"),
        (["measure", "qrels", "runs", "-m", "TSL", "--corpus-size", "2"], "corpus size 2 of topic 1 is too small"),
        (["measure", "qrels", "runs", "-m", "RPP"], "no measure is called 'RPP': it is a preference between two runs"),
        (["report", "qrels", "runs", "-o", "no/page.html"], "there is no folder 'no' for 'page.html'"),
        (["report", "qrels", "runs", "-o", "page.pdf"], "page.pdf: the report is one HTML page"),
        (["compare", "qrels", "runs", "-o", "no/profile.svg"], "there is no folder 'no' for 'profile.svg'"),
        (["study", "ties", "qrels", "runs", "-o", "no/ties.csv"], "there is no folder 'no' for 'ties.csv'"),
        (["explain", "nDGC"], "did you mean nDCG"),
        (["explain", "robustnes"], "did you mean robustness"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_was_meant(command, arguments, message):
    outcome = command(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert message in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["measure", "-m", "TSE(exposure='foo')"], "no value of exposure is called 'foo': there are ap, rr"),
        (["measure", "-m", "ASL(missing=1)"], "no value of missing is called '1': there are padded, returned, corpus"),
        (["prefer", "-p", "OI(browsing='dgc')"], "no value of browsing is called 'dgc': did you mean dcg?"),
        (["order", "-p", "PRP"], "did you mean RPP"),
        (["flip", "-m", "nDGC"], "did you mean nDCG"),
        (["report", "-m", "nDGC"], "did you mean nDCG"),
        (["compare", "--primary", "nDGC"], "did you mean nDCG"),
        (["compare", "--fail-if-worse", "nDGC"], "did you mean nDCG"),
        (["compare", "--require-noninferior", "RareP(gains='exp')=0.1"], "there are binary, graded"),
        (["study", "headroom", "-m", "nDGC"], "did you mean nDCG"),
        (["study", "ties", "-o", "ties.xyz"], "ties.xyz: nothing is written as .xyz"),
    ],
)
def test_a_bad_name_is_refused_before_anything_is_read(command, monkeypatch, arguments, message):
    def read(*_: object, **__: object) -> None:
        raise AssertionError("the judgments are read")

    monkeypatch.setattr("rankdiff.read.read_qrels", read)
    outcome = command(*arguments, "qrels", "runs")
    assert outcome.code == 2
    assert message in outcome.err


@pytest.mark.parametrize(
    ("arguments", "module", "message"),
    [
        (["study", "ties", "-o", "a.csv", "-o", "a.parquet"], "pyarrow", "Parquet files need an extra"),
        (["study", "ties", "-o", "a.csv", "-o", "a.svg"], "vl_convert", "figures need an extra"),
        (["compare", "-o", "a.svg"], "altair", "figures need an extra"),
    ],
)
def test_a_missing_extra_is_told_before_anything_is_read(command, monkeypatch, arguments, module, message):
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delattr("rankdiff.cli.options.Request.load")
    outcome = command(*arguments, "qrels", "runs")
    assert (outcome.code, outcome.out) == (4, "")
    assert f"{message}: pip install 'rankdiff[" in outcome.err


def test_missing_topics_can_be_refused(command):
    outcome = command("measure", "qrels", "runs", "--missing", "error")
    assert outcome.code == 1
    assert "run second lacks topic 2" in outcome.err


def test_the_version_names_the_kernel(monkeypatch):
    monkeypatch.setenv("RANKDIFF_KERNEL", "python")
    assert program("--version").stdout.startswith(f"rankdiff {__version__} (NumPy kernel")


def test_an_extra_that_is_not_installed_exits_with_4(command, monkeypatch):
    monkeypatch.setitem(sys.modules, "backports", None)
    monkeypatch.setitem(sys.modules, "compression", None)
    Path("run.zst").write_bytes(b"\x28\xb5\x2f\xfd\x00\x00")
    outcome = command("measure", "qrels", "run.zst")
    assert outcome.code == 4
    assert "pip install 'rankdiff[compression]'" in outcome.err


def test_an_interrupt_exits_with_130(command, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rankdiff.read.read_qrels", interrupted)
    outcome = command("measure", "qrels", "runs")
    assert outcome.code == 130
    assert "Traceback" not in outcome.err


def test_a_reader_who_leaves_early_is_no_error():
    out, into = os.pipe()
    os.close(out)
    process = subprocess.run(
        [sys.executable, "-m", "rankdiff", "explain"], stdout=into, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(into)
    assert (process.returncode, process.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full on this system")
def test_results_that_cannot_be_written_are_told():
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "rankdiff", "explain"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    told = "rankdiff: output cannot be written (No space left on device)\n"
    assert (process.returncode, process.stderr) == (1, told)


def test_a_folder_that_cannot_be_made_is_told(command):
    outcome = command("study", "all", "qrels", "runs", "-o", "qrels/folder")
    assert outcome.code == 1
    assert outcome.err == "rankdiff: qrels/folder: cannot be written (Not a directory)\n"


def test_every_subcommand_has_help_that_begins_as_the_overview_says(command):
    overview = " ".join(command("--help").out.split())
    for name, (_, summary) in COMMANDS.items():
        assert f"{name} {summary}" in overview
        outcome = command(name, "--help")
        assert outcome.code == 0
        assert outcome.out.startswith(f"Usage: rankdiff {name} ")


def fastest(*command: str) -> float:
    """Seconds that the fastest of five processes computes (not: waits), less what Python takes to do nothing."""

    def once(arguments: tuple[str, ...]) -> float:
        process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        return usage.ru_utime + usage.ru_stime

    return min(once(command) for _ in range(5)) - min(once(("-c", "pass")) for _ in range(5))


def test_help_comes_at_once_and_importing_is_quick():
    # On a quiet machine 0.25 and 0.15 s; twice that where other processes compete.
    assert fastest("-m", "rankdiff", "--help") < 0.5
    assert fastest("-c", "import rankdiff") < 0.3


def test_explain_lists_and_explains(command):
    records = {
        record["name"]: record for record in map(json.loads, command("explain", "--format", "jsonl").out.splitlines())
    }
    assert records["AP[@k]"]["trec_eval"] == "map, map_cut_k"
    assert records["TSL"]["better"] == "lower"
    assert {records[name]["kind"] for name in ("RPP", "sgnLR")} == {"preference"}
    assert records["axioms"]["source"] == "lexirecall Table 6"
    text = command("explain", "map_cut_100").out
    assert text.startswith("AP@100: ")
    assert "trec_eval:    map_cut_100\n" in text
    assert command("explain", "RPP").out.startswith("RPP: ")
    assert "reproduces: lexirecall Table 2, Fig. 14\n" in command("explain", "robustness").out


@pytest.mark.parametrize(("kind", "names"), [("test", (*TESTS, *MANY_RUNS)), ("order", METHODS)])
def test_explain_knows_every_test_and_order(command, kind, names):
    records = [json.loads(line) for line in command("explain", "--format", "jsonl").out.splitlines()]
    assert {record["name"] for record in records if record["kind"] == kind and record["meaning"]} == set(names)
    assert all(command("explain", name).out.startswith(f"{name}: ") for name in names)


def test_the_demo_makes_a_collection_that_can_be_read_as_it_says(command):
    shown = command("demo", "a demo")
    assert shown.code == 0
    assert len(shown.out.splitlines()) > 20
    again = command("measure", "a demo/qrels.txt", "a demo/runs", *(f"-m{name}" for name in shown.out.split()[1:6]))
    assert shown.out.startswith(again.out)
    suggested = [shlex.split(line)[1:] for line in shown.err.splitlines() if line.startswith("  ")]
    assert [words[0] for words in suggested] == ["measure", "compare", "check"]
    assert [command(*words).code for words in suggested] == [0, 0, 0]
    assert shown.err.splitlines()[-1] == f"The report is in {Path('a demo/report.html').resolve()}"
    assert Path("a demo/report.html").stat().st_size > 100_000


def test_simulate_takes_its_sizes_as_options_and_repeats_itself(command):
    for folder in ("one", "two"):
        sizes = ["--systems", "3", "--topics", "4", "--depth", "10", "--seed", "5", "--team-size", "2"]
        outcome = command("simulate", folder, *sizes)
        assert outcome.code == 0
        assert outcome.out == ""
        assert "3 runs × 4 topics" in outcome.err
    assert [path.name for path in sorted(Path("one/runs").iterdir())] == ["alder-1.run", "alder-2.run", "aspen-1.run"]
    for name in ("qrels.txt", "runs/aspen-1.run"):
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()
