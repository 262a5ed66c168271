"""Reports to look at, and a browser to look at them with."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import rankdiff as rd
from rankdiff.check import check
from rankdiff.collection import Collection
from rankdiff.read import read_qrels, read_runs
from rankdiff.simulate import simulate

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
HOW = "no Chromium here, which the tests of the report look at it with (on Debian and Ubuntu: apt install chromium)"
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@dataclass(frozen=True)
class Report:
    """A report that was written, and the collection that it is about; of many, its baseline and its candidate."""

    path: Path
    c: Collection
    baseline: str
    candidate: str


class Sight:
    """A report in a browser; it remembers what went wrong, and whatever was asked of the network."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page, self.problems, self.requests = page, [], []
        page.on("console", lambda message: message.type == "error" and self.problems.append(message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("dialog", lambda dialog: (self.problems.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]")

    def texts(self, selector: str) -> list[str]:
        """What stands in each of some elements."""
        return self.page.locator(selector).all_text_contents()

    def values(self, selector: str) -> list[str]:
        """The exact values behind some cells."""
        return self.page.eval_on_selector_all(selector, "cells => cells.map(cell => cell.dataset.value)")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser. Without one the tests are skipped, but fail where ``RANKDIFF_BROWSER=required`` says so."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        (pytest.fail if os.environ.get("RANKDIFF_BROWSER") == "required" else pytest.skip)(HOW)
    from playwright.sync_api import sync_playwright

    with (
        sync_playwright() as playwright,
        closing(playwright.chromium.launch(executable_path=found, args=FLAGS.split())) as browser,
    ):
        yield browser


@pytest.fixture
def look(chromium: Any) -> Iterator[Callable[..., Sight]]:
    """Open a report: ``look(report.path, color_scheme="dark", viewport=…)``."""
    contexts = []

    def opened(path: Path, **options: Any) -> Sight:
        contexts.append(chromium.new_context(**options))
        return Sight(contexts[-1].new_page(), path)

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Two runs, with titles, texts and a study."""
    folder = tmp_path_factory.mktemp("pair")
    made = simulate(folder, systems=4, topics=50, depth=60, team_size=1, seed=3)
    files = sorted(made.runs.iterdir())[1:3]
    c = rd.load(made.qrels, list(files))
    rd.report(
        folder / "report.html",
        c,
        titles=made.titles,
        docs={name: f"the text of {name}" for name in c.documents},
        studies=[rd.studies.orientation(["RR", "AP"], most=3)],
        check=check(read_qrels(made.qrels), read_runs(list(files))),
        command="rankdiff report 'the judgments' runs",
        inputs=[made.qrels, *files],
    )
    return Report(folder / "report.html", c, *c.systems)


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Eight runs, one of which lacks topics."""
    folder = tmp_path_factory.mktemp("many")
    made = simulate(folder, systems=8, topics=25, depth=50, seed=11)
    c = rd.load(made.qrels, made.runs)
    best = c.measure("nDCG@10").order().table()["run"]
    segments = {query: f"group {i % 4}" for i, query in enumerate(c.queries[1:])}
    rd.report(folder / "report.html", c, segments=segments)
    return Report(folder / "report.html", c, best[1], best[0])


@pytest.fixture(params=["pair", "many"])
def either(request: pytest.FixtureRequest) -> Report:
    """The one report, then the other."""
    return request.getfixturevalue(request.param)
