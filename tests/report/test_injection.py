"""Names that try to become part of the page are shown as text, whatever they are names of."""

from __future__ import annotations

import pytest

import rankdiff as rd
from rankdiff.check import check
from rankdiff.present.cells import readable
from rankdiff.read import read_qrels, read_runs

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(2)</script>",
    "{{7*7}}{% raw %}",
    "abc\u202edef\u2066",
    "שלום-run",
    "n" * 300,
    "<!--<script>",
    "'); alert(3); ('\u2028&amp;",
    "caf\udce9\x00",
)


@pytest.fixture(scope="module", params=[2, len(HOSTILE)], ids=["pair", "many"])
def hostile(request, tmp_path_factory):
    """A report in which every run, topic, document, title and text has such a name."""
    qrels = {topic: {f"{name}{i}": i % 3 for i, name in enumerate(HOSTILE)} for topic in HOSTILE}
    runs = {
        name: {
            topic: {f"{HOSTILE[(i * (n + 1)) % 10]}{(i * (n + 1)) % 10}": -i for i in range(10)} for topic in HOSTILE
        }
        for n, name in enumerate(HOSTILE[: request.param])
    }
    runs = {name: _ranked(run) for name, run in runs.items()}
    runs[HOSTILE[0]] |= {"unknown": {"x": 1}}
    c = rd.align(qrels, runs)
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    words = {"titles": {t: t for t in HOSTILE}, "docs": {d: d for d in c.documents}, "command": " ".join(HOSTILE)}
    words["heading"] = HOSTILE[2]
    words["segments"] = {topic: topic for topic in HOSTILE if topic.isprintable()}
    given = {"check": check(read_qrels(qrels), read_runs(runs)), "studies": [rd.studies.reuse(c, ["AP"])]}
    rd.report(path, c, **words, **given)
    return path, c


def _ranked(run):
    return {
        topic: {document: score for document, score in ranking.items() if score > -7} for topic, ranking in run.items()
    }


def test_hostile_names_are_text(hostile, look):
    path, c = hostile
    sight = look(path, viewport={"width": 390, "height": 800})
    for i in range(len(c.queries)):
        sight.page.locator("#topic-table .topic").nth(i).click()
        assert set(sight.texts(".strip tbody th")) <= {readable(name) for name in c.documents}
    shown = {readable(name) for name in c.queries}
    assert set(sight.texts("#topic-table .topic bdi:first-child")) == shown
    assert set(sight.texts("#topic-table .title")) == shown
    assert set(sight.texts("#candidate option")) == {readable(name) for name in c.systems}
    assert set(sight.texts("#trust-runs tbody th")) == {readable(name) for name in c.systems}
    over = (
        "all => all.filter(one => one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right)"
    )
    assert sight.page.eval_on_selector_all("#leaderboard bdi", f"{over}.map(one => one.textContent)") == []
    groups = [f"{readable(name)}: 1 topics" for name in HOSTILE if name.isprintable()]
    assert sorted(sight.texts("#segments h3")) == sorted(groups)
    assert sight.problems == []
    assert sight.requests == [path.as_uri()]
    assert sight.page.locator("img:not([src^='data:image/svg+xml;base64,']), iframe, [onerror]").count() == 0
    assert sight.page.locator("img").evaluate_all("all => all.map(one => one.naturalWidth > 0)") == [True]
    assert sight.page.locator("script").count() == len(sight.page.query_selector_all("head ~ body > script"))
    assert sight.page.evaluate("document.documentElement.scrollWidth") == 390
    assert "49" not in sight.page.inner_text("h1")


def test_nothing_steers_the_direction_of_what_follows(hostile):
    text = hostile[0].read_text(encoding="utf-8")
    assert not any(mark in text for mark in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\x00")
    assert "<script>alert" not in text
    assert "<img src=x" not in text
