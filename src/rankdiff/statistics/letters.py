"""Letters: runs that share one are not shown to differ."""

from __future__ import annotations

from string import ascii_letters

import numpy as np

from rankdiff.hits import BoolArray, FloatArray


def letters(differs: BoolArray, merit: FloatArray) -> list[str] | None:
    """A compact letter display: two runs share a letter exactly where they are not shown to differ.

    ``differs`` is a symmetric matrix, system × system; the letters go from the best run by ``merit`` on. Each
    difference splits the groups that hold both of its runs, and groups within others are absorbed (Piepho 2004). None
    where the alphabet is too short.

    >>> apart = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool)
    >>> letters(apart, np.array([0.3, 0.2, 0.1]))
    ['a', 'ab', 'b']
    """
    groups = [frozenset(range(len(differs)))]
    for one, other in np.argwhere(np.triu(differs, 1)).tolist():
        both = [group for group in groups if one in group and other in group]
        parts = {group - {run} for group in both for run in (one, other)}
        groups = _absorb([group for group in groups if group not in both], parts)
        if len(groups) > len(ascii_letters):
            return None
    rank = np.argsort(np.argsort(-merit, kind="stable"), kind="stable")
    groups.sort(key=lambda group: sorted(rank[list(group)].tolist()))
    return [
        "".join(letter for letter, group in zip(ascii_letters, groups, strict=False) if run in group)
        for run in range(len(differs))
    ]


def _absorb(kept: list[frozenset[int]], parts: set[frozenset[int]]) -> list[frozenset[int]]:
    """The groups that are not within another."""
    candidates = [*kept, *sorted(parts, key=lambda part: (-len(part), sorted(part)))]
    return [
        group
        for place, group in enumerate(candidates)
        if not any(group < other or (group == other and i < place) for i, other in enumerate(candidates))
    ]
