"""Is the difference real: tests, intervals, agreement of orders, and planning."""

from rankdiff.statistics.paired import Paired, paired

__all__ = ["Paired", "paired"]
