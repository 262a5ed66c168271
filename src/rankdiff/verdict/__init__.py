"""The verdict between two runs: what would overturn it, and how far the documents that nobody judged could."""

from rankdiff.verdict.bounding import AllBounds, Bounds, bounds, bounds_of_all_pairs
from rankdiff.verdict.flips import Flip, Undoing, flip
from rankdiff.verdict.stopping import stopping

__all__ = ["AllBounds", "Bounds", "Flip", "Undoing", "bounds", "bounds_of_all_pairs", "flip", "stopping"]
