"""The rules of the house: which way imports go, what is public, what is documented, how long a file may be."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rankdiff
from rankdiff import preferences
from rankdiff.cli import COMMANDS
from rankdiff.cli.reference import page
from rankdiff.measures import catalog

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "rankdiff"
MODULES = sorted(SOURCE.rglob("*.py"))

LAYERS = (
    {"errors", "ids", "digests", "threads"},
    {"_kernel"},
    {"read", "simulate"},
    {"hits", "grammar", "rules", "counts", "tied", "weights"},
    {"collection"},
    {"results"},
    {"alignment", "check", "declaration", "peers"},
    {"measures", "preferences"},
    {"order", "profile"},
    {"statistics"},
    {"verdict"},
    {"studies"},
    {"comparison"},
    {"present"},
    {"scale", "interop"},
    {"cli", "__main__"},
)
"""Packages and modules from the ground up: each imports from its own layer and those before it."""

HEIGHT = {name: height for height, layer in enumerate(LAYERS) for name in layer}


def name_of(module: Path) -> str:
    """The part of the package that a module belongs to."""
    parts = module.relative_to(SOURCE).with_suffix("").parts
    return parts[0]


def imported(module: Path) -> Iterator[str]:
    """The parts of the package that a module imports when it is imported; those for type checkers do not count."""
    for node in ast.parse(module.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("rankdiff"):
            parts = node.module.split(".")
            yield from [parts[1]] if len(parts) > 1 else [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("rankdiff."))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(SOURCE)))
def test_imports_go_one_way(module):
    name = name_of(module)
    if name == "__init__":
        assert list(imported(module)) == []
        return
    assert name in HEIGHT, f"{name} has no place among the layers: give it one"
    upwards = {other for other in imported(module) if other in HEIGHT and HEIGHT[other] > HEIGHT[name]}
    assert upwards == set()


def test_only_numpy_and_click_are_imported_with_the_package():
    heavy = {"altair", "duckdb", "isal", "narwhals", "pandas", "polars", "pyarrow", "pyspark", "rich", "scipy"}
    code = f"import rankdiff.cli, rankdiff.measures, rankdiff.alignment, sys; print({heavy} & sys.modules.keys())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
    light = "import rankdiff, sys; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", light], capture_output=True, text=True, check=True).stdout == "False\n"


def test_public_names_are_sorted_and_exist():
    assert rankdiff.__all__ == sorted(rankdiff.__all__)
    for name in rankdiff.__all__:
        assert getattr(rankdiff, name) is not None
        assert inspect.getdoc(getattr(rankdiff, name))
    assert not hasattr(rankdiff, "nosuch")


@pytest.mark.parametrize("module", [rankdiff, rankdiff.scale, rankdiff.statistics, rankdiff.studies])
def test_a_notebook_offers_the_public_names_and_nothing_else(module):
    assert set(dir(module)) - {"__version__"} == set(module.__all__)


def test_a_public_name_stays_what_it_is_whatever_was_imported_before():
    code = "import rankdiff.alignment, rankdiff as rd; print(callable(rd.align), callable(rd.load))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True True\n"
    )


@pytest.mark.parametrize("name", sorted({**catalog(), **preferences.catalog()}))
def test_every_measure_and_preference_is_documented_and_cited(name):
    definition = {**catalog(), **preferences.catalog()}[name]
    text = inspect.getdoc(definition.function) or ""
    assert definition.citation
    assert definition.range[0] < definition.range[1]
    assert ">>>" in text
    assert len(text.partition(">>>")[0].split()) >= 5


def test_every_subcommand_and_its_help_stand_in_the_documentation():
    written = (ROOT / "docs" / "command-line.md").read_text()
    assert [name for name in COMMANDS if f"## rankdiff {name}\n" not in written] == []
    # Line breaks are click's, and change with its version.
    assert written.split() == page().split(), "python -m rankdiff.cli.reference > docs/command-line.md"


@pytest.mark.parametrize("folder", ["docs", "docs/studies"])
def test_every_page_of_the_documentation_is_linked_from_its_index(folder):
    index = (ROOT / folder / "index.md").read_text()
    pages = {page.name for page in (ROOT / folder).glob("*.md")} - {"index.md"}
    within = {f"{page.parent.name}/index.md" for page in (ROOT / folder).glob("*/index.md")}
    assert {page for page in pages | within if f"({page})" not in index} == set()


WRITTEN = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")]


def prose(page: Path) -> str:
    """A page without its examples."""
    return re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Where links into a page can point: its headings as GitHub spells them."""
    headings = re.findall(r"^#+ +(.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_what_is_there(page):
    links = re.findall(r"\]\((?!\w+:)([^)\s]+)\)", prose(page))
    for link in links:
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), f"{link} leads nowhere"
        assert not anchor or anchor in anchors(target), f"{target.name} has no heading #{anchor}"


METHODS = ("rpp", "lexiprecision", "lexirecall", "interleaving", "profile", "orders", "atomized-search-length",
           "map-and-asl", "total-search-efficiency", "search-lengths", "providers", "metric-lexirecall", "rarity",
           "subtopics")  # fmt: skip
"""The pages of the papers' methods."""


@pytest.mark.parametrize("name", METHODS)
def test_the_page_of_a_method_tells_its_question_formula_example_limits_and_paper(name):
    text = (ROOT / "docs" / f"{name}.md").read_text()
    parts = (
        "**The question.**",
        ("**The formula", "**The ways.**"),
        "## By hand",
        "## When not to use",
        "## The paper",
    )
    places = [max(text.find(way) for way in ([part] if isinstance(part, str) else part)) for part in parts]
    assert -1 not in places
    assert places == sorted(places)
    assert ">>>" in text.partition("## By hand")[2].partition("\n## ")[0]


def test_whatever_the_papers_propose_stands_on_one_of_these_pages():
    pages = "".join((ROOT / "docs" / f"{name}.md").read_text() for name in METHODS)
    proposed = {
        name
        for family in ("recall_levels", "search_length", "lexicographic", "providers", "atomized", "effective_share",
                       "rarity", "subtopics")
        for name, definition in catalog().items()
        if definition.function.__module__ == f"rankdiff.measures.{family}"
    }  # fmt: skip
    assert len(proposed) > 20
    assert {name for name in proposed | {*preferences.catalog()} if name not in pages} == set()


FILES = [
    path
    for end in ("py", "cpp", "hpp")
    for top in ("src", "tests", "bench")
    for path in (ROOT / top).rglob(f"*.{end}")
    if "CMakeFiles" not in path.parts  # what an in-place build leaves behind
]


def test_no_file_is_longer_than_400_lines():
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in FILES}
    assert {path: length for path, length in lengths.items() if length > 400} == {}


def test_nothing_names_the_host_of_a_package_registry():
    hosts = ["pypi" + ".org", "python" + "hosted", "conda" + ".anaconda", "index" + "-url"]
    texts = [*FILES, ROOT / "Makefile", ROOT / "pyproject.toml", *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert [path for path in texts for host in hosts if host in path.read_text()] == []
