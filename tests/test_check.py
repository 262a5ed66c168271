"""``check``: every fact on a small case that can be counted by hand, and the copies among real runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rankdiff.check import check
from rankdiff.read import read_qrels, read_runs

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c -1\n2 0 a 1\n2 0 b 1\n3 0 a 0\n"
RUNS = {
    # Topic 1: a and b tie (and straddle), x and y tie. Topic 2: the rank column contradicts the scores.
    "tied": "1 Q0 b 1 9 t\n1 Q0 a 2 9 t\n1 Q0 x 3 5 t\n1 Q0 y 4 5 t\n2 Q0 b 2 9 t\n2 Q0 a 1 8 t\n",
    # The same ranking as `tied`: ties go by id, descending, and so do other scores.
    "copy": "1 Q0 b 1 4 t\n1 Q0 a 2 3 t\n1 Q0 y 3 2 t\n1 Q0 x 4 1 t\n2 Q0 b 1 2 t\n2 Q0 a 2 1 t\n",
    # A tie that the rank column orders by id ascending, and two topics that nobody judged.
    "other": "# made by hand\n3 Q0 a 1 1 t\n3 Q0 z 2 1 t\n8 Q0 a 1 1 t\n9 Q0 a 1 1 t\n",
    # Not every contradiction is between neighbors: x stands at 3, but scores more than z at 2.
    "far": "1 Q0 x 3 9 t\n1 Q0 b 1 9 t\n1 Q0 z 2 5 t\n",
    "twice": "1 Q0 a 1 9 t\n1 Q0 c 2 8 t\n1 Q0 a 3 7 t\n",
    "lost": "9 Q0 a 1 1 t\n",
    "broken": "1 Q0 a 1 high t\n",
}


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("runs").mkdir()
    for name, text in RUNS.items():
        Path("runs", name).write_text(text)
    return tmp_path


@pytest.mark.usefixtures("here")
def test_every_fact_can_be_counted_by_hand():
    found = check(read_qrels("qrels"), read_runs("runs"))
    facts = {run.run: run for run in found.runs}
    assert (found.topics, found.judged, found.relevant, found.topics_without_relevant) == (3, 5, 3, 1)
    assert [(facts[name].topics, facts[name].empty, facts[name].unknown) for name in ("tied", "other", "lost")] == [
        (2, 1, 0),
        (1, 2, 2),
        (0, 3, 1),
    ]
    assert (facts["tied"].shallowest, facts["tied"].deepest) == (2, 4)
    assert (facts["lost"].shallowest, facts["lost"].deepest) == (0, 0)
    assert [(facts[name].ties, facts[name].straddling) for name in ("tied", "copy", "other")] == [
        (2, 1),
        (0, 0),
        (1, 0),
    ]
    columns = {name: (run.contradicted, run.reordered) for name, run in facts.items()}
    assert columns == {"tied": (1, 1), "copy": (0, 0), "other": (0, 1), "far": (1, 0), "twice": (0, 0), "lost": (0, 0)}
    assert facts["twice"].duplicates == 1
    assert facts["other"].comments == 1
    # tied: 2 of 4 and 2 of 2 are judged; twice: a is, c was only pooled.
    assert (facts["tied"].judged_at_10, facts["twice"].judged_at_10) == (0.75, 0.5)
    assert found.copies == (("copy", "tied"),)


@pytest.mark.usefixtures("here")
def test_errors_and_remarks_are_sentences():
    found = check(read_qrels("qrels"), read_runs("runs"))
    errors, remarks = "\n".join(found.errors), "\n".join(found.remarks)
    assert "runs/broken:1: the score is not a number: found 'high'" in errors
    assert "run twice holds 1 duplicate document" in errors
    assert "run lost answers no judged topic" in errors
    assert len(found.errors) == 3
    assert "copy = tied: the same rank for every judged document" in remarks
    assert "1 of 3 topics have no relevant document" in remarks
    assert "1 of 6 runs has ties that decide the rank of a relevant document; most of all tied: 1" in remarks
    assert "6 runs answer topics that nobody judged" in remarks


@pytest.mark.usefixtures("here")
def test_strict_exits_with_1_where_there_are_errors(command):
    assert command("check", "qrels", "runs").code == 0
    assert command("check", "qrels", "runs", "--strict").code == 1
    assert command("check", "qrels", "runs/tied", "--strict").code == 0


@pytest.mark.usefixtures("here")
def test_json_has_the_names_of_the_fields(command):
    document = json.loads(command("check", "qrels", "runs", "--format", "json").out)
    assert document["runs"][0]["run"] == "copy"
    assert set(document) == {
        *("topics", "judged", "relevant", "topics_without_relevant", "runs", "copies", "errors", "remarks", "segments")
    }
    lines = command("check", "qrels", "runs", "--format", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == document["runs"]


@pytest.mark.usefixtures("here")
def test_each_group_of_topics_has_a_row_of_its_own(command):
    Path("groups").write_text("1 ties\n2 plain\n3 plain\n8 elsewhere\n")
    lines = command("check", "qrels", "runs", "--segments", "groups", "--format", "jsonl").out.splitlines()
    rows = {(row["segment"], row["run"]): row for row in map(json.loads, lines)}
    assert list(dict.fromkeys(segment for segment, _ in rows)) == ["all", "plain", "ties"]
    tied, plain = rows["ties", "tied"], rows["plain", "tied"]
    names = ("topics", "empty", "shallowest", "deepest", "ties", "straddling", "contradicted", "reordered")
    assert [tied[name] for name in names] == [1, 0, 4, 4, 2, 1, 0, 1]
    assert [plain[name] for name in names] == [1, 1, 2, 2, 0, 0, 1, 0]
    assert (tied["judged_at_10"], plain["judged_at_10"]) == (0.5, 1.0)
    assert rows["plain", "other"]["unknown"] == 2  # the whole run's
    assert "plain\n\nrun" in command("check", "qrels", "runs", "--segments", "groups").out
    Path("groups").write_text("8 elsewhere\n")
    assert "no topic of the judgments has a segment" in command("check", "qrels", "runs", "--segments", "groups").err


@pytest.mark.usefixtures("here")
def test_no_relevant_document_is_an_error():
    found = check(read_qrels("qrels"), read_runs("runs/copy"), rel=2)
    assert found.errors == ("no judged document has a grade of 2 or more (--rel)",)


def test_the_three_names_of_one_run_in_trec_covid_are_found(data):
    judgments = read_qrels(data("trec-covid-round1", "qrels.txt"))
    runs = [data("trec-covid-round1", "runs", f"{name}.gz") for name in ("wistud_bing", "wistud_indri")]
    alike = [data("trec-covid-round1", "runs", f"{name}.gz") for name in ("bm25_baseline", "bm25_basline")]
    found = check(judgments, read_runs([*runs, data("trec-covid-round1", "runs", "wistud_noSearch.gz"), *alike]))
    assert found.copies == (("wistud_bing", "wistud_indri", "wistud_noSearch"),)
