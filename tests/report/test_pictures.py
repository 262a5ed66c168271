"""The pictures in the documentation are what the present code draws."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
DOCS = Path(__file__).parents[2] / "docs"


def test_pictures_are_not_stale(look, tmp_path):
    """Each holds what was to be read in it when it was taken, and a digest of styles and scripts."""
    spec = importlib.util.spec_from_file_location("screenshots", DOCS / "screenshots.py")
    screenshots = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(screenshots)
    path, topic = screenshots.write(tmp_path)
    sight = look(path, viewport={"width": screenshots.WIDTH, "height": 900})
    for name, (picture, words) in screenshots.take(sight.page, topic).items():
        assert screenshots.label_of(screenshots.labeled(picture, words)) == words
        shown = screenshots.label_of((DOCS / "images" / name).read_bytes())
        assert shown == words, f"docs/images/{name} is stale: `make screenshots` takes it anew"
