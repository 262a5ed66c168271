"""Take the pictures of the report that the README and the documentation show: ``make screenshots``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from playwright.sync_api import Page, sync_playwright

import rankdiff as rd
from rankdiff.simulate import simulate

IMAGES = Path(__file__).parent / "images"
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync"
PAIR = ("hazel-1", "cedar-1")
WIDTH = 1000


def write(folder: Path) -> tuple[Path, str]:
    """The report of two runs of the demo's collection, and the largest topic that either run wins for some users."""
    made = simulate(folder)
    c = rd.load(made.qrels, [made.runs / f"{name}.run" for name in PAIR])
    rd.report(folder / "report.html", c, titles=made.titles)
    divided = c.prefer("sgnLP")[PAIR] * c.prefer("sgnLR")[PAIR] < 0
    return folder / "report.html", c.queries[np.argmax(divided * c.relevant(1).size)]


def take(page: Page, topic: str) -> None:
    """The top of the page down to the profile, and the strip of a topic."""
    profile = page.locator("#profile").bounding_box()
    shown = {"x": 0, "y": 0, "width": WIDTH, "height": profile["y"] + profile["height"] + 4}
    page.screenshot(path=IMAGES / "report.png", clip=shown, full_page=True)
    page.fill("#topic-search", topic)
    page.locator("#topic-table .topic").first.click()
    page.locator("#topic-table").screenshot(path=IMAGES / "strip.png")


def main() -> int:
    """Write a report, look at it, and keep what is seen."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("no Chromium here to take pictures with (on Debian and Ubuntu: apt install chromium)", file=sys.stderr)
        return 4
    IMAGES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        page = browser.new_page(viewport={"width": WIDTH, "height": 900})
        path, topic = write(Path(folder))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]")
        take(page, topic)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
