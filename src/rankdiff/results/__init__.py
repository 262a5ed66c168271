"""Results: frozen, labelled, signed. Each can hand out tables, and every writer takes a table."""

from rankdiff.results.comparison import Comparison
from rankdiff.results.preferences import Preferences
from rankdiff.results.scores import Scores, summarize
from rankdiff.results.study import Study
from rankdiff.results.table import Table

__all__ = ["Comparison", "Preferences", "Scores", "Study", "Table", "summarize"]
