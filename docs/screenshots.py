"""Take the pictures of the report that the README and the documentation show: ``make screenshots``.

A picture holds the words that are to be read in it and a digest of the page's styles and scripts, so that a test can
tell whether it is what the present code draws.
"""

from __future__ import annotations

import shutil
import struct
import sys
import zlib
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

import rankdiff as rd
from rankdiff.simulate import simulate

IMAGES = Path(__file__).parent / "images"
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync"
PAIR = ("hazel-1", "cedar-1")
WIDTH = 1000
HEADER = 33
"""Bytes of a PNG up to the end of its first chunk."""


def write(folder: Path) -> tuple[Path, str]:
    """The report of two runs of the demo's collection, and the largest topic that either run wins for some users."""
    made = simulate(folder)
    c = rd.load(made.qrels, [made.runs / f"{name}.run" for name in PAIR])
    rd.report(folder / "report.html", c, titles=made.titles)
    divided = c.prefer("sgnLP")[PAIR] * c.prefer("sgnLR")[PAIR] < 0
    return folder / "report.html", c.queries[np.argmax(divided * c.relevant(1).size)]


def take(page: Page, topic: str) -> dict[str, tuple[bytes, str]]:
    """The top of the page down to the profile, and the strip of a topic: of each the picture, and what it holds."""
    look = sha256("".join(item.read_text("utf-8") for item in sources()).encode()).hexdigest()
    profile = page.locator("#profile").bounding_box()
    shown = {"x": 0, "y": 0, "width": WIDTH, "height": profile["y"] + profile["height"] + 4}
    top = page.screenshot(clip=shown, full_page=True)
    words = page.inner_text("header") + page.inner_text("#verdict") + page.inner_html("#profile")
    page.fill("#topic-search", topic)
    page.locator("#topic-table .topic").first.click()
    strip = page.locator("#topic-table")
    return {
        "report.png": (top, f"{look}\n{words}"),
        "strip.png": (strip.screenshot(), f"{look}\n{strip.inner_text()}"),
    }


def sources() -> list[Any]:
    """The styles, scripts and templates of the page."""
    return sorted((files("rankdiff.present.report") / "page").iterdir(), key=lambda item: item.name)


def labeled(picture: bytes, words: str) -> bytes:
    """A PNG with some words in it, as a chunk of text behind its header."""
    chunk = b"iTXt" + b"Description\0\0\0\0\0" + words.encode()
    text = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return picture[:HEADER] + text + picture[HEADER:]


def label_of(picture: bytes) -> str:
    """The words in a PNG."""
    (length,) = struct.unpack(">I", picture[HEADER : HEADER + 4])
    return picture[HEADER + 8 : HEADER + 8 + length].split(b"\0", 5)[-1].decode()


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
        for name, (picture, words) in take(page, topic).items():
            (IMAGES / name).write_bytes(labeled(picture, words))
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
