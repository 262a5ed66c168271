"""``study``: every study with its own options, several collections, files, interrupts, and all at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankdiff as rd
from rankdiff.simulate import simulate

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A small collection: ``qrels.txt`` and ``runs``."""
    folder = tmp_path_factory.mktemp("made")
    simulate(folder, systems=5, topics=6, depth=40, relevant=8, team_size=1)
    return folder


@pytest.fixture
def here(made, tmp_path, monkeypatch) -> Path:
    """An empty folder to work in, from which the collection is ``qrels`` and ``runs``."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").symlink_to(made / "qrels.txt")
    Path("runs").symlink_to(made / "runs")
    return tmp_path


def interrupt(monkeypatch, after: int) -> None:
    """Press Ctrl-C when so many samples are finished."""
    from rankdiff.studies.sampling import Sampling

    finished = []

    def report(self) -> None:
        finished.append(self)
        if len(finished) == after:
            raise KeyboardInterrupt

    original = Sampling.__init__

    def begin(self, *arguments, **options) -> None:
        original(self, *arguments, **options)
        self.report = lambda: report(self)

    monkeypatch.setattr(Sampling, "__init__", begin)


def test_the_table_is_that_of_the_function(command):
    asked = ("-m", "AP", "-p", "sgnLR", "--samples", "2", "--seed", "3", "--rates", "0.25,0.5", "--removed", "popular")
    outcome = command("study", "labels", "qrels", "runs", *asked, "--format", "csv")
    c = rd.load("qrels", "runs")
    same = rd.studies.labels(c, ["AP", "sgnLR"], samples=2, seed=3, rates=[0.25, 0.5], removed=["popular"])
    assert (outcome.code, outcome.out) == (0, same.to_csv())
    assert "|seed:3|" in outcome.err


SMALL = {
    "robustness": ("--n", "100", "--optimal", "2"),
    "shallow_ties": ("--n", "2000", "--depths", "2000,500"),
    "axioms": ("-m", "RR"),
    "power": ("--permutations", "50"),
    "labels": ("--rates", "0.5"),
    "queries": ("--rates", "0.3,0.6"),
}
"""Options that make a study small."""
SAMPLING = [
    pytest.param(name, marks=[pytest.mark.slow] * (name == "axioms"))
    for name, study in rd.studies.catalog().items()
    if study.samples
]


@pytest.mark.parametrize("name", SAMPLING)
def test_one_seed_gives_the_same_bytes_for_any_number_of_threads(command, name):
    data = ("qrels", "runs") if rd.studies.find(name).needs_collection else ()
    asked = (*data, *SMALL.get(name, ()), "--samples", "4", "--format", "json")
    outcomes = [command("study", name, *asked, "--seed", "5", "--jobs", jobs) for jobs in (1, 1, 2, 3)]
    assert {outcome.code for outcome in outcomes} == {0}
    assert len({outcome.out for outcome in outcomes}) == 1


def test_collections_stand_side_by_side(command):
    sides = [f"--collection={label}=qrels,runs" for label in ("old", "new")]
    outcome = command("study", "headroom", *sides, "-m", "AP", "--format", "json")
    found = json.loads(outcome.out)
    assert list(dict.fromkeys(row["dataset"] for row in found["table"])) == ["old", "new"]
    assert found["name"] == "headroom"
    assert found["seed"] is None


def test_a_folder_of_collections_is_as_many(command):
    for name in ("dl-2021-passages", "mine"):
        Path("tracks", name).mkdir(parents=True)
        Path("tracks", name, "qrels.txt").symlink_to(Path("qrels").resolve())
        Path("tracks", name, "runs").symlink_to(Path("runs").resolve())
    Path("tracks", "notes").mkdir()
    outcome = command("study", "summary", "tracks", "--as-paper", "--format", "json")
    table_5, *_ = json.loads(outcome.out)["printed"]
    assert [(row["dataset"], row["runs"], row["runs (paper)"]) for row in table_5["rows"]] == [
        ("dl-2021-passages", 5, 63),
        ("mine", 5, None),
    ]
    one = command("study", "summary", "tracks/mine", "--format", "csv").out
    assert one.splitlines()[1] == "mine,requests,6.0,,"


def test_a_study_without_a_collection_takes_no_files(command):
    table = json.loads(command("study", "orientation", "-m", "RR", "--n", "10", "--most", "2", "--format", "json").out)
    assert [row["value"] for row in table["table"] if row["orientation"] == "precision"] == [0.9, 1 - 1 / 9]


def test_files_are_written_as_they_are_called(command):
    files = ["a.csv", "a.parquet", "a.svg", "a.tex"]
    outcome = command("study", "queries", "qrels", "runs", "--samples", "2", *(f"-o{name}" for name in files))
    assert (outcome.code, outcome.out) == (0, "")
    assert all(Path(name).stat().st_size for name in files)


def test_segments_and_a_corpus_that_must_be_counted(command):
    queries = rd.load("qrels", "runs").queries
    Path("segments").write_text("".join(f"{query}\t{'odd' if i % 2 else 'even'}\n" for i, query in enumerate(queries)))
    asked = ("-m", "LexiRecall", "--segments", "segments", "--format", "json")
    found = json.loads(command("study", "headroom", "qrels", "runs", *asked).out)
    assert {row["segment"] for row in found["table"]} == {"all", "even", "odd"}


def test_an_interrupt_keeps_the_finished_samples_and_exits_with_130(command, monkeypatch):
    interrupt(monkeypatch, after=3)
    outcome = command("study", "queries", "qrels", "runs", "-m", "AP", "--format", "csv")
    assert outcome.code == 130
    assert outcome.out.startswith("dataset,measure,")
    assert "3 of 10 samples are finished" in outcome.err


def test_an_interrupt_before_the_first_sample_leaves_nothing(command, monkeypatch):
    monkeypatch.setattr("rankdiff.studies.sampling.Sampling._one", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    outcome = command("study", "queries", "qrels", "runs")
    assert (outcome.code, outcome.out) == (130, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["labls", "qrels", "runs"], "did you mean labels"),
        (["labels"], "name one collection by QRELS RUN..., each by --collection"),
        (["labels", "qrels"], "name one collection"),
        (["labels", "runs"], "no folder there has judgments"),
        (["labels", "runs", "--collection", "a=qrels,runs"], "name one collection"),
        (["labels", "qrels", "runs", "--collection", "a=qrels,runs"], "name one collection"),
        (["labels", "qrels", "--collection", "a=qrels,runs"], "stands beside --collection"),
        (["labels", "--collection", "qrels,runs"], "expected LABEL=QRELS,RUNS"),
        (["labels", "qrels", "runs", "--rates", "half"], "'half' is no list of float"),
        (["labels", "qrels", "runs", "--removed", "all"], "no way to remove labels is called 'all'"),
        (["labels", "qrels", "runs", "--by", "luck"], "no order is called 'luck'"),
        (["queries", "qrels", "runs", "-o", "a.docx"], "nothing is written as .docx"),
        (["headroom", "qrels", "runs", "-p", "RPP"], "compares two rankings"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_was_meant(command, arguments, message):
    outcome = command("study", *arguments)
    assert outcome.code == 2
    assert message in outcome.err


def test_every_study_has_help(command):
    for name in rd.studies.catalog():
        outcome = command("study", name, "--help")
        assert outcome.code == 0
        assert "Reproduces" in outcome.out
    assert "[default: uniform,popular]" in " ".join(command("study", "labels", "--help").out.split())


@pytest.mark.slow
def test_all_writes_every_table_and_figure_and_a_page_of_them(command):
    outcome = command("study", "all", "qrels", "runs", "--samples", "2", "-o", "folder")
    assert outcome.code == 0
    page = Path("folder", "index.html").read_text()
    for name, study in rd.studies.catalog().items():
        if not study.needs_collection:
            continue
        assert f"<h2 id={name}>" in page
        if f'<img src="{name}.svg"' in page:
            assert all(Path("folder", f"{name}.{kind}").stat().st_size for kind in ("csv", "txt", "tex", "svg"))
    assert page.count("<img") >= 12
    assert "what the measures tell apart" in page
    assert Path("folder", "glance.csv").read_text().startswith("dataset,measure,rankings that tie,")


@pytest.mark.slow
def test_all_says_why_a_study_is_not_possible(command):
    outcome = command("study", "all", "qrels", sorted(Path("runs").iterdir())[0], "--samples", "2", "-o", "folder")
    assert outcome.code == 0
    assert "Not possible here: one run has nobody to change places with" in Path("folder", "index.html").read_text()
