"""Confidence sequences: against a plain gambler, and against ten thousand sequences that are looked at all the time."""

from __future__ import annotations

import numpy as np
import pytest

from rankdiff.errors import InputError, UsageError
from rankdiff.statistics import sequential
from rankdiff.statistics.sequential import log_capital

WORLDS = {
    "signs": lambda rng, shape: rng.choice([-1.0, 1.0], shape),
    "mostly ties": lambda rng, shape: rng.choice([-1.0, 0, 0, 0, 0, 0, 0, 0, 1.0], shape),
    "uniform": lambda rng, shape: rng.uniform(-1, 1, shape),
    "skewed": lambda rng, shape: np.where(rng.random(shape) < 0.1, 0.9, -0.1),
    "small": lambda rng, shape: rng.normal(0, 0.05, shape).clip(-1, 1),
}


@pytest.mark.parametrize("world", WORLDS)
def test_peeking_after_every_topic_errs_in_at_most_one_of_twenty_sequences(world: str) -> None:
    sequences, topics = 10_000, 300
    shares = (WORLDS[world](np.random.default_rng(len(world)), (sequences, topics)) + 1) / 2
    left_out = np.zeros(sequences, bool)
    for seen in (shares, 1 - shares):
        left_out |= np.any(log_capital(seen, 0.5, 0.05) >= np.log(2 / 0.05), axis=1)
        one_sided = np.any(log_capital(seen, 0.5, 2 * 0.05) >= np.log(1 / 0.05), axis=1)  # a gate's
        assert one_sided.mean() <= 0.05
    assert left_out.mean() <= 0.05


@pytest.mark.parametrize("seed", range(5))
def test_the_limits_are_the_means_against_which_a_plain_gambler_gets_rich(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.choice([-1, -0.5, 0, 0.25, 1], 40, p=[0.1, 0.1, 0.2, 0.3, 0.3])
    found = sequential(values)
    grid = np.linspace(0.0005, 0.9995, 400)

    def ruled_out(shares: np.ndarray, mean: float) -> list[bool]:
        capital, total, squares, ever, out = 1.0, 0.5, 0.25, False, []
        for t, x in enumerate(shares, 1):
            stake = np.sqrt(2 * np.log(2 / 0.05) / (squares / t * t * np.log(t + 1)))
            capital *= 1 + min(stake, 0.75 / mean) * (x - mean)
            total += x
            squares += (x - total / (t + 1)) ** 2
            ever = ever or capital >= 2 / 0.05
            out.append(ever)
        return out

    shares = (values + 1) / 2
    below = np.array([ruled_out(shares, mean) for mean in grid])
    above = np.array([ruled_out(1 - shares, 1 - mean) for mean in grid])
    for t in range(len(values)):
        assert np.array_equal(below[:, t], 2 * grid - 1 <= found.low[t])
        assert np.array_equal(above[:, t], 2 * grid - 1 >= found.high[t])


def test_it_never_widens_and_says_when_it_was_decided() -> None:
    found = sequential([0.5, 0.3, 0.4, 0.6] * 10)
    assert np.all(np.diff(found.low) >= 0)
    assert np.all(np.diff(found.high) <= 0)
    assert found.decided is not None
    assert found.low[found.decided - 1] > 0 >= found.low[found.decided - 2]
    assert "candidate is better, decided after" in found.sentence
    mirrored = sequential([-0.5, -0.3, -0.4, -0.6] * 10)
    assert mirrored.decided == found.decided
    np.testing.assert_allclose(mirrored.high, -found.low, atol=1e-8)
    assert len(found.table()) == 40


def test_topics_that_do_not_count_are_passed_over() -> None:
    with_gap = sequential([0.5, np.nan, 0.25])
    assert np.array_equal(with_gap.low, sequential([0.5, 0.25]).low)
    assert sequential([0.0]).decided is None


def test_other_bounds_scale_the_limits() -> None:
    values = np.array([0.2, 0.7, 0.4, 0.9] * 5)
    one, other = sequential(values, bounds=(0, 1)), sequential(10 * values - 5, bounds=(-5, 5))
    np.testing.assert_allclose(10 * one.low - 5, other.low, atol=1e-7)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InputError, match="1 of 2 values lie outside"):
        sequential([0.5, 1.5])
    with pytest.raises(UsageError, match="bounds="):
        sequential([0.5], bounds=(1, 0))
    with pytest.raises(UsageError, match="no topic counts"):
        sequential([np.nan])
