"""The figures in the documentation: each is what its study draws now."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import rankdiff as rd
from rankdiff.collection import Collection

FIGURES = Path(__file__).parents[2] / "docs" / "studies" / "figures"


@pytest.fixture(scope="module")
def collections(data) -> dict[str, Collection]:
    folder = data("trec-dl-2021-passages")
    return {"c": rd.load(folder / "qrels.txt", folder / "runs", pool=True)}


def words(path: Path) -> Counter[str]:
    """Every label, title and number that stands in a figure."""
    return Counter(re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text(encoding="utf-8")))


def drawn_now(name: str, given: dict[str, Collection], folder: Path) -> Counter[str]:
    path = folder / "now.svg"
    rd.studies.find(name)(**given).save(path)
    return words(path)


def shown(name: str) -> Counter[str]:
    return words(FIGURES / f"{name.replace('_', '-')}.svg")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, study in rd.studies.catalog().items() if study.needs_collection])
def test_a_page_shows_what_the_study_draws(name, collections, tmp_path):
    assert drawn_now(name, collections, tmp_path) == shown(name), "python docs/studies/figures.py QRELS RUNS"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, study in rd.studies.catalog().items() if not study.needs_collection])
def test_a_page_shows_what_the_study_without_data_draws(name, tmp_path):
    assert drawn_now(name, {}, tmp_path) == shown(name), "python docs/studies/figures.py QRELS RUNS"


def test_every_study_has_a_page_with_its_figure_and_how_long_it_takes():
    for name in rd.studies.catalog():
        page = name.replace("_", "-")
        text = (FIGURES.parent / f"{page}.md").read_text(encoding="utf-8")
        assert f"](figures/{page}.svg)" in text
        assert "What to read from it" in text
        assert re.search(r"takes\s+(less\s+than\s+)?(a|\d+)\s+second", text), name
    pages = {path.stem for path in FIGURES.glob("*.svg")}
    assert pages == {name.replace("_", "-") for name in rd.studies.catalog()}
