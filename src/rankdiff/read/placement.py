"""Where each run placed each judged document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rankdiff._kernel.results import Duplicates, Ranked, Rules, Ties
from rankdiff.errors import InputError
from rankdiff.ids import as_text
from rankdiff.read.judgments import Judgments
from rankdiff.read.notices import Tally
from rankdiff.read.pieces import PIECE, WHOLE
from rankdiff.read.rankings import Reader
from rankdiff.read.runs import Run, Runs

Precision: TypeAlias = Literal["double", "single"]
OnBadRun: TypeAlias = Literal["error", "skip"]


@dataclass(frozen=True, eq=False)
class Placement:
    """The rank of every judged document in every run, and what else the runs tell.

    ``rank`` is system × judged document, 0 where the run does not have it; ``depth`` (documents returned) and
    ``answered`` are system × topic. ``pool`` counts the distinct documents of a topic over all runs as read, and
    ``pooled`` tells which judged documents are among them; both are None unless they were asked for. ``unknown`` is
    the first topic that a run has and the judgments lack, empty where there is none.
    """

    systems: tuple[str, ...]
    rank: NDArray[np.int32]
    depth: NDArray[np.int32]
    answered: NDArray[np.bool_]
    pool: NDArray[np.int64] | None
    pooled: NDArray[np.bool_] | None
    tags: tuple[str, ...]
    unknown: str
    notices: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Listing:
    """All documents of one run in ranking order, topic after topic in the order of the file.

    ``query`` and ``column`` are positions in the judgments, -1 for a topic or a document that has none;
    ``stated_rank`` is the rank column (NaN where it holds no number), ``line`` the line of the file.
    ``unknown`` names the topics without judgments, in the order of the file.
    """

    system: str
    query: NDArray[np.int32]
    column: NDArray[np.int32]
    score: NDArray[np.float64]
    stated_rank: NDArray[np.float64]
    line: NDArray[np.int64]
    unknown: tuple[str, ...]
    duplicates: int
    comments: int


def place(
    judgments: Judgments,
    runs: Runs,
    *,
    ties: Ties = "docid-desc",
    precision: Precision = "double",
    duplicates: Duplicates = "error",
    on_bad_run: OnBadRun = "error",
    pool: bool = False,
    lenient: bool = False,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    piece: int = PIECE,
) -> Placement:
    """Read runs and rank their judged documents.

    Documents are ordered by score, the highest first, and those of equal score by id, descending bytewise;
    ``ties="rank"`` takes the rank column instead, ``"file"`` the order of the lines. ``precision="single"`` rounds
    the scores first. A document that stands twice in a ranking is an error, unless its ``"first"`` line or the one
    it stands ``"best"`` with is to count. With ``on_bad_run="skip"`` a run that cannot be used is left out and named
    in a notice. ``lenient`` passes over fields after the tag. ``progress`` is told how many runs of how many are
    read; ``piece`` is the number of bytes at which a large file is cut for several threads.

    >>> from rankdiff.read import read_qrels, read_runs
    >>> judgments = read_qrels({"7": {"d1": 0, "d2": 1}})
    >>> placement = place(judgments, read_runs({"7": {"d2": 0.5, "d1": 0.5, "d9": 0.7}}))
    >>> placement.rank.tolist(), placement.depth.tolist()
    ([[3, 2]], [[3]])
    """
    reader = Reader(
        judgments,
        Rules(ties, precision == "single", duplicates, lenient=lenient),
        pool=pool,
        jobs=jobs,
        piece=WHOLE if pool and on_bad_run == "skip" else piece,  # else half of a bad run could be counted
    )
    rank = np.zeros((len(runs), len(judgments.documents)), np.int32)
    depth = np.zeros((len(runs), len(judgments.queries)), np.int32)
    answered = np.zeros(depth.shape, np.bool_)
    good: list[Run] = []
    bad: list[tuple[Run, InputError]] = []
    tally = Tally()
    for run, outcome in zip(runs.runs, reader.rankings(runs), strict=True):
        if isinstance(outcome, Ranked):
            system = len(good)
            rank[system, outcome.column] = outcome.rank
            depth[system, outcome.query] = outcome.depth
            answered[system, outcome.query] = True
            good.append(run)
            tally.add(run, outcome)
        elif on_bad_run == "skip":
            bad.append((run, outcome))
        else:
            raise outcome
        if progress:
            progress(len(good) + len(bad), len(runs))
    if not good:
        raise bad[0][1]
    rank, depth, answered = rank[: len(good)], depth[: len(good)], answered[: len(good)]
    return Placement(
        systems=tuple(run.name for run in good),
        rank=rank,
        depth=depth,
        answered=answered,
        pool=reader.pool.counts() if reader.pool else None,
        pooled=np.any(rank > 0, axis=0) if pool else None,
        tags=tuple(tally.tags),
        unknown=tally.unknown,
        notices=(*(f"run {run.name} is left out: {problem}" for run, problem in bad), *tally.notices(duplicates)),
    )


def inspect(
    judgments: Judgments,
    runs: Runs,
    *,
    ties: Ties = "docid-desc",
    precision: Precision = "double",
    duplicates: Duplicates = "first",
    lenient: bool = False,
    jobs: int | None = None,
) -> Iterator[Listing | InputError]:
    """All documents of each run in ranking order; for a run that cannot be used, what is wrong with it.

    Documents of equal score stand side by side, so that groups of ties are where neighbors of one topic agree.

    >>> from rankdiff.read import read_qrels, read_runs
    >>> judgments = read_qrels({"7": {"d1": 0, "d2": 1}})
    >>> [listing] = inspect(judgments, read_runs({"7": {"d2": 0.5, "d1": 0.5, "d9": 0.7}}))
    >>> listing.score.tolist(), listing.column.tolist(), listing.line.tolist()
    ([0.7, 0.5, 0.5], [-1, 1, 0], [3, 1, 2])
    """
    rules = Rules(ties, precision == "single", duplicates, lenient=lenient, listing=True)
    reader = Reader(judgments, rules, jobs=jobs)
    for run, outcome in zip(runs.runs, reader.rankings(runs), strict=True):
        yield outcome if isinstance(outcome, InputError) else _listing(run, outcome)


def _listing(run: Run, ranked: Ranked) -> Listing:
    unknown = tuple(as_text(topic) for topic in ranked.unknown)
    return Listing(run.name, *ranked.listed, unknown, ranked.duplicates, ranked.comments)
