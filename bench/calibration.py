"""Do the tests err as often as they say? Simulated worlds in which the truth is known.

``python bench/calibration.py`` writes CALIBRATION.md beside this file (under 45 minutes on two cores);
``--short`` runs few worlds and prints. The real matrices are found by ``RANKDIFF_DATA``; without it they are left out.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from sizes import attained, rank_size, sign_size

from rankdiff.statistics import all_pairs, all_pairs_preferences, paired, safe_interval, two_way
from rankdiff.statistics.chance import words

LEVEL = 0.05
RESAMPLES = 999
RUNS, TOPICS = 30, 50


def slack(worlds: int, share: float = LEVEL) -> float:
    """Three standard errors of a share estimated from so many worlds."""
    return 3 * float(np.sqrt(share * (1 - share) / worlds))


def chance(name: str, world: int) -> np.random.Generator:
    """The random numbers of one world, whichever process it runs in."""
    return np.random.default_rng([world, *name.encode()])


# Two runs


def symmetric(rng: np.random.Generator, topics: int) -> np.ndarray:
    """Continuous and symmetric."""
    return np.clip(rng.normal(0, 0.2, topics), -1, 1)


def heavy(rng: np.random.Generator, topics: int) -> np.ndarray:
    """Continuous and symmetric, with heavy tails."""
    return np.clip(0.1 * rng.standard_t(3, topics), -1, 1)


def skewed(rng: np.random.Generator, topics: int) -> np.ndarray:
    """Many small losses and few large wins; mean zero."""
    return np.minimum(rng.exponential(0.15, topics), 1) - 0.15 * (1 - np.exp(-1 / 0.15))


def tied(rng: np.random.Generator, topics: int) -> np.ndarray:
    """Four fifths ties, the rest symmetric."""
    return symmetric(rng, topics) * (rng.random(topics) < 0.2)


def tied_skewed(rng: np.random.Generator, topics: int) -> np.ndarray:
    """Four fifths ties, the rest skewed."""
    return skewed(rng, topics) * (rng.random(topics) < 0.2)


def signs(rng: np.random.Generator, topics: int) -> np.ndarray:
    """Signs, as of a lexicographic preference: a fifth ties."""
    return rng.choice([-1.0, 0.0, 1.0], topics, p=[0.4, 0.2, 0.4])


DIFFERENCES = (symmetric, heavy, skewed, tied, tied_skewed, signs)

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


SYMMETRIC = {symmetric: 0.0, heavy: 0.0, tied: 0.8, signs: 0.2}
"""Worlds in which every sign is a fair coin, and how many of their differences are ties."""


def attainable(draw: Callable[..., np.ndarray], topics: int) -> dict[str, float]:
    """How often the tests that take few values must reject."""
    of_signs = attained(sign_size, topics, SYMMETRIC[draw], LEVEL)
    return {
        "sign": of_signs,
        "Wilcoxon": of_signs if draw is signs else attained(rank_size, topics, SYMMETRIC[draw], LEVEL),
    }


# Many runs


@dataclass(frozen=True)
class World:
    """Scores of many runs, system × topic; ``better`` are the runs whose true mean is higher than that of the rest."""

    scores: np.ndarray
    better: tuple[int, ...] = ()


def independent(rng: np.random.Generator) -> World:
    """Independent runs of one variance."""
    return World(rng.normal(0, 1, TOPICS) + rng.normal(0, 1, (RUNS, TOPICS)))


def teams(rng: np.random.Generator) -> World:
    """Three teams of near-identical runs (10, 9, 9), and two runs that go their own way."""
    base = rng.normal(0, 0.2, (3, TOPICS))[np.repeat([0, 1, 2], [10, 9, 9])]
    near = base + rng.normal(0, 0.05, base.shape)
    return World(rng.normal(0, 1, TOPICS) + np.vstack([near, rng.normal(0, 1, (2, TOPICS))]))


def unequal(rng: np.random.Generator) -> World:
    """Standard deviations 1 (25 runs) and 4 (5 runs)."""
    return World(rng.normal(0, 1, (RUNS, TOPICS)) * np.repeat([1.0, 4.0], [25, 5])[:, None])


def partial_null(rng: np.random.Generator) -> World:
    """The teams, five of whose 30 runs are truly better, by half of what an outlier strays on a topic."""
    scores, better = teams(rng).scores, (0, 1, 10, 19, 28)
    scores[list(better)] += 0.5
    return World(scores, better)


def real(matrix: np.ndarray, rng: np.random.Generator) -> World:
    """A real matrix whose runs are centered on one mean, its topics drawn with replacement."""
    centered = matrix - matrix.mean(axis=1, keepdims=True)
    return World(centered[:, rng.integers(0, matrix.shape[1], matrix.shape[1])])


@cache
def matrix(name: str) -> np.ndarray:
    """A score matrix of the data folder, system × topic."""
    path = Path(os.environ["RANKDIFF_DATA"], "score-matrices", "urbano-sigir2019", f"{name}.csv.gz")
    with gzip.open(path, "rt") as lines:
        return np.genfromtxt(lines, delimiter=",", skip_header=1).T


def worlds() -> dict[str, Callable[[np.random.Generator], World]]:
    """Every kind of world, by name."""
    kinds: dict[str, Callable[[np.random.Generator], World]] = {
        "independent": independent,
        "teams": teams,
        "unequal variances": unequal,
    }
    if "RANKDIFF_DATA" in os.environ:
        kinds |= {name: partial(real, matrix(name)) for name in ("adhoc5_ap", "adhoc8_ap", "web2013_err20")}
    return kinds | {"partial null": partial_null}


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
MADE = ("independent", "teams", "unequal variances", "partial null")
"""Worlds in which runs of one mean are as often better as worse, so that no preference between them is true."""


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


def report(pair_worlds: int, family_worlds: int, pool: ProcessPoolExecutor) -> Iterator[str]:
    """The lines of CALIBRATION.md."""
    started = time.monotonic()
    yield from INTRODUCTION.format(pairs=pair_worlds, families=family_worlds, resamples=RESAMPLES).splitlines()
    shares = {
        (draw, topics): pair_shares(draw, topics, pair_worlds, pool) for draw in DIFFERENCES for topics in (25, 50, 200)
    }
    yield from ("## Two runs: how often p ≤ .05 without a difference (%)", "")
    above = LEVEL + slack(pair_worlds)
    yield from table(
        ["differences", "topics", *TESTS],
        (
            [draw.__doc__ or "", str(topics), *(percent(share[f"p {t}"], share[f"p {t}"] > above) for t in TESTS)]
            for (draw, topics), share in shares.items()
        ),
    )
    yield from MIDDLES.splitlines()
    yield from ("## Two runs: how often the 95 % interval holds the true mean (%)", "")
    below = 1 - LEVEL - slack(pair_worlds)
    yield from table(
        ["differences", "topics", *INTERVALS],
        (
            [draw.__doc__ or "", str(topics), *(percent(share[f"i {i}"], share[f"i {i}"] < below) for i in INTERVALS)]
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
    families = {kind: family_wise(kind, family_worlds, methods, pool) for kind in worlds()}
    yield from ("## Many runs: worlds with at least one wrong claim at .05 (%)", "")
    above = LEVEL + slack(family_worlds)
    yield from table(
        ["world", *methods],
        ([kind, *(percent(rate[m][0], rate[m][0] > above) for m in methods)] for kind, rate in families.items()),
    )
    yield from CLAIMS.splitlines()
    yield from ("## Many runs: preferences (the sign of the difference on each topic), wrong claims at .05 (%)", "")
    direct = {kind: family_wise(kind, family_worlds, (DIRECT,), pool)[DIRECT] for kind in MADE}
    yield from table(MADE, [[percent(direct[kind][0], direct[kind][0] > above) for kind in MADE]])
    yield f"Of the true differences of the partial null it found {percent(direct['partial null'][1])} %."
    yield ""
    yield from ("## Many runs: true differences found in the partial null (%)", "")
    yield from table(methods, [[percent(families["partial null"][method][1]) for method in methods]])
    yield f"Took {(time.monotonic() - started) / 60:.0f} minutes on {pool._max_workers} processes."


HOW = ("attainable", "measured")


def compared_sizes(exact: dict[str, float], measured: dict[str, float], worlds: int) -> Iterator[str]:
    """The attainable size of each test beside the measured one, which is bold if chance does not explain the gap."""
    for test, size in exact.items():
        found = measured[f"p {test}"]
        yield percent(size)
        yield percent(found, abs(found - size) > slack(worlds, size) + 1e-12)


INTRODUCTION = """# Calibration

Simulated worlds in which the truth is known: {pairs:,} a row for two runs, {families:,} a row for many, {resamples}
resamples in each (users get 100,000). Bold: off by more than three standard errors, to the wrong side.

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


def main(arguments: list[str] | None = None) -> None:
    """Run the calibration and write or print its report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="few worlds, printed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).with_name("CALIBRATION.md"))
    options = parser.parse_args(arguments)
    pairs, families = (60, 20) if options.short else (4000, 2000)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        text = "\n".join(report(pairs, families, pool)) + "\n"
    if options.short:
        sys.stdout.write(text)
    else:
        options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
