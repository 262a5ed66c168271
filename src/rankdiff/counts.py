"""In how many of the systems compared each judged document stands within a cutoff: what rarity is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankdiff.hits import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class DocumentCounts:
    """How many of ``systems`` systems (or groups) found each judged document: ``S_d`` out of ``S``.

    ``within`` is the cutoff at which they were counted, None where it is not known.
    """

    found: IntArray
    systems: int
    within: int | None = None

    def select(self, columns: IntArray) -> DocumentCounts:
        """Those of some documents."""
        return replace(self, found=self.found[columns])


def placed_within(rank: IntArray, cutoff: int) -> BoolArray:
    """Whether each document stands at ranks 1 to ``cutoff``.

    >>> placed_within(np.array([0, 1, 5, 6], np.int32), 5)
    array([False,  True,  True, False])
    """
    # As unsigned numbers, rank 0 minus 1 is larger than any cutoff: one comparison instead of two.
    return (rank - 1).astype(np.uint32) < cutoff


def count_documents(rank: IntArray, cutoff: int, groups: Sequence[str]) -> DocumentCounts:
    """Count for each document the groups in which some system placed it within the cutoff.

    ``rank`` is system × document, ``groups`` the group of each system (its own name where each counts by itself).
    It goes system by system, so that nothing of the size of the matrix is made.

    >>> rank = np.array([[1, 0], [2, 0], [3, 1]], np.int32)
    >>> count_documents(rank, 2, ["a", "b", "c"]).found, count_documents(rank, 2, ["a", "a", "c"]).found
    (array([2, 1], dtype=int32), array([1, 1], dtype=int32))
    """
    members: dict[str, list[int]] = {}
    for system, group in enumerate(groups):
        members.setdefault(group, []).append(system)
    found = np.zeros(rank.shape[1], np.int32)
    for systems in members.values():
        found += np.logical_or.reduce([placed_within(rank[system], cutoff) for system in systems])
    return DocumentCounts(found, len(members), cutoff)
