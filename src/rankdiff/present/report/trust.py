"""Trust: what the numbers rest on, and what a reader should know before believing them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rankdiff import statistics
from rankdiff.collection import Collection
from rankdiff.hits import FloatArray
from rankdiff.present.cells import readable
from rankdiff.present.report.asked import Asked, Part
from rankdiff.present.report.cells import Grid, finite, grid
from rankdiff.present.report.topics import runs_shown

DEPTHS = (1, 5, 10, 20, 50, 100, 200, 500, 1000)
AVERAGED = "values are means over the orders within ties; single documents are ranked in the order of ids"
MOST_LINES = 40
"""So many runs get a line of their own in the figure of unjudged documents; of more, those shown are the best."""


def gather(asked: Asked) -> Part:
    """Unjudged shares by depth, missing topics and depths of every run, the power, and the warnings of `check`."""
    c = asked.c
    depths = [k for k in DEPTHS if k <= max(int(c.depth.max(initial=1)), 1)]
    unjudged = np.array([unjudged_share(c, k) for k in depths])
    rows = []
    for i, name in enumerate(c.systems):
        row: dict[str, Any] = {
            "run": name,
            "topics": int(c.answered[i].sum()),
            "missing": int((~c.answered[i]).sum()),
            "shallowest": int(c.depth[i, c.answered[i]].min(initial=c.depth[i].max(initial=0))),
            "deepest": int(c.depth[i].max(initial=0)),
        }
        row |= {f"unjudged@{k}": float(unjudged[j, i]) for j, k in enumerate(depths) if k in {10, 100}}
        rows.append(row)
    best = [i for i in asked.primary_best_first() if i in set(runs_shown(asked).tolist())][:MOST_LINES]
    view = {
        "warnings": _warnings(asked),
        "runs": grid("Every run", rows),
        "ties": _ties(asked),
        "power": _power(asked),
        "missing": int((~c.answered).any(axis=1).sum()),
        "topics": len(c.queries),
        "checked": asked.check is not None,
        "lines": len(best),
    }
    lines = [{"run": readable(c.systems[i]), "share": finite(unjudged[:, i])} for i in best]
    return Part("trust", "Trust", view, {"depths": depths, "lines": lines})


def unjudged_share(c: Collection, k: int) -> FloatArray:
    """The share of the first ``k`` documents returned that nobody judged: of each run, the mean over its topics.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 0}}, {"run": {"q": {"a": 9, "x": 8, "b": 7, "y": 6}}})
    >>> unjudged_share(c, 1), unjudged_share(c, 2), unjudged_share(c, 10)
    (array([0.]), array([0.5]), array([0.5]))
    """
    judged = (c.rank > 0) & (c.rank <= k) & (c.grade >= 0)
    found = np.add.reduceat(np.pad(judged, ((0, 0), (0, 1))), c.start[:-1], axis=1, dtype=np.int64)
    found[:, np.diff(c.start) == 0] = 0
    returned = np.minimum(c.depth, k)
    with np.errstate(invalid="ignore"):
        share = np.where(returned > 0, 1 - found / returned, np.nan)
    counted = (returned > 0).sum(axis=1)
    return np.asarray(
        np.divide(np.nansum(share, axis=1), counted, out=np.full(len(counted), np.nan), where=counted > 0)
    )


def _warnings(asked: Asked) -> list[tuple[str, str]]:
    """What must be said, the gravest first: the kind of each sentence, and the sentence."""
    found = asked.check
    averaged = [AVERAGED] if asked.c.tied is not None else []
    notices = dict.fromkeys(
        [*averaged, *_without_words(asked), *asked.c.notices, *(asked.scores.notes if asked.scores is not None else ())]
    )
    if found is not None:
        # What both say is said once: by `check` of unjudged topics, at greater length by the notice of others.
        notices = dict.fromkeys(text for text in notices if not text.endswith("not in the judgments: ignored"))
        longer = [text.replace(",", "") for text in notices]
        remarks = [text for text in found.remarks if not any(one.startswith(text.replace(",", "")) for one in longer)]
        said = [("error", text) for text in found.errors] + [("remark", text) for text in (*remarks, *notices)]
    else:
        said = [("remark", text) for text in notices]
    return [(kind, readable(text)) for kind, text in said]


def _without_words(asked: Asked) -> Iterator[str]:
    """What has no words although others of its kind have some."""
    c = asked.c
    documents = [c.documents[i] for i in c.relevant(c.rules.rel).column.tolist()]
    kinds = (("topics", "title", c.queries, asked.titles), ("relevant documents", "text", documents, asked.texts))
    for what, noun, shown, given in kinds:
        lacking = sum(name not in given for name in shown)
        if given and lacking:
            yield f"{lacking} of {len(shown)} {what} have no {noun}"


def _ties(asked: Asked) -> Grid | None:
    """How much of each run's order rests on the rule for ties, as `check` counted it."""
    if asked.check is None:
        return None
    return grid(
        "Ties and rank columns",
        [
            {
                "run": facts.run,
                "groups of ties": facts.ties,
                "that decide a relevant rank": facts.straddling,
                "topics whose ranks contradict scores": facts.contradicted,
                "duplicates": facts.duplicates,
                "unknown topics": facts.unknown,
            }
            for facts in asked.check.runs
        ],
    )


def _power(asked: Asked) -> str:
    """The smallest mean difference by the primary criterion that these topics show four times in five.

    Of two runs between them; of many between the best and the one in the middle, as the two best may be alike.
    """
    baseline, candidate, middle = *asked.pair, ""
    if not asked.is_pair:
        best_first = [asked.c.systems[i] for i in asked.primary_best_first()]
        baseline, candidate, middle = best_first[len(best_first) // 2], best_first[0], ", the run in the middle"
    compared = asked.c.compare(baseline, candidate, measures=asked.criteria[:1])
    differences = compared.values[0, 0][~np.isnan(compared.values[0, 0])]
    if len(differences) < 3 or not np.ptp(differences):
        return ""
    smallest = statistics.smallest_difference(differences).difference
    if not np.isfinite(smallest):
        return ""
    return (
        f"Between {readable(candidate)} and {readable(baseline)}{middle}, {len(differences)} topics show "
        f"a true mean difference of {smallest:.3g} in {compared.primary.name} four times in five "
        "(a two-sided t-test at 0.05)."
    )
