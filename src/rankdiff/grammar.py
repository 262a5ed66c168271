"""Names with parameters, as ir_measures writes them: ``NAME(key=value, …)@cutoff``.

>>> expression = parse("RBP(rel=2, p=0.9)@10")
>>> expression.name, expression.parameters, expression.cutoff
('RBP', {'rel': 2, 'p': 0.9}, 10)
>>> str(expression)
'RBP(rel=2, p=0.9)@10'

A *spelling* is another way to write a name, with fields where parameters stand: ``P_{k}``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from string import Formatter
from types import CodeType, FunctionType
from typing import Any

from rankdiff.digests import digest
from rankdiff.errors import UsageError

Number = int | float
_SHAPE = re.compile(r"\s*(?P<name>\w+)\s*(?:\((?P<arguments>.*)\))?\s*(?:@\s*(?P<cutoff>\S+))?\s*", re.DOTALL)
_NUMBER = r"-?\d+(?:\.\d+)?|-?\.\d+"


@dataclass(frozen=True)
class Expression:
    """A parsed name: what was asked for, before anybody knows whether it exists."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    cutoff: Number | str | None = None

    def __str__(self) -> str:
        arguments = ", ".join(f"{key}={_show(value)}" for key, value in self.parameters.items())
        cutoff = self.cutoff if isinstance(self.cutoff, str) else _show(self.cutoff)
        return self.name + (f"({arguments})" if arguments else "") + ("" if self.cutoff is None else f"@{cutoff}")


def parse(text: str) -> Expression:
    """Take a name apart; ``UsageError`` where it does not follow the grammar."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is not a name like nDCG@10, AP(rel=2) or RBP(p=0.8)@20")
    cutoff = match["cutoff"]
    return Expression(
        match["name"],
        _parameters(text, match["arguments"] or ""),
        None if cutoff is None else _number(cutoff),
    )


def _parameters(text: str, arguments: str) -> dict[str, Any]:
    try:
        call = ast.parse(f"f({arguments})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError(arguments)
        return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError):
        raise UsageError(f"{text!r}: expected key=value parameters, with text in quotes, in the brackets") from None


def _number(text: str) -> Number | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def name_of(function: Any) -> str:
    """What a function of the user's is called; a lambda, or one that was made with values of its own, has a digest of
    what it computes behind its name, so that two of them are told apart.

    >>> name_of(parse), name_of(lambda level: 1 / level) == name_of(lambda level: 1 / level**2)
    ('parse', False)
    """
    if isinstance(function, partial):
        return f"{name_of(function.func)} {digest(repr((function.args, function.keywords)))}"
    name = str(getattr(function, "__name__", type(function).__name__))
    if not isinstance(function, FunctionType) or not (name == "<lambda>" or function.__closure__):
        return name
    enclosed = [cell.cell_contents for cell in function.__closure__ or ()]
    made_with = [_code(getattr(value, "__code__", value)) for value in enclosed]
    computed = _code(function.__code__), function.__defaults__, function.__kwdefaults__, made_with
    return f"{name.strip('<>')} {digest(repr(computed))}"


def _code(value: Any) -> Any:
    """What tells the code of a function from that of another; any other value as it is."""
    if not isinstance(value, CodeType):
        return value
    return value.co_code, value.co_names, [_code(constant) for constant in value.co_consts]


def _show(value: Any) -> str:
    if isinstance(value, float):
        value += 0.0  # -0.0 is read back as 0
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    if isinstance(value, (FunctionType, partial)):
        return name_of(value)
    if isinstance(value, Mapping) and len(value) > 20:
        return f"<{len(value)} entries {digest(repr(value))}>"
    return repr(value)


@dataclass(frozen=True)
class Spelling:
    """Another way to write a name, such as ``map_cut_{k}``; its fields are numbers, named after parameters.

    >>> Spelling("iprec_at_recall_{k:.2f}").read("iprec_at_recall_0.10")
    {'k': 0.1}
    >>> Spelling("iprec_at_recall_{k:.2f}").write({"k": 0.1})
    'iprec_at_recall_0.10'
    """

    template: str

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The parameters that it writes."""
        return tuple(name for _, name, _, _ in Formatter().parse(self.template) if name is not None)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = Formatter().parse(self.template)
        return re.compile(
            "".join(re.escape(text) + (f"(?P<{name}>{_NUMBER})" if name else "") for text, name, *_ in parts)
        )

    @property
    def example(self) -> str:
        """How it may look."""
        fields = ((name, spec) for _, name, spec, _ in Formatter().parse(self.template) if name is not None)
        return self.write({name: 0.5 if spec else 10 for name, spec in fields})

    def read(self, text: str) -> dict[str, Any] | None:
        """The parameters that a text gives; None where it is not written like this."""
        match = self._pattern.fullmatch(text)
        return None if match is None else {name: _number(value) for name, value in match.groupdict().items()}

    def write(self, parameters: Mapping[str, Any]) -> str:
        """The text that gives these parameters."""
        return self.template.format_map(parameters)
