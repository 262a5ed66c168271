"""The loops that must be fast: in C++ where it could be built, else their Python twin, which is the definition.

The choice is made once; the environment variable ``RANKDIFF_KERNEL`` (``python`` or ``native``) forces it.
``NAME`` says which it was.
"""

from __future__ import annotations

from rankdiff._kernel.python import NAME, Index, Pool, judge, rank, rank_table

__all__ = ["NAME", "Index", "Pool", "judge", "rank", "rank_table"]
