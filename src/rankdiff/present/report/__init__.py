"""The report: one file that shows which ranking is better, for whom, on which topics, and whether to believe it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rankdiff.check import Check
from rankdiff.collection import Collection
from rankdiff.comparison.comparing import AVERAGED, COMPARED
from rankdiff.present.report import leaderboard, provenance, rare, segments, tail, topics, trust, verdict
from rankdiff.present.report import studies as study_results
from rankdiff.present.report.asked import LEADERBOARD, Asked, Part
from rankdiff.present.report.page import write_page
from rankdiff.present.report.words import read_words
from rankdiff.results.study import Study
from rankdiff.studies.criteria import resolve_all
from rankdiff.studies.segments import Segments, parts

__all__ = ["report"]

Progress = Callable[[int, int], None]
Words = Mapping[str, str] | str | os.PathLike[str]


def report(
    path: str | os.PathLike[str],
    c: Collection,
    *,
    measures: Iterable[Any] = (),
    baseline: str | None = None,
    titles: Words | None = None,
    docs: Words | None = None,
    studies: Iterable[Study] = (),
    check: Check | None = None,
    command: str = "",
    inputs: Iterable[str | os.PathLike[str]] = (),
    seed: int = 0,
    segments: Segments | None = None,
    heading: str = "",
    progress: Progress | None = None,
) -> None:
    """Write the report of a collection: one HTML file that needs nothing else, neither a server nor a network.

    Of two runs it says which is better, for whom and how sure that is; of many it shows the leaderboard, and any two
    of them topic by topic.

    - ``measures``: measures and preferences, mixed freely; the verdict rests on the first.
    - ``baseline``: the run that others are compared with; of two runs the first, of many the second best.
    - ``titles``, ``docs``: the words of topics and documents, as mappings, or as files of JSON lines or of two
      columns with a tab between; ``titles="irds:…"`` takes those of a dataset of ir_datasets.
    - ``studies``: results to show beside the rest.
    - ``check``: what `rankdiff.check.check` found in the files.
    - ``segments``: groups of topics, for each of which the verdict is shown as well: a mapping, or a file
      with a topic and its group on each line.
    - ``heading``: what stands above it all; else the two runs, or how many there are.
    - ``command``, ``inputs``: how to make the report again: the command line, and the files to digest.

    ``progress`` is called with how many parts are done, and how many there are. It needs the extra ``report``.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"old": {"q": {"x": 2, "a": 1}}, "new": {"q": {"a": 2, "b": 1}}})
    >>> with TemporaryDirectory() as folder:
    ...     rd.report(f"{folder}/report.html", c, titles={"q": "why is the sky blue"})
    ...     "why is the sky blue" in Path(folder, "report.html").read_text(encoding="utf-8")
    True
    """
    usual = COMPARED if len(c.systems) == 2 else LEADERBOARD
    wanted = tuple(measures) or tuple(name for name in usual if c.tied is None or name in AVERAGED)
    asked = Asked(
        c,
        resolve_all(wanted),
        baseline,
        _words(titles, c.queries),
        _words(docs, [c.documents[i] for i in c.relevant(c.rules.rel).column.tolist()] if docs is not None else ()),
        tuple(studies),
        check,
        command,
        tuple(os.fspath(item) for item in inputs),
        seed,
        {} if segments is None else parts(c, segments),
        heading,
    )
    Path(path).write_text(write_page(asked, _gathered(asked, progress)), encoding="utf-8")


def _gathered(asked: Asked, progress: Progress | None) -> list[Part]:
    shown = [verdict if asked.is_pair else leaderboard, *[segments] * bool(asked.segments), topics, tail, rare, trust]
    shown += [study_results, provenance] if asked.studies else [provenance]
    gathered = []
    for part in shown:
        gathered.append(part.gather(asked))
        if progress is not None:
            progress(len(gathered), len(shown))
    return gathered


def _words(given: Words | None, wanted: Iterable[str]) -> Mapping[str, str]:
    if given is None or isinstance(given, Mapping):
        return given or {}
    return read_words(given, tuple(wanted))
