"""Many runs: which of all their pairs differ, when so many are compared at once?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from rankdiff.errors import InputError, UsageError
from rankdiff.hits import FloatArray
from rankdiff.results import Preferences
from rankdiff.statistics.anova import tukey_hsd
from rankdiff.statistics.comparisons import AllPairs, AllRows, all_or_against, compared, holding_zero, position
from rankdiff.statistics.corrections import Correction
from rankdiff.statistics.families import Family, FamilyResult, PairFamily, Pairs, RunFamily
from rankdiff.statistics.inputs import between, known, one_of, score_matrix
from rankdiff.statistics.integers import BITS, Integers, to_integers
from rankdiff.statistics.largest import Plan, randomized_hsd, shuffled_max_t, sign_flip
from rankdiff.statistics.outcome import Progress, Question
from rankdiff.statistics.singly import alone

FamilyMethod = Literal["sign-flip", "max-t", "randomized-hsd", "shuffled-max-t", "tukey-hsd"]
SingleMethod = Literal["t", "wilcoxon", "sign", "randomization", "bootstrap"]
FAMILY_METHODS: tuple[str, ...] = get_args(FamilyMethod)
SINGLE_METHODS: tuple[str, ...] = get_args(SingleMethod)

SHUFFLES = {"randomized-hsd": randomized_hsd, "shuffled-max-t": shuffled_max_t}
STEPS_DOWN = ("sign-flip", "max-t", "shuffled-max-t")

SAMPLES = 100_000

CONTRADICTION = 1e-12
"""Two means are of opposite sign where their product is below its negative."""

Missing = Literal["refuse", "drop"]


def all_pairs(
    scores: Any,
    method: FamilyMethod | SingleMethod = "sign-flip",
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    step_down: bool | None = None,
    correction: Correction | Literal["none"] | None = None,
    against: str | int | None = None,
    confidence: float = 0.95,
    level: float = 0.05,
    matrix: Literal["direct", "winrate"] = "direct",
    missing: Missing = "refuse",
    progress: Progress | None = None,
) -> AllPairs:
    """Test all pairs of runs for a difference of their mean scores.

    ``scores`` are ``Scores`` of one measure, ``Preferences`` or an array, system × query, higher is better, in which
    NaN is refused unless ``missing="drop"`` says that it marks topics that do not count for a run.
    ``Preferences`` are tested directly (see `all_pairs_preferences`); ``matrix="winrate"`` puts their win rates to any
    method instead: these depend on the runs compared, and ``contradicted`` marks the pairs that they order against
    the mean preference.

    Methods with a family-wise error of their own:

    - "sign-flip" (the default): the sign-flip range test, with step-down. One random sign per topic for all runs;
      p of a pair is how often the range of the means reaches its difference. Exact where all sign patterns are no
      more than ``samples``.
    - "max-t": the same, studentized: each difference in units of its own standard error.
    - "randomized-hsd" (Carterette 2012): scores shuffled within topics; single-step, unless ``step_down=True``.
    - "shuffled-max-t" (Boytsov and others 2013): the same shuffles, studentized, with step-down.
    - "tukey-hsd": the classical two-way test by the studentized range.

    Sign flips ask whether the differences are as likely to point either way. Both HSD and the shuffles ask whether the
    runs are exchangeable, which is more than equal means; they are here to reproduce papers. Studentized tests give
    near-identical runs full weight, and err where few topics make all of their difference (bench/CALIBRATION.md).

    Tests of each pair alone ("t", "wilcoxon", "sign", "randomization", "bootstrap") are corrected by ``correction``:
    "holm" (the default), "bonferroni", "bh" or "none". A sampled one is refused where its smallest p could not pass
    at the ``level``.

    ``against`` compares one run (by name or number) with each other instead of all with all.

    >>> result = all_pairs([[0.9, 0.8, 0.7, 0.9, 0.8], [0.5, 0.4, 0.3, 0.5, 0.5], [0.5, 0.4, 0.3, 0.5, 0.4]])
    >>> np.asarray(result)
    array([[1.    , 0.0625, 0.0625],
           [0.0625, 1.    , 1.    ],
           [0.0625, 1.    , 1.    ]])
    """
    one_of("method", method, FAMILY_METHODS + SINGLE_METHODS)
    one_of("matrix", matrix, ("direct", "winrate"))
    shared: dict[str, Any] = {
        "samples": samples, "seed": seed, "against": against, "confidence": confidence, "progress": progress,
    }  # fmt: skip
    if isinstance(scores, Preferences):
        if matrix == "winrate":
            own: dict[str, Any] = {"step_down": step_down, "correction": correction, "level": level}
            return _by_win_rates(scores, all_pairs(scores.win_rates(), method, missing="drop", **shared, **own))
        if method != "sign-flip" or correction is not None:
            raise UsageError(
                "preferences are tested by method='sign-flip', which corrects for all its pairs itself; "
                "matrix='winrate' puts their win rates to other methods"
            )
        return all_pairs_preferences(scores, step_down=step_down is None or step_down, **shared)
    if matrix == "winrate":
        raise UsageError("matrix='winrate' belongs to Preferences: scores have no win rates")
    systems, values = score_matrix(scores, missing=missing)
    pairs = all_or_against(systems, against)
    values = _counting(values)
    facts = compared(systems, pairs, _difference_blocks(values, pairs), _tolerance(values))
    if method in SINGLE_METHODS:
        question = Question(confidence=confidence, seed=seed, samples=samples, progress=progress)
        rows = np.concatenate(list(_difference_blocks(values, pairs)))
        return facts.alone(*alone(rows, method, question, correction or "holm", level, magnitude=_largest(values)))
    if correction is not None:
        raise UsageError(f"{method} corrects for all its pairs itself: leave correction={correction!r} out")
    plan = _plan(
        method, values.shape[1], samples, seed=seed, step_down=step_down, confidence=confidence, progress=progress
    )
    result = _family_test(method, values, pairs, None if against is None else position(systems, against), plan)
    return facts.together(result, plan, f"{method}, {_how(plan, method)}")


def _by_win_rates(preferences: Preferences, found: AllPairs) -> AllPairs:
    """The test of win rates, with marks where they order a pair against its mean preference."""
    against = found.difference * np.nan_to_num(preferences.matrix()) < -CONTRADICTION
    return replace(
        found,
        systems=preferences.systems,
        method=f"{found.method}, of win rates",
        estimand="difference of win rates",
        contradicted=against,
    )


def all_pairs_preferences(
    preferences: Any,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    step_down: bool = True,
    against: str | int | None = None,
    confidence: float = 0.95,
    missing: Missing = "refuse",
    progress: Progress | None = None,
) -> AllPairs:
    """Test all pairs of runs for a mean preference other than zero: the direct form of the sign-flip test.

    ``preferences`` are ``Preferences``, or an array whose ``[a, b, q]`` is the preference for run a over run b on query
    q (antisymmetric; with ``missing="drop"``, NaN where a query does not count). One random sign per topic serves all
    pairs; p is how often the largest |mean| of any pair reaches the pair's own, with step-down. ``against`` compares
    one run with each other instead of all with all.

    >>> delta = np.zeros((2, 2, 5))
    >>> delta[0, 1], delta[1, 0] = [1, 1, 1, 1, 0], [-1, -1, -1, -1, 0]
    >>> all_pairs_preferences(delta).p[0, 1]
    np.float64(0.125)
    """
    systems = preferences.systems if isinstance(preferences, Preferences) else _names(preferences)
    pairs = all_or_against(systems, against)
    rows = _preference_rows(preferences, pairs)
    rows = _counting(known(rows, "preferences", missing="drop" if isinstance(preferences, Preferences) else missing))
    plan = _plan(
        "sign-flip", rows.shape[1], samples, seed=seed, step_down=step_down, confidence=confidence, progress=progress
    )
    counted = np.where(np.isnan(rows), 0.0, rows)
    family = PairFamily.of_means(to_integers(counted), (~np.isnan(rows)).astype(np.float64))
    facts = compared(systems, pairs, [rows], _tolerance(rows), preferences=True)
    return facts.together(sign_flip(family, plan), plan, f"sign-flip of preferences, {_how(plan, 'sign-flip')}")


def _names(preferences: Any) -> tuple[str, ...]:
    shape = np.shape(preferences)
    if len(shape) != 3 or shape[0] != shape[1]:
        raise UsageError(f"preferences are system × system × query, not an array of shape {shape}")
    return tuple(map(str, range(shape[0])))


def _preference_rows(preferences: Any, pairs: Pairs) -> FloatArray:
    """The values of the first run of each pair over the second, pair × query."""
    first, second = pairs
    if not isinstance(preferences, Preferences):
        return np.asarray(preferences, np.float64)[first, second]
    runs = np.unique(first).tolist()
    return np.concatenate([preferences.over(run, second[first == run]) for run in runs])


def all_rows(
    differences: Any,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    step_down: bool = True,
    confidence: float = 0.95,
    missing: Missing = "refuse",
    progress: Progress | None = None,
) -> AllRows:
    """Test rows of per-topic differences together (row × topic; with ``missing="drop"``, NaN where a topic does not
    count).

    A row is a measure or a preference for one pair of runs, or for several pairs. Rows have units of their own, so
    they are studentized. One random sign per topic serves all of them, which keeps their correlations; p is how often
    the largest |t| of any row reaches the row's own, with step-down.

    >>> all_rows([[0.1, 0.2, 0.1, 0.3, 0.2], [1, -3, 1, 2, -2]]).p
    array([0.125, 1.   ])
    """
    rows = np.asarray(differences, np.float64)
    if rows.ndim != 2 or 0 in rows.shape:
        raise UsageError(f"expected differences by row × topic, not an array of shape {rows.shape}")
    rows = _counting(known(rows, "differences", missing=missing))
    counts, values = (~np.isnan(rows)).astype(np.float64), np.where(np.isnan(rows), 0.0, rows)
    plan = _plan(
        "max-t", rows.shape[1], samples, seed=seed, step_down=step_down, confidence=confidence, progress=progress
    )
    sizes = np.max(np.abs(values), axis=1)
    units = np.where(sizes > 0, sizes, 1.0)
    result = sign_flip(PairFamily.of_t(to_integers(values / units[:, None]), counts), plan)
    mean = values.sum(axis=1) / np.maximum(counts.sum(axis=1), 1.0)
    return AllRows(
        result.p,
        mean,
        *holding_zero(result.p, mean, result.margin * units, confidence),
        f"max-t of rows, {_how(plan, 'max-t')}",
        confidence,
        plan.samples,
        None if plan.samples is None else seed,
    )


def _family_test(method: str, values: FloatArray, pairs: Pairs, against: int | None, plan: Plan) -> FamilyResult:
    if method == "tukey-hsd":
        if against is not None:
            raise UsageError("tukey-hsd compares all pairs: leave `against` out, or take method='sign-flip'")
        _complete(values, method)
        return tukey_hsd(values, pairs, plan.confidence)
    if method in SHUFFLES:
        _complete(values, method)
        return SHUFFLES[method](RunFamily(_centered(values), pairs, against), plan)
    return sign_flip(_flip_family(values, pairs, against, studentized=method == "max-t"), plan)


def _counting(rows: FloatArray) -> FloatArray:
    """The rows without topics that count for none of them."""
    counting = ~np.isnan(rows).all(axis=0)
    if not counting.any():
        raise UsageError(f"none of the {rows.shape[1]} topics counts for any run: there is nothing to compare")
    return rows[:, counting]


def _centered(values: FloatArray) -> Integers:
    """Scores as integers, less the middle of each topic, which no difference feels and which keeps sums small."""
    reach = float(np.ptp(values, axis=0).max(initial=0.0))
    integers = to_integers(values, magnitude=reach)
    middle = np.rint((integers.values.max(axis=0) + integers.values.min(axis=0)) / 2)
    return Integers(integers.values - middle, integers.step, integers.slack)


def _tolerance(values: FloatArray) -> float:
    return _largest(values) * 2.0**-BITS


def _difference_blocks(values: FloatArray, pairs: Pairs) -> Iterator[FloatArray]:
    size = max(1, 2**22 // max(values.shape[1], 1))
    for start in range(0, len(pairs[0]), size):
        block = slice(start, start + size)
        yield values[pairs[0][block]] - values[pairs[1][block]]


def _largest(values: FloatArray) -> float:
    return float(np.nanmax(np.abs(values), initial=0.0))


def _flip_family(values: FloatArray, pairs: Pairs, against: int | None, *, studentized: bool) -> Family:
    """Runs by their sums where every topic counts for all of them; else pairs by their own differences."""
    if not np.isnan(values).any():
        family = RunFamily(_centered(values), pairs, against)
        return family.studentized() if studentized else family
    rows = values[pairs[0]] - values[pairs[1]]
    differences = to_integers(np.where(np.isnan(rows), 0.0, rows), magnitude=_largest(values))
    counts = (~np.isnan(rows)).astype(np.float64)
    return PairFamily.of_t(differences, counts) if studentized else PairFamily.of_means(differences, counts)


def _complete(values: FloatArray, method: str) -> None:
    if np.isnan(values).any():
        missing = np.isnan(values).any(axis=0).sum()
        raise InputError(
            f"{method} needs every topic for every run",
            found=f"{missing} of {values.shape[1]} topics without a value for some run",
            expected="a value everywhere",
            advice="leave these topics out, or take method='sign-flip'",
        )


def _plan(
    method: str,
    topics: int,
    samples: int,
    *,
    seed: int,
    step_down: bool | None,
    confidence: float,
    progress: Progress | None,
) -> Plan:
    between("confidence", confidence, 0, 1)
    if samples < 1:
        raise UsageError(f"samples={samples}: expected at least 1")
    if step_down and method == "tukey-hsd":
        raise UsageError("tukey-hsd does not step down")
    exact = method in ("sign-flip", "max-t") and topics < 63 and 2**topics <= samples
    stepping = method in STEPS_DOWN if step_down is None else step_down
    return Plan(None if exact else samples, seed, stepping, confidence, progress)


def _how(plan: Plan, method: str) -> str:
    if method == "tukey-hsd":
        return "two-way"
    sampled = "exact" if plan.samples is None else f"{plan.samples:,} samples"
    return f"{'step-down' if plan.step_down else 'single-step'}, {sampled}"
