"""The frame that all studies stand on: datasets, segments, samples, interrupts, names."""

from __future__ import annotations

import gzip
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.errors import InputError, MissingExtraError, UnknownNameError, UsageError
from rankdiff.studies import catalog, find, study
from rankdiff.studies.drawing import chart
from rankdiff.studies.printed import Printed
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Note, Row


@pytest.fixture
def c() -> Collection:
    qrels = {f"q{i}": {"a": 1, "b": i % 2} for i in range(4)}
    return rd.align(qrels, {"x": {f"q{i}": {"a": 2, "b": 1} for i in range(4)}, "y": {"q0": {"a": 1}}})


@study(
    "means",
    question="what is the mean over half of the queries?",
    reproduces="nothing",
    draw=lambda table: chart(table).mark_bar().encode(x="measure:N", y="value:Q"),
    about=["AP"],
    samples=5,
    printed=[Printed("A & B, Table 1", "dataset  AP\nold      25", scale=100)],
)
def means(c: Collection, what: Any, sampling: Sampling, share: float = 0.5) -> Iterator[Row]:
    """Means over random halves of the queries."""

    def half(rng: np.random.Generator) -> Any:
        kept = rng.permutation(len(c.queries)) < share * len(c.queries)
        return c.select(queries=kept).measure(*what).values.mean(axis=(1, 2))

    for item, value in zip(what, np.mean(sampling.map(half), axis=0), strict=True):
        yield {"measure": item.name, "queries": len(c.queries), "value": float(value)}


def test_a_table_has_a_row_for_each_dataset_segment_and_measure(c: Collection) -> None:
    segments = {"q0": "even", "q1": "odd", "q2": "even", "q9": "elsewhere"}
    found = means({"old": c, "new": c}, ["AP", "RR"], segments=segments, share=1)
    rows = list(found.table.rows())
    assert [(row["dataset"], row["segment"], row["measure"], row["queries"]) for row in rows[:6]] == [
        ("old", "all", "AP", 4),
        ("old", "all", "RR", 4),
        ("old", "even", "AP", 2),
        ("old", "even", "RR", 2),
        ("old", "odd", "AP", 1),
        ("old", "odd", "RR", 1),
    ]
    assert {row["dataset"] for row in rows[6:]} == {"new"}
    odd = c.select(queries=["q1"]).measure("AP").values.mean()
    assert found.table.row(segment="odd", measure="AP")["value"] == odd


def test_one_collection_is_a_dataset_without_segments(c: Collection) -> None:
    assert list(means(c).table.columns) == ["dataset", "measure", "queries", "value"]


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_threads_and_company_do_not_change_a_number(c: Collection, jobs: int) -> None:
    alone = means(c, seed=3, jobs=jobs)
    assert alone.to_csv() == means(c, seed=3).to_csv()
    together = means({"first": c, "second": c}, seed=3, jobs=jobs)
    assert together.table["value"].tolist() == alone.table["value"].tolist() * 2


def test_seeds_differ(c: Collection) -> None:
    found = {means(c, "AP", seed=seed, samples=1, share=0.25).table["value"][0] for seed in range(20)}
    assert len(found) > 1


def test_progress_counts_the_samples_of_all_datasets(c: Collection) -> None:
    told: list[tuple[int, int]] = []
    means({"old": c, "new": c}, samples=3, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 6) for done in range(1, 7)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_keeps_the_finished_samples_and_says_how_many(c: Collection, jobs: int) -> None:
    def stop(done: int, _: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    found = means({"old": c, "new": c, "last": c}, jobs=jobs, progress=stop)
    assert found.interrupted
    assert set(found.table["dataset"]) == {"old", "new"}
    assert any("new" in note and "of 5 samples are finished" in note for note in found.table.notes)
    assert "|stopped|" in found.signature


def test_an_interrupt_before_the_first_sample_goes_on(c: Collection) -> None:
    @study("stopped", question="?", reproduces="nothing", draw=chart, samples=2)
    def stopped(c: Collection, sampling: Sampling) -> Iterator[Row]:
        def interrupt(_: np.random.Generator) -> None:
            raise KeyboardInterrupt

        sampling.map(interrupt)
        yield {"queries": len(c.queries)}

    with pytest.raises(KeyboardInterrupt):
        stopped(c)


def test_an_error_in_a_sample_is_raised() -> None:
    def fail(_: np.random.Generator) -> None:
        raise UsageError("no")

    with pytest.raises(UsageError, match="no"):
        Sampling(4, jobs=2).map(fail)


def test_the_paper_stands_beside_ours_where_the_dataset_is_known(c: Collection) -> None:
    found = means({"old": c, "new": c}, share=1, as_paper=True)
    (printed,) = found.printed
    value = 100 * c.measure("AP").values.mean()
    assert next(printed.rows()) == {"dataset": "old", "AP": pytest.approx(value), "AP (paper)": 25.0}
    assert np.isnan(printed.row(dataset="new")["AP (paper)"])
    assert str(found) == str(printed)
    assert found.to_latex() == printed.to_latex()
    assert means(c).printed == ()


def test_the_papers_tables_have_a_row_for_each_segment(c: Collection) -> None:
    found = means({"old": c}, share=1, as_paper=True, segments={"q0": "few", "q1": "rest", "q2": "rest"})
    (printed,) = found.printed
    assert printed["segment"].tolist() == ["all", "few", "rest"]
    expected = [100 * c.select(queries=some).measure("AP").values.mean() for some in (c.queries, ["q0"], ["q1", "q2"])]
    assert printed["AP"].tolist() == pytest.approx(expected)
    assert printed["AP (paper)"].tolist() == pytest.approx([25, np.nan, np.nan], nan_ok=True)


@pytest.mark.parametrize("name", ["agreement", "reorder"])
def test_means_over_datasets_are_of_all_queries(c: Collection, name: str) -> None:
    segments = {"q0": "few", "q1": "rest", "q2": "rest"}
    asked = rd.studies.find(name)
    by_segment, plain = (asked(c, as_paper=True, **given).printed for given in ({"segments": segments}, {}))
    assert [table.to_csv() for table in by_segment] == [table.to_csv() for table in plain]


def test_the_papers_datasets_are_known_by_other_names(c: Collection) -> None:
    table_3 = rd.studies.power({"msmarco-passage-v2/trec-dl-2021": c, "mine": c}, "RR", samples=1, as_paper=True)
    (hsd,) = [table for table in table_3.printed if table.title.startswith("Diaz 2023, Table 3a")]
    assert hsd["RR (paper)"][0] == 20.38
    assert np.isnan(hsd["RR (paper)"][1])


def test_tables_without_one_of_the_measures_are_not_printed(c: Collection) -> None:
    assert [table.title for table in means(c, ["RR"], as_paper=True).printed] == []
    (printed,) = means({"mine": c}, ["RR", "AP"], as_paper=True).printed
    assert list(printed.columns) == ["dataset", "AP"]
    assert "no dataset here has the name of one of the paper's: old" in printed.notes


def test_as_paper_is_about_what_the_tables_have(tmp_path: Path) -> None:
    judged = [(f"q{i}", subtopic, f"d{i}{subtopic}") for i in range(6) for subtopic in (1, 2)]
    (tmp_path / "qrels").write_text(
        "".join(f"{query} {subtopic} {document} 1\n" for query, subtopic, document in judged)
    )
    both: dict[str, dict[str, float]] = {}
    for query, _, document in judged:
        both.setdefault(query, {})[document] = 1
    runs = {"x": both, "y": {query: {f"d{query[1:]}1": 1} for query in both}}
    options: dict[str, Any] = {"samples": 1, "permutations": 10, "as_paper": True}
    plain = rd.studies.power(rd.load(tmp_path / "qrels", runs, subtopics=False), **options)
    by_subtopic = rd.studies.power(rd.load(tmp_path / "qrels", runs, subtopics=True), **options)
    assert {"RPP(weights='dcg')", "RareAP@100", "sgnLP"} <= set(plain.table["measure"])
    assert set(by_subtopic.table["measure"]) - set(plain.table["measure"]) == {
        "STRPP",
        "StRecall@20",
        "ERR_IA@20",
        "AP_IA",
    }


@pytest.mark.parametrize("at", [1, 3])
def test_an_interrupt_stops_what_samples_more_than_once(at: int) -> None:
    @study("twice", question="?", reproduces="nothing", draw=chart, samples=2)
    def twice(sampling: Sampling) -> Iterator[Row]:
        for part in ("first", "second"):
            yield {"part": part, "samples": len(sampling.map(lambda _: 0))}

    def stop(done: int, _: int) -> None:
        if done == at:
            raise KeyboardInterrupt

    found = twice(progress=stop)
    assert found.interrupted
    assert found.table["samples"].tolist() == {1: [1], 3: [2, 1]}[at]
    assert [note for note in found.table.notes if "1 of 2 samples are finished" in note]


def test_a_study_is_saved_as_the_extension_says(c: Collection, tmp_path: Path) -> None:
    found = means(c)
    for name in ("a.csv", "a.tsv", "a.json", "a.jsonl", "a.tex", "a.md", "a.txt", "a.svg", "a.png", "a.pdf", "a.html"):
        found.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0
    assert (tmp_path / "a.csv").read_text() == found.to_csv()
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    assert "http" not in (tmp_path / "a.html").read_text().partition("<script")[0]
    with pytest.raises(UsageError, match=r"nothing is written as \.docx"):
        found.save(tmp_path / "a.docx")


def test_a_figure_without_the_extra_gives_the_pip_line(c: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingExtraError, match=r"figures need an extra: pip install 'rankdiff\[report\]'"):
        _ = means(c).figure
    assert means(c).to_csv().startswith("dataset,measure,queries,value\n")


def test_what_was_done_is_signed(c: Collection) -> None:
    found = means(c, "map", seed=7, share=0.25)
    assert found.signature.startswith(f"rankdiff {rd.__version__}|means|what:AP|share:0.25|samples:5|seed:7|ties:")
    assert found.parameters == {"what": "AP", "share": 0.25, "samples": 5}
    assert found.seed == 7


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ((), {}, "needs a collection"),
        (({"old": 3},), {}, "dict of label and collection"),
        (({},), {}, "dict of label and collection"),
        ((None,), {"shares": 1}, "did you mean share"),
        ((1, 2, 3), {}, "takes 2 arguments without a name, not 3"),
    ],
)
def test_wrong_usage_is_explained(given: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        means(*given, **options)


@pytest.mark.parametrize("text", ["q0\teven\nq1\todd\nq2 even\n", "\nq0   even\r\nq1\todd\r\nq2\teven"])
def test_segments_are_read_from_a_file(c: Collection, tmp_path: Path, text: str) -> None:
    (tmp_path / "segments.tsv").write_text(text)
    groups = {"q0": "even", "q1": "odd", "q2": "even"}
    assert means(c, segments=tmp_path / "segments.tsv").to_csv() == means(c, segments=groups).to_csv()


def test_segments_are_read_as_other_files_are_compressed_and_marked(c: Collection, tmp_path: Path) -> None:
    (tmp_path / "segments.gz").write_bytes(gzip.compress(b"\xef\xbb\xbfq0 even\nq1 odd\nq2 even\n"))
    groups = {"q0": "even", "q1": "odd", "q2": "even"}
    assert means(c, segments=tmp_path / "segments.gz").to_csv() == means(c, segments=groups).to_csv()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q0 even\nq1\n", "segments.tsv:2: a line without a group"),
        ("q0 even\nq1 odd\nq0 odd\n", "segments.tsv:3: two groups for topic q0: found 'odd', expected 'even'"),
        ("q0 even\nq1 all\n", "segments.tsv: a group is called 'all', as tables call all topics"),
        (None, "segments.tsv: cannot be read \\(No such file"),
    ],
)
def test_bad_segments_are_refused_with_their_line(
    c: Collection, tmp_path: Path, text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / "segments.tsv").write_text(text)
    with pytest.raises(InputError, match=message):
        means(c, segments=str(tmp_path / "segments.tsv"))


def test_segments_of_other_topics_are_refused(c: Collection) -> None:
    with pytest.raises(UsageError, match="no topic has a segment: there are 'q0' and others"):
        means(c, segments={"301": "long"})


def test_notes_stand_below_the_table_with_their_dataset(c: Collection) -> None:
    @study("noted", question="?", reproduces="nothing", draw=chart)
    def noted(c: Collection) -> Iterator[Row | Note]:
        yield Note("two values were lifted")
        yield {"queries": len(c.queries)}

    found = noted({"old": c}, segments={"q0": "even"})
    assert found.table.notes == ("old all: two values were lifted", "old even: two values were lifted")
    assert found.table["queries"].tolist() == [4, 1]
    assert not found.interrupted


@pytest.mark.parametrize("option", ["samples", "jobs"])
def test_nothing_is_drawn_zero_times(c: Collection, option: str) -> None:
    with pytest.raises(UsageError, match=f"{option} must be at least 1, not 0"):
        means(c, **{option: 0})


def test_help_shows_what_a_caller_may_say() -> None:
    assert list(inspect.signature(means).parameters) == [
        *("c", "what", "share", "seed", "progress", "as_paper", "segments", "samples", "jobs")
    ]
    assert "segments" not in inspect.signature(rd.studies.orientation).parameters


def test_studies_without_samples_take_none() -> None:
    with pytest.raises(UnknownNameError, match="no option of the study orientation is called 'samples'"):
        rd.studies.orientation(samples=3)


def test_studies_are_found_by_name() -> None:
    assert find("orientation") is rd.studies.orientation
    assert all(name == getattr(rd.studies, name).name for name in catalog())
    with pytest.raises(UnknownNameError, match="did you mean orientation"):
        find("orientatoin")


PLACE = re.compile(r"(?:(Tables?|Fig\.|Algorithm|Appendix|eq\.|§) ?)?([A-Z]?\.?\d+(?:\.\d+)*)[ab]?(?: to (\d+))?")


def places(text: str) -> set[str]:
    """The tables and figures that a text such as "Fig. 1 to 3, 5, Table 2" names, one by one."""
    found, kind = set(), ""
    for named, first, last in PLACE.findall(text):
        kind = named.removesuffix("s") or kind
        found |= {f"{kind} {number}" for number in (range(int(first), int(last) + 1) if last else [first])}
    return found


def test_the_page_of_the_papers_names_the_study_of_each_table_and_figure_and_no_other() -> None:
    page = (Path(__file__).parents[2] / "docs" / "studies" / "papers.md").read_text(encoding="utf-8")
    told: dict[str, set[str]] = {}
    printed: dict[str, set[str]] = {}
    for part in page.split("\n## ")[1:]:
        paper = part.partition(":")[0]
        for line in part.splitlines():
            if line.startswith("| ") and "(" in line:
                there, _, studies = (cell.strip() for cell in line.strip("| ").split(" | "))
                for name in re.findall(r"\[(\w+)\]", studies):
                    told.setdefault(name, set()).update(f"{paper} {place}" for place in places(there))
                for name in re.findall(r"\[(\w+)\]\([\w.-]+\), printed", studies):
                    printed.setdefault(name, set()).add(paper)
    for name, definition in catalog().items():
        claimed = {
            f"{paper} {place}"
            for paper, _, text in (part.strip().partition(" ") for part in definition.reproduces.split(";"))
            for place in places(text)
        }
        assert told.pop(name) == claimed, name
        assert bool(printed.get(name)) == bool(definition.printed), name
    assert not told
