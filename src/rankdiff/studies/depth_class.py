"""Tables that describe collections, and whether these are deep, standard or shallow."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rankdiff.results.table import Table, column
from rankdiff.studies.printed import Printed


def depth_class(documents: float) -> str:
    """The class that lexirecall's Table 5 puts a collection in, by the mean number of documents per topic.

    >>> depth_class(4835.07), depth_class(623.77), depth_class(99.95)
    ('deep', 'standard', 'shallow')
    """
    return "deep" if documents > 1000 else "standard" if documents > 100 else "shallow"


@dataclass(frozen=True)
class WithDepthClass(Printed):
    """A table with a column of documents per topic, and behind it the class that these make."""

    def beside(self, table: Table) -> Table:
        """Ours, with the paper's beside, and the class of ours."""
        found = super().beside(table)
        classes = [depth_class(documents) for documents in found["documents"].tolist()]
        return replace(found, columns={**found.columns, "depth": column(classes)})
