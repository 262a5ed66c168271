"""rankdiff tells which of two rankings is better, for whom, by how much, and whether to believe it."""

__version__ = "0.1.0"
