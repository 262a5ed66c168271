"""Top and tail: how far the best run is from perfect. How far down each document stands, the page counts itself."""

from __future__ import annotations

import numpy as np

from rankdiff.present.report.asked import Asked, Part
from rankdiff.present.report.cells import grid
from rankdiff.results.scores import summarize

LOOKED_AT = {"ASL@g1-1": "first relevant document", "ASL@g1-10": "first ten", "ASL": "all relevant documents"}


def gather(asked: Asked) -> Part:
    """Mean search lengths of the best run, and how much room is left above it."""
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
    }
    return Part("tail", "Top and tail", view)
