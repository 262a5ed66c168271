"""``rankdiff trec_eval`` against trec_eval's own outputs: NIST's, and those of version 10.0 on two collections."""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from rankdiff.interop.trec_eval_rows import MEASURES, NICKNAMES, UNSUPPORTED

PARAMETERS = (
    "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 "
    "-mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20"
)


@pytest.mark.parametrize(
    ("expected", "options", "inputs"),
    [
        ("out.test", "", "qrels.test results.test"),
        ("out.test", "", "qrels.test.with-comments results.test"),
        ("out.comment.test", "", "qrels.comment.test results.comment.test"),
        ("out.test.a", "-m all_trec", "qrels.test results.test"),
        ("out.test.aq", "-m all_trec -q", "qrels.test results.test"),
        ("out.test.aqc", "-m all_trec -q -c", "qrels.test results.trunc"),
        ("out.test.aqcM", "-m all_trec -q -c -M100", "qrels.test results.trunc"),
        ("out.test.aql", "-m all_trec -mrelstring.20 -q -l2", "qrels.rel_level results.test"),
        ("out.test.meas_params", PARAMETERS, "qrels.test results.test"),
    ],
)
def test_nists_own_outputs_come_out_to_the_byte(command, data, expected, options, inputs):
    folder = data("trec-eval-tests")
    outcome = command("trec_eval", *options.split(), *(folder / name for name in inputs.split()))
    assert outcome.out == (folder / expected).read_text()
    assert outcome.code == 0


def blocks(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The lines of each run in a file of expected values."""
    by_run: dict[str, list[str]] = defaultdict(list)
    with gzip.open(path, "rt") as lines:
        next(lines)
        for text in lines:
            run, _, rest = text.rstrip("\n").partition("\t")
            by_run[run].append(rest)
    yield from by_run.items()


def printed(output: str, wanted: set[str]) -> list[str]:
    """The output of trec_eval as lines ``topic measure value``, those of the wanted measures."""
    rows = (text.split("\t") for text in output.splitlines())
    return [f"{topic}\t{name.strip()}\t{value}" for name, topic, value in rows if name.strip() in wanted]


COLLECTIONS = [("trec-dl-2021-passages", 1), ("trec-dl-2021-passages", 2), ("trec-covid-round1", 1)]


@pytest.mark.parametrize(("collection", "level"), COLLECTIONS)
def test_every_printed_value_of_trec_eval_10(command, data, collection, level):
    for run, lines in blocks(data(collection, "expected", f"trec_eval-10.0.level-{level}.tsv.gz")):
        outcome = command(
            *f"trec_eval -c -q -l {level} -m all_trec".split(),
            data(collection, "qrels.txt"),
            data(collection, "runs", f"{run}.gz"),
        )
        assert sorted(printed(outcome.out, {text.split("\t")[1] for text in lines})) == sorted(lines), run


ROUNDED_OTHERWISE = ("iprec_at_recall", "11pt_avg")


@pytest.mark.parametrize(("collection", "level"), COLLECTIONS)
def test_single_precision_gives_the_values_of_trec_eval_9(command, data, collection, level):
    for run, lines in blocks(data(collection, "expected", f"trec_eval-9.0.8.level-{level}.tsv.gz")):
        wanted = {text for text in lines if not text.split("\t")[1].startswith(ROUNDED_OTHERWISE)}
        if wanted:
            outcome = command(
                *f"trec_eval --precision=single -c -q -l{level} -m all_trec".split(),
                data(collection, "qrels.txt"),
                data(collection, "runs", f"{run}.gz"),
            )
            assert wanted <= set(printed(outcome.out, {text.split("\t")[1] for text in wanted})), run


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Two topics, of which the run answers one."""
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 0 a 1\n1 0 b 0\n1 0 c -1\n2 0 d 3\n2 0 e 1\n")
    run.write_text("1 Q0 x 1 4 first\n1 Q0 a 2 3 first\n1 Q0 c 3 2 first\n1 Q0 b 4 1 last  and more\n")
    return qrels, run


def test_a_missing_topic_is_printed_with_its_relevant_documents_and_zeros(command, files):
    outcome = command("trec_eval", "-q", "-m", "all_trec", *files)
    second = {name.strip(): value for name, topic, value in map(fields, outcome.out.splitlines()) if topic == "2"}
    assert second.pop("num_rel") == "2"
    assert second.pop("relstring") == "''"
    assert set(second.values()) == {"0", "0.0000"}
    assert "without -c trec_eval 10 would have stopped" in outcome.err


def fields(text: str) -> tuple[str, str, str]:
    """The three columns of a line of output."""
    name, topic, value = text.split("\t")
    return name, topic, value


def test_the_tag_of_the_last_line_is_the_runid_and_what_follows_it_is_ignored(command, files):
    assert "runid                 \tall\tlast\n" in command("trec_eval", "-c", *files).out


def test_relevance_strings_tell_pooled_from_unpooled_documents(command, files):
    assert "relstring             \t1\t'-1.0'\n" in command("trec_eval", "-c", "-q", "-m", "relstring", *files).out


def test_a_cut_comes_before_unjudged_documents_are_taken_out(command, files):
    cut_first = command("trec_eval", "-c", "-M2", "-J", "-q", "-m", "num_ret", *files).out
    assert cut_first.startswith("num_ret               \t1\t1\n")


@pytest.mark.parametrize(
    "options",
    [
        ["-qc", "-l2", "-mP.5,10", "-m", "map"],
        ["--query", "--complete", "--level_for_rel=2", "--measure", "P.5,10", "--measure=map"],
    ],
)
def test_options_may_be_joined_spelled_out_abbreviated_and_stand_behind_the_files(command, files, options):
    plain = command("trec_eval", "-q", "-c", "-l", "2", "-m", "P.5,10", "-m", "map", *files)
    assert plain.code == 0
    assert command("trec_eval", *options, *files).out == plain.out
    assert command("trec_eval", *files, *options).out == plain.out


def test_no_summary(command, files):
    assert "\tall\t" not in command("trec_eval", "-n", "-q", "-c", *files).out


def test_several_runs_print_a_block_each(command, files):
    qrels, run = files
    run.write_text(run.read_text().replace("last  and more", "first"))
    twin = run.with_name("twin")
    twin.write_text(run.read_text().replace("first", "twin"))
    outcome = command("measure", "-m", "map", "--format", "trec", qrels, run, twin)
    assert outcome.out.splitlines() == [
        "runid                 \tall\tfirst",
        "map                   \tall\t0.2500",
        "runid                 \tall\ttwin",
        "map                   \tall\t0.2500",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "nosuch"], "no measure of trec_eval is called 'nosuch'"),
        (["-m", "ndgc"], "did you mean ndcg"),
        (["-m", "prefs_simp"], "preference judgments"),
        (["-m", "qrels_jg"], "several judges"),
        (["-m", "P.5,5"], "the same cutoff twice"),
        (["-m", "P.0"], "cutoffs are at least 1"),
        (["-m", "P.five"], "expected numbers"),
        (["-m", "map.5"], "map takes no parameters"),
        (["-m", "ndcg.1"], "expected pairs"),
        (["-m", "utility.1,2"], "four numbers"),
        (["-m", "utility.1,1,1,1"], "-N"),
        (["-Z", "scores"], "-Z is not supported"),
        (["-D", "1"], "-D is not supported"),
        (["-o"], "-o is not supported"),
        (["-R", "prefs"], "-R prefs is not supported"),
        (["-x"], "-x not recognized"),
        (["-l", "two"], "expected a whole number"),
        (["--precision=half"], "expected double or single"),
        (["one more file"], "takes two files"),
    ],
)
def test_what_is_not_supported_is_refused_with_the_reason(command, files, options, message):
    outcome = command("trec_eval", *files, *options)
    assert outcome.code == 2
    assert outcome.out == ""
    assert message in outcome.err


def test_files_that_share_no_topic_or_hold_nothing_relevant_are_refused_instead_of_zeros(command, files):
    _, run = files
    outcome = command("trec_eval", "-l4", *files)
    assert (outcome.code, outcome.out) == (1, "")
    assert "some grade of 4 or more (rel (--rel, trec_eval's -l)" in outcome.err
    run.write_text("9 Q0 x 1 4 first\n")
    outcome = command("trec_eval", *files)
    assert (outcome.code, outcome.out) == (1, "")
    assert "such as '1' in" in outcome.err


def test_the_page_names_every_measure_and_set():
    page = (Path(__file__).parents[1] / "docs" / "trec_eval.md").read_text()
    assert [name for name in (*MEASURES, *NICKNAMES, *UNSUPPORTED) if f"`{name}`" not in page] == []
