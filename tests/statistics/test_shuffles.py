"""Shuffles in threads and blocks, none of which matter; signs and draws from the same random words."""

import threading
import time

import numpy as np
import pytest
from scipy import stats

from rankdiff.statistics import shuffles
from rankdiff.statistics.chance import draws, signs
from rankdiff.statistics.many import all_pairs
from rankdiff.statistics.shuffles import shuffled_sums, shuffled_topics
from twins import TWINS, twin

SCORES = np.random.default_rng(2).integers(0, 2**40, (7, 11)).astype(float)


@pytest.mark.parametrize("kernel", TWINS)
@pytest.mark.parametrize(("threads", "block", "piece"), [(1, 100, 2**25), (3, 17, 2**25), (4, 60, 700), (2, 9, 1)])
def test_threads_blocks_and_the_kernel_do_not_matter(monkeypatch, kernel, threads, block, piece):
    expected = sum(shuffled_topics(SCORES, 17, 0, 100))
    monkeypatch.setattr("rankdiff._kernel.shuffled_sums", twin(kernel).shuffled_sums)
    monkeypatch.setattr("os.cpu_count", lambda: threads)
    monkeypatch.setattr(shuffles, "PIECE_VALUES", piece)
    sums = list(shuffled_sums(SCORES, 17, 100, block=block))
    assert [piece.shape[1] for piece in sums[:-1]] == [block] * (len(sums) - 1)
    assert np.array_equal(np.hstack(sums), expected)


@pytest.mark.parametrize("step_down", [True, False])
def test_an_interrupt_ends_it_within_a_second_and_leaves_no_thread(step_down):
    scores, told = np.random.default_rng(15).random((110, 249)), []

    def interrupt(share):
        told.append((share, time.perf_counter()))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        all_pairs(scores, "randomized-hsd", step_down=step_down, progress=interrupt)
    (share, then), now = told[0], time.perf_counter()
    assert 0 < share < 1
    assert now - then < 1
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("ThreadPool")] == []


def test_draws_and_signs_are_fair():
    drawn = draws(5, 0, 3000, 7)
    assert drawn.shape == (3000, 7)
    assert stats.chisquare(np.bincount(drawn.ravel(), minlength=7)).pvalue > 0.001
    bits = signs(5, 0, 3000, 70)
    assert abs(bits.mean() - 0.5) < 4 * 0.5 / np.sqrt(bits.size)
    assert np.abs(np.corrcoef(bits.T) - np.eye(70)).max() < 5 / np.sqrt(3000)
    assert np.array_equal(signs(5, 100, 10, 70), bits[100:110])
