"""Two-way analysis of variance and Tukey's HSD: Sakai's worked example, and SciPy's studentized range."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.anova import AnovaRM

from rankdiff.errors import UsageError
from rankdiff.statistics.anova import two_way
from rankdiff.statistics.many import all_pairs


def upper(matrix):
    return np.asarray(matrix)[np.triu_indices(len(matrix), 1)]


def test_sakai_anova(sakai, meets):
    case, analysis = "sakai-20x3: two-way ANOVA without replication", two_way(sakai)
    meets(analysis.between_systems, case, "between-system sum of squares")
    meets(analysis.between_topics, case, "between-topic sum of squares")
    meets(analysis.residual, case, "residual sum of squares")
    meets(analysis.residual_variance, case, "residual variance")
    for factor, (ratio, p) in (("systems", analysis.systems_test), ("topics", analysis.topics_test)):
        meets(ratio, case, f"F, {factor}")
        meets(p, case, f"p, {factor}")
    meets(analysis.margin(), case, "95% margin of error of a system mean")
    means = sakai.mean(axis=1)
    for first, second in combinations(range(3), 2):
        size = abs(means[first] - means[second]) / np.sqrt(analysis.residual_variance)
        pair = f"{'XYZ'[first]}-{'XYZ'[second]}"
        meets(size, "sakai-20x3: Tukey HSD", f"effect size {pair}, mean difference / sqrt(residual variance)")


def test_the_factor_of_systems_is_that_of_repeated_measures():
    scores = np.random.default_rng(4).random((5, 12)) + np.linspace(0, 0.2, 5)[:, None]
    system, topic = np.indices(scores.shape)
    frame = pd.DataFrame({"score": scores.ravel(), "system": system.ravel(), "topic": topic.ravel()})
    theirs = AnovaRM(frame, "score", "topic", ["system"]).fit().anova_table.iloc[0]
    assert two_way(scores).systems_test == pytest.approx((theirs["F Value"], theirs["Pr > F"]))


def test_many_values_of_the_studentized_range_are_read_off_a_spline():
    scores = np.random.default_rng(8).random((16, 30)) + np.linspace(0, 0.3, 16)[:, None]
    analysis, result = two_way(scores), all_pairs(scores, "tukey-hsd")
    q = np.abs(upper(result.difference)) / np.sqrt(analysis.residual_variance / 30)
    some = slice(None, None, 12)
    assert upper(result.p)[some] == pytest.approx(stats.studentized_range.sf(q[some], 16, analysis.freedom), abs=1e-6)


def test_one_topic_or_one_system_has_no_residual():
    with pytest.raises(UsageError, match="not 3 × 1"):
        two_way([[1], [2], [3]])


def test_without_a_residual_any_difference_is_certain():
    topics = np.array([0.1, 0.5, 0.3])
    result = all_pairs([topics, topics, topics + 0.2], "tukey-hsd")
    assert upper(result.p).tolist() == [1.0, 0.0, 0.0]
