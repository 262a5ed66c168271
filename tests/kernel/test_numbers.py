"""One grammar of numbers, correctly rounded."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff._kernel.problems import BadLineError
from rankdiff._kernel.results import Rules
from texts import index_of, text_of

digits = st.text("0123456789", max_size=25)
exponents = st.builds("".join, st.tuples(st.sampled_from("eE"), st.sampled_from(["", "+", "-"]), digits))
written = st.builds("".join, st.tuples(st.sampled_from(["", "+", "-"]), digits, st.sampled_from(["", "."]), digits))
with_exponent = st.builds("".join, st.tuples(written, exponents))
floats = st.floats(allow_nan=False).map(repr) | st.floats(0, 100).map(repr) | st.floats(0, 1).map("{:.17f}".format)
GRAMMAR = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[iI][nN][fF]([iI][nN][iI][tT][yY])?)", re.ASCII)


def read(kernel: Any, score: str) -> float:
    text = text_of(f"1 Q0 d 1 {score} t\n".encode())
    ranked = kernel.rank(index_of(kernel, {}), text, Rules(listing=True), None)
    return float(ranked.listed.score[0])


@given(score=(written | with_exponent | floats).filter(GRAMMAR.fullmatch))
def test_a_number_is_the_nearest_double(kernel: Any, score: str) -> None:
    value = read(kernel, score)
    assert value == float(score)
    assert math.copysign(1, value) == math.copysign(1, float(score))


@pytest.mark.parametrize(
    ("score", "value"),
    [
        ("9007199254740993", 9007199254740992.0),  # half way between two doubles: to the even one
        ("9007199254740993.00000000000000000000000000001", 9007199254740994.0),
        ("0.9007199254740993", 0.9007199254740993),
        ("1844674407370955161.5", 1844674407370955161.5),
        ("18446744073709551616", 2.0**64),
        ("00000000000000000000000000.1", 0.1),
        ("1e400", math.inf),
        ("-1e400", -math.inf),
        ("1e-400", 0.0),
        ("0.00000000001e409", 1e398 * 10),
        ("100000000000e-335", 1e-324),
        ("4.9406564584124654e-324", 5e-324),
        ("1.7976931348623159e308", math.inf),
        ("1e99999999999999999999", math.inf),
        ("1e-99999999999999999999", 0.0),
        ("0e99999999999999999999", 0.0),
        ("+Inf", math.inf),
        ("-INFINITY", -math.inf),
    ],
)
def test_the_edges_of_the_doubles(kernel: Any, score: str, value: float) -> None:
    assert read(kernel, score) == value


@pytest.mark.parametrize(
    "score",
    ["nan", "-NaN", "1_000", "0x1p3", "1e", "1e+", "e5", ".", "+", "-", "--1", "+-1", "1.2.3", "infinit", "inf1", "1,5",
     "\u0661", "1d5", "1f", "½", "1e5.0"],
)  # fmt: skip
def test_what_is_no_number_is_refused(kernel: Any, score: str) -> None:
    with pytest.raises(BadLineError) as caught:
        read(kernel, score)
    assert (caught.value.kind, caught.value.line, caught.value.text) == ("score", 1, score.encode())


@given(score=st.text("0123456789.eE+-infatyINFATY_x", min_size=1, max_size=12))
def test_anything_else_is_refused(kernel: Any, score: str) -> None:
    if GRAMMAR.fullmatch(score):
        assert read(kernel, score) == float(score)
    else:
        with pytest.raises(BadLineError):
            read(kernel, score)


@given(score=st.floats(allow_nan=False))
def test_single_precision_is_the_double_rounded(kernel: Any, score: float) -> None:
    text = text_of(f"1 Q0 d 1 {score!r} t\n".encode())
    ranked = kernel.rank(index_of(kernel, {}), text, Rules(single=True, listing=True), None)
    with np.errstate(over="ignore"):
        assert ranked.listed.score[0] == np.float32(score)
