"""The numbers of docs/studies/findings-robustness.md: claims of the papers, each with an interval over topics.

    python bench/robustness_findings.py FOLDER ...

A folder holds ``qrels.txt`` and ``runs``. Intervals are those of a paired t-test over topics, unless another is named;
of stability by leaving out each topic in turn.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np
from findings import jackknife
from scipy.special import stdtrit

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.hits import BoolArray, FloatArray
from rankdiff.statistics import all_pairs, paired, stability
from rankdiff.studies.labels import RATES, REMOVALS, removal_order, remove
from rankdiff.studies.opinions import opinion

SAMPLES = 10
RECALL = ("sgnLR", "R@1000", "Rprec", "AP", "nDCG")
RARE = {f"{name}(alpha={alpha})@100": name for name in ("RareP", "RareAP") for alpha in (0, 0.5, 1)}
RESAMPLED, FLIPS = 200, 2000


def interval(values: FloatArray, zero: FloatArray | None = None) -> str:
    """A mean over topics and its 95 % interval."""
    known = ~np.isnan(values)
    found = paired(values[known], np.zeros(known.sum()) if zero is None else zero[known], test="t")
    return f"{found.difference:.3f} [{found.interval[0]:.3f}, {found.interval[1]:.3f}]"


def degradation(c: Collection, way: str) -> dict[str, FloatArray]:
    """For each measure: agreement among pairs told apart, agreement of all pairs, ties added; quantity × topic."""
    full = {name: opinion(c, rd.studies.criteria.resolve(name)).signs for name in RECALL}
    found = {name: np.zeros((3, len(c.queries))) for name in RECALL}
    for sample in range(SAMPLES):
        order = removal_order(c, np.random.default_rng(sample), popular=way == "popular")
        for rate in RATES:
            view = remove(c, order, rate)
            for name, before in full.items():
                after = opinion(view, rd.studies.criteria.resolve(name)).signs
                told = before != 0
                with np.errstate(invalid="ignore"):
                    found[name][0] += np.sum((after == before) & told, axis=0) / told.sum(axis=0)
                found[name][1] += np.mean(after == before, axis=0)
                found[name][2] += np.mean(after == 0, axis=0) - np.mean(before == 0, axis=0)
    return {name: values / (SAMPLES * len(RATES)) for name, values in found.items()}


def report_degradation(c: Collection) -> None:
    for way in REMOVALS:
        found = degradation(c, way)
        for row, quantity in enumerate(("agreement of pairs told apart", "agreement of all pairs", "ties added")):
            print(f"{way}, {quantity}")
            for name, values in found.items():
                less = f", sgnLR less it {interval(found['sgnLR'][row] - values[row])}" if name != "sgnLR" else ""
                print(f"  {name:8} {interval(values[row])}{less}")


def significant(values: FloatArray) -> float:
    """The share of pairs that differ significantly by the sign-flip range test."""
    found = all_pairs(values, samples=FLIPS)
    return float(np.sum(np.triu(found.significant(0.05), 1)) / found.comparisons)


def report_rarity(c: Collection) -> None:
    values = {name: c.measure(name).values[0] for name in RARE}
    rng = np.random.default_rng(0)
    draws = [rng.integers(0, len(c.queries), len(c.queries)) for _ in range(RESAMPLED)]
    plain: dict[str, FloatArray] = {}
    for name, family in RARE.items():
        scores = values[name]
        base = values[f"{family}(alpha=0)@100"]
        scale = scores.mean() / base.mean()
        resampled = np.array([significant(scores[:, draw]) for draw in draws])
        gain = resampled - plain.setdefault(family, resampled)
        ends = ", ".join(f"{end:.3f}" for end in np.quantile(gain, [0.025, 0.975]))
        stable = {kind: stability(scores, kind=kind).stability for kind in ("absolute", "relative", "sd")}
        scaled = stability(base * scale).stability
        print(f"  {name:22} significant {significant(scores):.3f}, gain {gain.mean():.3f} [{ends}]; mean {scale:.2f}; "
              f"stable {', '.join(f'{kind} {value:.3f}' for kind, value in stable.items())}; "
              f"without rarity, scaled alike: absolute {scaled:.3f}")  # fmt: skip


def report_stability(c: Collection) -> None:
    """What rarity adds to stability, and what multiplying the values to the same mean adds where .05 must be led by."""
    for family in ("RareP", "RareAP"):
        plain, rare = (c.measure(f"{family}(alpha={alpha})@100").values[0] for alpha in (0, 1))
        values, widths = jackknife(len(c.queries), partial(stability_gains, plain, rare))
        gains = zip(GAINS, values, widths, strict=True)
        print(f"  {family:6} gains " + ", ".join(f"{name} {value:.3f} ± {width:.3f}" for name, value, width in gains))


GAINS = ("absolute", "by scale alone", "absolute less scale", "relative", "sd")


def stability_gains(plain: FloatArray, rare: FloatArray, topics: BoolArray) -> FloatArray:
    """As `GAINS` names them, from some of the topics."""
    before, after = plain[:, topics], rare[:, topics]
    absolute, relative, sd = (
        stability(after, kind=kind).stability - stability(before, kind=kind).stability
        for kind in ("absolute", "relative", "sd")
    )
    scale = stability(before * (after.mean() / before.mean())).stability - stability(before).stability
    return np.array([absolute, scale, absolute - scale, relative, sd])


def unpaired(values: FloatArray) -> float:
    """The share of pairs that differ at .05 by unpaired tests without correction, as the paper's code counts."""
    topics, (one, other) = values.shape[1], np.triu_indices(len(values), 1)
    means, spread = values.mean(axis=1), values.var(axis=1, ddof=1)
    error = np.sqrt((spread[one] + spread[other]) / topics)
    distance = np.abs(means[one] - means[other])
    t = np.divide(distance, error, out=np.zeros_like(distance), where=error > 0)
    return float(np.mean(t >= stdtrit(2 * topics - 2, 0.975)))


def report_unpaired(c: Collection) -> None:
    rng = np.random.default_rng(0)
    plain: dict[str, FloatArray] = {}
    draws = [rng.integers(0, len(c.queries), len(c.queries)) for _ in range(RESAMPLED)]
    for name, family in RARE.items():
        scores = c.measure(name).values[0]
        resampled = np.array([unpaired(scores[:, draw]) for draw in draws])
        gain = resampled - plain.setdefault(family, resampled)
        low, high = np.quantile(gain, [0.025, 0.975])
        print(f"  {name:22} unpaired {unpaired(scores):.3f}, gain {gain.mean():.3f} [{low:.3f}, {high:.3f}]")


def report_share(c: Collection) -> None:
    for rel in [grade for grade in c.grades if grade >= 1]:
        view = c.select(queries=c.relevant(rel).size > 0)
        values = (view.measure(f"{name}(rel={rel:g})").values[0] for name in ("EffectiveShare", "SetR"))
        share, recall = (np.nanmean(each[:, ~np.isnan(each).all(axis=0)], axis=0) for each in values)
        print(f"  grade >= {rel:g}: effective share {interval(share)}, recall {interval(recall)}")


def main() -> None:
    for folder in map(Path, sys.argv[1:]):
        c = rd.load(folder / "qrels.txt", folder / "runs")
        print(f"{folder.name}: {c}")
        report_share(c)
        report_rarity(c)
        report_unpaired(c)
        report_stability(c)
        report_degradation(c)


if __name__ == "__main__":
    main()
