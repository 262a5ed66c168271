"""Realistic collections with a seed: for the demo, the tests, calibration and benchmarks.

The model. A topic has ``breadth · depth`` documents to choose from. A few are relevant, most of them just so (grade
1), each about one main subtopic. What a system sees of a document is

    skill · ease · worth + appeal + noise

``worth`` is 0 for a document that is not relevant and grows with the grade; ``ease`` is the topic's and the document's,
so that hardly any system finds some of the relevant; ``appeal`` misleads all systems alike; ``skill`` varies around a
system's own by topic and subtopic; the ``noise`` is partly the team's, partly the system's. In a twin team it is
nearly all the team's, hence near-identical runs. A run is the best ``depth`` documents by what its system sees, on a
scale of its own, with 4 to 6 decimals; some runs round, so that scores tie. What the pooled runs place within
``pool_depth`` is judged, and a share ``known`` of the relevant documents besides; the rest has no judgment.

The bytes depend on the arguments alone: all numbers come from PCG64's raw bits by sums, products and comparisons,
element by element, where IEEE arithmetic leaves a machine no choice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rankdiff.errors import UsageError

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_FIRST_TOPIC = 301
_DOCUMENTS = 10**7
_SOURCES = ("doc", "news", "web", "archive")
_TEAMS = ("alder", "aspen", "beech", "birch", "cedar", "elm", "hazel", "larch", "maple", "oak", "rowan", "yew")
_CAUSES = ("drought", "tides", "tariffs", "caffeine", "migration", "noise", "vaccines", "wildfires", "sleep")
_SUBJECTS = ("coral reefs", "rail freight", "school meals", "honey bees", "city rents", "glaciers", "memory")


@dataclass(frozen=True)
class Simulated:
    """Where a simulated collection lies, and how large it became.

    ``judged`` and ``relevant`` count (topic, document) pairs, ``lines`` the lines of all runs.
    """

    qrels: Path
    runs: Path
    teams: Path
    titles: Path
    systems: int
    topics: int
    judged: int
    relevant: int
    lines: int


def simulate(
    folder: str | PathLike[str],
    *,
    systems: int = 24,
    topics: int = 40,
    depth: int = 100,
    seed: int = 7,
    breadth: float = 8.0,
    relevant: int = 24,
    grades: int = 3,
    subtopics: int = 4,
    skill: float = 1.0,
    team_size: int = 3,
    twin_teams: int = 3,
    pool_depth: int = 10,
    pooled: float = 0.5,
    known: float = 0.25,
    rounded: float = 0.25,
    short: int = 2,
    incomplete: int = 1,
) -> Simulated:
    """Write a TREC collection: ``qrels.txt``, ``runs/*.run``, ``teams.tsv`` (run, team), ``titles.tsv`` (topic, title).

    systems: how many runs
    topics: how many topics
    depth: how many documents a run returns for a topic
    seed: another number makes another collection of the same kind
    breadth: how many documents a topic has to choose from, as a multiple of depth
    relevant: how many relevant documents a topic has on average, found or not
    grades: the largest grade
    subtopics: how many subtopics stand in column 2 of the judgments; 0 writes 0 there, and a document once
    skill: how well the systems tell relevant documents from others; 0 is not at all
    team_size: how many runs a team hands in
    twin_teams: how many teams hand in near-identical runs
    pool_depth: to which rank the pooled runs are judged
    pooled: which share of the runs is pooled
    known: which share of the relevant documents is judged even where no pooled run found it
    rounded: which share of the runs rounds its scores, so that they tie
    short: how many runs return fewer documents than depth
    incomplete: how many runs lack every tenth topic

    The same arguments write the same bytes on every machine, and more topics leave the text of the others as it was.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     made = simulate(folder, systems=2, topics=3, depth=5, incomplete=0, short=0)
    ...     first = (made.runs / "alder-1.run").read_text().splitlines()[0].split()
    >>> made.lines, len(first), first[0], first[3], first[5]
    (30, 6, '301', '1', 'alder-1')
    """
    _require_between(1, _DOCUMENTS, systems=systems, topics=topics, depth=depth, breadth=breadth, relevant=relevant)
    _require_between(1, _DOCUMENTS, grades=grades, team_size=team_size)
    _require_between(0, _DOCUMENTS, subtopics=subtopics, twin_teams=twin_teams, pool_depth=pool_depth)
    _require_between(0, _DOCUMENTS, short=short, incomplete=incomplete)
    _require_between(0, 1, pooled=pooled, known=known, rounded=rounded)
    _require_between(0, 10, skill=skill)
    _require_between(0, 2**63 - 1, seed=seed)
    candidates = round(breadth * depth)
    _require_between(1, _DOCUMENTS, **{"breadth · depth": candidates})
    if not known and not (pooled and pool_depth):
        raise UsageError("nothing would be judged: raise known, or both pooled and pool_depth")

    field = _Field.of(
        _Draws(seed),
        systems,
        team_size=team_size,
        twin_teams=twin_teams,
        skill=skill,
        rounded=_spread(systems, rounded),
    )
    in_pool = _spread(systems, pooled)[:, np.newaxis] & (np.arange(depth) < pool_depth)
    qrels, runs, teams, titles = (Path(folder) / name for name in ("qrels.txt", "runs", "teams.tsv", "titles.tsv"))
    run_files = _empty_files(runs, [f"{name}.run" for name in field.names])
    judged_count = relevant_count = line_count = 0
    with qrels.open("wb") as judgments:
        for index in range(topics):
            number = _FIRST_TOPIC + index
            draws = _Draws(seed, number)
            documents = _Documents.of(draws, candidates, relevant, grades, subtopics)
            order, scores = field.rank(draws, documents, depth)
            returned = _returned(draws, systems, depth, short=short, incomplete=incomplete)
            if index % 10 == 1:
                returned[max(0, systems - incomplete) :] = 0
            retrieved = np.arange(depth) < returned[:, np.newaxis]

            judged = documents.is_relevant & (draws.uniform(candidates) < known)
            judged[order[retrieved & in_pool]] = True
            judgments.write(_text(documents.lines(number, judged, first_subtopic=min(1, subtopics))))
            lines = field.lines(number, documents.identifier[order[retrieved]], scores, retrieved)
            # Opened for each topic anew, as there may be more runs than a process can hold open.
            for path, block in zip(run_files, np.split(lines, np.cumsum(returned)[:-1]), strict=True):
                with path.open("ab") as run:
                    run.write(_text(block))

            judged_count += int(judged.sum())
            relevant_count += int((judged & documents.is_relevant).sum())
            line_count += len(lines)

    _write_table(teams, ("run", "team"), zip(field.names, field.teams, strict=True))
    _write_table(titles, ("topic", "title"), ((str(_FIRST_TOPIC + index), _title(index)) for index in range(topics)))
    return Simulated(qrels, runs, teams, titles, systems, topics, judged_count, relevant_count, line_count)


class _Draws:
    """Random numbers out of raw bits; every tuple of seeds has a stream of its own."""

    def __init__(self, *seeds: int) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seeds))

    def raw(self, *shape: int) -> NDArray[np.uint64]:
        return self._bits.random_raw(shape)

    def below(self, bound: int, *shape: int) -> Integers:
        return (self.raw(*shape) % np.uint64(bound)).astype(np.int64)

    def uniform(self, *shape: int) -> Floats:
        """At least 0, below 1."""
        return (self.raw(*shape) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def bell(self, *shape: int) -> Floats:
        """Mean 0, variance 1, nearly normal: the sum of four 16-bit numbers, as logarithms differ between machines."""
        parts = self.raw(*shape, 1).view(np.uint16).astype(np.int64)
        total = parts[..., 0] + parts[..., 1] + parts[..., 2] + parts[..., 3]
        return (total - 2 * 65535).astype(np.float64) * (sqrt(3) / 65536)


@dataclass(frozen=True)
class _Documents:
    """What a topic has to choose from, in the order of the documents' numbers."""

    identifier: Bytes
    is_relevant: NDArray[np.bool_]
    subtopic: Integers
    grades: Integers
    worth: Floats
    appeal: Floats

    @classmethod
    def of(cls, draws: _Draws, candidates: int, relevant: int, grades: int, subtopics: int) -> _Documents:
        number = np.cumsum(1 + draws.below(_DOCUMENTS // candidates, candidates)) - 1
        source = _cells([f"{name}-" for name in _SOURCES])[number % len(_SOURCES)]
        how_many = max(1, int(min(candidates, relevant * (0.25 + 1.5 * draws.uniform(1)[0]))))
        lot = draws.raw(candidates)
        is_relevant = lot <= np.sort(lot)[how_many - 1]
        high = draws.uniform(candidates)
        grade = np.where(is_relevant, 1 + (grades * high * high).astype(np.int64), 0)
        aspects = max(1, subtopics)
        subtopic = np.minimum(draws.below(aspects, candidates), draws.below(aspects, candidates))
        aside = is_relevant[:, np.newaxis] & (draws.uniform(candidates, aspects) < 0.2)
        ease = (0.6 + 0.8 * draws.uniform(1)) * 2.0 * draws.uniform(candidates)
        return cls(
            identifier=np.hstack([source, _digits(number, 7)]),
            is_relevant=is_relevant,
            subtopic=subtopic,
            grades=np.where(np.arange(aspects) == subtopic[:, np.newaxis], grade[:, np.newaxis], aside),
            worth=ease * np.where(is_relevant, 1.0 + grade / grades, 0.0),
            appeal=0.6 * draws.bell(candidates),
        )

    def lines(self, topic: int, judged: NDArray[np.bool_], *, first_subtopic: int) -> Bytes:
        """Lines of qrels: every judged document under every subtopic."""
        document, subtopic = np.nonzero(np.broadcast_to(judged[:, np.newaxis], self.grades.shape))
        return _lines(
            f"{topic} ",
            _whole(subtopic + first_subtopic),
            " ",
            self.identifier[document],
            " ",
            _whole(self.grades[document, subtopic]),
        )


@dataclass(frozen=True)
class _Field:
    """The systems that take part.

    ``own`` is the weight of a system's own noise beside its team's; a score is ``level + scale · seen``, in millionths
    and rounded to ``step``.
    """

    names: list[str]
    teams: list[str]
    team: Integers
    skill: Floats
    own: Floats
    level: Floats
    scale: Floats
    step: Integers
    decimals: Integers

    @classmethod
    def of(
        cls,
        draws: _Draws,
        systems: int,
        *,
        team_size: int,
        twin_teams: int,
        skill: float,
        rounded: NDArray[np.bool_],
    ) -> _Field:
        team, member = np.divmod(np.arange(systems), team_size)
        rounds = np.where(team < len(_TEAMS), "", (team // len(_TEAMS) + 1).astype(str))
        teams = [_TEAMS[t % len(_TEAMS)] + suffix for t, suffix in zip(team, rounds, strict=True)]
        own = np.where(team < twin_teams, 0.1, 0.7)
        decimals = 4 + draws.below(3, systems)
        return cls(
            names=[f"{name}-{place + 1}" for name, place in zip(teams, member, strict=True)],
            teams=teams,
            team=team,
            skill=skill * (0.7 + 0.6 * draws.uniform(systems)[team] + own * 0.2 * draws.bell(systems)),
            own=own,
            level=np.array([0.0, 14.0, -20.0])[draws.below(3, systems)],
            scale=np.array([1.0, 3.0, 8.0])[draws.below(3, systems)],
            step=np.where(rounded, 10_000, 10 ** (6 - decimals)),
            decimals=decimals,
        )

    def rank(self, draws: _Draws, documents: _Documents, depth: int) -> tuple[Integers, Integers]:
        """The best documents of each system, best first, and their scores in millionths: system × rank."""
        skill = self.skill[:, np.newaxis] * (1 + 0.4 * self._noise(draws, documents.grades.shape[1]))
        seen = skill[:, documents.subtopic] * documents.worth + documents.appeal
        seen += self._noise(draws, len(documents.subtopic))
        step = self.step[:, np.newaxis]
        score = self.level[:, np.newaxis] + self.scale[:, np.newaxis] * seen
        millionths = np.rint(score * (1_000_000 / step)).astype(np.int64) * step
        # Sorting score and document as one integer leaves no tie that a machine could break its own way.
        bits = _DOCUMENTS.bit_length()
        keys = -millionths << bits | np.arange(len(documents.subtopic))
        best = np.sort(np.partition(keys, depth - 1, axis=1)[:, :depth], axis=1)
        return best & (1 << bits) - 1, -(best >> bits)

    def _noise(self, draws: _Draws, width: int) -> Floats:
        own = self.own[:, np.newaxis]
        teams = draws.bell(int(self.team[-1]) + 1, width)
        return np.sqrt(1 - own * own) * teams[self.team] + own * draws.bell(len(self.team), width)

    def lines(self, topic: int, identifiers: Bytes, scores: Integers, retrieved: NDArray[np.bool_]) -> Bytes:
        """Lines of runs, system after system."""
        system, position = np.nonzero(retrieved)
        millionths = scores[retrieved]
        units, fraction = np.divmod(np.abs(millionths), 1_000_000)
        shown = np.arange(6) < self.decimals[:, np.newaxis]
        return _lines(
            f"{topic} Q0 ",
            identifiers,
            " ",
            _whole(np.arange(1, retrieved.shape[1] + 1))[position],
            " ",
            _cells(["", "-"])[(millionths < 0).astype(np.int64)],
            _whole(units),
            ".",
            _digits(fraction, 6) * shown[system],
            " ",
            _cells(self.names)[system],
        )


def _cells(words: Iterable[str]) -> Bytes:
    """A row of bytes for each word, filled up with NUL."""
    padded = np.array([word.encode() for word in words])
    return padded.view(np.uint8).reshape(len(padded), padded.itemsize)


def _digits(numbers: Integers, width: int) -> Bytes:
    """The decimal digits of whole numbers, with leading zeros."""
    powers = 10 ** np.arange(width - 1, -1, -1)
    return (numbers[:, np.newaxis] // powers % 10 + ord("0")).astype(np.uint8)


def _whole(numbers: Integers) -> Bytes:
    """The decimal digits of whole numbers, with NUL for leading zeros."""
    digits = _digits(numbers, len(str(numbers.max(initial=0))))
    digits[:, :-1] *= np.logical_or.accumulate(digits[:, :-1] != ord("0"), axis=1)
    return digits


def _lines(*cells: str | Bytes) -> Bytes:
    """Put cells side by side, a row a line; a text is the same on each."""
    length = max(len(cell) for cell in cells if not isinstance(cell, str))
    columns = [
        np.broadcast_to(_cells([cell]), (length, len(cell))) if isinstance(cell, str) else cell
        for cell in (*cells, "\n")
    ]
    return np.hstack(columns)


def _text(lines: Bytes) -> bytes:
    """Lines without the NULs that filled their cells."""
    text: bytes = lines[lines != 0].tobytes()
    return text


def _spread(systems: int, share: float) -> NDArray[np.bool_]:
    """Choose a share of the systems, evenly over the teams, and at least the first unless the share is 0."""
    chosen: NDArray[np.bool_] = np.diff(np.ceil(np.arange(systems + 1) * share)) > 0
    return chosen


def _returned(draws: _Draws, systems: int, depth: int, *, short: int, incomplete: int) -> Integers:
    """How many documents each system returns; those before the incomplete ones, which stand last, are short."""
    from_last = np.arange(systems)[::-1] - incomplete
    share = np.where((from_last >= 0) & (from_last < short), 0.25 + 0.75 * draws.uniform(systems), 1.0)
    returned: Integers = np.ceil(depth * share).astype(np.int64)
    return returned


def _title(index: int) -> str:
    return f"effects of {_CAUSES[index % len(_CAUSES)]} on {_SUBJECTS[index % len(_SUBJECTS)]}"


def _write_table(path: Path, header: tuple[str, str], rows: Iterable[tuple[str, str]]) -> None:
    path.write_bytes("".join(f"{left}\t{right}\n" for left, right in (header, *rows)).encode())


def _empty_files(folder: Path, names: list[str]) -> list[Path]:
    """Make the runs' files anew, and refuse a folder where other runs would stand among them."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error.strerror}; choose another folder") from error
    if others := sorted({path.name for path in folder.iterdir()} - set(names)):
        raise UsageError(f"{folder} holds {others[0]}, which is no part of this collection: choose an empty folder")
    paths = [folder / name for name in names]
    for path in paths:
        path.write_bytes(b"")
    return paths


def _require_between(least: float, most: float, **options: float) -> None:
    for name, value in options.items():
        if not least <= value <= most:
            raise UsageError(f"{name} must be between {least} and {most}, not {value}")
