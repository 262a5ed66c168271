"""The loops that must be fast: in C++ where it could be built, else their Python twin, which is the definition.

The choice is made once; the environment variable ``RANKDIFF_KERNEL`` (``python`` or ``native``) forces it.
``NAME`` says which it was.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rankdiff.errors import UsageError

__all__ = [
    "NAME",
    "SLOWER",
    "Index",
    "Pool",
    "count_signs",
    "count_stepdown",
    "digits",
    "judge",
    "number_hits",
    "order_rankings",
    "pick_hits",
    "rank",
    "rank_table",
    "shuffled_sums",
    "sum_gains",
    "sum_hits",
    "top_hits",
]


def choose(wanted: str) -> Any:
    """The kernel of a name; without a name the native one where it was built."""
    if wanted not in ("", "python", "native"):
        raise UsageError(f"RANKDIFF_KERNEL is {wanted!r}: it can be 'python' or 'native'")
    if wanted != "python":
        try:
            return import_module("rankdiff._kernel._native")
        except ImportError as missing:
            if wanted == "native":
                raise UsageError(f"RANKDIFF_KERNEL is 'native', but that kernel was not built ({missing})") from missing
    return import_module("rankdiff._kernel.python")


if TYPE_CHECKING:
    from rankdiff._kernel import python as chosen
else:
    chosen = choose(os.environ.get("RANKDIFF_KERNEL", ""))

NAME = chosen.NAME
SLOWER = NAME == "python" and not os.environ.get("RANKDIFF_KERNEL")
"""Whether the native kernel is missed, and not only unwanted."""
Index = chosen.Index
Pool = chosen.Pool
count_signs = chosen.count_signs
count_stepdown = chosen.count_stepdown
digits = chosen.digits
judge = chosen.judge
number_hits = chosen.number_hits
order_rankings = chosen.order_rankings
pick_hits = chosen.pick_hits
rank = chosen.rank
rank_table = chosen.rank_table
shuffled_sums = chosen.shuffled_sums
sum_gains = chosen.sum_gains
sum_hits = chosen.sum_hits
top_hits = chosen.top_hits
