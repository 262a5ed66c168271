"""The exposure of providers, summed by hand, and on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given

from rankdiff.alignment import align
from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.measures.providers import exposure_of_one, mean_exposure, provider_exposure, worst_provider
from strategies import Grades, Scores, collections

RUNS = {"one": {"q": {"a": 4, "x": 3, "b": 2, "c": 1}}, "two": {"q": {"c": 2, "a": 1}}}
OWNERS = {"a": "Ann", "b": "Ann", "c": ["Bob", "Ann"], "x": "Ann", "elsewhere": "Zoe"}


@pytest.fixture
def c() -> Collection:
    return align({"q": {"a": 1, "b": 1, "c": 1, "x": 0}, "empty": {"y": 0}}, RUNS, corpus_size=10)


def test_exposure_adds_up_over_what_a_provider_owns(c: Collection) -> None:
    found = {
        (row["run"], row["provider"]): (row["documents"], row["exposure"])
        for row in provider_exposure(c, OWNERS).rows()
    }
    # x is not relevant and earns nothing; c belongs to two; Zoe owns nothing that is relevant.
    assert found == {
        ("one", "Ann"): (3, pytest.approx(1 + 1 / 3 + 1 / 4)),
        ("one", "Bob"): (1, 1 / 4),
        ("two", "Ann"): (3, 1 / 2 + 1),
        ("two", "Bob"): (1, 1),
    }


def test_one_provider_as_a_measure_has_a_value_where_it_owns_something(c: Collection) -> None:
    ann, bob = (exposure_of_one(providers=OWNERS, of=name, exposure="linear") for name in ("Ann", "Bob"))
    values = c.measure(ann, bob).values
    np.testing.assert_allclose(values[0], [[np.nan, 1 - 0.1 + 1 - 0.3 + 1 - 0.4], [np.nan, 1 - 0.2 + 1 - 0.1]])
    np.testing.assert_allclose(values[1], [[np.nan, 0.6], [np.nan, 0.9]])
    with pytest.raises(UnknownNameError, match="did you mean Ann"):
        c.measure(exposure_of_one(providers=OWNERS, of="Anne"))


def test_the_worst_off_has_nothing_where_the_document_is_missing(c: Collection) -> None:
    worst = worst_provider(providers={"a": "Ann", "b": "Bob", "c": "Ann"}, exposure="linear")
    np.testing.assert_allclose(c.measure(worst).values[0], [[np.nan, 0.7], [np.nan, 0]])


def test_labels_of_other_documents_are_refused(c: Collection) -> None:
    with pytest.raises(UsageError, match="the labels are of other documents"):
        c.measure(worst_provider(providers={"elsewhere": "Zoe"}))


@given(collections())
def test_with_a_provider_for_each_document_the_worst_off_is_total_search_efficiency(
    made: tuple[Grades, Scores],
) -> None:
    c = align(*made)
    owners = {document: document for document in c.documents}
    for exposure in ("ap", "ndcg", "rbp"):
        worst, tse = c.measure(
            worst_provider(providers=owners, exposure=exposure), f"TSE(exposure='{exposure}')"
        ).values
        has = c.relevant(1).size > 0
        assert np.array_equal(worst[:, has], tse[:, has])
        assert np.isnan(worst[:, ~has]).all()


def test_means_are_over_the_topics_where_a_provider_owns_something_and_that_count() -> None:
    qrels = {"p": {"a": 1, "b": 1}, "q": {"a": 1}}
    runs = {"x": {"p": {"a": 2, "b": 1}}, "y": {"p": {"n": 1}, "q": {"a": 1}}}
    owners = {"a": "Ann", "b": "Bob"}
    zero, skip = (mean_exposure(align(qrels, runs, missing=rule), owners) for rule in ("zero", "skip"))
    assert list(zero.rows()) == [
        {"provider": "Bob", "queries": 1, "documents": 1, "x": 0.5, "y": 0.0},
        {"provider": "Ann", "queries": 2, "documents": 2, "x": 0.5, "y": 0.5},
    ]
    assert skip.row(provider="Ann")["x"] == 1


class TestCommandLine:
    """``--providers``, a file of two columns."""

    QRELS: ClassVar = "1 0 a 1\n1 0 b 1\n2 0 a 1\n"
    RUNS: ClassVar = {"old": "1 Q0 a 1 9 o\n2 Q0 n 1 9 o\n", "new": "1 Q0 n 1 9 n\n1 Q0 b 2 8 n\n2 Q0 a 1 9 n\n"}

    @pytest.fixture(autouse=True)
    def here(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("qrels").write_text(self.QRELS)
        Path("owners.tsv").write_text("document\tprovider\na\tAnn\nb\tBob\n")
        for name, text in self.RUNS.items():
            Path(name).write_text(text)

    def test_people_see_the_worst_off_first(self, command) -> None:
        out = command("measure", "qrels", "old", "new", "-m", "AP", "--providers", "owners.tsv").out
        title = out.splitlines().index("Exposure of the providers' relevant documents, the worst-off first")
        rows = [line.split() for line in out.splitlines()[title + 2 : title + 5]]
        assert rows[0] == ["provider", "queries", "documents", "old", "new"]
        # Bob's b: missed, and at rank 2; Ann's a: ranks 1 and none, none and 1.
        assert rows[1:] == [["Bob", "1", "1", "0.0000", "0.5000"], ["Ann", "2", "2", "0.5000", "0.5000"]]

    def test_programs_get_rows_like_those_of_measures(self, command) -> None:
        asked = ("measure", "qrels", "old", "new", "-m", "AP", "--providers", "owners.tsv", "--format", "jsonl", "-q")
        rows = [json.loads(line) for line in command(*asked).out.splitlines()]
        bob = [row for row in rows if row["measure"] == "ProviderExposure(providers='owners.tsv', of='Bob')"]
        assert [(row["run"], row["query"], row["value"]) for row in bob] == [
            ("old", "1", 0), ("new", "1", 0.5), ("old", "all", 0), ("new", "all", 0.5),
        ]  # fmt: skip
        named = command("measure", "qrels", "old", "new", "-m", bob[0]["measure"], "--format", "jsonl").out
        assert [json.loads(line)["value"] for line in named.splitlines()] == [0, 0.5]

    def test_compare_says_what_each_provider_gets_of_both(self, command) -> None:
        out = command("compare", "qrels", "old", "new", "--providers", "owners.tsv", "--format", "json").out
        ann, bob, everybody = json.loads(out)["providers"]["new"]
        assert (ann["provider"], ann["exposure old"], ann["exposure new"]) == ("Ann", 0.5, 0.5)
        assert (bob["provider"], bob["exposure old"], bob["exposure new"], bob["preference"]) == ("Bob", 0, 0.5, 1)
        assert everybody["provider"] == "all"

    def test_where_there_is_no_place_for_a_table_it_is_refused(self, command) -> None:
        for asked in (("compare", "--format", "tsv"), ("measure", "--format", "trec")):
            outcome = command(asked[0], "qrels", "old", "new", "--providers", "owners.tsv", *asked[1:])
            assert outcome.code == 2
            assert "providers" in outcome.err
