"""Candidates against a baseline: what differs, whether it is real, for whom, and whether a gate lets it pass."""

from rankdiff.comparison.comparing import COMPARED, compare
from rankdiff.comparison.gates import Gate, Gates, gates

__all__ = ["COMPARED", "Gate", "Gates", "compare", "gates"]
