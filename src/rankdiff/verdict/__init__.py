"""The verdict between two runs: what would overturn it, and how far the documents that nobody judged could."""

from rankdiff.verdict.flips import Flip, Undoing, flip

__all__ = ["Flip", "Undoing", "flip"]
