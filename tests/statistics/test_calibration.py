"""The short version of the calibration: few worlds, the same code as the full one."""

import importlib.util
import re
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from rankdiff.statistics import paired

SCRIPT = Path(__file__).parents[2] / "bench" / "calibration.py"


@pytest.fixture(scope="module")
def calibration():
    sys.path.insert(0, str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("calibration", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules["calibration"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["calibration"]
    sys.path.remove(str(SCRIPT.parent))


def draw_of(calibration, name):
    return next(draw for draw in calibration.DIFFERENCES if draw.__name__ == name)


@pytest.mark.parametrize("kind", ["teams", "unequal variances"])
def test_the_default_keeps_the_family_wise_error(calibration, kind):
    share, _ = calibration.family_wise(kind, 200, (calibration.DEFAULT,))[calibration.DEFAULT]
    assert share <= 0.05 + calibration.slack(200)


def test_stepping_down_finds_more_and_errs_no_more(calibration):
    methods = (calibration.DEFAULT, "sign-flip, single-step")
    rates = calibration.family_wise("partial null", 100, methods)
    assert rates[methods[0]][0] <= 0.05 + calibration.slack(100)
    assert rates[methods[0]][1] >= rates[methods[1]][1] > 0.02


def test_the_page_shows_what_was_measured(calibration):
    page = calibration.PAGE.read_text(encoding="utf-8")
    found = SCRIPT.with_name("CALIBRATION.md").read_text(encoding="utf-8")
    assert calibration.on_the_page(page, found) == page
    teams = calibration.on_the_page(page, re.sub(r"\| teams \| [^|]+ \|", "| teams | **77.7** |", found))
    assert "| three teams of near-identical runs | 77.7 |" in teams
    assert "In 5 simulated worlds" in calibration.on_the_page(page, re.sub("(?<=two runs, )[0-9,]+", "5", found))


def test_what_was_found_is_kept_and_not_sought_again(calibration, tmp_path):
    kept, asked = calibration.Kept.of(tmp_path / "kept.json"), []
    for _ in range(2):
        found = kept.get("one", lambda: asked.append(1) or {"t": 0.25})
        assert found == {"t": 0.25}
        kept = calibration.Kept.of(tmp_path / "kept.json")
    assert asked == [1]


def test_two_runs(calibration):
    shares = calibration.pair_shares(draw_of(calibration, "symmetric"), 25, 300)
    for test in ("t", "randomization"):
        assert abs(shares[f"p {test}"] - 0.05) <= calibration.slack(300)
    assert abs(shares["i t"] - 0.95) <= calibration.slack(300)
    skewed = calibration.pair_shares(draw_of(calibration, "tied_skewed"), 25, 300)
    assert skewed["i safe"] >= 0.95 - calibration.slack(300)
    assert skewed["i safe"] > skewed["i t"]


def test_preferences_keep_the_family_wise_error(calibration):
    share, _ = calibration.family_wise("teams", 200, (calibration.DIRECT,))[calibration.DIRECT]
    assert share <= 0.05 + calibration.slack(200)


@pytest.mark.parametrize("draw", ["symmetric", "tied", "signs"])
def test_the_sizes_that_are_counted_are_those_of_the_tests(calibration, draw):
    world = draw_of(calibration, draw)
    exact, shares = calibration.attainable(world, 25), calibration.pair_shares(world, 25, 300)
    for test, size in exact.items():
        assert shares[f"p {test}"] == pytest.approx(size, abs=calibration.slack(300, size))


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "randomization"])
@pytest.mark.parametrize("magnitudes", [[1] * 9, [1, 1, 2, 3, 3, 5, 8], [1, 2, 4, 8, 16, 32, 64, 128], [1, 1, 1, 0, 0]])
def test_discrete_tests_have_their_attainable_size(test, magnitudes):
    """Over all signs of given magnitudes, p ≤ α happens exactly as often as the largest attainable p ≤ α says."""
    patterns = product((-1, 1), repeat=np.count_nonzero(magnitudes))
    zeros = magnitudes.count(0)
    p = np.array(
        [paired(np.array([*pattern] + [1] * zeros) * magnitudes, test=test, samples=1).p for pattern in patterns]
    )
    for level in (0.05, 0.2):
        attainable = p[p <= level].max(initial=0.0)
        assert np.mean(p <= level) == pytest.approx(attainable, abs=1e-12)
