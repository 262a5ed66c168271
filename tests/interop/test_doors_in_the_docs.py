"""The scripts of docs/doors.md, as they were and as they are changed: little changes, and the output stays."""

from __future__ import annotations

import json
import re
from contextlib import redirect_stdout
from difflib import ndiff
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "doors.md"
SECTIONS = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##)", PAGE.read_text(), re.DOTALL | re.MULTILINE))
TOPICS = [str(number) for number in range(1, 31)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the scripts read: judgments and two runs, as text, JSON and CSV."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(11)
    judged = {topic: {f"d{d}": int(random.integers(0, 3)) for d in random.choice(40, 10, False)} for topic in TOPICS}
    rows = [(topic, document, grade) for topic, grades in judged.items() for document, grade in grades.items()]
    Path("topics.txt").write_text("".join(f"{topic} some words\n" for topic in TOPICS))
    Path("qrels.txt").write_text("".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in rows))
    Path("qrels.csv").write_text(
        "query_id,doc_id,relevance\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    )
    Path("qrels.json").write_text(json.dumps(judged))
    for name in ("bm25", "neural"):
        ranked = [
            (topic, f"d{d}", rank, 50.0 - rank)
            for topic in TOPICS
            for rank, d in enumerate(random.choice(40, 25, False), 1)
        ]
        Path(f"{name}.run").write_text("".join(f"{t} Q0 {d} {rank} {score} {name}\n" for t, d, rank, score in ranked))
        lines = (",".join(map(str, row)) + "\n" for row in ranked)
        Path(f"{name}.csv").write_text("query_id,doc_id,rank,score\n" + "".join(lines))
        run: dict[str, dict[str, float]] = {topic: {} for topic in TOPICS}
        for topic, document, _, score in ranked:
            run[topic][document] = score
        Path(f"{name}.json").write_text(json.dumps(run))
    return tmp_path


def output(script: str) -> list[str]:
    """The lines that a script prints."""
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(script, "script", "exec"), {"__name__": "script"})
    return printed.getvalue().splitlines()


@pytest.mark.parametrize(
    "tool",
    [
        "pytrec_eval",
        "ir_measures",
        pytest.param(
            "ranx",
            marks=[
                pytest.mark.slow,
                pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
                pytest.mark.filterwarnings("ignore::numba.NumbaTypeSafetyWarning"),
            ],
        ),
        "PyTerrier",
        "pandas",
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_script_is_changed_in_a_line_or_two_and_prints_the_same(tool: str) -> None:
    before, after = re.findall(r"^```python\n(.*?)^```$", SECTIONS[tool], re.DOTALL | re.MULTILINE)
    added = [line for line in ndiff(before.splitlines(), after.splitlines()) if line.startswith("+ ")]
    assert 1 <= len(added) <= 2
    printed = output(before)
    assert printed
    assert [line for line in output(after) if line in printed] == printed
