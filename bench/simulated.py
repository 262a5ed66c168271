"""Worlds in which the truth is known, for `calibration.py`: differences of two runs, and scores of many."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

RUNS, TOPICS = 30, 50


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

SYMMETRIC = {symmetric: 0.0, heavy: 0.0, tied: 0.8, signs: 0.2}
"""Worlds in which every sign is a fair coin, and how many of their differences are ties."""


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


MADE = ("independent", "teams", "unequal variances", "partial null")
"""Worlds in which runs of one mean are as often better as worse, so that no preference between them is true."""
