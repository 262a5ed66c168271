"""The rows of trec_eval's output: which measures it knows, in its order, and how their parameters are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankdiff.collection import Collection
from rankdiff.declaration import ANY_POSITIVE
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures import Measure, find
from rankdiff.measures.relstring import relstring
from rankdiff.present.evaluation import printed
from rankdiff.results import summarize


@dataclass(frozen=True)
class Row:
    """A row of the output: its label, and what it says of a collection with one run; None is not printed."""

    label: str

    def single(self, _: Collection) -> list[str] | None:
        """The value of each topic."""
        return None

    def overall(self, _: Collection) -> str | None:
        """The value of all topics together."""
        return None


@dataclass(frozen=True)
class RunId(Row):
    """The tag in the last line of the run."""

    def overall(self, c: Collection) -> str:
        """The tag."""
        return c.tags[0]


@dataclass(frozen=True)
class TopicCount(Row):
    """How many topics the averages are over."""

    def overall(self, c: Collection) -> str:
        """All topics that were judged."""
        return str(len(c.queries))


@dataclass(frozen=True)
class RelevanceString(Row):
    """The grades of the first documents of a ranking, a character each."""

    length: int

    def single(self, c: Collection) -> list[str]:
        """Empty for a topic that the run lacks."""
        return [f"'{string}'" for string in relstring(c, self.length)[0]]


@dataclass(frozen=True)
class Value(Row):
    """What a measure gives; 0 for a topic that the run lacks, whatever the measure says of an empty ranking."""

    measure: Measure

    def _values(self, c: Collection) -> FloatArray:
        return np.where(c.answered[0], self.measure(c)[0], 0.0)

    def single(self, c: Collection) -> list[str] | None:
        """The value of each topic; geometric means have none."""
        if self.measure.aggregate == "geometric":
            return None
        return [printed(value, count=self._is_count) for value in self._values(c).tolist()]

    def overall(self, c: Collection) -> str:
        """The mean or, of counts, the sum."""
        return printed(summarize(self._values(c), self.measure.aggregate), count=self._is_count)

    @property
    def _is_count(self) -> bool:
        return self.measure.aggregate == "sum"


@dataclass(frozen=True)
class RelevantCount(Value):
    """How many relevant documents there are, for lacking topics too.

    Over all topics trec_eval counts at the level of ``-l``; under ``-c`` at any positive grade.
    """

    complete: bool = False

    def _values(self, c: Collection) -> FloatArray:
        row: FloatArray = self.measure(c)[0]
        return row

    def overall(self, c: Collection) -> str:
        """The sum over topics."""
        return super().overall(c.at(ANY_POSITIVE) if self.complete else c)


Shape = Callable[[str, str | None], Sequence[Row]]
"""From a measure's name, and its parameters as written on the command line, to its rows."""


def plain(name: str, written: str | None) -> list[Row]:
    """A measure without parameters."""
    if written is not None:
        raise UsageError(f"-m {name}.{written}: {name} takes no parameters")
    return [Value(name, find(name))]


def cutoffs(*default: int) -> Shape:
    """A row for each cutoff: ``P_5``, ``P_10``."""

    def rows(name: str, written: str | None) -> list[Row]:
        chosen = default if written is None else _distinct(name, [int(number) for number in _numbers(name, written)])
        if min(chosen) < 1:
            raise UsageError(f"-m {name}.{written}: cutoffs are at least 1")
        return [Value(f"{name}_{cutoff}", find(f"{name}_{cutoff}")) for cutoff in chosen]

    return rows


def fractions(*default: float) -> Shape:
    """A row for each fraction: ``Rprec_mult_0.20``."""

    def rows(name: str, written: str | None) -> list[Row]:
        chosen = default if written is None else _distinct(name, _numbers(name, written))
        return [Value(f"{name}_{fraction:3.2f}", find(f"{name}_{fraction!r}")) for fraction in chosen]

    return rows


def single(translate: Callable[[list[float]], Mapping[str, Any]]) -> Shape:
    """One row, whose parameters are numbers: ``set_F_0.5``."""

    def rows(name: str, written: str | None) -> list[Row]:
        numbers = [] if written is None else _numbers(name, written)
        definition = find(name).definition
        return [Value(_label(name, written), definition(**translate(numbers)))]

    return rows


def gains(name: str, written: str | None) -> list[Row]:
    """One row, whose parameters are pairs of a grade and its gain: ``ndcg_1=3,2=9``."""
    parameters = {} if written is None else {"gains": {int(key): value for key, value in _pairs(name, written)}}
    return [Value(_label(name, written), find(name).definition(**parameters))]


def persistence(name: str, written: str | None) -> list[Row]:
    """One row, whose parameter is ``p=0.8``."""
    parameters = {} if written is None else dict(_pairs(name, written))
    return [Value(_label(name, written), find(name).definition(**parameters))]


def relevance_string(name: str, written: str | None) -> list[Row]:
    """One row: the grades of the first documents, 10 unless another number is given."""
    return [RelevanceString(_label(name, written), 10 if written is None else int(_numbers(name, written)[0]))]


def _utility(numbers: list[float]) -> Mapping[str, Any]:
    if numbers and len(numbers) != 4:
        raise UsageError("-m utility takes four numbers, as in utility.1,-1,0,0")
    return dict(zip("abcd", numbers, strict=False))


MEASURES: Mapping[str, Shape] = {
    "runid": lambda name, _: [RunId(name)],
    "num_q": lambda name, _: [TopicCount(name)],
    "num_ret": plain,
    "num_rel": lambda name, _: [RelevantCount(name, find(name))],
    "num_rel_ret": plain,
    "map": plain,
    "gm_map": plain,
    "Rprec": plain,
    "bpref": plain,
    "recip_rank": plain,
    "iprec_at_recall": fractions(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    "P": cutoffs(5, 10, 15, 20, 30, 100, 200, 500, 1000),
    "relstring": relevance_string,
    "recall": cutoffs(5, 10, 15, 20, 30, 100, 200, 500, 1000),
    "infAP": plain,
    "gm_bpref": plain,
    "Rprec_mult": fractions(0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0),
    "utility": single(_utility),
    "11pt_avg": single(lambda numbers: {"points": tuple(numbers)} if numbers else {}),
    "binG": plain,
    "G": gains,
    "dcg": gains,
    "ideal_dcg": gains,
    "ndcg": gains,
    "ndcg_rel": gains,
    "Rndcg": gains,
    "ndcg_cut": cutoffs(5, 10, 15, 20, 30, 100, 200, 500, 1000),
    "map_cut": cutoffs(5, 10, 15, 20, 30, 100, 200, 500, 1000),
    "relative_P": cutoffs(5, 10, 15, 20, 30, 100, 200, 500, 1000),
    "success": cutoffs(1, 5, 10),
    "set_P": plain,
    "set_relative_P": plain,
    "set_recall": plain,
    "set_map": plain,
    "set_F": single(lambda numbers: {"beta": numbers[0]} if numbers else {}),
    "num_nonrel_judged_ret": plain,
    "yaap": plain,
    "rbp": persistence,
    "rbp_resid": persistence,
    "unj": cutoffs(5, 10, 20),
}
"""Every measure of trec_eval that is supported, in the order in which it prints them."""

_COUNTS = frozenset({"runid", "num_q", "num_ret", "num_rel", "num_rel_ret"})
NICKNAMES: Mapping[str, frozenset[str]] = {
    "official": _COUNTS | {"map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"},
    "set": _COUNTS | {"utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F"},
    "all_trec": frozenset(MEASURES) - {"dcg", "ideal_dcg", "yaap"},
}
"""The names of sets of measures."""

_ON_PREFERENCES = "compares documents by preference judgments, which rankdiff does not read"
_ON_GROUPS = "averages over several judges' judgments (-R qrels_jg), which rankdiff does not read"
UNSUPPORTED: Mapping[str, str] = {
    **dict.fromkeys(("qrels_jg", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"), _ON_GROUPS),
    "prefs": _ON_PREFERENCES,
    "all_prefs": _ON_PREFERENCES,
    "num_nonjudged_ret": "is in no set of trec_eval's measures; `unj` gives the share at a cutoff",
}


def requested(asked: Sequence[str], *, complete: bool = False) -> list[Row]:
    """The rows of the measures that ``-m`` options ask for; the official ones where there is none.

    ``complete`` is trec_eval's ``-c``.
    """
    chosen: set[str] = set()
    written: dict[str, str] = {}
    for text in asked or ["official"]:
        name, _, parameters = text.partition(".")
        if name in UNSUPPORTED or name.startswith("prefs_"):
            raise UsageError(f"-m {name} is not supported: it {UNSUPPORTED.get(name, _ON_PREFERENCES)}")
        if name not in MEASURES and name not in NICKNAMES:
            raise UnknownNameError("measure of trec_eval", name, [*MEASURES, *NICKNAMES])
        chosen |= NICKNAMES.get(name, {name})
        if parameters:
            written.setdefault(name, parameters)
    shapes = {**MEASURES, "num_rel": _complete_count} if complete else MEASURES
    return [row for name in shapes if name in chosen for row in shapes[name](name, written.get(name))]


def _complete_count(name: str, _: str | None) -> list[Row]:
    return [RelevantCount(name, find(name), complete=True)]


def _label(name: str, written: str | None) -> str:
    return name if written is None else f"{name}_{written}"


def _numbers(name: str, written: str) -> list[float]:
    try:
        return [float(number) for number in written.split(",")]
    except ValueError:
        raise UsageError(f"-m {name}.{written}: expected numbers with commas between them") from None


def _pairs(name: str, written: str) -> list[tuple[str, float]]:
    try:
        return [(key, float(value)) for key, value in (pair.split("=") for pair in written.split(","))]
    except ValueError:
        raise UsageError(f"-m {name}.{written}: expected pairs such as 1=3,2=9") from None


def _distinct(name: str, numbers: Sequence[Any]) -> list[Any]:
    if len(set(numbers)) < len(numbers):
        raise UsageError(f"-m {name}: the same cutoff twice")
    return sorted(numbers)
