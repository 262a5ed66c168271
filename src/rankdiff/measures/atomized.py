"""Atomized search length: how far down each relevant document stands, as if it were the only one.

The search length of a retrieved relevant document is its rank less the relevant documents above it, that is the
non-relevant ones above it, plus 1. What a document counts that was not retrieved is a rule:

- ``padded`` (default): every ranking counts as if it were filled up with non-relevant documents to the largest
  depth ``D`` that any run compared has for the query; a missing document counts ``D − k``, at least 1, where ``k``
  relevant documents were retrieved. Where all runs return equally many, this is the paper's value, and a short run
  gains nothing. A query for which no run returned anything has no value.
- ``returned``: the paper's letter, the number of non-relevant documents that the run itself returned. A run that
  returns nothing then gets 0, better than perfect. A query that a run lacks counts as padded.
- ``corpus``: ``n − m + 1``, behind all non-relevant documents of the corpus; needs a corpus size.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np

from rankdiff.collection import Collection
from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.hits import FloatArray, Hits, IntArray
from rankdiff.measures.definition import measure
from rankdiff.read.notices import counted
from rankdiff.results.table import Table, column

CITATION = "Alex, Hall & Metzler 2022"
Missing = Literal["padded", "returned", "corpus"]
RULES: tuple[str, ...] = get_args(Missing)


def missing_length(c: Collection, missing: str = "padded", rel: float = 1, found: IntArray | None = None) -> FloatArray:
    """What a relevant document that was not retrieved counts, system × query; NaN where no run returned anything.

    ``found`` is how many relevant documents are taken as retrieved, … × system × query; those that were, without it.
    """
    if missing not in RULES:
        raise UnknownNameError("rule for missing documents", missing, RULES)
    if missing == "corpus":
        return np.broadcast_to(c.n(rel) - c.relevant(rel).size + 1.0, c.depth.shape)
    found = c.hits(rel).count if found is None else found
    returned = c.depth - found
    # A run that is scored against a reference may be deeper than every run of it.
    deepest = np.maximum(c.depth, c.peers.depth.max(axis=0, initial=0))
    padded = np.where(deepest > 0, np.maximum(deepest - found, 1.0), np.nan)
    return padded if missing == "padded" else np.where(c.answered, returned, padded)


def _lengths(hits: Hits) -> IntArray:
    return hits.rank - hits.level + 1


def first_hits(c: Collection, first: int | None, rel: float) -> tuple[Hits, IntArray]:
    """The hits among the first relevant documents, and how many those are in each query."""
    hits, m = c.hits(rel), c.relevant(rel).size
    if first is None:
        return hits, m
    if first < 1:
        raise UsageError(f"first={first}: give the number of relevant documents to look at, as in ASL(first=10)")
    return hits.where(hits.level <= first), np.minimum(m, first)


def lifted(c: Collection, first: int | None = None, missing: str = "returned", rel: float = 1) -> IntArray:
    """How many documents have a search length below 1 that counts as 1 wherever it is inverted, system × query.

    Only the rule ``returned`` makes such values: where a ranking holds nothing but relevant documents, the ones that
    it lacks count 0.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 9}}})
    >>> lifted(c)
    array([[1]])
    """
    hits, wanted = first_hits(c, first, rel)
    below: IntArray = np.where(missing_length(c, missing, rel) < 1, wanted - hits.count, 0)
    return below


def notices(c: Collection, first: int | None = None, missing: Missing = "padded", rel: float = 1) -> tuple[str, ...]:
    """What a reader of search lengths must know: where depths differ, what was padded, lifted, or has no value.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1}}, {"deep": {"q": {"x": 9, "a": 8}}, "short": {"q": {"a": 9}}})
    >>> notices(c)
    ('search lengths: the runs compared return 1 to 2 documents for topic q (depths differ in 1 of 1 topics); \
missing documents count as if all rankings went down to the deepest',)
    """
    found, queries = [], len(c.queries)
    depth = np.concatenate([c.depth, c.peers.depth])
    least, most = depth.min(axis=0), depth.max(axis=0)
    differ = np.flatnonzero(least < most)
    if len(differ) and missing != "corpus":
        widest = differ[np.argmax(most[differ] - least[differ])]
        effect = {
            "padded": "missing documents count as if all rankings went down to the deepest",
            "returned": "missing documents count less where a run returns less, so that short runs gain",
        }
        found.append(
            f"search lengths: the runs compared return {least[widest]} to {most[widest]} documents for topic "
            f"{c.queries[widest]} (depths differ in {len(differ)} of {queries} topics); {effect[missing]}"
        )
    if missing != "corpus" and (barren := np.count_nonzero((most == 0) & (c.relevant(rel).size > 0))):
        found.append(f"search lengths: no run returned anything for {barren} of {queries} topics: no value there")
    if missing == "returned":
        if lacking := np.count_nonzero(~c.answered):
            found.append(f"search lengths: {counted(int(lacking), 'missing ranking')} counted as padded")
        if short := sum(int(lifted(block, first, missing, rel).sum()) for block in c.blocks()):
            found.append(f"search lengths: {counted(short, 'missing document')} below 1; wherever inverted, 1")
    return tuple(found)


@measure(
    "ASL",
    range=(0, math.inf),
    higher_is_better=False,
    aliases=("ASL@g1-{first}", "ASL@g{first}"),
    citation=CITATION,
    notices=notices,
)
def atomized_search_length(
    c: Collection, first: int | None = None, missing: Missing = "padded", rel: float = 1
) -> FloatArray:
    """The mean over relevant documents of the non-relevant ones above each, plus 1; 1 is perfect, lower is better.

    ``ASL_{q,d} = rank − (relevant documents above)``. ``first`` looks at the first so many relevant documents by
    rank only (at all ``m`` where there are fewer); ``ASL@g10`` and ``ASL@g1-10`` mean ``ASL(first=10)``. ``missing``
    says what a document counts that was not retrieved: ``padded``, ``returned`` (the paper's letter) or ``corpus``.

    >>> import rankdiff as rd
    >>> runs = {"deep": {"q": {"a": 9, "x": 8, "b": 7, "y": 6}}, "short": {"q": {"a": 9}}, "none": {"q": {}}}
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, runs)
    >>> c.measure("ASL")["ASL"].ravel()  # (1 + 2)/2; (1 + (4 − 1))/2; (4 + 4)/2
    array([1.5, 2. , 4. ])
    >>> c.measure("ASL@g1-1").values.ravel()
    array([1., 1., 4.])
    """
    hits, wanted = first_hits(c, first, rel)
    return (hits.sum(_lengths(hits)) + (wanted - hits.count) * missing_length(c, missing, rel)) / wanted


@measure("AtomizedP", range=(0, 1), citation=CITATION, notices=notices)
def atomized_precision(
    c: Collection, first: int | None = None, missing: Missing = "padded", rel: float = 1
) -> FloatArray:
    """The mean over relevant documents of 1 over the search length of each: AP without its coupling of documents.

    First step from MAP to 1/ASL. A search length below 1 counts as 1 (`lifted` says how many were). Without a value
    where no run returned anything.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 9, "x": 8, "b": 7}}})
    >>> c.measure("AtomizedP")["AtomizedP"]  # (1/1 + 1/2)/2
    array([[0.75]])
    """
    hits, wanted = first_hits(c, first, rel)
    absent = 1 / np.maximum(missing_length(c, missing, rel), 1)
    return (hits.sum(1 / _lengths(hits)) + (wanted - hits.count) * absent) / wanted


@measure("HarmonicP", range=(0, 1), citation=CITATION, notices=notices)
def harmonic_precision(
    c: Collection, first: int | None = None, missing: Missing = "padded", rel: float = 1
) -> FloatArray:
    """The harmonic mean over relevant documents of atomized precision: 1 over the mean search length.

    Second step from MAP to 1/ASL. A search length below 1 counts as 1 (`lifted` says how many were).

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"a": 9, "x": 8, "b": 7}}})
    >>> c.measure("HarmonicP")["HarmonicP"]  # 1/((1 + 2)/2)
    array([[0.66666667]])
    """
    hits, wanted = first_hits(c, first, rel)
    absent = np.maximum(missing_length(c, missing, rel), 1)
    return wanted / (hits.sum(_lengths(hits)) + (wanted - hits.count) * absent)


@measure("InvASL", range=(0, 1), aggregate="harmonic", no_relevant="undefined", citation=CITATION, notices=notices)
def inverse_search_length(
    c: Collection, first: int | None = None, missing: Missing = "padded", rel: float = 1
) -> FloatArray:
    """1/ASL: HarmonicP query by query, and the harmonic mean of it over queries, so that the mean is 1 over mean ASL.

    Third and last step from MAP to 1/ASL. A query without a relevant document has no value, as for ASL: a 0 would be
    the harmonic mean of all. Tests between systems take 1 over its values, where its mean is a plain mean.

    >>> import rankdiff as rd
    >>> c = rd.align({"1": {"a": 1}, "2": {"b": 1}}, {"run": {"1": {"a": 9}, "2": {"x": 3, "y": 2, "b": 1}}})
    >>> c.measure("InvASL").summary()  # 1/((1 + 3)/2)
    array([[0.5]])
    """
    return harmonic_precision.function(c, first, missing, rel)


def document_lengths(c: Collection, missing: str = "padded", rel: float = 1) -> FloatArray:
    """The search length of every relevant document, system × document (those of ``c.relevant(rel)``, in its order).

    The mean over the documents of a query is ASL; the histogram of a run, and that of the difference between two
    runs, show which documents the mean hides.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 1}}, {"run": {"q": {"x": 9, "b": 8}}})
    >>> document_lengths(c)
    array([[1., 2.]])
    """
    relevant, hits = c.relevant(rel), c.hits(rel)
    lengths = missing_length(c, missing, rel)[:, relevant.query[relevant.group]]
    place = np.searchsorted(relevant.column, hits.column)
    lengths[hits.ranking // max(hits.shape[1], 1), place] = _lengths(hits)
    return lengths


def length_table(c: Collection, run: str, missing: str = "padded", rel: float | None = None) -> Table:
    """The search lengths of one run as a table, a row a relevant document: topic, id, grade, rank (None where it was
    not retrieved) and length. ``rel`` is the collection's own unless given.

    >>> import rankdiff as rd
    >>> c = rd.align({"q": {"a": 1, "b": 2}}, {"run": {"q": {"x": 9, "b": 8}}})
    >>> for row in length_table(c, "run").rows(): print(row)
    {'run': 'run', 'query': 'q', 'document': 'a', 'grade': 1.0, 'rank': None, 'length': 1.0}
    {'run': 'run', 'query': 'q', 'document': 'b', 'grade': 2.0, 'rank': 2, 'length': 2.0}
    """
    lowest, system = c.rules.rel if rel is None else rel, c.system_index(run)
    relevant = c.relevant(lowest).column
    rank = c.rank[system, relevant].astype(object)
    rank[rank == 0] = None
    columns = {
        "run": column([run] * len(relevant)),
        "query": column(c.queries)[c.query_of[relevant]],
        "document": column(list(c.documents[relevant])),
        "grade": c.grade[relevant],
        "rank": rank,
        "length": document_lengths(c, missing, lowest)[system],
    }
    return Table(columns, signature=c.sign("search-lengths", f"missing:{missing}"))


def relative_reduction(baseline: float, candidate: float, *, higher_is_better: bool = True) -> float:
    """RRIE: which share of the baseline's error the candidate takes away; 1 is all of it, negative is worse.

    ``((1−P_a) − (1−P_b)) / (1−P_a)`` for measures that reach 1 from below, ``((ASL_a−1) − (ASL_b−1)) / (ASL_a−1)``
    for search lengths (``higher_is_better=False``), where a value below 1 counts as 1. Against a perfect baseline it
    is 0 if both are perfect, else −inf.

    >>> relative_reduction(0.5, 0.75), relative_reduction(51, 6, higher_is_better=False)
    (0.5, 0.9)
    >>> relative_reduction(1, 1), relative_reduction(1, 0.9)
    (0.0, -inf)
    """
    if higher_is_better:
        before, after = 1 - baseline, 1 - candidate
    else:
        before, after = max(baseline, 1) - 1, max(candidate, 1) - 1
    if before == 0:
        return 0.0 if after == 0 else -math.inf
    return (before - after) / before


def value_change(old: float, new: float) -> float:
    """ΔValue: new over old of a mean, as when a step from MAP to 1/ASL is taken; NaN where the old one is 0.

    >>> value_change(0.5, 0.125)
    0.25
    """
    return new / old if old else math.nan
