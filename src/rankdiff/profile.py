"""The preference profile of two runs: for which users the candidate is better, and where it turns.

A user who wants the share ``i/m`` of a query's relevant documents is better served by the ranking that reaches
recall level ``i`` at the better rank. The profile shows the signs of this comparison along the recall levels,
instead of their sum, which is RPP.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankdiff.collection import Collection
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray, IntArray
from rankdiff.measures.labelled import Labels
from rankdiff.preferences.pairs import level_signs
from rankdiff.preferences.populations import Groups, by_grade, by_label, by_subtopic, everybody, join
from rankdiff.results.table import Table, column
from rankdiff.weights import Weights, weigh_levels

if TYPE_CHECKING:
    from rankdiff.statistics import Band

TENTHS = 10
_WORDS = {1: "better", -1: "worse"}
ZERO = 1e-12
"""Sums of tenths below this are rounding errors."""


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """The recall levels of a baseline and a candidate compared: ``sign`` is 1 where the candidate's rank is better,
    the expected sign where ties are averaged.

    ``shares`` holds, query by query, the signed mass in each tenth of the relevant documents; whatever is said about
    chance (an interval, a band) starts from its rows.
    """

    baseline: str
    candidate: str
    collection: Collection
    population: Groups
    sign: IntArray | FloatArray
    shares: FloatArray
    signature: str = field(default="")

    def __repr__(self) -> str:
        return f"Profile({self.candidate} against {self.baseline}; {len(self.shares)} queries)"

    def __str__(self) -> str:
        return str(self.by_share())

    @property
    def tenths(self) -> FloatArray:
        """The mean over queries of the signed mass in each tenth; the ten add up to the mean uniform RPP."""
        return np.asarray(self.shares.mean(axis=0))

    def band(self, *, confidence: float = 0.95, samples: int = 10_000, seed: int = 0) -> Band:
        """The simultaneous band around the tenths: all ten true values lie within it at once with the confidence."""
        from rankdiff.statistics import band

        return band(self.shares, confidence=confidence, samples=samples, seed=seed)

    def finding(self, *, confidence: float = 0.95, samples: int = 10_000, seed: int = 0) -> str:
        """For whom the candidate is shown to be better or worse, in words: where the band leaves zero out."""
        band = self.band(confidence=confidence, samples=samples, seed=seed)
        shown = (band.above.astype(int) - band.below).tolist()
        stretches = [
            (sign, [tenth for tenth, _ in tenths]) for sign, tenths in groupby(enumerate(shown), lambda t: t[1])
        ]
        if shown == [0] * TENTHS:
            return (
                f"{self.candidate} is not shown to be better or worse for users of any share of the relevant documents"
            )
        if len(stretches) == 1:
            return f"{self.candidate} is {_WORDS[shown[0]]} for users at every share of the relevant documents"
        ranges = {
            sign: [_range(tenths[0], tenths[-1] + 1) for other, tenths in stretches if other == sign]
            for sign in dict.fromkeys(shown)
            if sign
        }
        parts = [
            f"{_WORDS[sign]} for users who want {_either(several)} of the relevant documents"
            for sign, several in ranges.items()
        ]
        rest = "before" if shown[0] == 0 else "beyond"
        if shown.count(0) and sum(sign == 0 for sign, _ in stretches) == 1 and 0 in (shown[0], shown[-1]):
            parts.append(f"not shown to differ {rest}")
        elif shown.count(0):
            parts.append("not shown to differ elsewhere")
        return f"{self.candidate} is {', '.join(parts)}"

    def by_share(self) -> Table:
        """What each tenth of the relevant documents contributes to RPP with the limits of a 95 % band around all
        ten, and the sums from the first on.

        Level ``i`` of a query fills the interval from ``(i−1)/m`` to ``i/m`` with a mass of ``1/m``, signed.
        """
        upto, band = np.arange(1, TENTHS + 1) / TENTHS, self.band()
        columns = {
            "from": upto - 1 / TENTHS,
            "to": upto,
            "preference": self.tenths,
            "low": band.low,
            "high": band.high,
            "sum": np.cumsum(self.tenths),
        }
        notes = (self.sentence, self.of_falling_weights)
        return Table(
            {name: np.round(values, 15) for name, values in columns.items()}, notes=notes, signature=self.signature
        )

    def by_level(self, weights: Weights | None = None) -> Table:
        """The mean over all queries of each recall level's sign, 0 where a query has no such level, and the sums.

        The sums speak for weights over levels that are not scaled query by query, as those of RPP are. With
        ``weights`` each level is multiplied by its weight within its query, and all add up to that RPP.
        """
        population = self.population
        weight = np.ones(len(population.column)) if weights is None else weigh_levels(weights, population)
        total = np.bincount(population.level - 1, weight * self.sign, int(population.size.max(initial=0)))
        having = np.bincount(population.level - 1, minlength=len(total))
        value = total / len(self.shares)
        level = np.arange(1, len(value) + 1)
        columns = {"level": level, "queries": having, "preference": value, "sum": np.cumsum(value)}
        return Table(columns, signature=self.signature)

    def by_grade(self) -> Table:
        """Users whom only a grade or a better one satisfies; the contributions add up to graded RPP."""
        c = self.collection
        return self._by_group(by_grade(c, c.rules.rel), "grade")

    def by_subtopic(self) -> Table:
        """Users of each subtopic, and of all; the contributions add up to subtopic-aware RPP."""
        c = self.collection
        return self._by_group(join(by_subtopic(c, c.rules.rel), everybody(c, c.rules.rel)), "subtopic")

    def by_label(self, labels: Labels | str | Path) -> Table:
        """Users of each label of documents (a genre, a provider), and of all relevant documents.

        The contributions add up to ``STRPP(labels=…)``.
        """
        c = self.collection
        return self._by_group(join(by_label(c, labels, c.rules.rel), everybody(c, c.rules.rel)), "label")

    def by_segment(self, segments: Mapping[str, str]) -> Table:
        """Each group of queries: RPP, the share at which the sum of its tenths first falls below 0 (nothing where it
        never does), and what it contributes to the RPP of all queries.

        ``segments`` maps a query to its group; queries without one count under the empty name.
        """
        of = np.array([segments.get(query, "") for query in self.collection.queries], object)
        names, which = np.unique(of, return_inverse=True)
        parts = [self.shares[which == group] for group in range(len(names))]
        total, queries = np.round([part.sum() for part in parts], 15), np.bincount(which)
        falls = [_crossing(part.mean(axis=0)) for part in parts]
        columns: dict[str, NDArray[np.generic]] = {
            "segment": column(names),
            "queries": queries,
            "preference": total / queries,
            "falls below 0 at": np.array(falls, object),
            "contribution": total / len(self.shares),
        }
        return Table(columns, signature=self.signature)

    @property
    def figure(self) -> Any:
        """The tenths with their band, and the sums, as an Altair chart; ``MissingExtraError`` without the extra."""
        from rankdiff.present.profile import draw_profile

        return draw_profile(self)

    def _by_group(self, groups: Groups, name: str) -> Table:
        signs = level_signs(self.collection, groups)
        filled = groups.size > 0
        value = np.bincount(groups.group, signs, len(groups.size))[filled] / groups.size[filled]
        share = np.bincount(groups.group, weigh_levels("uniform", groups), len(groups.size))[filled]
        labels, which = np.unique(np.array(groups.label, object)[filled], return_inverse=True)
        queries = np.bincount(which, minlength=len(labels))
        columns: dict[str, NDArray[np.generic]] = {
            name: column(labels),
            "queries": queries,
            "preference": np.bincount(which, value, len(labels)) / queries,
            "contribution": np.bincount(which, value * share, len(labels)) / len(self.shares),
        }
        return Table(columns, signature=self.signature)

    @property
    def turns(self) -> list[float]:
        """The shares of the relevant documents at which the better ranking becomes the worse, or the reverse."""
        signed = [(tenth, value) for tenth, value in enumerate(self.tenths) if abs(value) > ZERO]
        return [tenth / TENTHS for (_, before), (tenth, value) in pairwise(signed) if (before > 0) != (value > 0)]

    @property
    def crossing(self) -> float | None:
        """The first share at which the sum of the tenths falls below 0; None where it never does.

        Without one, every user whose weight falls from tenth to tenth of the relevant documents prefers the candidate.
        """
        return _crossing(self.tenths)

    @property
    def running(self) -> tuple[FloatArray, FloatArray]:
        """The shares of the relevant documents at which a level of some query ends, and the mean signed mass up to
        each; straight in between, and at whole tenths the sums of these."""
        size = self.population.size[self.population.group]
        borders = np.concatenate([(self.population.level - 1) / size, self.population.level / size])
        share, border = np.unique(borders, return_inverse=True)
        slope = np.cumsum(np.bincount(border, np.concatenate([self.sign, -self.sign]), len(share)))
        upto = np.append(0.0, np.cumsum(slope[:-1] * np.diff(share)))[: len(share)]
        return share, upto / len(self.shares)

    @property
    def of_falling_weights(self) -> str:
        """What the sums say of all users whose weight falls with the share of the relevant documents, in words.

        Such a weight is a mixture of those that are alike up to some share and 0 beyond: all prefer the same run where
        no sum up to any share speaks for the other. Where only the sums of whole tenths agree, so do all whose weight
        falls from tenth to tenth.
        """
        users = "users whose weight falls with the share of the relevant documents"
        share, total = self.running
        sums = np.cumsum(self.tenths)
        if not np.any(np.abs(total) > ZERO):
            return f"no {users} prefer either"
        for winner, sign in ((self.candidate, 1), (self.baseline, -1)):
            if np.all(sign * total >= -ZERO):
                return f"all {users} prefer {winner}"
        coarser = "users whose weight falls from tenth to tenth of the relevant documents"
        if not np.any(np.abs(sums) > ZERO):
            return f"no {coarser} prefer either"
        for winner, sign in ((self.candidate, 1), (self.baseline, -1)):
            if np.all(sign * sums >= -ZERO):
                first = f"{share[sign * total < -ZERO][0]:.1%}".replace(".0%", "%").replace("%", " %")
                return (
                    f"all {coarser} prefer {winner}, not all whose weight falls within a tenth: the sum up to {first} "
                    "speaks against it"
                )
        leader, change = (
            (self.candidate, sums < -ZERO) if sums[np.abs(sums) > ZERO][0] > 0 else (self.baseline, sums > ZERO)
        )
        turn = (int(np.argmax(change)) + 1) * 100 // TENTHS
        return f"not all {users} prefer {leader}: the sum changes its sign at {turn} %"

    @property
    def sentence(self) -> str:
        """The profile in words."""
        signed = self.tenths[np.abs(self.tenths) > ZERO]
        if not len(signed):
            return f"{self.candidate} and {self.baseline} serve all users alike"
        first, then = ("better", "worse") if signed[0] > 0 else ("worse", "better")
        if not self.turns:
            return f"{self.candidate} is {first} for users at every share of the relevant documents"
        ends = [f"{share:.0%}".replace("%", " %") for share in self.turns]
        parts = [f"{first} for users who stop before {ends[0]} of the relevant documents"]
        parts += [f"{(then, first)[i % 2]} from there to {end}" for i, end in enumerate(ends[1:])]
        parts.append(f"{(then, first)[(len(ends) - 1) % 2]} after")
        return f"{self.candidate} is {', '.join(parts)}"


def _crossing(tenths: FloatArray) -> float | None:
    below = np.flatnonzero(np.cumsum(tenths) < -ZERO)
    return (int(below[0]) + 1) / TENTHS if len(below) else None


def _range(first: int, last: int) -> str:
    """Tenths as shares of the relevant documents.

    >>> _range(1, 10), _range(0, 4), _range(2, 5)
    ('more than 10 %', 'up to 40 %', '20 % to 50 %')
    """
    if last == TENTHS:
        return f"more than {first * TENTHS} %"
    return f"{first * TENTHS} % to {last * TENTHS} %" if first else f"up to {last * TENTHS} %"


def _either(parts: list[str]) -> str:
    return " or ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def profile(c: Collection, baseline: str, candidate: str) -> Profile:
    """Compare two runs of a collection recall level by recall level; positive where the candidate is better.

    >>> from rankdiff.alignment import align
    >>> qrels = {"q": {"a": 1, "b": 1}}
    >>> c = align(qrels, {"old": {"q": {"x": 4, "a": 3, "b": 2}}, "new": {"q": {"a": 4, "x": 3, "y": 2, "b": 1}}})
    >>> profile(c, "old", "new").sentence
    'new is better for users who stop before 50 % of the relevant documents, worse after'
    """
    counts = _counting(c, [c.system_index(name) for name in (baseline, candidate)])
    pair = c.select([baseline, candidate]).select(queries=counts)
    population = everybody(pair, c.rules.rel)
    signs = level_signs(pair, population)
    return Profile(baseline, candidate, pair, population, signs, _shares(population, signs), pair.sign("profile"))


def _counting(c: Collection, runs: list[int]) -> NDArray[np.bool_]:
    counts = np.ones(len(c.queries), bool)
    if c.rules.missing == "skip":
        counts &= c.answered[runs].all(axis=0)
    if c.rules.no_relevant == "drop":
        counts &= c.relevant(c.rules.rel).size > 0
    if not counts.any():
        raise UsageError("no topic counts for both runs: they answer none in common, or none has a relevant document")
    return counts


def _shares(population: Groups, signs: IntArray | FloatArray) -> FloatArray:
    """The signed mass of each query in each tenth, query × tenth; in units of ``1/(10 m)`` it is a whole number."""
    size = population.size[population.group]
    end = TENTHS * population.level
    mass = np.zeros((len(population.size), TENTHS), signs.dtype)
    for tenth in range(TENTHS):
        overlap = np.minimum(end, (tenth + 1) * size) - np.maximum(end - TENTHS, tenth * size)
        np.add.at(mass[:, tenth], population.group, np.maximum(overlap, 0) * signs)
    return np.asarray(mass / (TENTHS * np.maximum(population.size, 1))[:, None])
