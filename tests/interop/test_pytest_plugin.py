"""The gate as a fixture, in tests that pytest runs."""

from __future__ import annotations

import json
import sys

import pytest

from rankdiff.errors import UsageError
from rankdiff.interop.pytest_plugin import check

pytest_plugins = ["pytester"]

QRELS = {f"q{i}": {"a": 1} for i in range(20)}
GOOD = {"a": 2.0, "x": 1.0}
BASELINE = dict.fromkeys(QRELS, GOOD)
TESTS = """
    import json

    BASELINE = json.load(open("baseline.json"))
    WORSE = {topic: {"x": 2.0, "a": 1.0} if i < 12 else run for i, (topic, run) in enumerate(BASELINE.items())}
    SHORT = dict(list(BASELINE.items())[:19])
    FILES = {"qrels": "qrels.txt", "baseline": "baseline.json"}

    def test_as_good(ranking_gate):
        ranking_gate(BASELINE, **FILES, fail_if_worse=["RR", "RPP"], require_noninferior={"RR": 0.01})

    def test_worse(ranking_gate):
        ranking_gate(WORSE, **FILES, fail_if_worse="RR", shown=3)

    def test_lacking(ranking_gate):
        ranking_gate(SHORT, **FILES, require_noninferior={"RR": 0.2})

    def test_lacking_counted(ranking_gate):
        ranking_gate(SHORT, **FILES, require_noninferior={"RR": 0.2}, gate={"lacking": "count"})
"""


def test_a_test_fails_with_the_topics_that_lost_where_the_candidate_does_not_pass(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("qrels.txt").write_text("".join(f"{topic} 0 a 1\n" for topic in QRELS))
    pytester.path.joinpath("baseline.json").write_text(json.dumps(BASELINE))
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        [
            "*the candidate does not pass the gate",
            "*FAILED: --fail-if-worse RR*the difference is -0.3000*",
            "*RR: 12 of 20 topics lost, 0 won; the largest losses",
            "*topic*difference*",
            "*q0 *-0.5*",
            "*q1 *-0.5*",
            "*q10 *-0.5*",
            "*--require-noninferior RR=0.2*candidate lacks topics*",
        ]
    )
    assert "q11" not in result.stdout.str()


def test_a_gate_that_names_nothing_is_a_mistake_and_not_a_pass() -> None:
    with pytest.raises(UsageError, match="no gate was named"):
        check(BASELINE, qrels=QRELS, baseline=BASELINE)


def test_the_plugin_alone_imports_nothing_heavy(pytester: pytest.Pytester) -> None:
    code = "import rankdiff.interop.pytest_plugin, sys; print({'numpy', 'scipy', 'click'} & sys.modules.keys())"
    result = pytester.run(sys.executable, "-c", code)
    result.stdout.fnmatch_lines(["set()"])
