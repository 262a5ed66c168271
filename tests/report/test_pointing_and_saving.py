"""What a reader takes from the page: a document pointed at, a drawing as a file, a preference of one's own."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.simulate import simulate

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("action", ["hover", "tap"])
def test_a_document_pointed_at_is_named_and_ringed_in_both_rankings(pair, look, action):
    sight, c = look(pair.path, has_touch=True), pair.c
    sight.page.fill("#topic-search", c.queries[1])
    sight.page.locator("#topic-table .topic").first.click()
    columns = [d for d in range(c.start[1], c.start[2]) if c.grade[d] >= 1]
    ours, theirs = (c.rank[c.system_index(name), columns] for name in (pair.candidate, pair.baseline))
    place = int(np.argmin(np.where((ours > 0) & (ours != theirs), ours, 10**6)))
    mark = sight.page.locator(f".strip .mark[data-run=candidate][data-rank='{ours[place]}']")
    getattr(mark, action)()
    said = sight.texts(".strip .pointed")[0]
    rank = f"rank {theirs[place]} by" if theirs[place] else "not retrieved by"
    document = c.documents[columns[place]]
    assert said == (
        f"{document}, grade {c.grade[columns[place]]:g}: rank {ours[place]} by {pair.candidate}, "
        f"{rank} {pair.baseline}. the text of {document}"
    )
    assert sight.page.locator(".strip .same").count() == 2
    assert sight.problems == []


def test_a_level_pointed_at_is_told_with_its_ranks(pair, look):
    sight, c = look(pair.path), pair.c
    sight.page.fill("#topic-search", c.queries[2])
    sight.page.locator("#topic-table .topic").first.click()
    columns = [d for d in range(c.start[2], c.start[3]) if c.grade[d] >= 1]
    of = {
        name: sorted(int(rank) or 10**9 for rank in c.rank[c.system_index(name), columns])
        for name in (pair.candidate, pair.baseline)
    }
    for level in (1, len(columns)):
        sight.page.locator(f".strip .touch[data-level='{level}']").dispatch_event("pointerover", {"bubbles": True})
        where = [
            f"{'not retrieved' if ranks[level - 1] == 10**9 else f'rank {ranks[level - 1]}'} by {name}"
            for name, ranks in of.items()
        ]
        assert sight.texts(".strip .pointed")[0] == f"Recall level {level} of {len(columns)}: {', '.join(where)}."
        assert sight.page.locator(".strip .same").count() == 1


def test_documents_not_retrieved_stand_by_grade_and_are_counted(pair, look):
    sight, c = look(pair.path), pair.c
    for query in range(5):
        sight.page.fill("#topic-search", c.queries[query])
        sight.page.locator("#topic-table .topic").first.click()
        columns = [d for d in range(c.start[query], c.start[query + 1]) if c.grade[d] >= 1]
        for name, kind in ((pair.candidate, "candidate"), (pair.baseline, "baseline")):
            missing = c.grade[columns][c.rank[c.system_index(name), columns] == 0]
            marks = sight.page.locator(f".strip .mark[data-run={kind}][data-rank='0']")
            classes = marks.evaluate_all(
                "all => all.map(one => [one.getBoundingClientRect().x, one.classList[1]]).sort((a, b) => a[0] - b[0])"
            )
            assert [int(kind.removeprefix("grade-")) + 1 for _, kind in classes] == sorted(missing, reverse=True)
            assert f"{len(missing)} not retrieved" in sight.texts(".strip .drawing text")


def test_drawings_are_saved_as_they_look(either, look, tmp_path):
    sight = look(either.path, color_scheme="dark")
    sight.page.locator("#topic-table .topic").first.click()
    drawings = sight.page.locator(".drawing:has(~ .save) > svg")
    buttons = sight.page.locator(".save")
    assert drawings.count() == buttons.count() >= 5
    for i in range(buttons.count()):
        with sight.page.expect_download() as started:
            buttons.nth(i).click()
        started.value.save_as(tmp_path / "drawing.svg")
        saved = ElementTree.parse(tmp_path / "drawing.svg").getroot()
        assert started.value.suggested_filename.endswith(".svg")
        assert len(list(saved.iter())) == 2 + drawings.nth(i).locator("*").count()
        assert saved[0].attrib["fill"] == "rgb(21, 23, 27)"  # the paper of the dark page
        assert not any("class" in node.attrib or "var(" in str(node.attrib) for node in saved.iter())
        assert {node.attrib["fill"] for node in saved.iter(f"{SVG}text")} != {"rgb(0, 0, 0)"}
    assert sight.problems == []
    assert [url for url in sight.requests if not url.startswith(("data:", "blob:"))] == [either.path.as_uri()]


def values_of_topics(sight, name):
    sight.page.select_option("#preference", name)
    rows = sight.page.eval_on_selector_all(
        "#topic-table tbody tr[data-topic]",
        "rows => rows.map(row => [row.querySelector('bdi').textContent, row.cells[2].dataset.value])",
    )
    return {topic: float(value) for topic, value in rows}


def test_preferences_that_were_asked_for_can_be_chosen_for_any_two_runs(look, tmp_path):
    made = simulate(tmp_path, systems=4, topics=20, depth=40, seed=5)
    c = rd.load(made.qrels, made.runs)
    asked = ["AP", "rrLP", "dcgRPP"]
    rd.report(tmp_path / "r.html", c, measures=asked)
    sight = look(tmp_path / "r.html")
    for one, other in ((0, 2), (3, 1), (2, 3)):
        sight.page.select_option("#candidate", label=c.systems[one])
        sight.page.select_option("#baseline", label=c.systems[other])
        for name in asked:
            expected = c.prefer(name)[c.systems[one], c.systems[other]]
            shown = values_of_topics(sight, rd.studies.criteria.resolve(name).name)
            assert shown == pytest.approx(dict(zip(c.queries, expected, strict=True)), abs=1e-12)


def test_means_over_the_orders_within_ties_are_shown_topic_by_topic(look, tmp_path):
    made = simulate(tmp_path, systems=4, topics=30, depth=60, rounded=1.0, seed=3)
    c = rd.load(made.qrels, made.runs, ties="average")
    one, other = c.systems[0], c.systems[2]
    by_id = rd.load(made.qrels, made.runs).prefer("RPP")[one, other]
    averaged = c.prefer("RPP")[one, other]
    assert not np.allclose(by_id, averaged)
    rd.report(tmp_path / "r.html", c)
    sight = look(tmp_path / "r.html")
    sight.page.select_option("#candidate", label=one)
    sight.page.select_option("#baseline", label=other)
    assert values_of_topics(sight, "RPP") == pytest.approx(dict(zip(c.queries, averaged, strict=True)), abs=1e-12)
    lengths = [float(value) for value in sight.values("#headroom tbody tr:last-child td:nth-child(3)")]
    assert lengths == pytest.approx([c.measure("ASL").mean()["ASL"].min()], abs=1e-12)
    assert not {"sgnLP", "sgnLR"} & set(
        sight.page.eval_on_selector_all("#preference option", "all => all.map(o => o.value)")
    )
