"""Two runs under a measure: whether it looks at the other runs compared is known for each."""

from __future__ import annotations

import inspect

import numpy as np

import rankdiff as rd
from rankdiff import measures, preferences
from rankdiff.errors import UsageError
from rankdiff.measures import Definition, Measure
from rankdiff.verdict.pair import yardstick
from worlds import world

OF_PEERS = {"ASL", "AtomizedP", "HarmonicP", "InvASL", "RareAP", "RareP"}


def with_defaults(definition: Definition) -> Measure:
    """With a cutoff, or a number, where it needs one."""
    needed = [name for name, value in definition.defaults.items() if value is inspect.Parameter.empty]
    return definition(**dict.fromkeys(needed, 2))


def test_what_does_not_ask_for_the_other_runs_is_the_same_without_them() -> None:
    qrels, runs = world(np.random.default_rng(3), judged=24)
    third = {topic: {"d0": 100.0} | {f"y{i}": -float(i) for i in range(99)} for topic in qrels}
    three = rd.align(qrels, runs | {"third": third}, corpus_size=300)
    two = three.select(["old", "new"])
    asking, tried = set(), 0
    for name, definition in measures.catalog().items():
        if "providers" in definition.defaults:
            continue
        try:
            measure = with_defaults(definition)
            alone = measure(two)
        except UsageError:  # it needs subtopics
            continue
        tried += 1
        among = measure(three)[[three.systems.index(run) for run in two.systems]]
        if not np.array_equal(alone, among, equal_nan=True):
            asking.add(name)
            assert yardstick(measure).asks_peers, name
    assert asking == OF_PEERS
    assert tried > 50
    assert not any(yardstick(name).asks_peers for name in ("AP", "nDCG@10", *preferences.catalog()))


def test_a_measure_from_elsewhere_may_ask_for_them() -> None:
    @measures.measure("Found", range=(0, 1), citation="nobody")
    def found(c):
        """The share of the runs compared that answered."""
        return np.broadcast_to(c.peers.answered.mean(axis=0), c.depth.shape)

    assert yardstick(found).asks_peers
