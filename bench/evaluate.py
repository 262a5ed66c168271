"""Files to per-query values: rankdiff beside pytrec_eval and ir_measures, and what starting up costs."""

from __future__ import annotations

from data import collection
from processes import best_of, run

SIZES = {"a": "40 runs × 43 topics × 1000", "b": "110 × 249 × 1000", "c": "21 × 6000 × 100", "d": "1 × 7000 × 1000"}
TARGETS = {"a": 6, "b": 15, "c": 15, "d": 10}
"""How many times as fast as pytrec_eval each collection must be read and evaluated."""


def table(times: int = 3) -> str:
    """The Markdown table of ratios."""
    lines = [
        "| collection | pytrec_eval / rankdiff | at least | ir_measures / rankdiff | rankdiff, MB | pytrec_eval, MB |",
        "|---|---|---|---|---|---|",
    ]
    for name, target in TARGETS.items():
        folder = str(collection(name))
        tools = ("rankdiff", "pytrec_eval", "ir_measures")
        runs = best_of(times, {tool: (f"contenders/with_{tool}.py", folder) for tool in tools})
        ours, theirs, others = runs["rankdiff"], runs["pytrec_eval"], runs["ir_measures"]
        _check_equal({tool: one.output for tool, one in runs.items()})
        lines.append(
            f"| ({name}) {SIZES[name]} | **{theirs.seconds / ours.seconds:.1f}** | {target} | "
            f"{others.seconds / ours.seconds:.1f} | {ours.megabytes:.0f} | {theirs.megabytes:.0f} |"
        )
    return "\n".join(lines)


def memory() -> str:
    """Peak memory on the largest collection, with and without the count of distinct documents."""
    folder = str(collection("b"))
    plain = run(("contenders/with_rankdiff.py", folder)).megabytes
    pooled = run(("contenders/with_rankdiff.py", folder, "--pool")).megabytes
    return f"Collection (b): {plain:.0f} MB (at most 300); with `pool=True` {pooled:.0f} MB (at most 350)."


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
