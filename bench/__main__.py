"""Runs the benchmarks one after the other and writes what they print to ``bench/RESULTS.md``, section by section.

    python bench [evaluate preferences …]

Only ratios can be compared between machines: all contenders of a section run in turns on the same one.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SECTIONS = {
    "evaluate": "Files to per-query values, whole processes",
    "preferences": "Preferences between all pairs of runs",
    "significance": "Tests of all pairs",
    "doors": "Dicts, arrays, frames and Parquet",
    "studies": "Fewer labels: the studies' arithmetic",
    "verdict": "What would overturn a verdict",
    "report": "The report in a browser",
}
INTRODUCTION = f"""# Results

Made by `make bench` with Python {platform.python_version()}; absolute times differ from machine to machine, ratios
hardly.
"""


def main(asked: list[str]) -> None:
    """Run the sections asked for; the others keep what stands in the file."""
    results = HERE / "RESULTS.md"
    told = _sections(results.read_text(encoding="utf-8")) if results.exists() else {}
    failed = False
    for name in asked or SECTIONS:
        print(f"{SECTIONS[name]} …", file=sys.stderr, flush=True)
        run = subprocess.run([sys.executable, f"{name}.py"], cwd=HERE, stdout=subprocess.PIPE, text=True, check=False)
        if run.returncode:
            print("not measured: what stands in the file stays", file=sys.stderr, flush=True)
            failed = True
            continue
        told[SECTIONS[name]] = run.stdout.strip()
        ordered = [title for title in SECTIONS.values() if title in told]
        results.write_text(
            INTRODUCTION + "".join(f"\n## {title}\n\n{told[title]}\n" for title in ordered), encoding="utf-8"
        )
    sys.exit(failed)


def _sections(text: str) -> dict[str, str]:
    return {title: body.strip() for title, _, body in (part.partition("\n") for part in text.split("\n## ")[1:])}


if __name__ == "__main__":
    main(sys.argv[1:])
