"""Rankings as plain lists, for tests that compute a study again by loops."""

from __future__ import annotations

import math
from itertools import combinations

from rankdiff.collection import Collection


def positions(c: Collection) -> list[list[list[float]]]:
    """The ranks by recall level, ascending and infinite where not retrieved: system by system, query by query."""
    return [
        [
            sorted(
                rank or math.inf
                for rank, grade in zip(
                    ranks[c.start[query] : c.start[query + 1]].tolist(),
                    c.grade[c.start[query] : c.start[query + 1]].tolist(),
                    strict=True,
                )
                if grade >= 1
            )
            for query in range(len(c.queries))
        ]
        for ranks in c.rank
    ]


def pairs(c: Collection) -> list[tuple[list[float], list[float]]]:
    """The recall levels of the two rankings of each pair of runs and each query."""
    found = positions(c)
    return [(one, two) for first, second in combinations(found, 2) for one, two in zip(first, second, strict=True)]
