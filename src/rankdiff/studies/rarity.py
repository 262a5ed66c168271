"""What does rewarding rare documents change?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rankdiff import measures
from rankdiff.collection import Collection
from rankdiff.counts import placed_within
from rankdiff.errors import UsageError
from rankdiff.hits import FloatArray
from rankdiff.measures.rarity import rarity_table
from rankdiff.read.files import text_of
from rankdiff.results.table import Table
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, dashes, panels
from rankdiff.studies.opinions import agreement, system_scores
from rankdiff.studies.published.innovation import TABLE_4
from rankdiff.studies.tables import Note, Row

ALPHAS = tuple(step / 10 for step in range(11))
DRAWN_ALPHAS = (0.0, 0.5, 1.0)
TAU, RANK, RARITY = "tau with alpha 0", "rank of the hypothetical run", "rarity"


def draw(table: Table) -> Any:
    """τ with the order without rarity against α, and the ranks of two hypothetical runs."""
    alt = altair()
    tau = chart(table).transform_filter(f"datum.quantity == '{TAU}'").mark_line(point=True)
    tau = tau.encode(
        x="alpha:Q", y=alt.Y("value:Q", title="τ with α = 0", scale=alt.Scale(zero=False)), color="measure:N"
    )
    if len(set(table.columns.get("dataset", ()))) > 1 or "segment" in table.columns:
        return panels(tau, table)
    rank = chart(table).transform_filter(f"datum.quantity == '{RANK}'").mark_line()
    rank = rank.encode(
        x=alt.X("found:Q", title="relevant documents found"),
        y=alt.Y("value:Q", title="rank of the hypothetical run"),
        color="alpha:N",
        strokeDash=dashes("run"),
    )
    return (tau | rank).resolve_scale(color="independent")


@study(
    "rarity",
    question="what does rewarding rare documents change?",
    reproduces="innovation Fig. 1, 2, Table 4",
    draw=draw,
    printed=[TABLE_4],
)
def rarity(
    c: Collection,
    *,
    alphas: Sequence[float] = ALPHAS,
    k: int = 100,
    topic: str = "",
    documents: int = 5,
    titles: str = "",
    as_paper: bool = False,
) -> Iterator[Row | Note]:
    """Order against α, two hypothetical runs, and which relevant documents are rarest.

    - ``alphas``: how much rarity weighs. ``tau with alpha 0`` compares each order of the systems with P@k's and AP@k's.
    - ``k``: the cutoff of the measures, and the one within which documents count as found.
    - ``topic``: where hypothetical runs are scored and documents listed: that with the most relevant documents unless
      named.
    - ``documents``: how many of that topic's relevant documents are listed, the rarest first.
    - ``titles``: a file with a document and its title or text on each line.

    The ``rare`` run finds so many relevant documents that no other run has, the ``common`` one those that most runs
    have; both take part in the comparison, and their ``rank`` by RareP at that topic is given for each number
    ``found``. As in the paper's Table 4, with ``as_paper`` the documents listed are spread evenly from the rarest to
    the commonest.

    >>> import rankdiff as rd
    >>> runs = {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"a": 1}}}
    >>> table = rd.studies.rarity(rd.align({"q": {"a": 1, "b": 1}}, runs), documents=1).table
    >>> row = table.row(quantity="rarity")
    >>> row["document"], row["value"]
    ('b', 0.5)
    """
    for name in ("RareP", "RareAP"):
        yield from _orders(c, name, alphas, k)
    place = _topic(c, topic)
    for alpha in DRAWN_ALPHAS:
        for kind, ranks in hypothetical_ranks(c, place, alpha, k).items():
            for found, rank in enumerate(ranks.tolist(), 1):
                yield {
                    "quantity": RANK, "measure": f"RareP@{k}", "alpha": alpha, "query": c.queries[place],
                    "run": kind, "found": found, "value": float(rank),
                }  # fmt: skip
    yield from _documents(c, place, k, documents, read_titles(titles) if titles else {}, spread=as_paper)


def _orders(c: Collection, name: str, alphas: Sequence[float], k: int) -> Iterator[Row]:
    plain = system_scores(c, measures.find(f"{name}(alpha=0)@{k}"))
    for alpha in alphas:
        tau = agreement(system_scores(c, measures.find(f"{name}(alpha={alpha:g})@{k}")), plain)
        yield {"quantity": TAU, "measure": f"{name}@{k}", "alpha": float(alpha), "value": tau}


def _topic(c: Collection, topic: str) -> int:
    if topic and topic not in c.queries:
        raise UsageError(f"no topic is called {topic!r}: there are {c.queries[0]!r} and others")
    size = c.relevant(c.rules.rel).size
    if not len(size) or not size.max():
        raise UsageError("no topic has a relevant document")
    return c.queries.index(topic) if topic else int(np.argmax(size))


def hypothetical_ranks(c: Collection, topic: int, alpha: float, k: int) -> Mapping[str, FloatArray]:
    """The ranks of the rare and of the common run among all, by RareP@k at one topic, for 1, 2, … documents found.

    The rare run finds up to ``k`` documents; the common one, whose documents are real, no more than there are.
    """
    relevant = c.relevant(c.rules.rel)
    columns = relevant.column[relevant.start[topic] : relevant.start[topic + 1]]
    held = placed_within(c.rank[:, columns], k)
    held = held[:, np.argsort(-held.sum(axis=0), kind="stable")]
    runs = len(c.systems) + 2
    ranks: dict[str, list[float]] = {"rare": [], "common": []}
    for found in range(1, k + 1):
        within = np.arange(held.shape[1]) < found
        worth = 1 + alpha * (1 - (held.sum(axis=0) + within) / runs)
        rare, common = found * (1 + alpha * (1 - 1 / runs)), float(worth[within].sum())
        scores = np.round([*(held @ worth), rare, common], 9)
        for kind, score in {"rare": scores[-2], "common": scores[-1]}.items():
            if kind == "rare" or found <= held.shape[1]:
                ranks[kind].append(1.0 + float(np.sum(scores > score)))
    return {kind: np.array(values) for kind, values in ranks.items()}


def _documents(
    c: Collection, topic: int, k: int, count: int, titles: Mapping[str, str], *, spread: bool
) -> Iterator[Row]:
    rows = [row for row in rarity_table(c, within=k).rows() if row["query"] == c.queries[topic]]
    chosen = np.linspace(0, len(rows) - 1, min(count, len(rows))).round().astype(int) if spread else range(count)
    for row in [rows[i] for i in chosen if i < len(rows)]:
        yield {
            "quantity": RARITY,
            "query": row["query"],
            "document": row["document"],
            "found": row["found_by"],
            "title": titles.get(row["document"], ""),
            "value": row["rarity"],
        }


def read_titles(path: str) -> Mapping[str, str]:
    """Document → title or text, from a file with both on each line."""
    lines = (line.split(maxsplit=1) for line in text_of(path).splitlines())
    return {words[0]: words[1] for words in lines if len(words) == 2}
