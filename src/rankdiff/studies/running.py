"""A run of a study: its function called for every dataset and every segment, and the rows gathered in one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rankdiff import __version__
from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.results.table import Table
from rankdiff.studies.sampling import Progress, Sampling
from rankdiff.studies.tables import Row, tabulate

if TYPE_CHECKING:
    from rankdiff.studies.definition import Definition

EVERY_QUERY = "all"
"""The segment of all queries."""
UNNAMED = "collection"
"""The label of a collection that was given without one."""


@dataclass(frozen=True)
class Setting:
    """What the caller of any study may say."""

    seed: int = 0
    samples: int | None = None
    jobs: int = 1
    progress: Progress | None = None
    segments: Mapping[str, str] | None = None
    as_paper: bool = False


@dataclass
class Run:
    """One call of a study; it keeps count of what is done, and of what an interrupt left undone."""

    study: Definition
    arguments: dict[str, Any]
    setting: Setting
    notes: list[str] = field(default_factory=list)
    done: int = 0

    @property
    def interrupted(self) -> bool:
        """Whether the user stopped it."""
        return bool(self.notes)

    @property
    def datasets(self) -> Mapping[str, Collection]:
        """The collections by label."""
        given = self.arguments.get("c")
        collections = {UNNAMED: given} if isinstance(given, Collection) else given
        if not isinstance(collections, Mapping) or not all(isinstance(c, Collection) for c in collections.values()):
            raise UsageError(f"the study {self.study.name} needs a collection, or a dict of label and collection")
        return {str(label): c for label, c in collections.items()}

    @property
    def samples(self) -> int:
        """How many samples are drawn for each dataset and segment."""
        return self.setting.samples or self.study.samples or 1

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
            try:
                rows += [{**labels, **row} for row in self._rows(labels, views, len(units))]
            except KeyboardInterrupt:
                if not rows:
                    raise
                self.notes.append(f"stopped before {' '.join(labels.values())}")
            if self.interrupted:
                break
        return tabulate(rows, title=self.study.question, notes=self.notes, signature=self._signature())

    def _units(self) -> Iterator[tuple[dict[str, str], dict[str, Collection]]]:
        """What the function is called for: the labels of its rows, and the collection."""
        if not self.study.needs_collection:
            yield {}, {}
            return
        for label, c in self.datasets.items():
            for segment, view in self._segments(c):
                yield {"dataset": label} | segment, {"c": view}

    def _segments(self, c: Collection) -> Iterator[tuple[dict[str, str], Collection]]:
        groups = self.setting.segments
        if groups is None:
            yield {}, c
            return
        yield {"segment": EVERY_QUERY}, c
        group_of = np.array([str(groups.get(query, "")) for query in c.queries], object)
        for group in dict.fromkeys(map(str, groups.values())):
            if np.any(group_of == group):
                yield {"segment": group}, c.select(queries=group_of == group)

    def _rows(self, labels: Mapping[str, str], views: Mapping[str, Collection], units: int) -> Iterator[Row]:
        arguments = {**self.arguments, **views}
        if self.setting.as_paper and self.study.has_paper_conditions:
            arguments["as_paper"] = True
        if not self.study.samples:
            yield from self.study.function(**arguments)
            self._report(units)
            return
        setting = self.setting
        sampling = Sampling(self.samples, setting.seed, setting.jobs, lambda: self._report(units * self.samples))
        yield from self.study.function(sampling=sampling, **arguments)
        if sampling.interrupted:
            where = " ".join(labels.values())
            self.notes.append(
                f"stopped{' in ' if where else ''}{where}: {sampling.finished} of {self.samples} samples are finished"
            )

    def _report(self, total: int) -> None:
        self.done += 1
        if self.setting.progress is not None:
            self.setting.progress(self.done, total)

    def _signature(self) -> str:
        usual = self.study.options
        options = [f"{name}:{value}" for name, value in self.shown.items() if name not in usual or value != usual[name]]
        what = [self.study.name, *options] + [f"seed:{self.setting.seed}"] * bool(self.study.samples)
        if not self.study.needs_collection:
            return "|".join([f"rankdiff {__version__}", *what])
        signed = {label: c.sign(*what) for label, c in self.datasets.items()}
        if len(signed) == 1:
            return next(iter(signed.values()))
        return " + ".join(f"{label}: {text}" for label, text in signed.items())
