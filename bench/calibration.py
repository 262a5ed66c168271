"""Do the tests err as often as they say? Simulated worlds in which the truth is known.

``python bench/calibration.py`` writes CALIBRATION.md beside this file (6 minutes on two cores; 29 with ``--worlds
4000``), and the table in docs/statistics.md; ``--short`` runs few worlds and prints. The real matrices are found by
``RANKDIFF_DATA``; without it only the short version runs. ``--keep FILE`` keeps what is found, row by row: it may be
interrupted, and goes on from there.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from simulated import DIFFERENCES, MADE, SYMMETRIC, chance, signs, symmetric, worlds
from sizes import attained, rank_size, sign_size

from rankdiff.statistics import all_pairs, all_pairs_preferences, paired, safe_interval, two_way
from rankdiff.statistics.chance import words

LEVEL = 0.05
RESAMPLES = 999


def slack(worlds: int, share: float = LEVEL) -> float:
    """Three standard errors of a share estimated from so many worlds."""
    return 3 * float(np.sqrt(share * (1 - share) / worlds))


# Two runs

TESTS: dict[str, dict[str, object]] = {
    "t": {"test": "t"},
    "randomization": {"test": "randomization", "samples": RESAMPLES},
    "Wilcoxon": {"test": "wilcoxon"},
    "sign": {"test": "sign"},
    "bootstrap, studentized": {"test": "bootstrap", "samples": RESAMPLES},
}

INTERVALS = {
    "t": "t",
    "inverted randomization": "randomization",
    "BCa": "bootstrap, studentized",
    "safe": "safe",
}
"""Each interval, and the test that comes with it."""


def two_runs(draw: Callable[..., np.ndarray], topics: int, world: int) -> dict[str, bool]:
    """Which tests reject, and which intervals cover, in one world whose true difference is zero."""
    differences = draw(chance(f"{draw.__name__} {topics}", world), topics)
    results = {label: paired(differences, seed=world, **options) for label, options in TESTS.items()}
    limits = {label: result.interval for label, result in results.items()}
    limits["safe"] = safe_interval(differences, seed=world)
    rejected = {f"p {label}": result.p <= LEVEL for label, result in results.items()}
    return rejected | {f"i {label}": limits[test][0] <= 0 <= limits[test][1] for label, test in INTERVALS.items()}


def attainable(draw: Callable[..., np.ndarray], topics: int) -> dict[str, float]:
    """How often the tests that take few values must reject."""
    of_signs = attained(sign_size, topics, SYMMETRIC[draw], LEVEL)
    return {
        "sign": of_signs,
        "Wilcoxon": of_signs if draw is signs else attained(rank_size, topics, SYMMETRIC[draw], LEVEL),
    }


# Many runs

METHODS: dict[str, dict[str, object]] = {
    "sign-flip, step-down (default)": {},
    "sign-flip, single-step": {"step_down": False},
    "max-t, step-down": {"method": "max-t"},
    "randomized HSD": {"method": "randomized-hsd"},
    "t, Holm": {"method": "t"},
}
DEFAULT = "sign-flip, step-down (default)"
TUKEY = "two-way Tukey HSD"
DIRECT = "sign-flip of preferences, step-down"


def many_runs(kind: str, methods: tuple[str, ...], world: int) -> dict[str, tuple[bool, float]]:
    """Per method: did it claim a difference that is none, and what share of the true differences did it find?"""
    made = worlds()[kind](chance(kind, world))
    seed = int(words(world, 0, 1)[0] >> np.uint64(1))
    outcome = {}
    for label in methods:
        significant = claims(made.scores, label, seed)
        truth = np.zeros_like(significant)
        truth[list(made.better), :] = True
        truth ^= truth.T
        found = float(significant[truth].mean()) if made.better else float("nan")
        outcome[label] = (bool(significant[~truth].any()), found)
    return outcome


def claims(scores: np.ndarray, label: str, seed: int) -> np.ndarray:
    """The pairs that a method declares different."""
    if label == DIRECT:
        signs_of = np.sign(scores[:, None] - scores)
        return all_pairs_preferences(signs_of, seed=seed, samples=RESAMPLES).significant(LEVEL)
    if label == TUKEY:
        means, analysis = scores.mean(axis=1), two_way(scores)
        error = np.sqrt(analysis.residual_variance / analysis.topics)
        return np.abs(means[:, None] - means) / error > critical_range(analysis.systems, analysis.freedom)
    return all_pairs(scores, seed=seed, samples=RESAMPLES, **METHODS[label]).significant(LEVEL)


@cache
def critical_range(systems: int, freedom: int) -> float:
    """The studentized range's quantile, which is slow to find and the same in all worlds of a kind."""
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(1 - LEVEL, systems, freedom))


# Report


def family_wise(
    kind: str, count: int, methods: tuple[str, ...], pool: ProcessPoolExecutor | None = None
) -> dict[str, tuple[float, float]]:
    """Per method: the share of worlds with a wrong claim, and the mean power."""
    run = partial(many_runs, kind, methods)
    results = list(pool.map(run, range(count), chunksize=10) if pool else map(run, range(count)))
    return {
        label: (
            float(np.mean([result[label][0] for result in results])),
            float(np.mean([result[label][1] for result in results])),
        )
        for label in methods
    }


def pair_shares(
    draw: Callable[..., np.ndarray], topics: int, count: int, pool: ProcessPoolExecutor | None = None
) -> dict[str, float]:
    """Per test the share of rejections, per interval the share of worlds that it covers."""
    run = partial(two_runs, draw, topics)
    results = list(pool.map(run, range(count), chunksize=50) if pool else map(run, range(count)))
    return {label: float(np.mean([result[label] for result in results])) for label in results[0]}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Lines of a Markdown table."""
    head = list(head)
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def percent(share: float, bad: bool = False) -> str:
    """A share in per cent; bold where it is not what it should be."""
    text = f"{100 * share:.1f}"
    return f"**{text}**" if bad else text


@dataclass(frozen=True)
class Kept:
    """What was found, by what it is about and how many worlds, with the seconds that it took; in a file if one is
    named."""

    rows: dict[str, tuple[float, dict[str, Any]]]
    path: Path | None = None

    @classmethod
    def of(cls, path: Path | None) -> Kept:
        """What a file holds, if there is one."""
        return cls(json.loads(path.read_text()) if path and path.exists() else {}, path)

    def get(self, name: str, find: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What was found under a name, or is found now."""
        if name not in self.rows:
            started = time.monotonic()
            found = find()
            self.rows[name] = time.monotonic() - started, found
            sys.stderr.write(f"{name}: {self.rows[name][0]:.0f} s\n")
            if self.path:
                self.path.write_text(json.dumps(self.rows))
        return self.rows[name][1]

    @property
    def minutes(self) -> float:
        """How long it took to find all."""
        return sum(seconds for seconds, _ in self.rows.values()) / 60


def report(pair_worlds: int, family_worlds: int, pool: ProcessPoolExecutor, kept: Kept) -> Iterator[str]:
    """The lines of CALIBRATION.md."""
    yield from INTRODUCTION.format(pairs=pair_worlds, families=family_worlds, resamples=RESAMPLES).splitlines()
    shares = {
        (draw, topics): kept.get(
            f"{draw.__name__}, {topics} topics, {pair_worlds} worlds",
            partial(pair_shares, draw, topics, pair_worlds, pool),
        )
        for draw in DIFFERENCES
        for topics in (25, 50, 200)
    }
    yield from ("## Two runs: how often p ≤ .05 without a difference (%)", "")
    yield from table(
        ["differences", "topics", *TESTS],
        (
            [draw.__doc__ or "", str(topics), *judged(draw, {t: (t, share[f"p {t}"]) for t in TESTS}, pair_worlds)]
            for (draw, topics), share in shares.items()
        ),
    )
    yield from MIDDLES.splitlines()
    yield from ("## Two runs: how often the 95 % interval holds the true mean (%)", "")
    yield from table(
        ["differences", "topics", *INTERVALS],
        (
            [
                draw.__doc__ or "",
                str(topics),
                *judged(draw, {i: (t, share[f"i {i}"]) for i, t in INTERVALS.items()}, pair_worlds, covered=True),
            ]
            for (draw, topics), share in shares.items()
        ),
    )
    yield from COVERAGE.splitlines()
    yield from ("## Two runs: tests that can only attain certain sizes, p ≤ .05 (%)", "")
    yield from table(
        ["differences", "topics", *(f"{test}, {what}" for test in ("sign", "Wilcoxon") for what in HOW)],
        (
            [
                draw.__doc__ or "",
                str(topics),
                *compared_sizes(attainable(draw, topics), shares[draw, topics], pair_worlds),
            ]
            for draw in SYMMETRIC
            for topics in (25, 50, 200)
        ),
    )
    yield from SIZES.splitlines()
    methods = (*METHODS, TUKEY)
    families = {
        kind: kept.get(f"{kind}, {family_worlds} worlds", partial(family_wise, kind, family_worlds, methods, pool))
        for kind in worlds()
    }
    yield from ("## Many runs: worlds with at least one wrong claim at .05 (%)", "")
    above = LEVEL + slack(family_worlds)
    yield from table(
        ["world", *methods],
        ([kind, *(percent(rate[m][0], rate[m][0] > above) for m in methods)] for kind, rate in families.items()),
    )
    yield from CLAIMS.splitlines()
    yield from ("## Many runs: preferences (the sign of the difference on each topic), wrong claims at .05 (%)", "")
    direct = {
        kind: kept.get(
            f"preferences, {kind}, {family_worlds} worlds", partial(family_wise, kind, family_worlds, (DIRECT,), pool)
        )[DIRECT]
        for kind in MADE
    }
    yield from table(MADE, [[percent(direct[kind][0], direct[kind][0] > above) for kind in MADE]])
    yield f"Of the true differences of the partial null it found {percent(direct['partial null'][1])} %."
    yield ""
    yield from ("## Many runs: true differences found in the partial null (%)", "")
    yield from table(methods, [[percent(families["partial null"][method][1]) for method in methods]])
    yield f"Took {kept.minutes:.0f} minutes on {pool._max_workers} processes."


EXACT = ("t", "randomization")
"""Tests that must err as often as their level says, and no less, on continuous and symmetric differences."""


def judged(
    draw: Callable[..., np.ndarray], found: dict[str, tuple[str, float]], worlds: int, *, covered: bool = False
) -> Iterator[str]:
    """Shares of rejections (or of worlds ``covered``) of tests, those bold that err too often, or too rarely."""
    for test, share in found.values():
        off = (1 - share if covered else share) - LEVEL
        yield percent(share, off > slack(worlds) or (draw is symmetric and test in EXACT and off < -slack(worlds)))


HOW = ("attainable", "measured")


def compared_sizes(exact: dict[str, float], measured: dict[str, float], worlds: int) -> Iterator[str]:
    """The attainable size of each test beside the measured one, which is bold if chance does not explain the gap."""
    for test, size in exact.items():
        found = measured[f"p {test}"]
        yield percent(size)
        yield percent(found, abs(found - size) > slack(worlds, size) + 1e-12)


INTRODUCTION = """# Calibration

Simulated worlds in which the truth is known: {pairs:,} a row for two runs, {families:,} a row for many, {resamples}
resamples in each (users get 100,000). Bold: off by more than three standard errors, to the wrong side; for t and
randomization on continuous, symmetric differences to either side.

Worlds for many runs: 30 runs × 50 topics, with equal true means. `teams`: three teams of near-identical runs and two
runs that go their own way; `unequal variances`: standard deviations 1 (25 runs) and 4 (5 runs); `adhoc5_ap`,
`adhoc8_ap`, `web2013_err20`: real TREC matrices, each run centered, topics drawn with replacement; `partial null`: the
teams, five of whose runs are truly better, where only claims about equal runs are errors.

"""


MIDDLES = """Wilcoxon and the sign test judge where the middle of the differences lies, not their mean: on skewed
differences whose mean is zero the middle is not, and they say so. For a difference of means take the others.
t and randomization take differences to be symmetric about their mean: where a few topics carry a skewed
difference they err somewhat more often than they say. The studentized bootstrap does not.

"""

COVERAGE = """BCa is too short where few topics differ, or a few differ by much: its samples show too little of what
other topics might. It is there because papers use it. `safe` holds everywhere, and pays by its width.

"""

SIZES = """The exact size is counted: over all signs of so many differences, and over how many differ. (Both tests take
few values and reject less often than the level allows.)

"""

CLAIMS = """Both HSD ask whether runs are exchangeable, which near-identical or unequal runs are not, whatever their
means. max-t and t divide by each pair's standard error. In the real matrices some pairs differ on a handful of topics:
where these are not drawn, what centering left of the difference is the same on all topics, and looks certain.

"""


OUTPUT = Path(__file__).with_name("CALIBRATION.md")
PAGE = Path(__file__).parents[1] / "docs" / "statistics.md"
ON_THE_PAGE = {
    "independent": "independent runs",
    "teams": "three teams of near-identical runs",
    "unequal variances": "standard deviations 1 and 4",
    "adhoc5_ap": "TREC-5 ad hoc, AP",
    "adhoc8_ap": "TREC-8 ad hoc, AP",
}


def on_the_page(page: str, found: str) -> str:
    """The page with the numbers of the report in its table: of the default, max-t, randomized HSD, and t with Holm."""
    families = re.search(r"two runs, ([\d,]+) a row", found)
    assert families
    page = re.sub(r"(?<=In )[\d,]+(?= simulated worlds)", families[1], page)
    for kind, name in ON_THE_PAGE.items():
        line = re.search(rf"^\| {kind} (\|.+){{6}}$", found, re.MULTILINE)
        assert line
        cells = line[0].replace("*", "").strip("| ").split(" | ")
        row = f"| {name} | {' | '.join(cells[place] for place in (1, 3, 4, 5))} |"
        page = re.sub(rf"^\| {name} \|.+$", row, page, flags=re.MULTILINE)
    return page


def main(arguments: list[str] | None = None) -> None:
    """Run the calibration and write or print its report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="few worlds, printed")
    parser.add_argument("--worlds", type=int, default=1000, help="how many a row (1000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "-o", "--output", type=Path, default=OUTPUT, help="another file than CALIBRATION.md leaves the page as it is"
    )
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep what is found here, and go on from there")
    options = parser.parse_args(arguments)
    if not options.short and "RANKDIFF_DATA" not in os.environ:
        parser.error("RANKDIFF_DATA must name the folder of data: the real matrices are part of it (or take --short)")
    pairs, families = (60, 20) if options.short else (options.worlds, options.worlds)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        text = "\n".join(report(pairs, families, pool, Kept.of(options.keep))) + "\n"
    if options.short:
        sys.stdout.write(text)
    else:
        options.output.write_text(text, encoding="utf-8")
        if options.output == OUTPUT:
            PAGE.write_text(on_the_page(PAGE.read_text(encoding="utf-8"), text), encoding="utf-8")


if __name__ == "__main__":
    main()
