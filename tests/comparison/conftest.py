"""Collections in which a topic has one relevant document, at a rank that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

import rankdiff as rd
from rankdiff.collection import Collection

Place = Callable[..., Collection]


@pytest.fixture
def place() -> Place:
    """``place(old=[1, 2], new=[2, 0])``: the rank of the relevant document topic by topic; 0 misses it, None lacks the
    topic. RR is 1/rank."""

    def build(rules: Mapping[str, object] | None = None, **ranks: Sequence[int | None]) -> Collection:
        topics = [f"t{i:03}" for i in range(len(next(iter(ranks.values()))))]
        runs = {
            run: {topic: _ranking(rank) for topic, rank in zip(topics, found, strict=True) if rank is not None}
            for run, found in ranks.items()
        }
        for ranking in runs.values():
            ranking["unjudged"] = _ranking(0)
        qrels = {topic: {"relevant": 1} for topic in topics}
        return rd.align(qrels, runs, **({"corpus_size": 100} | dict(rules or {})))

    return build


def _ranking(rank: int) -> dict[str, float]:
    ranking = {f"other{i}": -float(i) for i in range(1, 11)}
    return ranking | ({"relevant": -float(rank) + 0.5} if rank else {})
