"""Large reports are written in seconds, and answer a click at once."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

import rankdiff as rd
from rankdiff.simulate import simulate

pytestmark = pytest.mark.slow


def look_and_click(look, path):
    """How long the page is at work until it is open, and at each of some clicks until what it brings is there.

    This is the time of the page's own thread, so that others who compete for the processor do not count.
    """
    sight = look(path)
    page, session = sight.page, sight.page.context.new_cdp_session(sight.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def reopen():
        page.reload()
        page.wait_for_selector("html[data-ready]")

    def unfold():
        page.locator("#topic-table .topic").first.click()
        page.wait_for_selector(".strip path")

    def choose():
        page.select_option("#preference", "sgnLR")
        page.wait_for_selector("text=mean sgnLR")

    def sort():
        page.locator("#topic-table th[data-key=topic] button").click()
        page.wait_for_selector("#topic-table th[aria-sort=ascending]")

    def search():
        page.fill("#topic-search", "1")
        page.wait_for_selector("#topic-table tbody tr")

    def exchange():
        page.select_option("#candidate", index=0)
        page.select_option("#candidate", index=1)

    def worked():
        page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "ThreadTime")

    times = [worked()]
    for action in (reopen, unfold, choose, sort, search, exchange):
        action()
        times.append(worked())
    assert sight.problems == []
    taken = [after - before for before, after in pairwise(times)]
    assert taken[0] > 0.05
    return taken


def test_a_hundred_and_forty_three_runs(data, look, tmp_path):
    folder = data("trec-covid-round1")
    c = rd.load(folder / "qrels.txt", folder / "runs")
    # Of the processor, so that others who compete for it do not count.
    began = time.process_time()
    rd.report(tmp_path / "r.html", c)
    assert time.process_time() - began < 10
    assert max(look_and_click(look, tmp_path / "r.html")) < 1


def test_two_runs_over_seven_thousand_topics(look, tmp_path):
    made = simulate(tmp_path, systems=2, topics=7000, depth=20, relevant=6, incomplete=0, twin_teams=0)
    rd.report(tmp_path / "r.html", rd.load(made.qrels, made.runs), titles=made.titles)
    assert max(look_and_click(look, tmp_path / "r.html")) < 1
