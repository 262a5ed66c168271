"""The verdict in words: for a person without statistics, and without a claim that a statistician would object to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isfinite, isnan

import numpy as np

from rankdiff.comparison.rows import alike
from rankdiff.errors import UsageError
from rankdiff.results import Comparison
from rankdiff.statistics import AllPairs, Paired, smallest_difference
from rankdiff.statistics.comparisons import UNCORRECTED
from rankdiff.verdict import bounds_by_depth, holding

NAMED = 5
"""So many topics or runs are named; the rest are counted."""

FEW = 3
"""Up to so many candidates get a verdict of their own."""

AT_THE_TOP = frozenset({"RR", "sgnLP", "rrLP", "ISL", "LexiPrecision", "LexiPrecisionPlace"})
IN_THE_TAIL = frozenset({"sgnLR", "rrLR", "TSE", "TSL", "SL3", "ASL", "LexiRecall", "LexiRecallPlace", "R@1000"})
"""Measures that look at the first, or the last, of the relevant documents; a cutoff of at most 10 is at the top."""

FALSE_DISCOVERIES = re.compile(r"[,;] bh\b")
"""In the name of a method whose correction holds their share, and not the chance of any."""

POWER = 0.8

ASKED = 500
"""Of more topics it takes a while to tell what their unjudged documents could do."""


def verdict(comparison: Comparison) -> Iterator[str]:
    """The sentences below the table."""
    if len(comparison.candidates) <= FEW:
        for place, candidate in enumerate(comparison.candidates):
            yield from _of_one(comparison, place, candidate)
    else:
        yield from _of_many(comparison)
    yield from _lacking(comparison)


def direction(test: Paired, level: float) -> int:
    """1 where the test shows the candidate to be better, −1 where worse, 0 where it shows neither.

    The direction is that of what the test is about: the sign test's is the balance of wins, Wilcoxon's the
    pseudomedian, every other's the mean.
    """
    if isnan(test.p) or test.p > level:
        return 0
    if test.test == "sign":
        return int(np.sign(test.wins - test.losses))
    if test.estimand.startswith("pseudomedian") and all(map(isfinite, test.interval)):
        return int(np.sign(sum(test.interval)))
    return int(np.sign(test.difference))


def certified(comparison: Comparison, place: int, row: int = 0) -> int:
    """As `direction`, but 0 where it favors a run that lacks topics: such a run is never certified better."""
    found = direction(comparison.tests[row][place], comparison.level)
    favored = comparison.candidates[place] if found > 0 else comparison.baseline
    return 0 if found and comparison.lacking(favored) else found


def _of_one(comparison: Comparison, place: int, candidate: str) -> Iterator[str]:
    test, name = comparison.tests[0][place], comparison.primary.name
    if not test.topics:
        yield f"No topic counts for both {candidate} and {comparison.baseline} by {name}: nothing can be said."
        return
    found = direction(test, comparison.level)
    shown = certified(comparison, place)
    differ = bool(test.wins + test.losses)
    claim = {1: "is better than", -1: "is worse than", 0: "is not shown to differ from"}[shown]
    because = ""
    if found and not shown:
        claim = "is not certified to differ from"
        because = f", as {candidate if found > 0 else comparison.baseline} lacks topics"
    sentence = f"{candidate} {claim} {comparison.baseline} by {name}{because}: {_balance(test)}."
    if found and found * test.difference < 0:
        sentence += " (On average it is the other way round: fewer topics differ by more.)"
    yield sentence
    if differ:
        yield from _how_sure(comparison, place, found)
    if for_whom := _for_whom(comparison, candidate):
        yield for_whom
    yield from _unjudged(comparison, candidate)
    yield from _others(comparison, place, shown)
    if differ:
        yield from (f"{notice[:1].upper()}{notice[1:]}." for notice in test.notices)


def _how_sure(comparison: Comparison, place: int, found: int) -> Iterator[str]:
    """The size of the difference, what chance alone would do, and what so many topics could have shown."""
    test = comparison.tests[0][place]
    if test.topics == 1:
        yield f"{_size(comparison, test)}. One topic cannot show a difference."
        return
    same = alike(comparison.values[0, place])
    sure = f"; {_interval(test)}."
    if same and test.interval[0] == test.interval[1]:
        sure = ", the same on every topic: without any spread nothing tells how far from it the true one lies."
    if same and test.test == "t" and comparison.family != "all":
        chance = "Student's t takes that for certain; `--test randomization` does not."
    else:
        chance = _chance(comparison, test, found) + _disagreeing(comparison, test, found) * (not same)
    yield f"{_size(comparison, test)}{sure} {chance}"
    if not same:
        yield _power(comparison, place, found)


def _for_whom(comparison: Comparison, candidate: str) -> str:
    """For which users the candidate is better or worse; nothing where that would favor a run that lacks topics."""
    profile, baseline = comparison.profile_of(candidate), comparison.baseline
    confidence, seed = 1 - comparison.level, comparison.seed
    if not profile.shares.any():
        return f"{profile.sentence}."
    lacks, other_lacks = comparison.lacking(candidate), comparison.lacking(baseline)
    if lacks or other_lacks:
        band = profile.band(confidence=confidence, seed=seed)
        if (lacks and band.above.any()) or (other_lacks and band.below.any()):
            return ""
    return f"{profile.finding(confidence=confidence, seed=seed)}."


def _unjudged(comparison: Comparison, candidate: str) -> Iterator[str]:
    """Whether the documents that nobody judged could turn the mean round; nothing where that cannot be told."""
    c = comparison.collection
    if len(c.queries) > ASKED:
        return
    try:
        found = bounds_by_depth(c, comparison.baseline, candidate, comparison.primary)
    except UsageError:
        return
    if sentence := holding(found):
        further = "" if found[-1].holds else " `rankdiff flip` lists which to judge first."
        yield sentence + further


def _balance(test: Paired) -> str:
    if not test.wins + test.losses:
        return f"equal on {f'all {test.topics} topics' if test.topics > 1 else 'its one topic'}"
    return f"better on {test.wins} of {test.topics} topics, worse on {test.losses}, equal on {test.ties}"


def _size(comparison: Comparison, test: Paired) -> str:
    if test.effect_name == "mean preference" and comparison.primary.definition.range == (-1, 1):
        return f"The mean preference is {test.difference:+.4f}, on a scale from -1 to +1"
    return f"The mean difference is {test.difference:+.4f}"


def _interval(test: Paired) -> str:
    """Where the true difference lies."""
    low, high = test.interval
    if isnan(low):
        return "this test has no interval for the true one"
    if not (isfinite(low) or isfinite(high)):
        return f"{test.topics} topics do not tell where the true one lies"
    what = "one" if test.estimand in ("mean difference", "mean preference") else test.estimand
    sure = f"with {_percent(test.confidence)} confidence"
    return f"the true {what} lies between {_number(low)} and {_number(high)}, {sure}"


def _number(value: float) -> str:
    return f"{value:+.4f}" if isfinite(value) else ("any lower number" if value < 0 else "any higher number")


def _chance(comparison: Comparison, test: Paired, found: int) -> str:
    small = probability(test.p)
    tested = f"(p {small if small.startswith('<') else f'= {small}'}, {test.method})"
    several = comparison.families[0] is not None or comparison.family == "all"
    if several and FALSE_DISCOVERIES.search(test.method):
        some = f"up to {_percent(comparison.level)} may be false on average"
        return f"Of the differences called real, {some} {tested}." + ("" if found else " This is not one of them.")
    if test.p >= 0.995:
        return f"Chance alone would nearly always do as much {tested}."
    if several and not test.method.endswith(UNCORRECTED):
        start = "If nothing differed, chance alone would make one of all these comparisons look so different in"
    elif test.test == "sign":
        start = "If neither were better, chance alone would split the topics at least this unevenly in"
    else:
        start = "If neither were better, chance alone would give a difference at least this large in"
    return f"{start} {_in_words(test.p)} such trials {tested}." + (
        "" if found else " That is too often to tell them apart."
    )


def _disagreeing(comparison: Comparison, test: Paired, found: int) -> str:
    """Why an interval says something else than the test beside it, where it does."""
    low, high = test.interval
    if isnan(low) or test.estimand.startswith("net") or (low <= 0 <= high) != bool(found):
        return ""
    if found:
        wider = "holds for all pairs at once" if "simultaneous" in test.interval_method else "comes from another method"
        return f" (The interval {wider} and is wider than the test, so that it reaches 0; the test decides.)"
    several = len(comparison.measures) * len(comparison.candidates) > 1
    narrower = "is not corrected for their number" if several else f"({test.interval_method}) comes from another method"
    return f" (The interval {narrower} and leaves 0 out; the test decides.)"


def _in_words(p: float) -> str:
    """A probability as a frequency.

    >>> _in_words(0.03), _in_words(0.0004), _in_words(1e-9), _in_words(0.5)
    ('3 of 100', '1 of 2,500', 'fewer than 1 of 1,000,000', '50 of 100')
    """
    if p < 1e-6:
        return "fewer than 1 of 1,000,000"
    if p >= 0.0095:
        return f"{p * 100:.0f} of 100"
    return f"1 of {float(f'{1 / p:.2g}'):,.0f}"


def probability(p: float) -> str:
    """A p for people: never 0.

    >>> probability(0.03125), probability(1e-7), probability(float("nan"))
    ('0.0312', '< 0.0001', '')
    """
    return "" if isnan(p) else f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def _power(comparison: Comparison, place: int, found: int) -> str:
    """What the topics at hand could have shown, whatever they did show."""
    smallest = smallest_difference(comparison.values[0, place], power=POWER, level=comparison.level)
    topics, name = smallest.topics, comparison.primary.name
    alone = " between these two alone" if len(comparison.candidates) > 1 else ""
    if not isfinite(smallest.difference):
        return f"These {topics} topics could not have shown any difference in {name} with {_percent(POWER)} power."
    upper = smallest.difference_upper
    wider = isfinite(upper) and f"{upper:.4f}" != f"{smallest.difference:.4f}"
    cautious = f" ({upper:.4f} if topics differ as widely as they well may)" if wider else ""
    missed = "" if found else "; a smaller one may be there and was missed"
    return (
        f"With {topics} topics a true difference of {smallest.difference:.4f} in {name}{cautious}{alone} would be seen "
        f"with {_percent(POWER)} power{missed}."
    )


def _others(comparison: Comparison, place: int, shown: int) -> Iterator[str]:
    """What the exploratory rows say, those against the verdict before all."""
    signs = {item.name: certified(comparison, place, row) for row, item in enumerate(comparison.measures) if row}
    corrected = "" if comparison.family == "all" else ", not corrected for their number"
    for sign in (-1, 1) if shown >= 0 else (1, -1):
        names = [name for name, found in signs.items() if found == sign]
        word = "better" if sign > 0 else "worse"
        if names and shown and sign != shown:
            yield f"But {word} by {_listed(names)}{_where(comparison, place, names, shown)}: look at whom you serve."
        elif names:
            beside = "So too by" if sign == shown else f"{word.capitalize()} by"
            yield f"{beside} {_listed(names)} (exploratory{corrected})."


def _where(comparison: Comparison, place: int, against: Sequence[str], shown: int) -> str:
    """Whether the rows that disagree look at the two ends of the rankings."""
    ends = [_end(comparison, name) for name in against]
    agreeing = [item.name for row, item in enumerate(comparison.measures) if certified(comparison, place, row) == shown]
    ours = {_end(comparison, name) for name in agreeing}
    if set(ends) == {"tail"} and "top" in ours:
        pair = "top", "tail"
    elif set(ends) == {"top"} and "tail" in ours:
        pair = "tail", "top"
    else:
        return ""
    words = ("better", "worse") if shown > 0 else ("worse", "better")
    ends_in_words = {"top": "at the top", "tail": "in the tail"}
    return f", {words[0]} {ends_in_words[pair[0]]}, {words[1]} {ends_in_words[pair[1]]}"


def _end(comparison: Comparison, name: str) -> str:
    cutoff = next(item for item in comparison.measures if item.name == name).parameters.get("k")
    plain = name.removeprefix("sgn(").rstrip(")").partition("(")[0]
    if plain in AT_THE_TOP or (cutoff is not None and cutoff <= 10):
        return "top"
    return "tail" if plain in IN_THE_TAIL else ""


def _of_many(comparison: Comparison) -> Iterator[str]:
    name, systems = comparison.primary.name, comparison.candidates
    found = [certified(comparison, place) for place in range(len(systems))]
    refused = [
        system
        for place, system in enumerate(systems)
        if direction(comparison.tests[0][place], comparison.level) and not found[place]
    ]
    parts = [
        (1, f"better than {comparison.baseline}"),
        (-1, f"worse than {comparison.baseline}"),
        (0, f"not shown to differ from {comparison.baseline}"),
    ]
    for sign, words in parts:
        chosen = [
            system for system, value in zip(systems, found, strict=True) if value == sign and system not in refused
        ]
        if chosen:
            are = "is" if len(chosen) == 1 else "are"
            yield f"By {name}, {len(chosen)} of {len(systems)} runs {are} {words}: {_listed(chosen)}."
    if refused:
        yield f"Not certified, as the run that would be better lacks topics: {_listed(refused)}."
    family = comparison.families[0]
    if family is not None:
        yield from _best(comparison, family)
        pairs = family.comparisons
        kind = (
            "the share of false discoveries"
            if FALSE_DISCOVERIES.search(family.method)
            else "the chance of any false claim"
        )
        if family.method.endswith(UNCORRECTED):
            by_chance = f"of equal runs, 1 pair of {1 / comparison.level:.0f} would differ"
            yield f"The tests of {pairs:,} pairs are not corrected: {by_chance}."
        else:
            held = f"{kind} is held at {_percent(comparison.level)}"
            yield f"{pairs:,} pairs were compared, and {held} ({family.method})."


def _best(comparison: Comparison, family: AllPairs) -> Iterator[str]:
    """The run with the best mean, and those that may be as good."""
    p = family.p
    runs = [run for run in comparison.groups()["run"].tolist() if not comparison.lacking(run)]
    if np.isnan(p).any() or len(runs) < 2:
        return
    best = runs[0]
    alike = [run for run in runs[1:] if p[family.systems.index(best), family.systems.index(run)] > comparison.level]
    beside = f"; not shown to differ from it: {_listed(alike)}" if alike else "; every other run differs from it"
    among = "all" if len(runs) == len(family.systems) else "the runs that lack no topic"
    yield f"The best of {among} by {comparison.primary.name} is {best}{beside}."


def _lacking(comparison: Comparison) -> Iterator[str]:
    """Runs that lack topics which others answer: they are named, and never certified better."""
    topics = len(comparison.queries)
    skipped = comparison.collection.rules.missing == "skip"
    effect = "which were left out" if skipped else "which count as empty rankings"
    gained = "" if skipped else ", and what others gain on these topics is its absence"
    if nobody := comparison.unanswered:
        tell = "were left out" if skipped else "tell no run from another"
        yield f"No run answers {len(nobody)} of {topics} topics ({_listed(nobody)}), which {tell}."
    lacking = [(run, lacked) for run in comparison.collection.systems if (lacked := comparison.lacking(run))]
    for run, lacked in lacking[:NAMED]:
        yield (
            f"{run} lacks {len(lacked)} of {topics} topics ({_listed(lacked)}), {effect}: it is not certified better "
            f"than any run{gained}."
        )
    if len(lacking) > NAMED:
        yield f"{len(lacking) - NAMED} more runs lack topics and are not certified better either."


def _listed(names: Sequence[str]) -> str:
    """Some names, and how many more there are.

    >>> _listed(["a", "b"]), _listed(list("abcdefg"))
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def _percent(share: float) -> str:
    return f"{100 * share:g} %"
