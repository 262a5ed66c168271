"""The numbers of ``docs/findings-verdict.md``, from two tracks.

    RANKDIFF_DATA=... python bench/findings_verdict.py [FOLDER...]

How few topics and judgments the verdicts between neighboring runs hang on, which verdicts no judging of the unjudged
documents can turn round, what ties decide, when judging could have been stopped, and whether tests on the places of
`LexiRecallPlace` agree with those on the preference.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import kendalltau, ttest_1samp

import rankdiff as rd
from rankdiff.read import read_qrels, read_runs
from rankdiff.statistics import sequential
from rankdiff.verdict import bounds_of_all_pairs, over_ties
from rankdiff.verdict.known import Unjudged, listed_unjudged

TRACKS = {"DL 2021 passages": "trec-dl-2021-passages", "TREC-COVID round 1": "trec-covid-round1"}
PAIRS = 10


def table(head: list[str], rows: list[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def by_score(c: rd.Collection) -> list[str]:
    mean = c.measure("nDCG@10")["nDCG@10"].mean(axis=1)
    return [c.systems[i] for i in np.argsort(-mean, kind="stable")]


def neighbors(c: rd.Collection) -> list[tuple[str, str]]:
    """Ten pairs of runs that follow one another, evenly over the track, none of them the same ranking twice."""
    order = by_score(c)
    values = c.measure("nDCG@10")["nDCG@10"].mean(axis=1)
    pairs = [(b, a) for a, b in pairwise(order)]
    differ = [p for p in pairs if abs(values[c.systems.index(p[0])] - values[c.systems.index(p[1])]) > 1e-9]
    return [differ[i] for i in np.linspace(0, len(differ) - 1, PAIRS).round().astype(int)]


def count(answer: Any) -> str:
    if answer is None:
        return "–"
    found = "none found" if answer.count is None else str(answer.count)
    return found if answer.exact else f"{found} (≥ {answer.at_least})"


def flips(c: rd.Collection) -> Iterator[str]:
    rows = []
    for baseline, candidate in neighbors(c):
        row: list[Any] = [f"{candidate} – {baseline}"]
        for name in ("nDCG@10", "AP", "RPP"):
            found = c.flip(baseline, candidate, name)
            row += [f"{found.difference:+.4f}", count(found.sign_by_topics), count(found.sign_by_judgments)]
        rows.append(row)
    head = ["pair"] + [f"{name} {what}" for name in ("nDCG@10", "AP", "RPP") for what in ("", "topics", "judgments")]
    yield "Neighbors by nDCG@10: topics to remove and judgments to reverse until the sign is undone.\n\n" + table(
        head, rows
    )
    topics, judgments, level = [], [], []
    order = by_score(c)
    rng = np.random.default_rng(1)
    for i, j in rng.choice(list(combinations(range(len(order)), 2)), 60, replace=False):
        found = c.flip(order[j], order[i])
        if found.significance_by_topics is not None and found.significance_by_judgments is not None:
            topics.append(found.significance_by_topics.count)
            judgments.append(found.significance_by_judgments.count)
        level.append(found.significance_by_topics is not None)
    few = [f"{np.mean(np.array(counts) <= 3):.0%}" for counts in (topics, judgments)]
    low = f"{few[0]} by at most 3 topics, {few[1]} by at most 3 judgments"
    yield (
        f"Of 60 random pairs {sum(level)} differ significantly in nDCG@10 (t, 5 %); it takes a median of "
        f"{np.median(topics):.0f} topics or {np.median(judgments):.0f} judgments to undo that, {low}.\n"
    )


def survivors(c: rd.Collection) -> str:
    rows = []
    for name, depths in (("nDCG@10", (10, 20, 100, None)), ("P@10", (None,)), ("RR", (None,)), ("AP", (10, 20, 100))):
        for depth in depths:
            found = bounds_of_all_pairs(c, name, depth=depth)
            width = (found.upper - found.lower)[np.triu_indices(len(c.systems), 1)]
            rows.append([name, depth or "all returned", f"{found.surviving:.1%}", f"{np.median(width):.4f}"])
    return "Pairs of runs whose verdict survives every judging.\n\n" + table(
        ["measure", "judged to depth", "pairs that survive", "median width"], rows
    )


def knowing_documents(c: rd.Collection, folder: Path) -> str:
    """The bounds of nDCG@10 with the documents known that two runs share, which are attained, beside the outer ones:
    for all pairs where ten documents are judged, for every fifth where more are."""
    judgments = read_qrels(folder / "qrels.txt")
    listed = {run.name: listed_unjudged(c, judgments, run) for run in read_runs(folder / "runs").runs}
    team = dict(line.split("\t")[:2] for line in (folder / "teams.tsv").read_text().splitlines()[1:])
    rows = []
    for depth in (10, 20, 100, None):
        near = {
            name: {document: rank for document, rank in ranks.items() if depth is None or rank <= max(depth, 10)}
            for name, ranks in listed.items()
        }
        outer = bounds_of_all_pairs(c, "nDCG@10", depth=depth)
        width = outer.upper - outer.lower
        pairs = list(combinations(range(len(c.systems)), 2))[:: 1 if depth == 10 else 5]
        factors, apart, held, held_outer, differing = [], [], 0, 0, 0
        for i, j in pairs:
            one, other = c.systems[i], c.systems[j]
            unjudged = Unjudged.between(one, other, near[one], near[other])
            found = c.bounds(one, other, "nDCG@10", depth=depth, unjudged=unjudged)
            low, high = found.interval
            assert outer.lower[j, i] <= low + 1e-9
            assert high <= outer.upper[j, i] + 1e-9
            if high - low > 1e-9:
                factors.append(width[i, j] / (high - low))
                apart.append(team[one] != team[other])
            if abs(found.difference) > 1e-12:
                differing += 1
                held += found.holds
                held_outer += outer.lower[j, i] > 1e-12 or outer.upper[j, i] < -1e-12
        same = np.array(factors)[~np.array(apart)]
        rows.append(
            [
                depth or "all returned", len(pairs), f"{held / differing:.1%}", f"{held_outer / differing:.1%}",
                *(f"{np.median(some):.2f} (90 %: {np.quantile(some, 0.9):.2f})" for some in (factors, same)),
            ]
        )  # fmt: skip
    head = ["judged to depth", "pairs", "survive", "survive the outer bounds", "wider by", "within teams"]
    return "nDCG@10 with the documents known that two runs share.\n\n" + table(head, rows)


def ties(qrels: Path, runs: Path) -> str:
    c = rd.load(qrels, runs, ties="average")
    names = ("AP", "nDCG@10", "P@10", "RR")
    found = over_ties(c, *names)
    rows = []
    by_id = {}
    for name in names:
        here = found["measure"] == name
        width, off = (found["high"] - found["low"])[here], np.abs(found["by id"] - found["expected"])[here]
        tau = kendalltau(found["by id"][here], found["expected"][here]).statistic
        by_id[name] = width
        most = found["run"][here][width.argmax()]
        rows.append([name, int(np.sum(width > 1e-9)), f"{width.max():.4f} ({most})", f"{off.max():.4f}", f"{tau:.4f}"])
    return "Ties.\n\n" + table(
        ["measure", "runs that ties move", "widest range", "id order off the mean by at most", "τ of both orders"], rows
    )


def places(qrels: Path, runs: Path) -> str:
    c = rd.load(qrels, runs, pool=True)
    names = ("LexiRecallPlace", "LexiRecallPlace(scale='log')", "LexiPrecisionPlace", "LexiPrecisionPlace(scale='log')")
    scores = c.measure(*names, "SetR", "RR")
    first, second = np.triu_indices(len(c.systems), 1)
    rows = []
    for name in names:
        preference = "sgnLR" if "Recall" in name else "sgnLP"
        values = scores[name]
        signs = np.concatenate([rows_ for _, rows_ in c.prefer(preference).rows()])
        differences = values[first] - values[second]
        with np.errstate(invalid="ignore", divide="ignore"):
            p, q = ttest_1samp(differences, 0, axis=1).pvalue, ttest_1samp(signs, 0, axis=1).pvalue
        ours, theirs = p < 0.05, q < 0.05
        same_way = np.sign(differences.mean(axis=1)) == np.sign(signs.mean(axis=1))
        middle = np.mean((values > 0.01) & (values < 0.99))
        other = "SetR" if "Recall" in name else "RR"
        tau = kendalltau(values.mean(axis=1), scores[other].mean(axis=1)).statistic
        rows.append(
            [
                f"`{name}`", f"{middle:.0%}", f"{np.mean(ours):.0%}", f"{np.mean(theirs):.0%}",
                f"{np.mean(ours & theirs):.0%}", f"{np.mean(ours & theirs & ~same_way):.1%}",
                f"{np.mean(same_way):.0%}", f"{tau:.2f} ({other})",
            ]
        )  # fmt: skip
    return "Places.\n\n" + table(
        ["measure", "values between .01 and .99", "pairs significant on it", "on the preference", "on both",
         "on both, contradicting", "means of the same sign", "τ of the means with"], rows,
    )  # fmt: skip


def stopped(c: rd.Collection) -> str:
    rows = []
    for name in ("nDCG@10", "RPP", "sgnLR"):
        fixed, decided, when = [], [], []
        for _, values in c.prefer(name).rows():
            for row in values[:: max(1, len(c.systems) // 10)]:
                with np.errstate(invalid="ignore", divide="ignore"):
                    fixed.append(ttest_1samp(row, 0).pvalue < 0.05)
                found = sequential(row)
                decided.append(found.decided is not None)
                when += [found.decided] if found.decided else []
        rows.append([name, len(fixed), f"{np.mean(fixed):.0%}", f"{np.mean(decided):.0%}", f"{np.median(when):.0f}"])
    return "Stopping.\n\n" + table(
        ["row", "pairs", "significant (t, all topics)", "decided at some time", "after (median)"], rows
    )


def main() -> None:
    data = Path(os.environ["RANKDIFF_DATA"])
    chosen = sys.argv[1:] or TRACKS.values()
    for title, name in TRACKS.items():
        if name not in chosen:
            continue
        folder = data / name
        c = rd.load(folder / "qrels.txt", folder / "runs")
        print(f"# {title}: {len(c.systems)} runs, {len(c.queries)} topics\n")
        for part in flips(c):
            print(part, flush=True)
        print(survivors(c), flush=True)
        print(knowing_documents(c, folder), flush=True)
        print(ties(folder / "qrels.txt", folder / "runs"), flush=True)
        print(places(folder / "qrels.txt", folder / "runs"), flush=True)
        print(stopped(c), flush=True)


if __name__ == "__main__":
    main()
