"""What a measure can tell apart, and whether it would say the same on other topics.

Values are system × topic (higher is better), or system × system × topic for preferences: topics always come last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from rankdiff.errors import UsageError
from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.results import Preferences, Scores, summarize
from rankdiff.statistics.agreement import tau
from rankdiff.statistics.chance import permutation
from rankdiff.statistics.comparisons import AllPairs
from rankdiff.statistics.inputs import between, known, one_of, score_matrix
from rankdiff.statistics.integers import BITS
from rankdiff.statistics.many import all_pairs, all_pairs_preferences

Fuzziness = Literal["absolute", "relative", "sd"]


@dataclass(frozen=True)
class Share:
    """A count, out of how many, and what share that is."""

    count: int
    of: int

    @property
    def share(self) -> float:
        """count / of; NaN of nothing."""
        return self.count / self.of if self.of else float("nan")


@dataclass(frozen=True)
class DiscriminativePower:
    """For each level: the pairs that differ significantly, and two checks of what such a claim is worth.

    Of the claims made on one half of the topics, ``repeated`` are those that the other half makes too, ``turned``
    those whose difference has the other sign there, and ``contradicted`` those that it significantly turns round.
    ``on_nothing``: the share of pairs declared different where there is nothing to find (A/A splits).
    """

    levels: tuple[float, ...]
    significant: tuple[Share, ...]
    repeated: tuple[Share, ...]
    turned: tuple[Share, ...]
    contradicted: tuple[Share, ...]
    on_nothing: tuple[Share, ...]
    splits: int
    seed: int


def discriminative_power(
    values: Any,
    *,
    test: Callable[[FloatArray], AllPairs] | None = None,
    levels: tuple[float, ...] = (0.05, 0.01),
    splits: int = 10,
    seed: int = 0,
) -> DiscriminativePower:
    """The share of pairs of systems with p at or below each level (Sakai 2006), beside its validity.

    ``values`` are those of ``all_pairs``: ``Scores``, ``Preferences``, or an array (of preferences, system × system ×
    topic). ``test`` takes an array of them and gives ``AllPairs``: by default the sign-flip range test. Each split
    deals the topics into two disjoint halves. The A/A check pairs the topics of the halves and tests the values of one
    less those of the other: every pair's true difference is zero there.

    >>> scores = np.array([[0.9, 0.7, 0.8, 0.9, 0.8, 0.9], [0.1, 0.2, 0.1, 0.3, 0.2, 0.2]])
    >>> discriminative_power(scores, levels=(0.05,), splits=2).significant
    (Share(count=1, of=1),)
    """
    array = _topics_last(values)
    if test is None:  # runs may lack topics, and halves of the topics lack more
        test = partial(all_pairs if array.ndim == 2 else all_pairs_preferences, missing="drop")
    topics = array.shape[-1]
    if topics < 4:
        raise UsageError(f"{topics} topics have no halves to compare: expected at least four")
    whole = test(array)
    claims, repeated, turned, contradicted, nothing = (np.zeros(len(levels), int) for _ in range(5))
    for split in range(splits):
        order = permutation(seed + split, topics)
        one, other = array[..., order[: topics // 2]], array[..., order[topics // 2 : topics // 2 * 2]]
        first, second, neither = test(one), test(other), test(one - other)
        opposite = np.sign(first.difference) * np.sign(second.difference) < 0
        for at, level in enumerate(levels):
            here, there = first.significant(level), second.significant(level)
            claims[at] += _pairs(here) + _pairs(there)
            repeated[at] += 2 * _pairs(here & there & ~opposite)
            turned[at] += _pairs(here & opposite) + _pairs(there & opposite)
            contradicted[at] += 2 * _pairs(here & there & opposite)
            nothing[at] += _pairs(neither.significant(level))
    pairs = whole.comparisons
    return DiscriminativePower(
        levels,
        tuple(Share(_pairs(whole.significant(level)), pairs) for level in levels),
        _shares(repeated, claims),
        _shares(turned, claims),
        _shares(contradicted, claims),
        tuple(Share(int(count), splits * pairs) for count in nothing),
        splits,
        seed,
    )


def _shares(counts: IntArray, claims: IntArray) -> tuple[Share, ...]:
    return tuple(Share(int(count), int(claim)) for count, claim in zip(counts, claims, strict=True))


def _pairs(matrix: BoolArray) -> int:
    return int(matrix[np.triu_indices(len(matrix), 1)].sum())


def _topics_last(values: Any) -> FloatArray:
    if isinstance(values, Scores):
        return score_matrix(values)[1]
    if isinstance(values, Preferences):
        everyone = np.arange(len(values.systems))
        return np.array([values.over(run, everyone) for run in everyone.tolist()])
    array = np.asarray(values, np.float64)
    if array.ndim not in (2, 3):
        raise UsageError(f"expected system × topic or system × system × topic, not an array of shape {array.shape}")
    return known(array, "values", missing="refuse")


@dataclass(frozen=True, eq=False)
class Stability:
    """How often the winner of a pair wins again on half of the topics: means over pairs of three shares that sum to 1.

    ``leads[a, b]`` is the share of draws in which a leads b by more than the fuzziness.
    """

    stability: float
    other: float
    ties: float
    leads: FloatArray
    draws: int
    fuzziness: float
    kind: Fuzziness
    seed: int


def stability(
    values: Any, *, draws: int = 1000, fuzziness: float = 0.05, kind: Fuzziness = "absolute", seed: int = 0
) -> Stability:
    """Stability after Buckley and Voorhees (2000): draw half of the topics (rounded down), many times, and see per pair
    which run leads.

    A run leads if its mean is higher by more than the fuzziness: "absolute" (0.05 points), "relative" (5 % of the
    better mean) or "sd" (0.05 of the pair's pooled standard deviation). A pair's stability is the larger of the two
    runs' shares. Under "absolute" a measure of small values ties nearly always; measures of different range are to be
    compared under the other two. ``Preferences`` enter by their win rates.

    >>> stability([[0.9, 0.8, 0.7, 0.9], [0.1, 0.2, 0.7, 0.2]], draws=100).stability
    1.0
    """
    one_of("kind", kind, ("absolute", "relative", "sd"))
    _, array = score_matrix(values.win_rates() if isinstance(values, Preferences) else values)
    systems, topics = array.shape
    if topics < 2 or systems < 2:
        raise UsageError(f"half of {topics} topics, pairs of {systems} systems: expected at least two of each")
    means = _half_means(array, draws, seed)
    variances = _variances(array)
    rounding = 2.0**-BITS * float(np.nanmax(np.abs(array), initial=0.0))
    leads = np.full((systems, systems), np.nan)
    for one in range(systems):
        ahead = means[one] - means
        margin = {
            "absolute": np.array(fuzziness),
            "relative": fuzziness * np.abs(np.maximum(means[one], means)),
            "sd": fuzziness * np.sqrt((variances[one] + variances) / 2)[:, None],
        }[kind]
        leads[one] = np.mean(ahead > margin + rounding, axis=1)
    first, second = np.triu_indices(systems, 1)
    more, less = (pick(leads[first, second], leads[second, first]) for pick in (np.maximum, np.minimum))
    return Stability(
        float(more.mean()),
        float(less.mean()),
        float((1 - more - less).mean()),
        leads,
        draws,
        fuzziness,
        kind,
        seed,
    )


def _variances(values: FloatArray) -> FloatArray:
    """Of each row, over the topics that count; NaN where there are fewer than two."""
    known = [row[~np.isnan(row)] for row in values]
    return np.array([row.var(ddof=1) if len(row) > 1 else np.nan for row in known])


def _half_means(values: FloatArray, draws: int, seed: int) -> FloatArray:
    """Means over random halves of the topics, system × draw."""
    topics = values.shape[1]
    halves = np.zeros((topics, draws))
    for draw in range(draws):
        halves[permutation(seed + draw, topics)[: topics // 2], draw] = 1.0
    counts = ~np.isnan(values)
    counted = counts.astype(np.float64) @ halves
    return np.divide(
        np.where(counts, values, 0.0) @ halves, counted, out=np.full_like(counted, np.nan), where=counted > 0
    )


@dataclass(frozen=True)
class DeltaSort:
    """For each system ``100·|n0 − n1|/|S|``, n being how many systems are better than it; the largest; and τ-b."""

    per_system: tuple[float, ...]
    largest: float
    tau: float


def delta_sort(before: Any, after: Any, *, ratio: float = 1.1, level: float = 0.05) -> DeltaSort:
    """How far a change of measure moves the systems among each other (the ASL paper's ΔSort).

    A system is better than another if its mean is better, the larger of the two means is at least ``ratio`` times
    the smaller in magnitude, and a two-sided paired t-test gives p ≤ ``level``. Values are higher-is-better: hand in a
    lower-is-better measure with its sign turned, the ratio is the same.

    >>> before = np.array([[0.9, 0.8, 0.9, 0.8], [0.2, 0.3, 0.1, 0.2]])
    >>> delta_sort(before, before[::-1])
    DeltaSort(per_system=(50.0, 50.0), largest=50.0, tau=-1.0)
    """
    between("level", level, 0, 1)
    counts, means = zip(*(_better_systems(values, ratio, level) for values in (before, after)), strict=True)
    if len(counts[0]) != len(counts[1]):
        raise UsageError(f"{len(counts[0])} systems before and {len(counts[1])} after: expected the same systems")
    moved = 100 * np.abs(counts[0] - counts[1]) / len(counts[0])
    return DeltaSort(tuple(moved.tolist()), float(moved.max()), tau(means[0], means[1]))


def _better_systems(values: Any, ratio: float, level: float) -> tuple[FloatArray, FloatArray]:
    """How many systems are better than each, and the means."""
    result = all_pairs(values, "t", correction="none", missing="drop")
    means = np.array([summarize(row) for row in score_matrix(values)[1]])
    size = np.abs(means)
    larger, smaller = np.maximum.outer(size, size), np.minimum.outer(size, size)
    apart = larger >= ratio * smaller * (1 - 1e-12)
    return np.sum((result.difference < 0) & apart & result.significant(level), axis=1), means
