"""The report in a real browser: what it shows equals what the library says, and everybody can use it."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import rankdiff as rd
from rankdiff.measures.atomized import document_lengths


def plain(text):
    """Text as the library has it, without the page's own minus signs and spaces."""
    return text.replace("−", "-").replace("\u00a0", " ")


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
        assert sight.page.locator(".strip .ring").count() == 2 * len(set(deciding))


def test_a_strip_says_what_its_levels_make_of_the_two_rankings(either, look):
    sight, c = look(either.path), either.c
    expected = c.prefer("RPP(rel=1)")[either.candidate, either.baseline]
    for query in range(0, len(c.queries), 6):
        open_topic(sight, c.queries[query])
        shown = float(sight.values(".strip .summary b")[0])
        assert shown == pytest.approx(expected[query], abs=1e-12)


def test_search_lengths_are_those_of_the_library(either, look):
    sight, c = look(either.path), either.c
    ours, theirs = (document_lengths(c)[c.system_index(name)] for name in (either.candidate, either.baseline))
    columns = c.relevant(1).column
    found, also = (c.rank[c.system_index(name), columns] > 0 for name in (either.candidate, either.baseline))
    edges = [1, 2, 3, 6, 11, 21, 51, 101, 10**9]
    expected = {}
    for low, high in pairwise(edges):
        words = str(low) if high == low + 1 else f"{low} to {high - 1}"
        within = [np.sum((x >= low) & (x < high) & there) for x, there in ((ours, found), (theirs, also))]
        expected[words] = within
        for sign, word in ((1, "up"), (-1, "down")):
            moved = sign * (theirs - ours)[found & also]
            expected[f"{words} further {word}"] = [np.sum((moved >= low) & (moved < high))]
    expected["not retrieved"] = [np.sum(~found), np.sum(~also)]
    expected["as far down in both"] = [np.sum((ours == theirs)[found & also])]
    expected["only the candidate finds it"] = [np.sum(found & ~also)]
    expected["only the baseline finds it"] = [np.sum(also & ~found)]
    rows = {row[0]: [int(count) for count in row[1:]] for row in sight_rows(sight)}
    assert all(rows.get(words, [0] * len(counts)) == counts for words, counts in expected.items())
    assert sum(sum(counts) for counts in rows.values()) == sum(map(sum, expected.values()))
    drawn = sight.page.eval_on_selector_all(
        "#lengths rect, #changes rect", "all => all.map(rect => rect.dataset.count)"
    )
    assert sorted(map(int, drawn)) == sorted(count for counts in rows.values() for count in counts)


def sight_rows(sight):
    """The rows of the tables behind the figures of search lengths."""
    cells = "[...row.cells].map(cell => cell.dataset.value ?? cell.textContent)"
    return sight.page.eval_on_selector_all("#tail-tables tbody tr", f"rows => rows.map(row => {cells})")


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
    for column, name in enumerate(("nDCG@10", "AP", "RR", "ASL", *rates), start=5):
        shown = sight.values(f"#leaderboard tbody tr > :nth-child({column})")
        values = scores[name] if name in scores.columns else rates[name].score
        expected = dict(zip(many.c.systems, values, strict=True))
        assert [float(value) for value in shown] == pytest.approx([expected[run] for run in names], abs=1e-15)


def test_ranks_and_letters_follow_the_test_of_all_pairs(many, look):
    sight, c = look(many.path), many.c
    tested = rd.statistics.all_pairs(c.measure("nDCG@10"))
    complete = (c.answered | ~c.answered.any(axis=0)).all(axis=1)
    better = (tested.p <= 0.05) & (tested.difference > 0) & complete[:, None]
    names = sight.texts("#leaderboard tbody tr th:nth-child(2)")
    ranks = dict(zip(names, sight.texts("#leaderboard tbody tr > :nth-child(3)"), strict=True))
    letters = dict(zip(names, map(set, sight.texts("#leaderboard tbody tr > :nth-child(4)")), strict=True))
    for i, one in enumerate(c.systems):
        assert ranks[one] == f"{1 + better[:, i].sum()}–{len(c.systems) - better[i].sum()}"
        for j, other in enumerate(c.systems):
            assert bool(letters[one] & letters[other]) == (not better[i, j] and not better[j, i])


def test_the_comparison_is_that_of_the_library(pair, look):
    sight = look(pair.path)
    comparison = pair.c.compare(pair.baseline, pair.candidate)
    said = list(map(plain, sight.texts(".sentence, .finding")))
    assert said == comparison.verdict.replace("`", "").split("\n")
    for row in comparison.table().rows():
        cells = sight.page.locator("#comparison tbody tr", has=sight.page.locator(f"bdi:text-is('{row['measure']}')"))
        values = cells.locator("td").evaluate_all("cells => cells.map(cell => cell.dataset.value)")
        numbers = [float(values[i]) for i in (2, 3, 5, 6)]
        assert numbers == [row[name] for name in ("difference", "low", "p", "effect")]
    tenths = [float(value) for value in sight.values("#profile-table td:nth-child(3)")]
    assert tenths == pair.c.profile(pair.baseline, pair.candidate).by_share()["preference"].tolist()


def test_what_would_flip_it_and_what_nobody_judged_are_told(pair, look):
    sight = look(pair.path)
    flip = pair.c.flip(pair.baseline, pair.candidate, "RPP")
    assert list(map(plain, sight.texts(".findings summary"))) == [answer.sentence for answer in flip.answers]
    explained = sight.page.get_by_text("In brackets how many it takes at least").count()
    assert explained == any("(at least" in answer.sentence for answer in flip.answers)
    bounds = pair.c.bounds(pair.baseline, pair.candidate, "RPP")
    assert plain(sight.texts("#bounds")[0]).lower() == f"{bounds.sentence}.".lower()
    label = sight.page.get_attribute("#bounds-drawing svg", "aria-label")
    shown = [float(number) for number in re.findall(r"[-+]?\d\.\d+", plain(label))]
    assert shown == [round(value, 4) for value in (bounds.difference, *bounds.interval)]


def test_marks_and_spans_say_what_the_tests_say(pair, look):
    sight = look(pair.path)
    comparison = pair.c.compare(pair.baseline, pair.candidate)
    rows = sight.page.locator("#comparison tbody tr")
    for i, row in enumerate(comparison.table().rows()):
        certain = row["p"] <= 0.05
        mark = rows.nth(i).locator("td:nth-child(4) .place").all_text_contents()
        assert "".join(mark).strip() == (("▲" if row["difference"] > 0 else "▼") if certain else "")
        start, length = (float(rows.nth(i).locator(".span rect").first.get_attribute(name)) for name in ("x", "width"))
        zero = float(rows.nth(i).locator(".span line").get_attribute("x1"))
        assert (start <= zero <= start + length) == (row["low"] <= 0 <= row["high"])


def test_tables_sort(either, look):
    sight = look(either.path)
    sight.page.locator("#trust-runs th button", has_text="unjudged@10").first.click()
    values = [float(value) for value in sight.values("#trust-runs tbody td:nth-child(6)")]
    assert values == sorted(values, reverse=True)
    sight.page.locator("#trust-runs th button", has_text="run").first.click()
    assert sight.texts("#trust-runs tbody th") == sorted(either.c.systems)


@pytest.mark.parametrize("width", [1200, 390])
def test_no_label_of_a_drawing_is_cut_off(either, look, tmp_path, width):
    """Also where counts run to six digits, and where differences are a thousandth."""
    large = {str(topic): {f"d{i}": 1 for i in range(60)} for topic in range(2000)}
    first = {topic: {f"d{i}": 60 - i for i in range(50)} for topic in large}
    second = first | {"7": {"x": 3, "d0": 2}, "8": {"x": 3, "d1": 2}}
    rd.report(tmp_path / "r.html", rd.align(large, {"first": first, "second": second}), measures=["RPP"])
    for path in (either.path, tmp_path / "r.html"):
        sight = look(path, viewport={"width": width, "height": 900})
        sight.page.locator("#topic-table .topic").first.click()
        cut = sight.page.eval_on_selector_all(
            ".drawing svg",
            """all => all.flatMap(svg => {
                const frame = svg.getBoundingClientRect();
                return [...svg.querySelectorAll("text")].filter(text => {
                    const box = text.getBoundingClientRect();
                    const beside = box.left < frame.left - 1 || box.right > frame.right + 1;
                    return beside || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
                }).map(text => `${svg.parentElement.id}: ${text.textContent}`);
            })""",
        )
        assert cut == []


@pytest.mark.parametrize(("ahead", "crossing"), [(2, "50 %"), (0, None), (10, None)])
def test_where_the_profile_falls_below_zero_is_marked(look, tmp_path, ahead, crossing):
    """Of ten relevant documents the candidate has so many further up, the baseline the others: with two, the sum
    rises to 0.2 and falls by 0.1 a level, so that it is below zero after five."""
    documents = [f"d{i}" for i in range(10)]
    between = [f"x{i}" for i in range(9)]
    rankings = {"old": [*between[:2], *documents], "new": [*documents[:ahead], *between, *documents[ahead:]]}
    runs = {name: {"1": {one: -i for i, one in enumerate(ranking)}} for name, ranking in rankings.items()}
    rd.report(tmp_path / "r.html", rd.align({"1": dict.fromkeys(documents, 1)}, runs))
    sight = look(tmp_path / "r.html")
    assert sight.texts("#profile text.badge") == ([f"below zero at {crossing}"] if crossing else [])
    if crossing:
        line = sight.page.locator("#profile .crossing").bounding_box()["x"]
        label = {
            text: sight.page.locator("#profile text", has_text=re.compile(f"^{text}$")) for text in ("40 %", "60 %")
        }
        left, right = (where.bounding_box()["x"] + where.bounding_box()["width"] / 2 for where in label.values())
        assert line == pytest.approx((left + right) / 2, abs=2)


def test_names_stay_in_sight_and_hidden_columns_are_hinted_at(many, look):
    sight = look(many.path, viewport=PHONE)
    table = sight.page.locator(".table:has(#leaderboard) .scroll")
    assert "more-columns" in table.get_attribute("class")
    table.evaluate("scroll => scroll.scrollLeft = scroll.scrollWidth")
    sight.page.wait_for_selector(".table:has(#leaderboard) .scroll:not(.more-columns)")
    name = sight.page.locator("#leaderboard tbody .key").first.bounding_box()
    assert 0 <= name["x"] < PHONE["width"] - name["width"]
    assert "more-columns" not in look(many.path).page.locator(".table:has(#leaderboard) .scroll").get_attribute("class")


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


def test_an_open_topic_stays_open_when_other_runs_are_chosen(many, look):
    sight = look(many.path)
    topic = many.c.queries[3]
    open_topic(sight, topic)
    sight.page.select_option("#candidate", label=many.c.systems[5])
    assert sight.page.locator("#topic-table [aria-expanded=true]").count() == 1
    assert sight.texts(".strip .summary bdi")[0] == many.c.systems[5]
    sight.page.fill("#topic-search", many.c.queries[4])
    assert sight.page.locator(".strip").count() == 0


def test_on_paper_every_topic_has_its_row(pair, look):
    sight = look(pair.path)
    assert sight.page.locator("#topic-table .topic").count() == 40
    sight.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert sight.page.locator("#topic-table .topic").count() == len(pair.c.queries)
    sight.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert sight.page.locator("#topic-table .topic").count() == 40


def test_on_paper_there_are_no_controls_and_every_row(many, look):
    sight = look(many.path)
    sight.page.emulate_media(media="print")
    assert not sight.page.locator("#topic-controls").is_visible()
    assert sight.page.locator("#leaderboard").is_visible()


def test_long_texts_stay_readable(look, tmp_path):
    qrels = {"1": {f"document-number-{i}": 1 + i % 2 for i in range(20)}}
    runs = {name: {"1": {f"document-number-{i}": 20 - i for i in range(k, 20, 2)}} for k, name in enumerate(("a", "b"))}
    texts = dict.fromkeys(qrels["1"], "some words of a text " * 30)
    rd.report(tmp_path / "r.html", rd.align(qrels, runs), docs=texts)
    for width in (1200, 390):
        sight = look(tmp_path / "r.html", viewport={"width": width, "height": 900})
        sight.page.eval_on_selector_all("details", "all => all.forEach(details => details.open = true)")
        heights = sight.page.eval_on_selector_all(
            "#rare-documents tbody tr", "rows => rows.map(row => row.offsetHeight)"
        )
        assert len(heights) == 20
        assert max(heights) < 100
