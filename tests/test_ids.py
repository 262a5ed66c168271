"""Ids are byte strings, whatever type they came in."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.ids import Ids, as_bytes, as_text


@given(st.lists(st.binary()))
def test_ids_are_the_bytes_that_went_in(items: list[bytes]) -> None:
    ids = Ids.of(items)
    assert [ids.bytes(i) for i in range(len(ids))] == items
    assert [as_bytes(text) for text in ids] == items
    assert [as_bytes(ids[i]) for i in range(len(ids))] == items
    assert ids == Ids.of(as_text(item) for item in items)


@given(st.lists(st.binary(max_size=4), max_size=9), st.slices(9))
def test_a_part_of_ids_is_the_part_of_the_list(items: list[bytes], part: slice) -> None:
    ids = Ids.of(items)
    assert list(ids[part]) == [as_text(item) for item in items[part]]
    chosen = np.arange(len(items))[part]
    assert ids[chosen] == ids[part]


def test_numbers_and_text_are_the_same_id() -> None:
    assert Ids.of([7, "7", b"7", np.int64(7), np.str_("7")]) == Ids.of(["7"] * 5)


def test_ids_do_not_equal_what_is_not_ids() -> None:
    assert Ids.of(["a"]) != ["a"]
    assert Ids.of(["ab", "c"]) != Ids.of(["a", "bc"])
