"""Is the difference real: tests, intervals, agreement of orders, power and planning."""

from rankdiff.statistics.agreement import RankDifference, rank_differences, tau, tau_ap
from rankdiff.statistics.anova import TwoWay, two_way
from rankdiff.statistics.bands import Band, band
from rankdiff.statistics.comparisons import AllPairs, AllRows
from rankdiff.statistics.corrections import correct
from rankdiff.statistics.intervals import safe_interval
from rankdiff.statistics.many import all_pairs, all_pairs_preferences, all_rows
from rankdiff.statistics.overlap import rbo
from rankdiff.statistics.paired import Paired, paired
from rankdiff.statistics.planning import (
    SmallestDifference,
    TopicsNeeded,
    power_of_t,
    smallest_difference,
    topics_needed,
)
from rankdiff.statistics.power import (
    DeltaSort,
    DiscriminativePower,
    Share,
    Stability,
    delta_sort,
    discriminative_power,
    stability,
)
from rankdiff.statistics.sequential import ConfidenceSequence, sequential

__all__ = [
    "AllPairs",
    "AllRows",
    "Band",
    "ConfidenceSequence",
    "DeltaSort",
    "DiscriminativePower",
    "Paired",
    "RankDifference",
    "Share",
    "SmallestDifference",
    "Stability",
    "TopicsNeeded",
    "TwoWay",
    "all_pairs",
    "all_pairs_preferences",
    "all_rows",
    "band",
    "correct",
    "delta_sort",
    "discriminative_power",
    "paired",
    "power_of_t",
    "rank_differences",
    "rbo",
    "safe_interval",
    "sequential",
    "smallest_difference",
    "stability",
    "tau",
    "tau_ap",
    "topics_needed",
    "two_way",
]


def __dir__() -> list[str]:
    return __all__  # what a notebook offers to complete
