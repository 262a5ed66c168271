"""Datasets of ir_datasets, by their ids: judgments, topics and scored documents."""

from __future__ import annotations

from typing import Any

from rankdiff.errors import InputError, MissingExtraError, UsageError
from rankdiff.read.tables import Table

SUBTOPIC_FIELDS = ("subtopic_id", "iteration")


def judgments(identifier: str) -> Table:
    """The judgments of a dataset."""
    records = list(_part(identifier, "qrels").qrels_iter())
    columns = {
        "topic": [record.query_id for record in records],
        "document": [record.doc_id for record in records],
        "grade": [record.relevance for record in records],
    }
    for name in SUBTOPIC_FIELDS:
        if records and hasattr(records[0], name):
            columns["subtopic"] = [getattr(record, name) for record in records]
            break
    return Table(columns, f"irds:{identifier}")


def ranking(identifier: str) -> Table:
    """The scored documents of a dataset: a first ranking that came with it."""
    records = list(_part(identifier, "scoreddocs").scoreddocs_iter())
    columns = {
        "topic": [record.query_id for record in records],
        "document": [record.doc_id for record in records],
        "score": [record.score for record in records],
    }
    return Table(columns, f"irds:{identifier}")


def topics(identifier: str) -> dict[str, str]:
    """The text of each topic of a dataset, by its id."""
    return {topic.query_id: topic.default_text() for topic in _part(identifier, "queries").queries_iter()}


def _part(identifier: str, part: str) -> Any:
    try:
        import ir_datasets
    except ImportError as missing:
        raise MissingExtraError(f"datasets such as irds:{identifier}", "interop") from missing
    try:
        dataset = ir_datasets.load(identifier)
    except KeyError as unknown:
        raise UsageError(
            f"ir_datasets has no dataset {identifier!r} (ir_datasets.registry lists those it has)"
        ) from unknown
    if not getattr(dataset, f"has_{part}")():
        raise InputError(f"the dataset has no {part}", source=f"irds:{identifier}")
    return dataset
