"""How long a report takes to write, to open and to answer a click, and how large it is: `python bench/report.py`.

The data are simulated: 143 runs × 30 topics, 63 runs × 53 topics, and two runs × 7,000 topics. A click opens the rank
strip of a topic, measured in Chromium until the strip is there.
"""

from __future__ import annotations

import shutil
import time
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

import rankdiff as rd
from rankdiff.simulate import simulate

SHAPES = {
    "143 runs × 30 topics": {"systems": 143, "topics": 30, "depth": 500, "relevant": 70},
    "63 runs × 53 topics": {"systems": 63, "topics": 53, "depth": 100, "relevant": 100},
    "2 runs × 7,000 topics": {
        "systems": 2,
        "topics": 7000,
        "depth": 20,
        "relevant": 6,
        "twin_teams": 0,
        "incomplete": 0,
    },
}
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync"


def main() -> None:
    """A row for each shape."""
    print("| collection | write, s | open, s | click, s | size, MB |\n| --- | ---: | ---: | ---: | ---: |")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS.split())
        for name, sizes in SHAPES.items():
            with TemporaryDirectory() as folder:
                print(f"| {name} | {' | '.join(f'{value:.2f}' for value in measured(browser, Path(folder), sizes))} |")
        browser.close()


def measured(browser: Any, folder: Path, sizes: dict[str, int]) -> list[float]:
    """Seconds to write, to open and to click, and the size in megabytes."""
    made = simulate(folder, **sizes)
    c = rd.load(made.qrels, made.runs)
    path = folder / "report.html"
    page = browser.new_page()
    times = [time.perf_counter()]
    rd.report(path, c, titles=made.titles)
    times.append(time.perf_counter())
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")
    times.append(time.perf_counter())
    page.locator("#topic-table .topic").first.click()
    page.wait_for_selector(".strip path")
    times.append(time.perf_counter())
    page.close()
    return [after - before for before, after in pairwise(times)] + [path.stat().st_size / 1e6]


if __name__ == "__main__":
    main()
