"""What other programs return as nested dicts: rank-eval of Elasticsearch and OpenSearch, predictions of MTEB.

Results of BEIR and MTEB are nested dicts, too, but hold the values of measures and no rankings: they are known, so that
a measure is not taken for a topic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rankdiff.errors import InputError
from rankdiff.read.tables import Table

MTEB = "mteb_model_meta"

BEIRS = frozenset({"ndcg", "map", "recall", "precision"})
_BEGINNING = rb'(?s)\s*\{\s*"ndcg"\s*:\s*\{\s*"NDCG@\d+"|.*"(mteb_version|n_parameters)"\s*:'
"""Of a file of BEIR's results, or of MTEB's results and descriptions of models."""


def is_foreign(content: Mapping[Any, Any]) -> bool:
    """Whether a dict is one of these, and neither rankings nor judgments by topic."""
    return MTEB in content or "mteb_version" in content or content.keys() >= BEIRS or _is_rank_eval(content)


def run_of(content: Mapping[Any, Any], source: str) -> tuple[str, Any]:
    """The run that a foreign dict holds, as a table or nested dicts; its name is ``""`` where it has none."""
    if MTEB in content:
        return str(content[MTEB].get("model_name", "")), _predictions(content, source)
    if _is_rank_eval(content):
        return "", _ranked_hits(content["details"], source)
    raise InputError(
        "holds values of measures, not rankings",
        source=source,
        found=", ".join(map(repr, list(content)[:3])),
        advice="BEIR writes rankings by save_runfile, MTEB by prediction_folder",
    )


def ratings_of(content: Mapping[Any, Any], source: str) -> Table | None:
    """The judgments of a rank-eval request; None for a dict that is none."""
    if _is_rank_eval(content):
        raise InputError(
            "a rank-eval response holds the ratings of retrieved documents only",
            source=source,
            expected="the request, whose `ratings` hold them all",
        )
    requests = content.get("requests")
    return _ratings(requests, source) if isinstance(requests, list) else None


def begins_with_measures(head: bytes) -> bool:
    """Whether a file of JSON holds values of measures, as its first bytes tell.

    >>> begins_with_measures(b'{"ndcg": {"NDCG@1": 0.5}}'), begins_with_measures(b'{"q1": {"d1": 0.5}}')
    (True, False)
    """
    return re.match(_BEGINNING, head) is not None


def _is_rank_eval(content: Mapping[Any, Any]) -> bool:
    return "metric_score" in content and isinstance(content.get("details"), Mapping)


def _predictions(content: Mapping[Any, Any], source: str) -> Any:
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
            source=source,
            found=", ".join(found) or "none",
            expected="one",
            advice="in Python, pass one of them as a dict",
        )
    return next(iter(found.values()))


def _ranked_hits(details: Mapping[str, Any], source: str) -> Table:
    """The hits of a rank-eval response, in their order; scores only where every hit has one."""
    hits = [(topic, rank, entry["hit"]) for topic, detail in details.items() for rank, entry in _hits(detail, source)]
    columns: dict[str, list[Any]] = {
        "topic": [topic for topic, _, _ in hits],
        "document": [hit["_id"] for _, _, hit in hits],
        "rank": [rank for _, rank, _ in hits],
    }
    scores = [hit.get("_score") for _, _, hit in hits]
    return Table(columns if None in scores else columns | {"score": scores}, source)


def _hits(detail: Any, source: str) -> Any:
    try:
        return enumerate(detail["hits"], 1)
    except (KeyError, TypeError):
        raise InputError("a rank-eval response without hits", source=source, found=repr(detail)[:60]) from None


def _ratings(requests: Sequence[Any], source: str) -> Table:
    try:
        rated = [(request["id"], each["_id"], each["rating"]) for request in requests for each in request["ratings"]]
    except (KeyError, TypeError):
        raise InputError(
            "a rank-eval request without ratings", source=source, expected="requests with `id` and `ratings`"
        ) from None
    topic, document, grade = zip(*rated, strict=True) if rated else ((), (), ())
    return Table({"topic": list(topic), "document": list(document), "grade": list(grade)}, source)
