"""The report in a real browser: what it shows equals what the library says, and everybody can use it."""

from __future__ import annotations

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import rankdiff as rd

PHONE = {"width": 390, "height": 800}
CRITERIA = ("RPP", "sgnLP", "sgnLR", "nDCG@10", "AP", "RR", "ASL")


def preferences_on(sight):
    """The value of every topic, page by page."""
    found = {}
    while True:
        topics = sight.page.eval_on_selector_all(
            "#topic-table tbody tr[data-topic]",
            "rows => rows.map(row => [row.querySelector('bdi').textContent, row.cells[2].dataset.value])",
        )
        found |= {topic: float(value) for topic, value in topics}
        if sight.page.locator("#next").is_disabled():
            return found
        sight.page.click("#next")


def open_topic(sight, topic):
    sight.page.fill("#topic-search", topic)
    sight.page.locator("#topic-table .topic").first.click()


def test_it_opens_without_an_error_and_asks_nothing_of_the_network(either, look):
    sight = look(either.path)
    for button in ("#next", "#topic-table th button", "#topic-table .topic"):
        if sight.page.locator(button).first.is_enabled():
            sight.page.locator(button).first.click()
    assert sight.problems == []
    assert [url for url in sight.requests if not url.startswith("data:")] == [either.path.as_uri()]


def test_bars_are_the_preferences_of_the_library(either, look):
    sight = look(either.path)
    for name in CRITERIA:
        sight.page.select_option("#preference", name)
        expected = dict(zip(either.c.queries, either.c.prefer(name)[either.candidate, either.baseline], strict=True))
        assert preferences_on(sight) == pytest.approx(expected, abs=1e-12)
        mean = float(sight.page.get_attribute("#topic-mean", "data-value"))
        assert mean == pytest.approx(np.mean(list(expected.values())), abs=1e-12)
        while sight.page.locator("#previous").is_enabled():
            sight.page.click("#previous")


def test_any_two_of_many_runs_can_be_compared(many, look):
    sight = look(many.path)
    one, other = many.c.systems[5], many.c.systems[2]
    sight.page.select_option("#candidate", label=one)
    sight.page.select_option("#baseline", label=other)
    expected = dict(zip(many.c.queries, many.c.prefer("RPP")[one, other], strict=True))
    assert preferences_on(sight) == pytest.approx(expected, abs=1e-12)
    sight.page.select_option("#baseline", label=one)  # a run is never compared with itself: the two change places
    assert sight.page.eval_on_selector("#candidate", "select => select.selectedOptions[0].text") == other


def test_topics_are_sorted_and_searched(pair, look):
    sight = look(pair.path)
    values = preferences_on(sight)
    assert list(values.values()) == sorted(values.values(), reverse=True)
    sight.page.click("#topic-table th[data-key=value] button")
    assert sight.page.get_attribute("#topic-table th[data-key=value]", "aria-sort") == "ascending"
    assert list(preferences_on(sight).values()) == sorted(values.values())
    title = sight.texts("#topic-table .title")[0]
    sight.page.fill("#topic-search", title.upper())
    assert set(sight.texts("#topic-table .title")) == {title}
    sight.page.fill("#topic-search", "no such words")
    assert sight.texts("#topic-table tbody") == ["No topic has these words."]


def test_a_strip_has_a_mark_for_each_relevant_document_in_either_run(either, look):
    sight, c = look(either.path), either.c
    for query in (0, len(c.queries) // 2):
        open_topic(sight, c.queries[query])
        columns = [d for d in range(c.start[query], c.start[query + 1]) if c.grade[d] >= 1]
        for kind, name in (("baseline", either.baseline), ("candidate", either.candidate)):
            marks = sight.page.locator(f".strip .drawing .mark[data-run={kind}]")
            ranks = marks.evaluate_all("marks => marks.map(mark => Number(mark.dataset.rank))")
            assert sorted(ranks) == sorted(c.rank[c.system_index(name), columns].tolist())


def test_a_strip_joins_levels_and_marks_those_that_decide(pair, look):
    sight, c = look(pair.path), pair.c
    for query, topic in enumerate(c.queries[:8]):
        columns = [d for d in range(c.start[query], c.start[query + 1]) if c.grade[d] >= 1]
        ours, theirs = (
            sorted(int(rank) or 10**9 for rank in c.rank[c.system_index(name), columns])
            for name in (pair.candidate, pair.baseline)
        )
        wins = {1: 0, 0: 0, -1: 0}
        for a, b in zip(ours, theirs, strict=True):
            wins[(a < b) - (a > b)] += min(a, b) < 10**9
        open_topic(sight, topic)
        for sign, kind in ((1, "candidate"), (0, "tie"), (-1, "baseline")):
            lines = sight.page.locator(f".strip .drawing .line-{kind}:not(.deciding)")
            assert lines.count() == wins[sign]
        differing = [level for level, (a, b) in enumerate(zip(ours, theirs, strict=True), 1) if a != b]
        deciding = sight.page.eval_on_selector_all(
            ".strip .deciding", "lines => lines.map(line => Number(line.dataset.level))"
        )
        assert sorted(set(deciding)) == sorted({*differing[:1], *differing[-1:]})


def test_topics_that_do_not_count_or_have_no_relevant_documents_are_no_trouble(look, tmp_path):
    qrels = {"1": {"a": 1, "b": 1}, "2": {"c": 0}, "3": {"a": 1}}
    runs = {"old": {"1": {"a": 1}, "2": {"c": 1}, "3": {"x": 2, "a": 1}}, "new": {"1": {"x": 2, "a": 1}, "2": {"c": 1}}}
    for missing, values in (("skip", ["0", "-0.5", None]), ("zero", ["0", "-0.5", "-1"])):
        rd.report(tmp_path / "r.html", rd.align(qrels, runs, missing=missing))
        sight = look(tmp_path / "r.html")
        assert sight.values("#topic-table tbody td[data-value], #topic-table tbody td:nth-child(3)") == values
        for i in range(3):
            sight.page.locator("#topic-table .topic").nth(i).click()
        assert sight.problems == []


def test_titles_and_texts_stand_beside_the_ids(pair, look):
    sight = look(pair.path)
    open_topic(sight, pair.c.queries[0])
    relevant = [d for d in range(pair.c.start[1]) if pair.c.grade[d] >= 1]
    assert sorted(sight.texts(".strip tbody th")) == sorted(pair.c.documents[d] for d in relevant)
    assert sorted(sight.texts(".strip tbody td:last-child")) == sorted(
        f"the text of {pair.c.documents[d]}" for d in relevant
    )


def test_the_leaderboard_is_that_of_the_library(many, look):
    sight = look(many.path)
    names = sight.texts("#leaderboard tbody tr th:nth-child(2)")
    assert names == many.c.measure("nDCG@10").order().table()["run"].tolist()
    scores = many.c.measure("nDCG@10", "AP", "RR", "ASL").mean()
    rates = {name: many.c.prefer(name).order("winrate") for name in ("RPP", "sgnLP", "sgnLR")}
    for column, name in enumerate(("nDCG@10", "AP", "RR", "ASL", *rates), start=3):
        shown = sight.values(f"#leaderboard tbody tr > :nth-child({column})")
        values = scores[name] if name in scores.columns else rates[name].score
        expected = dict(zip(many.c.systems, values, strict=True))
        assert [float(value) for value in shown] == pytest.approx([expected[run] for run in names], abs=1e-15)


def test_ranks_and_letters_follow_the_test_of_all_pairs(many, look):
    sight, c = look(many.path), many.c
    tested = rd.statistics.all_pairs(c.measure("nDCG@10"))
    better = (tested.p <= 0.05) & (tested.difference > 0) & c.answered.all(axis=1)[:, None]
    names = sight.texts("#leaderboard tbody tr th:nth-child(2)")
    ranks = dict(zip(names, sight.texts("#leaderboard tbody tr > :nth-last-child(2)"), strict=True))
    letters = dict(zip(names, map(set, sight.texts("#leaderboard tbody tr > :last-child")), strict=True))
    for i, one in enumerate(c.systems):
        assert ranks[one] == f"{1 + better[:, i].sum()}–{len(c.systems) - better[i].sum()}"
        for j, other in enumerate(c.systems):
            assert bool(letters[one] & letters[other]) == (not better[i, j] and not better[j, i])


def test_the_comparison_is_that_of_the_library(pair, look):
    sight = look(pair.path)
    comparison = pair.c.compare(pair.baseline, pair.candidate)
    assert sight.texts(".sentence, .finding") == comparison.verdict.split("\n")
    for row in comparison.table().rows():
        cells = sight.page.locator("#comparison tbody tr", has=sight.page.locator(f"bdi:text-is('{row['measure']}')"))
        values = cells.locator("td").evaluate_all("cells => cells.map(cell => cell.dataset.value)")
        assert [float(values[2]), float(values[3]), float(values[4])] == [row["difference"], row["low"], row["p"]]
    tenths = [float(value) for value in sight.values("#profile-table td:nth-child(3)")]
    assert tenths == pair.c.profile(pair.baseline, pair.candidate).by_share()["preference"].tolist()


def test_what_would_flip_it_and_what_nobody_judged_are_told(pair, look):
    sight = look(pair.path)
    flip = pair.c.flip(pair.baseline, pair.candidate, "RPP")
    assert sight.texts(".findings summary") == [answer.sentence for answer in flip.answers]
    bounds = pair.c.bounds(pair.baseline, pair.candidate, "RPP")
    assert sight.texts("#bounds")[0].lower() == f"{bounds.sentence}.".lower()


def test_tables_sort(either, look):
    sight = look(either.path)
    sight.page.locator("#trust-runs th button", has_text="unjudged@10").first.click()
    values = [float(value) for value in sight.values("#trust-runs tbody td:nth-child(6)")]
    assert values == sorted(values, reverse=True)
    sight.page.locator("#trust-runs th button", has_text="run").first.click()
    assert sight.texts("#trust-runs tbody th") == sorted(either.c.systems)


def test_a_keyboard_is_enough(pair, look):
    sight = look(pair.path)
    sight.page.focus("#topic-search")
    for _ in range(40):
        sight.page.keyboard.press("Tab")
        if sight.page.evaluate("document.activeElement.className") == "topic":
            break
    sight.page.keyboard.press("Enter")
    assert sight.page.locator(".strip svg[role=img][aria-label*='finds']").count() == 1
    sight.page.keyboard.press("Enter")
    assert sight.page.locator(".strip").count() == 0


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="light"),
        pytest.param({"color_scheme": "dark"}, id="dark", marks=pytest.mark.slow),
        pytest.param({"viewport": PHONE}, id="phone", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_no_serious_violation(either, look, options):
    sight = look(either.path, **options)
    sight.page.locator("#topic-table .topic").first.click()
    sight.page.eval_on_selector_all("details", "all => all.forEach(details => details.open = true)")
    found = Axe().run(sight.page).response["violations"]
    assert [(item["id"], item["nodes"][0]["html"]) for item in found if item["impact"] in {"serious", "critical"}] == []


def test_the_dark_page_is_dark(pair, look):
    background = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    assert min(look(pair.path).page.evaluate(background)) > 200
    assert max(look(pair.path, color_scheme="dark").page.evaluate(background)) < 60


def test_a_phone_scrolls_down_only(either, look):
    sight = look(either.path, viewport=PHONE)
    sight.page.locator("#topic-table .topic").first.click()
    sight.page.eval_on_selector_all("details", "all => all.forEach(details => details.open = true)")
    assert sight.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_on_paper_there_are_no_controls_and_every_row(many, look):
    sight = look(many.path)
    sight.page.emulate_media(media="print")
    assert not sight.page.locator("#topic-controls").is_visible()
    assert sight.page.locator("#leaderboard").is_visible()
