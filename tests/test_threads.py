"""Work that is split among threads is done once, all of it, and what goes wrong in a thread is seen."""

from __future__ import annotations

import pytest

from rankdiff.threads import share_out


@pytest.mark.parametrize("count", [0, 1, 2, 100])
def test_every_task_is_done_once(count: int) -> None:
    done: list[int] = []
    share_out(range(count), done.append)
    assert sorted(done) == list(range(count))


def test_an_exception_in_a_thread_comes_out() -> None:
    with pytest.raises(ZeroDivisionError):
        share_out(range(10), lambda number: 1 // (number - 7))
