"""The fewest judgments whose reversal makes a claim about the mean difference fail."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankdiff.hits import BoolArray, FloatArray, IntArray
from rankdiff.verdict.claims import Claim
from rankdiff.verdict.judged import Documents, Judged, Reach
from rankdiff.verdict.reach import reach
from rankdiff.verdict.removal import ROUNDING, Fewest
from rankdiff.verdict.stepwise import one_after_the_other
from rankdiff.verdict.subsets import smallest_set

MOST = 150
"""A claim that so many reversals may not undo is not bounded any further."""


def fewest_reversals(judged: Judged, claim: Claim, found: Reach | None = None) -> Fewest | None:
    """The fewest judgments to reverse so that a claim about the mean difference fails; None where it does not hold.

    The claim is about the better of the two runs. Each query offers what some reversals can make of its difference
    (`reach`), and the cheapest selection over all queries comes from dynamic programming: a lower bound, and exact
    where it consists of judgments that are known. Otherwise the best one-by-one choice stands beside it, and all sets
    are tried where they are few.
    """
    values = judged.duel.differences
    side = 1.0 if np.nansum(values) >= 0 else -1.0
    if claim.about(values, side) <= 0:
        return None
    found = reach(judged) if found is None else found
    at_least, chosen = 1, None
    # Where topics may come to count or cease to, the number of values is not fixed, and with it the quantile of t.
    if claim.what == "sign" or judged.always_counts:
        everything = (np.isfinite(found.low), np.isfinite(found.high))
        at_least = next((sum_of for sum_of, _ in _failing(found, everything, side, claim, values)), MOST + 1)
        for _, selection in _failing(found, found.known, side, claim, values):
            chosen = _documents(found, selection)
            if claim.about(judged.under(chosen), side) <= 0:
                break
            chosen = None
    at_least = min(max(at_least, 1), int(judged.open.sum()) + 1)
    if chosen is None or len(chosen) > at_least:
        chosen = one_after_the_other(judged, side, claim, chosen)
    if chosen is None or len(chosen) > at_least:
        at_least, chosen = smallest_set(judged, side, claim, at_least, chosen)
    return Fewest(chosen, at_least)


Selection = list[tuple[int, int, int]]
"""Of each query that is touched: the query, the end of its reach (0 low, 1 high), and the number of reversals."""


def _failing(
    found: Reach, allowed: tuple[BoolArray, BoolArray], side: float, claim: Claim, values: FloatArray
) -> Iterator[tuple[int, Selection]]:
    """Numbers of reversals after which the claim may fail, ascending, each with its selections of ends."""
    count = int(np.sum(~np.isnan(values)))
    prices, offsets = claim.prices(np.nan_to_num(values), count)
    cost, end = _costs(found, allowed, side, prices)
    least = np.full((len(prices), MOST + 1), np.inf)
    least[:, 0] = 0.0
    taken = np.zeros((cost.shape[1], len(prices), MOST + 1), np.int8)
    for query in range(cost.shape[1]):
        sums = np.full((cost.shape[2], len(prices), MOST + 1), np.inf)
        for number in range(cost.shape[2]):
            sums[number, :, number:] = least[:, : MOST + 1 - number] + cost[:, query, number, None]
        taken[query] = sums.argmin(axis=0)
        least = sums.min(axis=0)
    margins = least - offsets[:, None]
    noise = ROUNDING * float(np.nansum(np.abs(values)))
    for number in np.flatnonzero(margins.max(axis=0) <= noise).tolist():
        for price in np.argsort(-margins[:, number], kind="stable")[:8].tolist():
            yield number, _trace(taken, end, price, number)


def _costs(
    found: Reach, allowed: tuple[BoolArray, BoolArray], side: float, prices: FloatArray
) -> tuple[FloatArray, IntArray]:
    """What each number of reversals in a query leaves of the priced sum, price × query × number, and at which end of
    its reach: the priced value is concave, so that the least one is at an end."""
    ends = []
    for value, usable in zip((found.low, found.high), allowed, strict=True):
        oriented = side * np.where(usable, value, 0.0)
        ends.append(np.where(usable, oriented - prices[:, None, None] * oriented**2, np.inf))
    return np.minimum(*ends), (ends[1] < ends[0]).astype(np.int64)


def _trace(taken: IntArray, end: IntArray, price: int, number: int) -> Selection:
    selection = []
    for query in range(len(taken) - 1, -1, -1):
        used = int(taken[query, price, number])
        if used:
            selection.append((query, int(end[price, query, used]), used))
        number -= used
    return selection


def _documents(found: Reach, selection: Selection) -> Documents:
    parts = [found.documents[end][query][number] for query, end, number in selection]
    return tuple(sorted(document for part in parts if part for document in part))
