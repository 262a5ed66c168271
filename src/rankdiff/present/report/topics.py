"""Where runs differ: the ranks of the relevant documents, from which the page draws each topic for any two runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankdiff.hits import BoolArray, IntArray
from rankdiff.preferences import Preference
from rankdiff.preferences import find as find_preference
from rankdiff.present.cells import readable
from rankdiff.present.report.asked import Asked, Part
from rankdiff.present.report.cells import packed, packed_counts

MOST_RANKS = 1_500_000
"""So many ranks fit in a page that opens at once; of larger collections it holds the best runs."""
SNIPPET, ROOM_FOR_TEXTS = 280, 900_000
"""A text is shown up to so many letters, and all of them together up to so many."""

DRAWN = ("RPP", "sgnLP", "sgnLR")
"""The preferences that the page computes from the ranks, for any two runs."""
MOST_VALUES = 150_000
"""So many values of other preferences fit beside the ranks: of each pair of runs in each topic one."""


def gather(asked: Asked) -> Part:
    """The ranks of all relevant documents in the runs shown, and the values of the measures."""
    c = asked.c
    population = c.relevant(c.rules.rel)
    shown = runs_shown(asked)
    names = [c.systems[i] for i in shown]
    documents = [c.documents[i] for i in population.column.tolist()]
    baseline, candidate = asked.pair
    data: dict[str, Any] = {
        "runs": [readable(name) for name in names],
        "topics": [readable(name) for name in c.queries],
        "titles": [readable(asked.titles.get(name, "")) for name in c.queries],
        "documents": [readable(name) for name in documents],
        "texts": _snippets(asked, documents),
        "start": packed_counts(population.start),
        "grades": [f"{grade:g}" for grade in c.grades[c.grades >= c.rules.rel]],
        "grade": packed_counts(np.searchsorted(c.grades[c.grades >= c.rules.rel], c.grade[population.column])),
        "rank": packed_counts(c.rank[np.ix_(shown, population.column)]),
        "depth": packed_counts(c.depth[shown]),
        "counts": packed(_counting(asked)[shown].astype(np.uint8)),
        "measures": _measures(asked, shown),
        "preferences": _preferences(asked, shown),
        "baseline": names.index(baseline),
        "candidate": names.index(candidate),
    }
    view = {
        "shown": len(names),
        "runs": len(c.systems),
        "names": data["runs"],
        "rel": f"{c.rules.rel:g}",
        "measures": [{"name": item["name"], "higher": item["higher"]} for item in data["measures"]],
        "preferences": [item["name"] for item in data["preferences"] if item["name"] not in DRAWN],
        "lexicographic": c.tied is None,
        "pair": asked.is_pair,
    }
    return Part("topics", "Where they differ", view, data)


def runs_shown(asked: Asked) -> IntArray:
    """The runs whose ranks the page holds, in the order of the collection."""
    room = max(2, MOST_RANKS // max(len(asked.c.relevant(asked.c.rules.rel).column), 1))
    if asked.c.tied is not None:
        room = min(room, max(2, int((2 * MOST_VALUES / len(asked.c.queries)) ** 0.5)))
    if len(asked.c.systems) <= room:
        return np.arange(len(asked.c.systems))
    pair = [asked.c.system_index(name) for name in asked.pair]
    best = [i for i in asked.primary_best_first() if i not in pair]
    return np.sort(np.array(pair + best[: room - 2]))


def _counting(asked: Asked) -> BoolArray:
    """Where a run's ranking counts, by the rules for missing topics and those without relevant documents."""
    c = asked.c
    counts = np.ones(c.depth.shape, bool)
    if c.rules.no_relevant == "drop":
        counts[:, c.relevant(c.rules.rel).size == 0] = False
    return counts & c.answered if c.rules.missing == "skip" else counts


def _measures(asked: Asked, shown: IntArray) -> list[dict[str, Any]]:
    if asked.scores is None:
        return []
    return [
        {"name": item.name, "higher": item.higher_is_better, "values": packed(values[shown])}
        for item, values in zip(asked.scores.measures, asked.scores.values, strict=True)
    ]


def _preferences(asked: Asked, shown: IntArray) -> list[dict[str, Any]]:
    """The values of what the page cannot compute from ranks: each run over those that follow it, in each topic.

    These are the other preferences that were asked for, and RPP where it is a mean over the orders within ties.
    """
    averaged = [find_preference("RPP")] if asked.c.tied is not None else []
    others = [item for item in asked.criteria if isinstance(item, Preference) and item.name not in DRAWN]
    pairs = len(shown) * (len(shown) - 1) // 2
    room = MOST_VALUES // (pairs * len(asked.c.queries)) - len(averaged)
    found = []
    for item in (*averaged, *others[: max(room, 0)]):
        values = asked.c.prefer(item)
        rows = [values.over(int(run), shown[i + 1 :]).ravel() for i, run in enumerate(shown[:-1])]
        found.append({"name": item.name, "values": packed(np.concatenate(rows))})
    return found


def _snippets(asked: Asked, documents: list[str]) -> dict[str, str]:
    """The beginnings of the relevant documents' texts, by their place; shorter ones where there are many."""
    found = {str(i): asked.texts[name] for i, name in enumerate(documents) if asked.texts.get(name)}
    most = min(SNIPPET, ROOM_FOR_TEXTS // max(len(found), 1))
    return {i: readable(text if len(text) <= most else f"{text[:most].rstrip()}…") for i, text in found.items()}
