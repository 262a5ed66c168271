"""JSON: nested dicts as pytrec_eval and ranx keep them, rows, predictions of MTEB, rank-eval of Elasticsearch."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rankdiff.errors import InputError
from rankdiff.read.table_files import content_of
from rankdiff.read.tables import JUDGMENT, RANKING, Table, roles

MTEB = "mteb_model_meta"
SHAPES = (
    "{topic: {document: number}}, {run: {topic: {document: score}}}, a list or lines of rows, predictions of MTEB, "
    "or a rank-eval request or response"
)


def runs_in_json(path: str) -> dict[str, Any]:
    """The runs in a file, each as nested dicts or as a table; one that has no name of its own is called ``""``."""
    content = _parsed(path)
    if isinstance(content, list):
        return {"": table_of_records(content, RANKING, path)}
    if isinstance(details := content.get("details"), Mapping) and "metric_score" in content:
        return {"": _ranked_hits(details, path)}
    if MTEB in content:
        return {str(content[MTEB].get("model_name", "")): _predictions(content, path)}
    if _depth(content) == 3:
        return {str(name): run for name, run in content.items()}
    return {"": _nested(content, path)}


def qrels_in_json(path: str) -> Mapping[str, Mapping[str, float]] | Table:
    """The judgments in a file, as nested dicts or as a table."""
    content = _parsed(path)
    if isinstance(content, list):
        return table_of_records(content, JUDGMENT, path)
    if isinstance(requests := content.get("requests"), list):
        return _ratings(requests, path)
    if "metric_score" in content and "details" in content:
        raise InputError(
            "a rank-eval response holds the ratings of retrieved documents only",
            source=path,
            expected="the request, whose `ratings` hold them all",
        )
    nested: Mapping[str, Mapping[str, float]] = _nested(content, path)
    return nested


def table_of_records(records: Sequence[Any], wanted: Sequence[str], source: str) -> Table:
    """The columns of rows that are dicts.

    >>> table_of_records([{"qid": 1, "docno": "d1", "label": 2}], JUDGMENT, "rows").columns
    {'topic': [1], 'document': ['d1'], 'grade': [2]}
    """
    for row, record in enumerate(records, 1):
        if not isinstance(record, Mapping):
            raise InputError("not a row", source=source, line=row, found=repr(record)[:60], expected="{column: value}")
    of = roles(list(records[0]) if records else [], wanted, source)
    return Table({role: [record.get(name) for record in records] for role, name in of.items()}, source)


def _parsed(path: str) -> Any:
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


def _depth(content: Any) -> int:
    """How deep dicts are nested, along their first entries."""
    depth = 0
    while isinstance(content, Mapping):
        depth += 1
        content = next((value for value in content.values() if value != {}), None)
    return depth


def _nested(content: Any, path: str) -> Any:
    if _depth(content) != 2:
        raise InputError("holds neither rankings nor judgments", source=path, expected=SHAPES)
    return content


def _predictions(content: Mapping[str, Any], path: str) -> Any:
    """The one ranking among the predictions of a task: subset → split → topic → document → score."""
    found = {
        f"{subset}/{split}": rankings
        for subset, splits in content.items()
        if subset != MTEB
        for split, rankings in splits.items()
    }
    if len(found) != 1:
        raise InputError(
            "predictions of several subsets or splits",
            source=path,
            found=", ".join(found) or "none",
            expected="one",
            advice="load the file with json and pass one of them as a dict",
        )
    return _nested(next(iter(found.values())), path)


def _ranked_hits(details: Mapping[str, Any], path: str) -> Table:
    """The hits of a rank-eval response, in their order; scores only where every hit has one."""
    hits = [(topic, rank, entry["hit"]) for topic, detail in details.items() for rank, entry in _hits(detail, path)]
    columns: dict[str, list[Any]] = {
        "topic": [topic for topic, _, _ in hits],
        "document": [hit["_id"] for _, _, hit in hits],
        "rank": [rank for _, rank, _ in hits],
    }
    scores = [hit.get("_score") for _, _, hit in hits]
    return Table(columns if None in scores else columns | {"score": scores}, path)


def _hits(detail: Any, path: str) -> Any:
    try:
        return enumerate(detail["hits"], 1)
    except (KeyError, TypeError):
        raise InputError("a rank-eval response without hits", source=path, found=repr(detail)[:60]) from None


def _ratings(requests: Sequence[Any], path: str) -> Table:
    """The ratings of a rank-eval request."""
    try:
        rated = [(request["id"], each["_id"], each["rating"]) for request in requests for each in request["ratings"]]
    except (KeyError, TypeError):
        raise InputError(
            "a rank-eval request without ratings", source=path, expected="requests with `id` and `ratings`"
        ) from None
    topic, document, grade = zip(*rated, strict=True) if rated else ((), (), ())
    return Table({"topic": list(topic), "document": list(document), "grade": list(grade)}, path)
