"""Datasets of ir_datasets, by their ids: judgments, topics and scored documents."""

from __future__ import annotations

from typing import Any

from rankdiff.errors import InputError, MissingExtraError, UsageError
from rankdiff.read.records import table_of_records
from rankdiff.read.tables import JUDGMENT, RANKING, Table

IRDS = "irds:"
"""What the id of a dataset begins with, so that it is not taken for a path."""


def judgments(identifier: str) -> Table:
    """The judgments of a dataset."""
    return table_of_records(list(_part(identifier, "qrels").qrels_iter()), JUDGMENT, IRDS + identifier)


def ranking(identifier: str) -> Table:
    """The scored documents of a dataset: a first ranking that came with it."""
    return table_of_records(list(_part(identifier, "scoreddocs").scoreddocs_iter()), RANKING, IRDS + identifier)


def topics(identifier: str) -> dict[str, str]:
    """The text of each topic of a dataset, by its id."""
    return {str(topic.query_id): topic.default_text() for topic in _part(identifier, "queries").queries_iter()}


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
        raise InputError(f"the dataset has no {part}", source=IRDS + identifier)
    return dataset
