"""JSON: one value, or a value a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankdiff.errors import InputError
from rankdiff.read.table_files import content_of


def parsed(path: str) -> Any:
    """What stands in a file: nested dicts, or a list of rows."""
    import json

    text = content_of(path).decode("utf-8", "surrogateescape")
    try:
        whole = json.loads(text, object_pairs_hook=_object)
        return [whole] if _is_flat(whole) else whole
    except json.JSONDecodeError as problem:
        lines = [line for line in text.split("\n") if line.strip()]
        try:
            return [json.loads(line, object_pairs_hook=_object) for line in lines]
        except json.JSONDecodeError:
            raise InputError(
                "is neither JSON nor lines of it", source=path, line=problem.lineno, found=problem.msg
            ) from None
    except ValueError as repeated:
        raise InputError(str(repeated), source=path) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, in which no key may stand twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def _is_flat(content: Any) -> bool:
    """Whether something is a single row, as in a file of JSON lines that has one."""
    return isinstance(content, Mapping) and not any(isinstance(value, (Mapping, list)) for value in content.values())
