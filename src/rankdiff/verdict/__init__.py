"""The verdict between two runs: what would overturn it, and how far the documents that nobody judged could."""

from rankdiff.verdict.bounding import AllBounds, Bounds, bounds, bounds_of_all_pairs
from rankdiff.verdict.flips import Flip, Undoing, flip
from rankdiff.verdict.holding import bounds_by_depth, holding
from rankdiff.verdict.known import Unjudged, unjudged_documents
from rankdiff.verdict.stopping import stopping
from rankdiff.verdict.ties import by_id, decided_by_ties, over_ties, range_over_ties

__all__ = [
    "AllBounds",
    "Bounds",
    "Flip",
    "Undoing",
    "Unjudged",
    "bounds",
    "bounds_by_depth",
    "bounds_of_all_pairs",
    "by_id",
    "decided_by_ties",
    "flip",
    "holding",
    "over_ties",
    "range_over_ties",
    "stopping",
    "unjudged_documents",
]
