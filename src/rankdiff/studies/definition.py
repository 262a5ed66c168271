"""How a study is declared and run.

A study is a function under ``@study`` that yields rows: dicts with the columns of its tidy table. It writes down what
it does for *one* collection; the frame here runs it for every dataset and every segment of the queries, names both
in the table, and adds seed, signature and notes. Of the function's parameters, four have a meaning of their own:

- ``c``: the collection. A study without it needs no data.
- ``what``: the measures and preferences it is about, resolved; those of ``about=`` if the caller names none.
- ``sampling``: a `Sampling`, in a study declared with ``samples=``.
- ``as_paper``: whether to take the paper's conditions.

All others are options of the study.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.results.study import Draw, Study
from rankdiff.results.table import Table
from rankdiff.studies.criteria import resolve_all
from rankdiff.studies.drawing import finished
from rankdiff.studies.printed import Layout, beside
from rankdiff.studies.running import Run, Setting
from rankdiff.studies.tables import Note, Row

_KEYWORD = inspect.Parameter.KEYWORD_ONLY
RESERVED = frozenset({"c", "what", "sampling", "as_paper"})


@dataclass(frozen=True, eq=False)
class Definition:
    """A study as declared: its function, the question it answers, and which tables and figures it repeats.

    It is called as ``rd.studies.ties(c, ["RR", "sgnLP"], seed=7)``: first the collection, or a dict of label →
    collection, then measures and preferences, mixed freely. Every study takes ``seed``, ``progress`` and
    ``as_paper``; one about a collection ``segments`` (query → group, or a file of them: every table also per group);
    one that samples ``samples`` and ``jobs`` (threads, which do not change the result).
    """

    name: str
    function: Callable[..., Iterable[Row | Note]]
    question: str
    reproduces: str
    draw: Draw
    about: tuple[Any, ...] = ()
    samples: int | None = None
    papers_samples: int | None = None
    printed: tuple[Layout, ...] = ()
    papers: tuple[Any, ...] = ()
    subtopical: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        # So that help() and doctest see the function behind the declaration.
        known = {"__doc__": self.function.__doc__, "__module__": self.function.__module__}
        vars(self).update(__wrapped__=self.function, __signature__=self._signature(), **known)

    def _signature(self) -> inspect.Signature:
        """What a caller may say, the function's own options before those that all studies share."""
        leading = [self._accepted["c"]] if self.needs_collection else []
        leading += [self._accepted["what"].replace(default=None)] if "what" in self._accepted else []
        own = [self._accepted[name].replace(kind=_KEYWORD) for name in self.options]
        shared = inspect.signature(Setting).parameters
        return inspect.Signature([*leading, *own, *(shared[name].replace(kind=_KEYWORD) for name in self._settings())])

    @cached_property
    def _accepted(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.function).parameters

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of this study alone, and their defaults."""
        return {name: parameter.default for name, parameter in self._accepted.items() if name not in RESERVED}

    def figure(self, table: Table) -> Any:
        """The figure of a table, an Altair chart."""
        return finished(self.draw(table))

    @property
    def needs_collection(self) -> bool:
        """Whether it is about data, or about measures alone."""
        return "c" in self._accepted

    @property
    def has_paper_conditions(self) -> bool:
        """Whether ``as_paper`` changes what is computed, beside showing the paper's numbers."""
        return "as_paper" in self._accepted

    def __call__(self, *given: Any, **options: Any) -> Study:
        arguments, setting = self._choose(given, options)
        run = Run(self, arguments, setting)
        table = run.table()
        return Study(
            self.name,
            table,
            self.figure,
            run.shown,
            seed=setting.seed if self.samples else None,
            printed=beside(self.printed, table) if setting.as_paper else (),
            interrupted=run.interrupted,
        )

    def _choose(self, given: tuple[Any, ...], options: dict[str, Any]) -> tuple[dict[str, Any], Setting]:
        """The arguments of the function, and what else was said."""
        leading = [name for name in ("c", "what") if name in self._accepted]
        if len(given) > len(leading):
            raise UsageError(f"the study {self.name} takes {len(leading)} arguments without a name, not {len(given)}")
        chosen = dict(zip(leading, given, strict=False)) | options
        known = [*leading, *self.options, *self._settings()]
        for name in chosen:
            if name not in known:
                raise UnknownNameError(f"option of the study {self.name}", name, known)
        if self.needs_collection and "c" not in chosen:
            raise UsageError(f"the study {self.name} needs a collection")
        setting = Setting(**{name: chosen.pop(name) for name in self._settings() if name in chosen})
        if "what" in leading:
            chosen["what"] = resolve_all(chosen["what"] if "what" in chosen else self._usual(chosen, setting))
        return chosen, setting

    def _usual(self, chosen: Mapping[str, Any], setting: Setting) -> tuple[Any, ...]:
        """What it is about where nobody says so; as in the papers, what their tables have."""
        if not setting.as_paper:
            return self.about
        given = chosen.get("c")
        collections = list(given.values()) if isinstance(given, Mapping) else [given]
        subtopical = self.subtopical if all(getattr(c, "subtopics", None) is not None for c in collections) else ()
        return (*(self.papers or self.about), *subtopical)

    def _settings(self) -> list[str]:
        about_data = ["segments"] if self.needs_collection else []
        return ["seed", "progress", "as_paper", *about_data, *(["samples", "jobs"] if self.samples else [])]


def study(
    name: str,
    *,
    question: str,
    reproduces: str,
    draw: Draw,
    about: Iterable[Any] = (),
    samples: int | None = None,
    papers_samples: int | None = None,
    printed: Iterable[Layout] = (),
    as_paper: Iterable[Any] = (),
    subtopical: Iterable[Any] = (),
) -> Callable[[Callable[..., Iterable[Row | Note]]], Definition]:
    """Declare a function that yields rows as a study.

    ``draw`` makes the figure from the tidy table. ``about`` are the measures and preferences that it is about, and
    ``samples`` how often a study draws that samples, where the caller does not say (``papers_samples``: with the
    paper's conditions, if that is something else). ``printed`` are the paper's own
    numbers, ``as_paper`` what their tables are about if that is something else, and ``subtopical`` what is added for
    them where all judgments have subtopics.

    >>> @study("sizes", question="how many queries are there?", reproduces="nothing", draw=print, about=["AP"])
    ... def sizes(c, what, unit=1):
    ...     for item in what:
    ...         yield {"measure": item.name, "value": len(c.queries) / unit}
    >>> import rankdiff as rd
    >>> print(sizes(rd.align({"q": {"d": 1}}, {"run": {"q": {"d": 1}}}), "RR", unit=2).to_csv(), end="")
    dataset,measure,value
    collection,RR,0.5
    """

    def declare(function: Callable[..., Iterable[Row | Note]]) -> Definition:
        tables = tuple(printed), tuple(as_paper), tuple(subtopical)
        drawn = samples, papers_samples
        return Definition(name, function, question, reproduces, draw, tuple(about), *drawn, *tables)

    return declare
