"""Files to per-query values: rankdiff beside pytrec_eval and ir_measures, and what starting up costs."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from data import collection
from processes import best_of, run

SIZES = {"a": "40 runs × 43 topics × 1000", "b": "110 × 249 × 1000", "c": "21 × 6000 × 100", "d": "1 × 7000 × 1000"}
TARGETS = {"a": 6, "b": 15, "c": 15, "d": 10}
"""How many times as fast as pytrec_eval each collection must be read and evaluated; twice that for ir_measures."""
TIMES = {"a": 9, "b": 3, "c": 3, "d": 3}
"""How often each tool is run. Where it takes a fraction of a second, others' work on the machine would count most."""
TOOLS = ("rankdiff", "pytrec_eval", "ir_measures")


def table() -> str:
    """The Markdown table of ratios."""
    lines = [
        "| collection | pytrec_eval / rankdiff | at least | of processor time | ir_measures / rankdiff | at least | "
        "rankdiff, MB | pytrec_eval, MB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, target in TARGETS.items():
        folder = str(collection(name))
        runs = best_of(TIMES[name], {tool: (f"contenders/with_{tool}.py", folder) for tool in TOOLS})
        ours, theirs, others = (runs[tool] for tool in TOOLS)
        _check_equal({tool: one.output for tool, one in runs.items()})
        lines.append(
            f"| ({name}) {SIZES[name]} | **{theirs.seconds / ours.seconds:.1f}** | {target} | "
            f"{theirs.processor / ours.processor:.1f} | **{others.seconds / ours.seconds:.1f}** | {2 * target} | "
            f"{ours.megabytes:.0f} | {theirs.megabytes:.0f} |"
        )
    often = ", ".join(f"{times} of ({name})" for name, times in TIMES.items())
    lines.append(f"\nThe quickest of several processes, taken in turns: {often}. All tools gave the same values.")
    return "\n".join(lines)


def memory() -> str:
    """Peak memory on the largest collection, with and without the count of distinct documents, and with less text."""
    folder = collection("b")
    runs = sorted((folder / "runs").iterdir())
    judged = (folder / "qrels.txt").read_bytes().count(b"\n")
    whole, pooled = (_megabytes(folder, *options) for options in ((), ("--pool",)))
    with TemporaryDirectory() as name:
        few = Path(name)
        (few / "qrels.txt").symlink_to(folder / "qrels.txt")
        (few / "runs").mkdir()
        for path in runs[::5]:
            (few / "runs" / path.name).symlink_to(path)
        less = _megabytes(few)
    left_out = [path for number, path in enumerate(runs) if number % 5]
    return (
        f"Collection (b), {_size(runs):.0f} MB of text and a rank matrix of {4e-6 * len(runs) * judged:.0f} MB: "
        f"{whole:.0f} MB (at most 300); with `pool=True` {pooled:.0f} MB (at most 350). With a fifth of its runs "
        f"{less:.0f} MB: {_size(left_out):.0f} MB more text take {whole - less:.0f} MB more memory, and their rows of "
        f"the matrix are {4e-6 * len(left_out) * judged:.0f} MB."
    )


def _megabytes(folder: Path, *options: str) -> float:
    return run(("contenders/with_rankdiff.py", str(folder), *options)).megabytes


def _size(files: list[Path]) -> float:
    return sum(file.stat().st_size for file in files) / 1e6


def start_up(times: int = 5) -> str:
    """Seconds to import the package and to answer ``--help``."""
    best = best_of(
        times, {"nothing": ("-c", ""), "import": ("-c", "import rankdiff"), "help": ("-m", "rankdiff", "--help")}
    )
    return (
        f"`import rankdiff`: {best['import'].seconds:.3f} s (an empty Python: {best['nothing'].seconds:.3f} s; at most "
        f"0.15 s). `rankdiff --help`: {best['help'].seconds:.3f} s (at most 0.25 s)."
    )


def _check_equal(outputs: dict[str, str]) -> None:
    values = {tool: [float(number) for number in output.split()[-6:]] for tool, output in outputs.items()}
    for tool, found in values.items():
        if any(abs(a - b) > 2e-6 for a, b in zip(found, values["rankdiff"], strict=True)):
            raise SystemExit(f"{tool} gives other values than rankdiff: {values}")


if __name__ == "__main__":
    for part in (table, memory, start_up):
        print(part(), end="\n\n")
