"""What a report gathers and refuses, without a browser."""

from __future__ import annotations

import gzip
import json
import re
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.check import check
from rankdiff.errors import InputError, MissingExtraError, UnknownNameError, UsageError
from rankdiff.preferences.recall_paired import subtopic_recall_paired
from rankdiff.present.report import trust
from rankdiff.present.report.asked import Asked
from rankdiff.present.report.trust import unjudged_share
from rankdiff.present.report.words import read_words
from rankdiff.read import read_qrels, read_runs
from rankdiff.studies.criteria import resolve_all

QRELS = {"1": {"a": 1, "b": 2, "c": 0}, "2": {"a": 1, "d": 0}}
RUNS = {
    "old": {"1": {"x": 3, "a": 2, "b": 1}, "2": {"d": 2, "a": 1}},
    "new": {"1": {"b": 2, "a": 1}},
}


def payload(path, part):
    found = re.search(rf'<script type="application/json" id="data-{part}">(.*?)</script>', path.read_text("utf-8"))
    return json.loads(found[1])


def test_unjudged_shares_against_a_loop(many):
    c = many.c
    for k in (1, 10, 50):
        for i, share in enumerate(unjudged_share(c, k)):
            shares = []
            for q in range(len(c.queries)):
                columns = range(c.start[q], c.start[q + 1])
                judged = sum(0 < c.rank[i, d] <= k and c.grade[d] >= 0 for d in columns)
                if c.depth[i, q]:
                    shares.append(1 - judged / min(c.depth[i, q], k))
            assert share == pytest.approx(np.mean(shares), abs=1e-15)


def test_every_input_has_its_digest(pair):
    text = pair.path.read_text(encoding="utf-8")
    for path in [pair.path.parent / "qrels.txt", *sorted((pair.path.parent / "runs").iterdir())[1:3]]:
        assert sha256(path.read_bytes()).hexdigest() in text
    assert "rankdiff report &#39;the judgments&#39; runs" in text
    assert pair.c.sign("RPP,sgnLP,sgnLR,ASL,nDCG@10,AP,RR") in text


@pytest.mark.parametrize("form", ["tsv", "jsonl", "jsonl.gz"])
def test_words_come_from_columns_and_from_json_lines(tmp_path, form):
    path = tmp_path / f"docs.{form}"
    lines = {
        "tsv": "id\ttext\nd1\tone  \ttwo\r\nd2\tother\n",
        "jsonl": '{"docno": "d1", "text": "one two"}\n\n{"_id": "d2", "title": "T", "contents": "other"}\n',
    }[form.removesuffix(".gz")]
    path.write_bytes(gzip.compress(lines.encode()) if form.endswith("gz") else lines.encode())
    assert read_words(path, ["d1"]) == {"d1": "one two"}
    assert read_words(path, ["d2"])["d2"] == ("other" if form == "tsv" else "T – other")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("no tab here", "two columns"),
        ('{"id": 1', "not JSON"),
        ('{"name": "x"}', "without an id or a text: found name"),
    ],
)
def test_files_without_words_are_refused_with_their_line(tmp_path, line, message):
    path = tmp_path / "docs"
    path.write_text(f"d\ttext\n{line}\n")
    with pytest.raises(InputError, match=rf"docs:2: .*{message}"):
        read_words(path, ["d"])


def test_words_for_other_ids_are_told(tmp_path):
    """A file that has none of the topics is the wrong one; of one that has some it is said how many it lacks."""
    path = tmp_path / "titles.tsv"
    path.write_text("q1\tone\nq2\ttwo\n")
    c = rd.align(QRELS, RUNS)
    with pytest.raises(InputError, match=r"titles.tsv: no words .*found ids such as q2, expected ids such as 1"):
        rd.report(tmp_path / "r.html", c, titles=path)
    path.write_text("1\tone\n")
    rd.report(tmp_path / "r.html", c, titles=path, docs={"a": "text"})
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "1 of 2 topics have no title" in text
    assert "1 of 3 relevant documents have no text" in text


def test_many_texts_are_cut_shorter(tmp_path, monkeypatch):
    c = rd.align(QRELS, RUNS)
    rd.report(tmp_path / "r.html", c, docs=dict.fromkeys("abcd", "x" * 400))
    assert payload(tmp_path / "r.html", "topics")["texts"]["0"] == "x" * 280 + "…"
    monkeypatch.setattr("rankdiff.present.report.topics.ROOM_FOR_TEXTS", 30)
    rd.report(tmp_path / "r.html", c, docs=dict.fromkeys("abcd", "x" * 400))
    assert payload(tmp_path / "r.html", "topics")["texts"] == {str(i): "x" * 10 + "…" for i in range(3)}


def test_runs_that_tie_lead_together(tmp_path):
    runs = {**RUNS, "copy": RUNS["new"]}
    rd.report(tmp_path / "r.html", rd.align({"1": QRELS["1"]}, runs), measures=["AP"])
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "copy and new lead by AP, and are not shown to differ from any of the other 1 runs." in text


def test_topics_that_no_run_answers_hide_no_difference_among_many(tmp_path):
    """The first finds at once what the others find later, on 20 topics that all answer; 4 more none of them does."""
    qrels = {str(topic): {"d": 1} for topic in range(24)}
    runs = {
        name: {str(topic): {"d": 0.0} | {f"x{i}": 1.0 for i in range(above)} for topic in range(20)}
        for name, above in (("first", 0), ("second", 1), ("third", 3))
    }
    rd.report(tmp_path / "r.html", rd.align(qrels, runs), measures=["RR"])
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "first leads by RR, and is shown to be better than each of the other 2 runs." in text
    assert "No run answers 4 of 24 topics, which tell no run from another." in text
    del runs["first"]["0"]
    rd.report(tmp_path / "r.html", rd.align(qrels, runs), measures=["RR"])
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Not certified better than any run, as topics are missing that others answer: first." in text
    assert "first leads by RR, and is not shown to differ from any of the other 2 runs." in text


def test_what_many_runs_could_have_shown_is_told(many):
    c = many.c
    best_first = c.measure("nDCG@10").order().table()["run"].tolist()
    differences = c.compare(best_first[4], best_first[0], measures=["nDCG@10"]).values[0, 0]
    smallest = rd.statistics.smallest_difference(differences).difference
    said = (
        f"Between {best_first[0]} and {best_first[4]}, the run in the middle, 25 topics show a true mean difference of"
    )
    assert f"{said} {smallest:.3g} in nDCG@10" in many.path.read_text(encoding="utf-8")


def test_rules_reach_the_page(tmp_path):
    c = rd.align(QRELS, RUNS, missing="skip")
    rd.report(tmp_path / "r.html", c, measures=["RPP"])
    data = payload(tmp_path / "r.html", "topics")
    assert data["counts"] == {"kind": "uint8", "bytes": "AQEBAA=="}  # 1, 1 of old; 1, 0 of new
    assert data["measures"] == []
    assert (data["runs"][data["baseline"]], data["runs"][data["candidate"]]) == ("old", "new")


def test_what_a_verdict_hangs_on_is_told_or_why_it_is_not(tmp_path, monkeypatch):
    c = rd.align(QRELS, RUNS)
    rd.report(tmp_path / "r.html", c, measures=[subtopic_recall_paired(labels={"a": "x", "b": "y"})])
    assert ": to reverse a judgment does not say" in (tmp_path / "r.html").read_text(encoding="utf-8")
    monkeypatch.setattr("rankdiff.present.report.verdict.MOST_TOPICS", 1)
    rd.report(tmp_path / "r.html", c)
    assert "Not told: of more than 1 topics" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_what_check_and_the_collection_both_say_is_said_once():
    qrels = {"1": {"a": 1}, "2": {"b": 0}}
    runs = {name: {"1": {"a": 1}, "2": {"b": 1}, "unknown": {"x": 1}} for name in ("old", "new")}
    found = check(read_qrels(qrels), read_runs(runs))
    asked = Asked(rd.align(qrels, runs), resolve_all(["AP"]), check=found)
    warnings = [text for _, text in trust.gather(asked).view["warnings"]]
    assert len([text for text in warnings if "no relevant document" in text]) == 1
    assert len([text for text in warnings if "nobody judged" in text or "judgments" in text]) == 1


@pytest.mark.parametrize("systems", [2, 3])
def test_a_heading_can_be_given(tmp_path, systems):
    c = rd.align(QRELS, dict([*RUNS.items(), ("third", RUNS["new"])][:systems]))
    rd.report(tmp_path / "r.html", c, measures=["AP"], heading="The <track> of 2021")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert re.search(r"<h1>The &lt;track&gt; of 2021\s*</h1>", text)
    assert "<title>The &lt;track&gt; of 2021 – rankdiff</title>" in text
    assert ("new against old · 2 runs" in text) == (systems == 2)


def test_a_baseline_can_be_named(tmp_path):
    c = rd.align(QRELS, RUNS)
    rd.report(tmp_path / "r.html", c, baseline="new", measures=["AP"])
    data = payload(tmp_path / "r.html", "topics")
    assert (data["runs"][data["baseline"]], data["runs"][data["candidate"]]) == ("new", "old")


def test_what_cannot_be_reported_is_refused(tmp_path, monkeypatch):
    c = rd.align(QRELS, RUNS)
    with pytest.raises(UnknownNameError, match="no run is called 'odl': did you mean old"):
        rd.report(tmp_path / "r.html", c, baseline="odl")
    with pytest.raises(UsageError, match="there is only old"):
        rd.report(tmp_path / "r.html", c.select(["old"]))
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'rankdiff[report]'")):
        rd.report(tmp_path / "r.html", c)
    assert not (tmp_path / "r.html").exists()


def test_of_large_collections_the_best_runs_are_held(many, tmp_path, monkeypatch):
    relevant = len(many.c.relevant(1).column)
    monkeypatch.setattr("rankdiff.present.report.topics.MOST_RANKS", 3 * relevant)
    rd.report(tmp_path / "r.html", many.c)
    best = many.c.measure("nDCG@10").order().table()["run"][:3]
    assert payload(tmp_path / "r.html", "topics")["runs"] == [name for name in many.c.systems if name in set(best)]
    assert "the ranks of 3 of 8 runs" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_rare_finds_are_counted(tmp_path):
    rd.report(tmp_path / "r.html", rd.align(QRELS, RUNS), measures=["AP"])
    # Topic 1: a and b are found by both; topic 2: a by old alone.
    assert payload(tmp_path / "r.html", "rare") == {"histogram": [0, 1, 2], "noun": "run"}


def test_of_groups_rare_finds_are_those_of_groups(tmp_path):
    """Topic 1: a and b are found by both runs of the one team; topic 2: a by old, and so by its team alone."""
    c = rd.align(QRELS, {**RUNS, "third": {"1": {"a": 1}}}, groups={"old": "ours", "new": "ours", "third": "theirs"})
    rd.report(tmp_path / "r.html", c, measures=["AP"])
    assert payload(tmp_path / "r.html", "rare") == {"histogram": [0, 2, 1], "noun": "group"}
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert (
        "Of 3 relevant documents, 0 stand among the first 100 of no group, 2 of one group alone, and 1 of all 2."
        in text
    )
    assert "Groups with finds of their own" in text


def test_the_command_writes_a_report(command, pair, tmp_path):
    folder = pair.path.parent
    runs = sorted((folder / "runs").iterdir())[:2]
    outcome = command(
        *("report", folder / "qrels.txt", *runs, "-o", tmp_path / "r.html", "-m", "nDCG@10", "-p", "RPP"),
        *("--titles", folder / "titles.tsv", "--study", "orientation", "--baseline", runs[1].stem),
        *("--heading", "Experiment 12"),
    )
    assert outcome.code == 0
    assert outcome.out == ""
    assert outcome.err.splitlines()[-1] == f"The report is in {tmp_path / 'r.html'}"
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    data = payload(tmp_path / "r.html", "topics")
    assert data["runs"][data["baseline"]] == runs[1].stem
    assert data["titles"][0].startswith("effects of")
    assert "data:image/svg+xml;base64," in text
    assert "<title>Experiment 12 – rankdiff</title>" in text
    assert sha256(runs[0].read_bytes()).hexdigest() in text


def test_a_page_stays_small(data, tmp_path):
    folder = data("trec-dl-2021-passages")
    c = rd.load(folder / "qrels.txt", folder / "runs")
    words = {name: f"the words of {name} " * 30 for name in (*c.queries, *c.documents)}
    rd.report(tmp_path / "r.html", c, titles={name: words[name][:80] for name in c.queries}, docs=words)
    assert Path(tmp_path / "r.html").stat().st_size < 3_000_000


@pytest.mark.parametrize("systems", [2, 3])
def test_groups_of_topics_have_verdicts_of_their_own(tmp_path, command, systems):
    qrels = {str(topic): {"a": 1, "b": 1} for topic in range(1, 17)}
    better, worse = {"a": 3.0, "b": 2.0, "x": 1.0}, {"x": 3.0, "a": 2.0, "b": 1.0}
    runs = {
        "old": {topic: worse if int(topic) <= 8 else better for topic in qrels},
        "new": {topic: better if int(topic) <= 8 else worse for topic in qrels},
        "third": dict.fromkeys(qrels, worse),
    }
    (tmp_path / "qrels").write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in qrels.items() for d, g in docs.items()))
    for name in list(runs)[:systems]:
        lines = [f"{t} Q0 {d} 0 {s} {name}\n" for t, docs in runs[name].items() for d, s in docs.items()]
        (tmp_path / name).write_text("".join(lines))
    groups = {topic: "<b>easy" if int(topic) <= 8 else "hard" for topic in qrels if topic != "16"}
    (tmp_path / "groups").write_text("".join(f"{topic}\t{group}\n" for topic, group in groups.items()))
    files = [tmp_path / name for name in ("qrels", *list(runs)[:systems])]
    out = tmp_path / "report.html"
    asked = ("report", *files, "-o", out, "-m", "RR", "--baseline", "old")
    assert command(*asked, "--segments", tmp_path / "groups").code == 0
    text = out.read_text(encoding="utf-8")
    assert "&lt;b&gt;easy" in text
    assert "<b>easy" not in text
    assert "1 topics have no group" in text
    if systems == 2:
        assert "new is better than old by RR: better on 8 of 8 topics" in text
        assert "new is worse than old by RR: better on 0 of 7 topics" in text
        assert "RR: new is better than old, by 0.5000" in text  # the group's own flip
    assert text.count('id="segment-') >= 2
    assert sha256((tmp_path / "groups").read_bytes()).hexdigest() in text
    assert command(*asked).code == 0
    assert "Groups of topics" not in out.read_text(encoding="utf-8")
    (tmp_path / "groups").write_text("99 other\n")
    assert "no topic of the judgments has a segment" in command(*asked, "--segments", tmp_path / "groups").err
