"""Which share of the pairs of runs differs significantly, and how much of it holds on other topics?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rankdiff import __version__
from rankdiff.collection import Collection
from rankdiff.results import Study
from rankdiff.results.table import Table
from rankdiff.statistics import DiscriminativePower, discriminative_power
from rankdiff.studies.criteria import Criterion
from rankdiff.studies.definition import study
from rankdiff.studies.drawing import altair, chart, panels
from rankdiff.studies.printed import beside
from rankdiff.studies.published import innovation, lexiprecision, recall_paired
from rankdiff.studies.sampling import Sampling
from rankdiff.studies.tables import Row, tabulate
from rankdiff.studies.testing import UnderTest, prepare, prepare_scores

AS_PAPERS = ("randomized-hsd", "paired", "unpaired")
VALIDITY = {"repeated": "repeated", "turned": "turned", "contradicted": "contradicted", "on_nothing": "on nothing"}
"""What other topics say of the claims; the columns are called so."""
PRINTED = (
    recall_paired.TABLE_3A,
    recall_paired.TABLE_3B,
    recall_paired.TABLE_4A,
    recall_paired.TABLE_4B,
    lexiprecision.TABLE_3A,
    lexiprecision.TABLE_3B,
    innovation.TABLE_1,
    innovation.TABLE_1_STRICT,
)


def draw(table: Table) -> Any:
    """The share of pairs that differ, as Figure 11, and of the claims the share that other topics repeat."""
    alt = altair()
    color = alt.Color("level:N", title="level")

    def bars(column: str, title: str) -> Any:
        drawn = chart(table).mark_bar().encode(x=alt.X("measure:N", title=None, sort=None), xOffset="level:N")
        drawn = drawn.encode(y=alt.Y(f"{column}:Q", title=title), color=color)
        several = len(set(table["test"])) > 1
        return drawn.facet(row="test:N", column="dataset:N") if several else panels(drawn, table)

    return bars("share", "share of pairs that differ") | bars("repeated", "of the claims, repeated on other topics")


@study(
    "power",
    question="which pairs of runs can a measure tell apart, and is it right on other topics?",
    reproduces="RPP Tables 3, 4; lexiprecision Tables 3a, 3b; lexirecall Fig. 11; innovation Table 1",
    draw=draw,
    about=("RPP", "AP", "nDCG", "RR", "rrLP", "sgnLP", "sgnLR"),
    samples=10,
    as_paper=(
        *("RPP", "RPP(weights='dcg')", "RPP(weights='inverse')", "AP", "nDCG", "RR", "rrLP", "sgnLP", "sgnLR"),
        *("P@100", "RareP(alpha=0.5)@100", "RareP@100", "AP@100", "RareAP(alpha=0.5)@100", "RareAP@100"),
    ),
    subtopical=("STRPP", "StRecall@20", "ERR_IA@20", "AP_IA"),
    printed=PRINTED,
)
def power(
    c: Collection,
    what: Sequence[Criterion],
    sampling: Sampling,
    *,
    tests: Sequence[str] = ("sign-flip",),
    levels: Sequence[float] = (0.05, 0.01),
    permutations: int = 2000,
    as_paper: bool = False,
) -> Iterator[Row]:
    """The pairs of runs with p at or below a level (Sakai 2006), counted, and what such a claim is worth.

    Each sample deals the topics into two disjoint halves. Of the ``claims`` made on either half, the other half

    - ``repeated``: makes the same claim; ``turned``: has the difference the other way round, significant or not;
      ``contradicted``: claims the opposite

    ``on nothing`` is the share of pairs declared different where there is nothing to find: one half's scores less the
    other's. Halves have half the topics, so that far fewer claims are made on them than on all.

    - ``tests``: ``sign-flip``; as papers have them, ``randomized-hsd`` (preferences by their win rates), ``paired`` (t,
      or the sign test for signs, with Bonferroni) and ``unpaired`` (t, uncorrected). ``as_paper`` takes these three.
    - ``levels``: the levels of significance.
    - ``permutations``: how often a randomized test draws.

    >>> import rankdiff as rd
    >>> qrels = {f"q{i}": {"a": 1} for i in range(12)}
    >>> runs = {"x": {query: {"a": 1} for query in qrels}, "y": {query: {"n": 2, "a": 1} for query in qrels}}
    >>> row = rd.studies.power(rd.align(qrels, runs), "RR", samples=2).table.row(level=0.05)
    >>> row["significant"], row["pairs"], row["turned"]
    (1, 1, 0.0)
    """
    for test in AS_PAPERS if as_paper else tests:
        asked = {item.name: prepare(c, item, test, permutations, sampling.seed) for item in what}
        yield from _power(asked, test, tuple(levels), sampling)


def power_of_scores(
    scores: Mapping[str, Mapping[str, ArrayLike]],
    *,
    tests: Sequence[str] = ("sign-flip",),
    levels: Sequence[float] = (0.05, 0.01),
    permutations: int = 2000,
    samples: int = 10,
    seed: int = 0,
    jobs: int = 1,
    as_paper: bool = False,
) -> Study:
    """The study ``power`` of scores that are there already: dataset → measure → array.

    An array is system × topic, higher is better; topics that a system lacks are NaN, and are left out.

    >>> scores = {"small": {"AP": [[0.9, 0.8, 0.7, 0.9, 0.8, 0.9], [0.1, 0.2, 0.1, 0.3, 0.2, 0.2]]}}
    >>> power_of_scores(scores, levels=[0.05]).table.row(measure="AP")["significant"]
    1
    """
    chosen = AS_PAPERS if as_paper else tuple(tests)
    rows: list[Row] = []
    for (dataset, arrays), test in product(scores.items(), chosen):
        values = {name: np.asarray(array, np.float64) for name, array in arrays.items()}
        asked = {name: prepare_scores(array, test, permutations, seed) for name, array in values.items()}
        found = _power(asked, test, tuple(levels), Sampling(samples, seed, jobs))
        rows += [{"dataset": dataset, **row} for row in found]
    names = ",".join(dict.fromkeys(name for arrays in scores.values() for name in arrays))
    signature = f"rankdiff {__version__}|power|what:{names}|tests:{','.join(chosen)}|samples:{samples}|seed:{seed}"
    table = tabulate(rows, title=power.question, signature=signature)
    printed = beside(PRINTED, table) if as_paper else ()
    options = {"tests": chosen, "levels": tuple(levels), "permutations": permutations, "samples": samples}
    return Study("power", table, power.figure, options, seed=seed, printed=printed)


def _power(asked: Mapping[str, UnderTest], test: str, levels: tuple[float, ...], sampling: Sampling) -> Iterator[Row]:
    outcomes = sampling.map(lambda rng: _split(asked, levels, int(rng.integers(2**31))))
    for measure in asked:
        halves = [outcome[measure] for outcome in outcomes]
        for at, level in enumerate(levels):
            found = halves[0].significant[at]
            row = {"measure": measure, "test": test, "level": level, "significant": found.count, "pairs": found.of}
            checks = {title: _together(halves, name, at) for name, title in VALIDITY.items()}
            claims = sum(half.turned[at].of for half in halves)
            yield {**row, "share": found.share, "claims": claims, **checks}


def _split(asked: Mapping[str, UnderTest], levels: tuple[float, ...], seed: int) -> dict[str, DiscriminativePower]:
    return {
        name: discriminative_power(each.values, test=each, levels=levels, splits=1, seed=seed)
        for name, each in asked.items()
    }


def _together(halves: Sequence[DiscriminativePower], check: str, at: int) -> float:
    """A share over all splits."""
    shares = [getattr(half, check)[at] for half in halves]
    of = sum(share.of for share in shares)
    return sum(share.count for share in shares) / of if of else float("nan")
