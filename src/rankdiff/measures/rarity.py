"""Innovation measures: precision and average precision that reward relevant documents few other systems find.

``S_d`` is how many of the ``S`` runs compared hold document ``d`` within the cutoff, the scored run included, and
``R(d) = 1 − S_d/S`` its rarity. Runs count singly, or by group (``groups=``: near-identical runs of one team count
once); a ``reference`` freezes the runs compared, so that a new run is scored against an old track.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from rankdiff.collection import Collection
from rankdiff.counts import DocumentCounts, count_documents, placed_within
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import FloatArray, Hits, IntArray
from rankdiff.measures.definition import measure
from rankdiff.results import Table

Weight = Literal["linear", "log"]
Gains = Literal["binary", "graded"]

CITATION = "Türkmen, Lease & Kutlu 2023"
DEFAULT_CUTOFF = 100
"""The paper's, for everything."""


def document_counts(c: Collection, within: int = DEFAULT_CUTOFF) -> DocumentCounts:
    """How many of the runs compared (or of their groups) hold each judged document within a cutoff: ``S_d`` of ``S``.

    Counted once for each cutoff; saved counts are taken as they are.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"one": {"q": {"a": 2, "b": 1}}, "two": {"q": {"a": 1}}})
    >>> document_counts(c).found
    array([2, 1], dtype=int32)
    """
    if within < 1:
        raise UsageError(f"counted={within}: documents are counted within a cutoff of at least 1, as in counted=100")
    if c.counts is not None:
        if c.counts.within not in (None, within):
            raise UsageError(
                f"the saved counts were made within the top {c.counts.within}, asked for is {within}: "
                f"set counted={c.counts.within} in the measure's name"
            )
        return c.counts
    peers = c.peers
    peers.refuse_ties()
    return peers._once(
        ("document counts", within), lambda: count_documents(peers.rank, within, peers.groups or peers.systems)
    )


def _rarity(counts: DocumentCounts, columns: IntArray, *, revised: bool, weight: str) -> tuple[Any, float]:
    """The rarity of documents as a fraction, numerator and denominator: linear numerators are whole, sums exact."""
    found, systems = counts.found[columns].astype(np.int64), counts.systems
    if revised and systems < 2:
        raise UsageError(
            "revised rarity asks how many of the other runs find a document, 1 − (S_d − 1)/(S − 1), and there is only "
            "one run (or group of runs) to compare: add runs, or give a reference"
        )
    if weight == "log":
        return np.log(systems / np.maximum(found, 1)), float(np.log(systems)) or 1.0
    if weight != "linear":
        raise UnknownNameError("weight of rarity", weight, ["linear", "log"])
    return (systems - np.maximum(found, 1), systems - 1) if revised else (systems - found, systems)


def _mixture(alpha: float | str | None, mu: float | None, m: IntArray, *, revised: bool) -> FloatArray:
    """α of each query: a number, ``1/m``, or ``μ/(m + μ)``."""
    if mu is not None:
        if alpha is not None:
            raise UsageError(f"give alpha or mu, not both (alpha={alpha!r}, mu={mu:g})")
        if mu <= 0:
            raise UsageError(f"mu={mu:g}: it must be above 0, as in RareP(mu=10)@100")
        return np.asarray(mu / (m + mu), np.float64)
    if isinstance(alpha, str):
        if alpha.replace(" ", "") != "1/m":
            raise UsageError(f"alpha={alpha!r}: give a number or '1/m'; mu=10 stands for 10/(m + 10)")
        return np.asarray(1 / m, np.float64)
    value = 1.0 if alpha is None else float(alpha)
    if revised and not 0 <= value <= 1:
        raise UsageError(f"alpha={value:g}: the revised measures mix relevance and rarity, so alpha lies in 0 to 1")
    if not value >= 0:
        raise UsageError(f"alpha={value:g}: what is rare adds to a score, so alpha must be at least 0")
    return np.full(len(m), value)


def _gains(c: Collection, columns: IntArray, gains: str) -> IntArray | FloatArray:
    """What each relevant document is worth: 1, or its grade over the largest of its topic."""
    if gains == "binary":
        return np.ones(len(columns), np.int64)
    if gains != "graded":
        raise UnknownNameError("kind of gains", gains, ["binary", "graded"])
    largest = np.full(len(c.queries), -np.inf)
    np.fmax.at(largest, c.query_of, c.grade)
    share: FloatArray = c.grade[columns] / largest[c.query_of[columns]]
    return share


@measure("RareP", range=(0, np.inf), citation=CITATION)
def rare_precision(
    c: Collection,
    *,
    alpha: float | str | None = None,
    mu: float | None = None,
    revised: bool = False,
    counted: int | None = None,
    weight: Weight = "linear",
    gains: Gains = "binary",
    rel: float = 1,
    k: int | None = None,
) -> FloatArray:
    """Precision in which a relevant document counts the more, the fewer of the runs compared find it.

    ``P@k_rareness = 1/k Σ_{i≤k} rel(i) (1 + α R(d_i))``, ``R(d) = 1 − S_d/S``; ``alpha=0`` is P@k. ``k`` is 100 where
    the name gives none, and counts even where fewer documents are returned.

    - ``alpha``: a number of at least 0 (1 unless given; the largest value is ``1 + α``) or ``'1/m'``; ``mu=10`` stands
      for ``10/(m + 10)`` per query.
    - ``revised=True``: ``1/k Σ [(1−α) rel + α rel R']``, ``R' = 1 − (S_d − 1)/(S − 1)``, all within 0 to 1; ``alpha=1``
      is pure rarity. With one run alone it is an error.
    - ``counted``: the cutoff within which ``S_d`` is counted, where it is not to be ``k``.
    - ``weight='log'``: ``R(d) = log(S/S_d) / log S``, as in idf. ``gains='graded'``: grades over the topic's largest
      take the place of 1.

    A document that no run of a reference finds has rarity 1.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"one": {"q": {"a": 2, "b": 1}}, "two": {"q": {"a": 1}}})
    >>> c.measure("RareP(alpha=1)@2").values.ravel()  # R(a) = 0, R(b) = 1/2: (1 + 3/2)/2; 1/2
    array([1.25, 0.5 ])
    """
    cutoff = DEFAULT_CUTOFF if k is None else int(k)
    hits = c.hits(rel).top(cutoff)
    plain, rare = _plain_and_rare(
        c, hits, cutoff if counted is None else counted, revised=revised, weight=weight, gains=gains
    )
    mixture = _mixture(alpha, mu, c.relevant(rel).size, revised=revised)
    return ((1 - mixture if revised else 1) * hits.sum(plain) + mixture * hits.sum(rare[0]) / rare[1]) / cutoff


@measure("RareAP", range=(0, np.inf), citation=CITATION)
def rare_average_precision(
    c: Collection,
    *,
    alpha: float | str | None = None,
    mu: float | None = None,
    revised: bool = False,
    counted: int | None = None,
    weight: Weight = "linear",
    gains: Gains = "binary",
    rel: float = 1,
    k: int | None = None,
) -> FloatArray:
    """Average precision in which a relevant document counts the more, the fewer of the runs compared find it.

    ``AP_rareness = 1/m Σ_{i≤k} rel(i) P@i_rareness``, with the parameters of RareP; ``alpha=0`` is AP@k. With
    ``gains='graded'`` the gains take the place of rel(i) throughout, and their sum that of ``m``.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"one": {"q": {"a": 2, "b": 1}}, "two": {"q": {"a": 1}}})
    >>> c.measure("RareAP(alpha=1)@2").values.ravel()  # (1/1 + (1 + 3/2)/2)/2; (1/1)/2
    array([1.125, 0.5  ])
    """
    cutoff = DEFAULT_CUTOFF if k is None else int(k)
    relevant, hits = c.relevant(rel), c.hits(rel).top(cutoff)
    plain, rare = _plain_and_rare(
        c, hits, cutoff if counted is None else counted, revised=revised, weight=weight, gains=gains
    )
    mixture = hits.of_group(_mixture(alpha, mu, relevant.size, revised=revised))
    above = (1 - mixture if revised else 1) * hits.running(plain) + mixture * hits.running(rare[0]) / rare[1]
    most = np.bincount(relevant.group, _gains(c, relevant.column, gains), len(c.queries))
    return hits.sum(plain * (above / hits.rank)) / most


def _plain_and_rare(
    c: Collection, hits: Hits, counted: int, *, revised: bool, weight: str, gains: str
) -> tuple[Any, tuple[Any, float]]:
    """What each hit is worth, and that times its rarity, as numerators over one denominator."""
    plain = _gains(c, hits.column, gains)
    numerator, denominator = _rarity(document_counts(c, counted), hits.column, revised=revised, weight=weight)
    return plain, (plain * numerator, denominator)


def rarity_table(c: Collection, within: int = DEFAULT_CUTOFF, rel: float | None = None, few: int = 3) -> Table:
    """The rarity of each relevant document, the rarest of a topic first, so that a person can read which they are.

    A row a document: topic, id, how many of how many systems (or groups) find it within the cutoff, its grade, its
    rarity ``1 − S_d/S``, and which systems find it where those are at most ``few``. Saved to a file, the table
    can be the ``reference`` of later runs.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 2}}, {"one": {"q": {"a": 2, "b": 1}}, "two": {"q": {"a": 1}}})
    >>> table = rarity_table(c, few=1)
    >>> for row in table.rows(): print([row[key] for key in ("document", "found_by", "systems", "rarity", "which")])
    ['b', 1, 2, 0.5, 'one']
    ['a', 2, 2, 0.0, '']
    """
    counts = document_counts(c, within)
    column = c.relevant(c.rules.rel if rel is None else rel).column
    column = column[np.lexsort((counts.found[column], c.query_of[column]))]
    found = counts.found[column]
    finders = {} if c.counts is not None else _finders(c.peers, column[(found > 0) & (found <= few)], within)
    return Table(
        {
            "query": np.array(c.queries, object)[c.query_of[column]],
            "document": np.array(list(c.documents[column]), object),
            "found_by": found,
            "systems": np.full(len(column), counts.systems),
            "within": np.full(len(column), within),
            "grade": c.grade[column],
            "rarity": 1 - found / counts.systems,
            "which": np.array([", ".join(finders.get(item, ())) for item in column.tolist()], object),
        },
        title=f"Rarity of relevant documents within the top {within}",
        signature=c.sign("rarity", f"within:{within}"),
    )


def _finders(peers: Collection, columns: IntArray, within: int) -> dict[int, list[str]]:
    """The systems (or groups) that hold each of some documents within a cutoff."""
    finders: dict[int, list[str]] = {}
    for name, rank in zip(peers.groups or peers.systems, peers.rank, strict=True):
        for column in columns[placed_within(rank[columns], within)].tolist():
            names = finders.setdefault(column, [])
            if name not in names:
                names.append(name)
    return finders
