"""A run of a study: its function called for every dataset and every segment, and the rows gathered in one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankdiff import __version__
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.results.table import Table
from rankdiff.studies.sampling import Progress, Sampling
from rankdiff.studies.segments import EVERY_TOPIC, Segments, read_segments
from rankdiff.studies.tables import Note, Row, tabulate

if TYPE_CHECKING:
    from rankdiff.studies.definition import Definition

UNNAMED = "collection"
"""The label of a collection that was given without one."""


@dataclass(frozen=True)
class Setting:
    """What the caller of any study may say."""

    seed: int = 0
    samples: int | None = None
    jobs: int = 1
    progress: Progress | None = None
    segments: Segments | None = None
    as_paper: bool = False

    def __post_init__(self) -> None:
        for name, value in {"samples": self.samples, "jobs": self.jobs}.items():
            if value is not None and value < 1:
                raise UsageError(f"{name} must be at least 1, not {value}")


@dataclass
class Run:
    """One call of a study; it keeps count of what is done, and of what an interrupt left undone."""

    study: Definition
    arguments: dict[str, Any]
    setting: Setting
    notes: list[str] = field(default_factory=list)
    done: int = 0
    interrupted: bool = False

    @cached_property
    def datasets(self) -> Mapping[str, Collection]:
        """The collections by label."""
        given = self.arguments.get("c")
        collections = {UNNAMED: given} if isinstance(given, Collection) else given
        well_formed = isinstance(collections, Mapping) and all(isinstance(c, Collection) for c in collections.values())
        if not collections or not well_formed:
            raise UsageError(f"the study {self.study.name} needs a collection, or a dict of label and collection")
        return {str(label): c for label, c in collections.items()}

    @property
    def samples(self) -> int:
        """How many samples are drawn for each dataset and segment."""
        papers = self.study.papers_samples if self.setting.as_paper else None
        return self.setting.samples or papers or self.study.samples or 1

    @property
    def shown(self) -> dict[str, Any]:
        """The study's parameters as they can be printed."""
        chosen = {name: value for name, value in self.arguments.items() if name not in {"c", "what"}}
        named = {"what": ",".join(item.name for item in self.arguments["what"])} if "what" in self.arguments else {}
        drawn = {"samples": self.samples} if self.study.samples else {}
        return {**named, **chosen, **drawn}

    def table(self) -> Table:
        """The tidy table, with a column for the dataset, and one for the segment where segments were given."""
        units = list(self._units())
        rows: list[Row] = []
        for labels, views in units:
            before = len(rows)
            try:
                # One by one: what was found before an interrupt stays.
                for row in self._rows(labels, views, len(units)):
                    rows.append({**labels, **row})
            except KeyboardInterrupt:
                if not rows:
                    raise
                if not self.interrupted:
                    self._stop(labels, f"{'only a part' if len(rows) > before else 'nothing'} of it is finished")
            if self.interrupted:
                break
        found = tabulate(rows, title=self.study.question, notes=self.notes, signature=self._signature())
        return replace(found, bar=_on_one_scale(found))

    def _stop(self, labels: Mapping[str, str], finished: str) -> None:
        self.interrupted = True
        self.notes.append(f"stopped{' in ' if labels else ''}{' '.join(labels.values())}: {finished}")

    def _units(self) -> Iterator[tuple[dict[str, str], dict[str, Collection]]]:
        """What the function is called for: the labels of its rows, and the collection."""
        if not self.study.needs_collection:
            yield {}, {}
            return
        for label, c in self.datasets.items():
            for segment, view in self._segments(c):
                yield {"dataset": label} | segment, {"c": view}

    def _segments(self, c: Collection) -> Iterator[tuple[dict[str, str], Collection]]:
        if self._groups is None:
            yield {}, c
            return
        group_of = np.array([self._groups.get(query, "") for query in c.queries], object)
        if not group_of.any():
            raise UsageError(f"no topic has a segment: there are {c.queries[0]!r} and others in the collection")
        yield {"segment": EVERY_TOPIC}, c
        for group in dict.fromkeys(self._groups.values()):
            if np.any(group_of == group):
                yield {"segment": group}, c.select(queries=group_of == group)

    @cached_property
    def _groups(self) -> Mapping[str, str] | None:
        given = self.setting.segments
        return None if given is None else read_segments(given)

    def _rows(self, labels: Mapping[str, str], views: Mapping[str, Collection], units: int) -> Iterator[Row]:
        arguments = {**self.arguments, **views}
        if self.setting.as_paper and self.study.has_paper_conditions:
            arguments["as_paper"] = True
        if not self.study.samples:
            yield from self._told(self.study.function(**arguments), labels)
            self._report(units)
            return
        setting = self.setting
        sampling = Sampling(self.samples, setting.seed, setting.jobs, lambda: self._report(units * self.samples))
        try:
            yield from self._told(self.study.function(sampling=sampling, **arguments), labels)
        finally:
            if sampling.interrupted:
                self._stop(labels, f"{sampling.finished} of {self.samples} samples are finished")

    def _told(self, yielded: Iterable[Row | Note], labels: Mapping[str, str]) -> Iterator[Row]:
        """The rows; notes go below the table."""
        for item in yielded:
            if isinstance(item, Note):
                self.notes.append(": ".join([*([" ".join(labels.values())] if len(labels) else []), item]))
            else:
                yield item

    def _report(self, total: int) -> None:
        self.done += 1
        if self.setting.progress is not None:
            self.setting.progress(self.done, total)

    def _signature(self) -> str:
        usual = self.study.options
        options = [f"{name}:{value}" for name, value in self.shown.items() if name not in usual or value != usual[name]]
        what = [self.study.name, *options] + ["stopped"] * self.interrupted
        what += [f"seed:{self.setting.seed}"] * bool(self.study.samples)
        if not self.study.needs_collection:
            return "|".join([f"rankdiff {__version__}", *what])
        signed = {label: c.sign(*what) for label, c in self.datasets.items()}
        if len(signed) == 1:
            return next(iter(signed.values()))
        return " + ".join(f"{label}: {text}" for label, text in signed.items())


def _on_one_scale(table: Table) -> str:
    """The column of shares, probabilities or correlations that bars can show; others mix what has no common scale."""
    for name in ("value", "share"):
        if name in table.columns and table[name].dtype.kind == "f" and np.nanmax(np.abs(table[name]), initial=0) <= 1:
            return name
    return ""
