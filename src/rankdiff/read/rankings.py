"""The rankings of many runs, read by a few threads."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, TypeAlias, TypeVar

import numpy as np

from rankdiff import _kernel
from rankdiff._kernel.problems import RUN_COLUMNS, BadLineError
from rankdiff._kernel.results import Ranked, Rules
from rankdiff.errors import InputError
from rankdiff.read.files import Text, standard_input
from rankdiff.read.judgments import Judgments
from rankdiff.read.notices import located, only_comments
from rankdiff.read.pieces import PIECE, first_columns, lines_before, pieces_of
from rankdiff.read.runs import Run, Runs
from rankdiff.read.tables import Deferred

Pending: TypeAlias = "tuple[int, Future[Ranked | BadLineError]]"  # where a piece begins, and what it holds

MOST_THREADS = 4

Outcome = TypeVar("Outcome")


class Here(Executor):
    """Does at once what it is given: a thread would take longer to begin than one table takes to read."""

    def submit(self, function: Callable[..., Outcome], /, *arguments: Any, **options: Any) -> Future[Outcome]:
        """What the function returns or raises."""
        done: Future[Outcome] = Future()
        try:
            done.set_result(function(*arguments, **options))
        except Exception as problem:
            done.set_exception(problem)
        return done


class Reader:
    """Reads runs against judgments: what is the same for all of them."""

    def __init__(
        self,
        judgments: Judgments,
        rules: Rules,
        *,
        pool: bool = False,
        jobs: int | None = None,
        piece: int = PIECE,
    ) -> None:
        queries, documents = judgments.queries, judgments.documents
        self.index = _kernel.Index(
            (queries.blob, queries.offsets), judgments.start, (documents.blob, documents.offsets)
        )
        self.pool = _kernel.Pool(len(queries)) if pool else None
        self.rules, self.piece = rules, piece
        self.threads = jobs or min(MOST_THREADS, os.cpu_count() or 1)
        self._of_thread = threading.local()

    def rankings(self, runs: Runs) -> Iterator[Ranked | InputError]:
        """What each run holds, in the order of the runs; a run that cannot be used gives its error.

        Only a few runs are read ahead of the one that is handed out.
        """
        alone = len(runs) == 1 and not isinstance(runs.runs[0].origin, str)
        executor = Here() if alone else ThreadPoolExecutor(self.threads)
        try:
            ahead: deque[tuple[Run, list[Pending]]] = deque()
            for run in runs.runs:
                ahead.append((run, self._begin(executor, run)))
                if len(ahead) > 2 * self.threads:
                    yield self._finish(*ahead.popleft())
            while ahead:
                yield self._finish(*ahead.popleft())
        finally:
            executor.shutdown(cancel_futures=True)

    def _begin(self, executor: Executor, run: Run) -> list[Pending]:
        path = run.origin
        if self.rules.listing or not isinstance(path, str) or path == "-":
            return [(0, executor.submit(self._read, run))]
        try:
            pieces, columns = pieces_of(path, self.piece), 0
            if pieces:
                columns = first_columns(path)
        except InputError:
            pieces = []  # what is wrong with the file shows when it is read whole
        if not pieces:
            return [(0, executor.submit(self._read, run))]
        return [(start, executor.submit(self._read, run, columns, start, stop)) for start, stop in pieces]

    def _finish(self, run: Run, pending: list[Pending]) -> Ranked | InputError:
        try:
            pieces = [(start, future.result()) for start, future in pending]
            if len(pieces) > 1 and _must_be_read_whole([outcome for _, outcome in pieces]):
                pieces = [(0, self._read(run))]
        except InputError as problem:
            return problem
        bad = [(start, outcome) for start, outcome in pieces if isinstance(outcome, BadLineError)]
        if bad:
            start, fault = min(bad, key=lambda piece: piece[1].comes_late)
            return located(fault, run.source, lines_before(run.source, start) if start else 0)
        ranked = _end_to_end([outcome for _, outcome in pieces if isinstance(outcome, Ranked)])
        if not len(ranked.query) and not ranked.unknown:
            return InputError(
                "no run in it, it is empty or blank",
                source=run.source,
                found=only_comments(ranked.comments),
                expected=f"lines of {RUN_COLUMNS}",
            )
        return ranked

    def _read(self, run: Run, columns: int = 0, start: int = 0, stop: int | None = None) -> Ranked | BadLineError:
        """The rankings of a run, or of a piece of it."""
        if not isinstance(run.origin, str):
            return self._rank_table(run.origin)
        room: Text = self._of_thread.__dict__.setdefault("text", Text())
        text = room.load(standard_input()) if run.origin == "-" else room.read(run.origin, start, stop)
        try:
            return _kernel.rank(self.index, text, self.rules._replace(columns=columns), self.pool)
        except BadLineError as bad:
            return bad

    def _rank_table(self, table: Deferred) -> Ranked | BadLineError:
        rows = table.rows()
        if self.rules.ties == "rank" and (rows.stated_rank is None or np.isnan(rows.stated_rank).any()):
            raise InputError("has no rank column", source=table.source, advice="choose other ties")
        try:
            return _kernel.rank_table(self.index, rows, self.rules, self.pool)
        except BadLineError as bad:
            return bad


def _must_be_read_whole(pieces: list[Ranked | BadLineError]) -> bool:
    """Whether a topic stands in two pieces, or the first duplicate of a file is to be named."""
    ranked = [piece for piece in pieces if isinstance(piece, Ranked)]
    if len(ranked) < len(pieces):
        return all(piece.comes_late for piece in pieces if isinstance(piece, BadLineError))
    queries = np.concatenate([piece.query for piece in ranked])
    unknown = [topic for piece in ranked for topic in piece.unknown]
    return len(np.unique(queries)) < len(queries) or len(set(unknown)) < len(unknown)


def _end_to_end(pieces: list[Ranked]) -> Ranked:
    """The pieces of one run as if they had been read as one."""
    if len(pieces) == 1:
        return pieces[0]
    return Ranked(
        query=np.concatenate([piece.query for piece in pieces]),
        depth=np.concatenate([piece.depth for piece in pieces]),
        column=np.concatenate([piece.column for piece in pieces]),
        rank=np.concatenate([piece.rank for piece in pieces]),
        unknown=[topic for piece in pieces for topic in piece.unknown],
        unknown_depth=np.concatenate([piece.unknown_depth for piece in pieces]),
        duplicates=sum(piece.duplicates for piece in pieces),
        comments=sum(piece.comments for piece in pieces),
        tag=pieces[-1].tag,
        listed=pieces[0].listed,
    )
