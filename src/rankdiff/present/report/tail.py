"""Top and tail: how far down relevant documents stand, and how far the best run is from perfect."""

from __future__ import annotations

import numpy as np

from rankdiff.present.report.asked import Asked, Part
from rankdiff.present.report.cells import grid, packed
from rankdiff.present.report.topics import runs_shown
from rankdiff.results.scores import summarize

LOOKED_AT = {"ASL@g1-1": "first relevant document", "ASL@g1-10": "first ten", "ASL": "all relevant documents"}


def gather(asked: Asked) -> Part:
    """Atomized search lengths of every run and topic, and how much room is left above the best run."""
    c = asked.c
    lengths = c.measure(*LOOKED_AT)
    means = lengths.summary()
    rows = []
    for i, what in enumerate(LOOKED_AT.values()):
        if np.isnan(means[i]).all():
            continue
        best, middle = int(np.nanargmin(means[i])), float(np.nanmedian(means[i]))
        oracle = summarize(np.fmin.reduce(lengths.values[i], axis=0))
        rows.append(
            {
                "looked at": what,
                "best run": c.systems[best],
                "its mean": float(means[i, best]),
                "median run": middle,
                "best run of each topic": oracle,
                "headroom to 1": float(means[i, best]) - 1,
            }
        )
    view = {
        "headroom": grid("Atomized search length: mean over topics, 1 is perfect", rows),
        "notes": lengths.notes,
        "pair": asked.is_pair,
    }
    shown = runs_shown(asked)
    data = {"names": list(LOOKED_AT.values()), "lengths": [packed(values[shown]) for values in lengths.values]}
    return Part("tail", "Top and tail", view, data)
