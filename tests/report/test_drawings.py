"""What is drawn is drawn to scale: positions and lengths read back from the drawings, and numbers from the tables."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.stats import kendalltau

import rankdiff as rd
from rankdiff.present.report.trust import unjudged_share
from rankdiff.simulate import simulate

NUMBERS = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"


def attributes(sight, selector, *names):
    """The numbers in some attributes of each of some elements."""
    found = sight.page.eval_on_selector_all(
        selector, f"all => all.map(one => {list(names)}.map(name => one.getAttribute(name)))"
    )
    return np.array([[float(value) for value in row] for row in found]).reshape(-1, len(names))


def numbers_in(sight, selector, name):
    """All numbers in an attribute of each of some elements."""
    texts = sight.page.eval_on_selector_all(selector, f"all => all.map(one => one.getAttribute('{name}'))")
    return [list(map(float, re.findall(NUMBERS, text))) for text in texts]


def assert_linear(values, places, rel=1e-3):
    """Places are a linear function of values, up to the rounding of drawings."""
    slope, start = np.polyfit(values, places, 1)
    assert places == pytest.approx(start + slope * np.asarray(values), abs=rel * max(np.ptp(places), 1))
    return slope


def columns_of(c, query):
    return [d for d in range(c.start[query], c.start[query + 1]) if c.grade[d] >= 1]


def test_the_profile_is_drawn_to_scale(pair, look):
    sight, profile = look(pair.path), pair.c.profile(pair.baseline, pair.candidate)
    table = profile.by_share()
    bars = attributes(sight, "#profile rect", "y", "height")
    whiskers = np.array(numbers_in(sight, "#profile .whisker", "d"))[:, 1:3]
    sums = np.array(numbers_in(sight, "#profile polyline", "points")[0]).reshape(-1, 2)[:, 1]
    ends = [y if value > 0 else y + height for (y, height), value in zip(bars, profile.tenths, strict=True)]
    values = [*profile.tenths, *table["low"], *table["high"], 0, *table["sum"]]
    assert assert_linear(values, [*ends, *whiskers[:, 0], *whiskers[:, 1], *sums]) < 0


def test_the_bars_of_topics_are_as_long_as_their_values(either, look):
    sight = look(either.path)
    values = np.array([float(value) for value in sight.values("#topic-table td[data-value]")])
    bars = attributes(sight, "#topic-table .bar svg rect", "x", "width")
    preferred = either.c.prefer("RPP")[either.candidate, either.baseline]
    assert bars[:, 1] == pytest.approx(np.abs(values) / np.abs(preferred).max() * 100, abs=1e-6)
    assert ((bars[:, 0] < 0) == (values < 0)).all()
    for kind, count in (("candidate", np.sum(preferred > 0)), ("baseline", np.sum(preferred < 0))):
        (path,) = sight.page.eval_on_selector_all(
            f"#waterfall .fill-{kind}", "all => all.map(one => one.getAttribute('d'))"
        )
        assert path.count("Z") == count


def test_the_places_of_a_strip_are_the_logarithms_of_the_ranks(pair, look):
    sight = look(pair.path)
    sight.page.fill("#topic-search", pair.c.queries[3])
    sight.page.locator("#topic-table .topic").first.click()
    ranks = attributes(sight, ".strip .mark[data-run]", "data-rank")[:, 0]
    places = np.array(numbers_in(sight, ".strip .mark[data-run]", "transform"))[:, 0]
    assert_linear(np.log(ranks[ranks > 0]), places[ranks > 0])
    assert places[ranks == 0].min(initial=np.inf) > places[ranks > 0].max()


def test_rare_finds_are_counted_and_drawn(many, look):
    sight, c = look(many.path), many.c
    found = np.zeros(len(c.systems) + 1, int)
    alone = dict.fromkeys(c.systems, 0)
    for query in range(len(c.queries)):
        for d in columns_of(c, query):
            finders = [name for name, rank in zip(c.systems, c.rank[:, d], strict=True) if 0 < rank <= 100]
            found[len(finders)] += 1
            if len(finders) == 1:
                alone[finders[0]] += 1
    heights = attributes(sight, "#finds rect", "height")[:, 0]
    assert heights == pytest.approx(found / found.max() * heights.max(), abs=0.01)
    assert sight.texts("#finds title") == [f"{count} documents found by {i} runs" for i, count in enumerate(found)]
    shown = zip(sight.texts("#finders tbody th"), sight.values("#finders tbody td"), strict=True)
    assert {name: int(count) for name, count in shown} == {name: count for name, count in alone.items() if count}


def test_unjudged_shares_are_drawn_and_told(many, look):
    sight, c = look(many.path), many.c
    depths = [1, 5, 10, 20, 50]
    shares = np.array([unjudged_share(c, k) for k in depths])
    for kind, name in (("candidate", many.candidate), ("baseline", many.baseline)):
        (points,) = numbers_in(sight, f"#unjudged .line-{kind}", "points")
        places = np.array(points).reshape(-1, 2)
        assert_linear(range(len(depths)), places[:, 0])
        assert assert_linear(shares[:, c.system_index(name)], places[:, 1]) < 0
    assert sight.values("#trust-runs tbody td:nth-child(2)") == [str(count) for count in c.answered.sum(axis=1)]
    assert sight.values("#trust-runs tbody td:nth-child(5)") == [str(depth) for depth in c.depth.max(axis=1)]
    at_ten = [float(value) for value in sight.values("#trust-runs tbody td:nth-child(6)")]
    assert at_ten == pytest.approx(shares[2], abs=1e-15)


def test_where_orders_disagree_is_drawn_and_told(many, look):
    sight, c = look(many.path), many.c
    names = ("nDCG@10", "AP", "RR", "ASL", "RPP", "sgnLP", "sgnLR")
    values = [*(c.measure(name).mean()[name] for name in names[:3]), -c.measure("ASL").mean()["ASL"]]
    values += [np.mean(c.prefer(name).win_rates(), axis=1) for name in names[4:]]
    ranked = np.array([[1 + np.sum(of > value) for value in of] for of in values])
    for i in range(len(names)):
        for j in range(len(names)):
            shown = sight.values(f"#agreement tbody tr:nth-child({i + 1}) td:nth-child({j + 2})")[0]
            assert float(shown) == pytest.approx(kendalltau(ranked[i], ranked[j], variant="b").statistic, abs=1e-12)
    runs = sight.texts("#movers text.strong")
    spread = np.ptp(ranked, axis=0)
    assert [spread[c.system_index(re.sub(r"\n.*", "", run))] for run in map(_name, runs)] == sorted(spread[spread > 0])[
        ::-1
    ]
    told = sight.texts("#movers .fill-plain title")
    places = attributes(sight, "#movers .fill-plain", "cx")[:, 0]
    expected = [
        f"{name}: {place}"
        for run in map(_name, runs)
        for name, place in zip(names, ranked[:, c.system_index(run)], strict=True)
    ]
    assert told == expected
    assert assert_linear([int(text.split()[-1]) for text in told], places) > 0


def _name(text):
    """The name of a run as it is shown, which is followed by its title."""
    return text[: len(text) // 2]


def test_the_matrix_shows_which_pairs_differ(look, tmp_path):
    made = simulate(tmp_path, systems=36, topics=20, depth=40, seed=5)
    c = rd.load(made.qrels, made.runs)
    rd.report(tmp_path / "r.html", c, measures=["AP"])
    sight = look(tmp_path / "r.html")
    tested = rd.statistics.all_pairs(c.measure("AP"))
    complete = c.answered.all(axis=1)
    better = (tested.p <= 0.05) & (tested.difference > 0) & complete[:, None]
    order = [c.system_index(name) for name in c.measure("AP").order().table()["run"]]
    shown = np.zeros(better.shape, bool)
    for column, row, *sides in np.array(numbers_in(sight, ".matrix-cells", "d")[0]).reshape(-1, 5):
        shown[int(row), int(column)] = sides == [1, 1, -1]
    assert better.any()
    assert (shown == better[np.ix_(order, order)]).all()
    row, column = np.argwhere(shown)[0]
    names = [c.systems[i] for i in order]
    for one, other, words in ((row, column, "is shown to be better than"), (column, row, "is shown to be worse than")):
        side = sight.page.locator("#matrix svg").bounding_box()["width"] / len(order)
        sight.page.locator("#matrix svg").hover(position={"x": (other + 0.5) * side, "y": (one + 0.5) * side})
        assert sight.texts("#matrix .pointed")[0] == f"{names[one]} {words} {names[other]}"


def test_groups_of_topics_add_up(many, look):
    sight, c = look(many.path), many.c
    preferred = c.prefer("RPP(rel=1)")[many.candidate, many.baseline]
    groups = {"(no group)": [0]} | {f"group {k}": [1 + i for i in range(24) if i % 4 == k] for k in range(4)}
    for i, (name, topics) in enumerate(groups.items(), start=1):
        row = f"#segments-overview tbody tr:nth-child({i})"
        assert sight.texts(f"{row} th") == [name]
        count, mean, adds = (float(value) for value in sight.values(f"{row} td")[:3])
        assert count == len(topics)
        assert mean == pytest.approx(preferred[topics].mean(), abs=1e-12)
        assert adds == pytest.approx(preferred[topics].sum() / len(preferred), abs=1e-12)


def test_headroom_is_that_of_the_means(many, look):
    sight, scores = look(many.path), many.c.measure("ASL@g1-1", "ASL@g1-10", "ASL")
    for i, values in enumerate(scores.values, start=1):
        means = values.mean(axis=1)
        shown = [float(value) for value in sight.values(f"#headroom tbody tr:nth-child({i}) td:not(:nth-child(2))")]
        assert shown == pytest.approx([means.min(), np.median(means), values.min(axis=0).mean(), means.min() - 1])
        assert sight.texts(f"#headroom tbody tr:nth-child({i}) td:nth-child(2)") == [many.c.systems[means.argmin()]]
