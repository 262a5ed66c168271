"""Names with parameters, as ir_measures writes them: ``NAME(key=value, …)@cutoff``.

>>> expression = parse("RBP(rel=2, p=0.9)@10")
>>> expression.name, expression.parameters, expression.cutoff
('RBP', {'rel': 2, 'p': 0.9}, 10)
>>> str(expression)
'RBP(rel=2, p=0.9)@10'
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rankdiff.errors import UsageError

Number = int | float
_SHAPE = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)\s*(?:\((?P<arguments>.*)\))?\s*(?:@(?P<cutoff>\S+))?\s*", re.DOTALL)


@dataclass(frozen=True)
class Expression:
    """A parsed name: what was asked for, before anybody knows whether it exists."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    cutoff: Number | str | None = None

    def __str__(self) -> str:
        arguments = ", ".join(f"{key}={_show(value)}" for key, value in self.parameters.items())
        cutoff = "" if self.cutoff is None else f"@{_show(self.cutoff).strip(chr(39))}"
        return self.name + (f"({arguments})" if arguments else "") + cutoff


def parse(text: str) -> Expression:
    """Take a name apart; ``UsageError`` where it does not follow the grammar."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is not a name like nDCG@10, AP(rel=2) or RBP(p=0.8)@20")
    cutoff = match["cutoff"]
    return Expression(
        match["name"],
        _parameters(text, match["arguments"] or ""),
        None if cutoff is None else _cutoff(cutoff),
    )


def _parameters(text: str, arguments: str) -> dict[str, Any]:
    try:
        call = ast.parse(f"f({arguments})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError(arguments)
        return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError):
        raise UsageError(f"{text!r}: expected key=value parameters, with text in quotes, in the brackets") from None


def _cutoff(text: str) -> Number | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _show(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return repr(value)
