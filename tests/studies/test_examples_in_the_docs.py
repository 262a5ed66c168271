"""The examples of the pages on studies run, on a small collection made for them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankdiff as rd
from rankdiff.simulate import simulate

PAGES = Path(__file__).parents[2] / "docs" / "studies"
SLOW = ("axioms", "robustness")
NAMED = {"301": "364210", "302": "1127540"}
"""Topics that the pages name, and which of ours stand for them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Judgments, runs called as on the pages, teams, and titles."""
    folder = tmp_path_factory.mktemp("made")
    simulate(folder, systems=8, topics=8, depth=60, relevant=12, team_size=2, seed=3)
    for run, name in zip(sorted((folder / "runs").iterdir()), ("bm25", "neural", "bert"), strict=False):
        run.rename(run.with_name(f"{name}.run"))
    for path in [folder / "qrels.txt", *(folder / "runs").iterdir()]:
        text = path.read_text()
        for ours, theirs in NAMED.items():
            text = re.sub(rf"^{ours}\b", theirs, text, flags=re.MULTILINE)
        path.write_text(text)
    (folder / "new.run").write_text((folder / "runs" / "neural.run").read_text())
    names = [path.stem for path in sorted((folder / "runs").iterdir())]
    (folder / "teams.tsv").write_text("".join(f"{name}\tteam {i // 2}\n" for i, name in enumerate(names)))
    return folder


@pytest.fixture
def known(folder) -> dict[str, Any]:
    """What the pages take for granted."""
    c = rd.load(folder / "qrels.txt", folder / "runs", pool=True)
    scores = c.measure("AP", "P@10")

    @rd.measure("Own", range=(0, 1), citation="nobody")
    def own(view, rel=1):
        """Whether the first document is relevant."""
        return view.hits(rel).top(1).count

    groups = {query: "even" if i % 2 else "odd" for i, query in enumerate(c.queries)}
    arrays = {"ap": scores["AP"], "p10": scores["P@10"]}
    return {"rd": rd, "np": np, "c": c, "d": c, "my_measure": own, "groups": groups, "studies": [], **arrays}


@pytest.mark.parametrize(
    "page",
    [pytest.param(path.stem, marks=[pytest.mark.slow] * (path.stem in SLOW)) for path in sorted(PAGES.glob("*.md"))],
)
def test_examples(page, folder, known, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in folder.iterdir():
        Path(path.name).symlink_to(path)
    for block in re.findall(r"```python\n(.*?)```", (PAGES / f"{page}.md").read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, f"{page}.md", "exec"), known)
