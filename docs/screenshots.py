"""Take the pictures of the report that the README and the documentation show: ``make screenshots``."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

import rankdiff as rd
from rankdiff.simulate import simulate

IMAGES = Path(__file__).parent / "images"
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync"
PAIR = ("hazel-1", "cedar-1")


def write(folder: Path) -> Path:
    """The report of two runs of the demo's collection."""
    made = simulate(folder)
    c = rd.load(made.qrels, [made.runs / f"{name}.run" for name in PAIR])
    rd.report(folder / "report.html", c, titles=made.titles)
    return folder / "report.html"


def take(page: Page) -> None:
    """The top of the page, and the strip of a topic on which both runs win levels."""
    page.screenshot(path=IMAGES / "report.png", clip={"x": 0, "y": 0, "width": 1120, "height": 1180}, full_page=True)
    page.fill("#topic-search", "tides on rail")
    page.locator("#topic-table .topic").first.click()
    page.locator(".strip").screenshot(path=IMAGES / "strip.png")


def main() -> int:
    """Write a report, look at it, and keep what is seen."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("no Chromium here to take pictures with (on Debian and Ubuntu: apt install chromium)", file=sys.stderr)
        return 4
    IMAGES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        page = browser.new_page(viewport={"width": 1120, "height": 900})
        page.goto(write(Path(folder)).as_uri())
        page.wait_for_selector("html[data-ready]")
        take(page)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
