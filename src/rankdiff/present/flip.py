"""What would overturn a verdict, as lists: for people one after the other, for programs as one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankdiff.results.table import Table, column
from rankdiff.verdict import Bounds, Flip

MOST = 20
"""So many documents to be judged first are shown to people; programs get all."""

COLUMNS = (
    "topic", "document", "grade", "becomes", "difference", "narrows", "baseline rank", "candidate rank", "other runs",
)  # fmt: skip


@dataclass(frozen=True)
class Firmness:
    """What a verdict hangs on: its judged topics and documents, and those that nobody judged.

    ``bounds`` are those to some depths, the shallowest first; none where ``why_not`` says why there are none.
    """

    flip: Flip
    bounds: tuple[Bounds, ...] = ()
    why_not: str = ""

    @property
    def open(self) -> Bounds | None:
        """The bounds to the least depth whose unjudged documents could turn the verdict round."""
        return next((found for found in self.bounds if not found.holds), None)

    @property
    def by_depth(self) -> Table:
        """Between which limits the difference lies, were all that the two returned judged to some depth."""
        low, high = (np.array([found.interval[end] for found in self.bounds]) for end in (0, 1))
        return Table(
            {
                "judged to": column([f"{found.depth or 'all'}" for found in self.bounds]),
                "lower": low,
                "upper": high,
                "it holds": np.array([found.holds for found in self.bounds]),
            }
        )


def firmness_tables(found: Firmness) -> Iterator[Table]:
    """The lists that an assessor can take to work, under what they would undo."""
    flip = found.flip
    unlisted = (answer.sentence for answer in flip.answers if not len(answer.table))
    verdict, notes = flip.sentences[0], (*unlisted, *[found.why_not] * bool(found.why_not))
    named = {"baseline rank": f"rank in {flip.baseline}", "candidate rank": f"rank in {flip.candidate}"}
    lists = [(answer.sentence, answer.table) for answer in flip.answers]
    if found.bounds:
        lists.append(("Were what the two returned judged to some depth", found.by_depth))
    if found.open is not None:
        urgent = found.open.judge_first
        depth = "" if found.open.depth is None else f" of the first {found.open.depth}"
        rest = f" ({MOST} of {len(urgent)})" if len(urgent) > MOST else ""
        shown = {name: values[:MOST] for name, values in urgent.columns.items()}
        lists.append((f"To be judged first{depth}: what narrows the bounds most{rest}", Table(shown)))
    lists = [item for item in lists if len(item[1])]
    if not lists:
        yield Table({}, title=verdict, notes=notes, signature=flip.signature)
    for number, (sentence, table) in enumerate(lists):
        columns = {
            named.get(name, name): values
            for name, values in table.columns.items()
            if name not in ("document", "other runs") or any(values)
        }
        first, last = number == 0, number == len(lists) - 1
        title = f"{verdict}: {sentence}" if first else sentence
        yield Table(columns, title, notes if last else (), flip.signature if last else "")


def firmness_list(found: Firmness) -> Table:
    """All in one table: ``undoes`` names the claim, ``by`` what undoes it (unjudged documents could)."""
    flip = found.flip
    tables = [(answer.claim, answer.by, answer.table) for answer in flip.answers]
    if found.open is not None:
        tables.append(("sign", "unjudged", found.open.judge_first))
    columns: dict[str, Any] = {
        "undoes": column([claim for claim, _, table in tables for _ in range(len(table))]),
        "by": column([by for _, by, table in tables for _ in range(len(table))]),
    }
    for name in COLUMNS:
        cells = [table.columns.get(name, np.full(len(table), None, object)) for *_, table in tables]
        columns[name] = np.concatenate([np.zeros(0, object), *cells])
    sentences = [*flip.sentences, *(bounds.sentence for bounds in found.bounds), found.why_not]
    return Table(columns, notes=tuple(filter(None, sentences)), signature=flip.signature)


def firmness_record(found: Firmness) -> dict[str, Any]:
    """By the names of the fields of `Flip` and `Bounds`."""
    flip = found.flip
    four = ("sign_by_topics", "sign_by_judgments", "significance_by_topics", "significance_by_judgments")
    record: dict[str, Any] = {
        name: getattr(flip, name) for name in ("baseline", "candidate", "measure", "difference", "sentences")
    }
    for name in four:
        answer = getattr(flip, name)
        record[name] = answer and {
            "count": answer.count,
            "at_least": answer.at_least,
            "exact": answer.exact,
            answer.by: list(answer.table.rows()),
        }
    record["bounds"] = [
        {"depth": bounds.depth, "interval": bounds.interval, "holds": bounds.holds} for bounds in found.bounds
    ]
    record["judge_first"] = [] if found.open is None else list(found.open.judge_first.rows())
    return record | {"why_not": found.why_not, "signature": flip.signature}
