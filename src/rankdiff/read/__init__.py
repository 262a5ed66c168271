"""Judgments and runs, from files or dicts, as far as the rank of every judged document."""

from rankdiff.read.judgments import Judgments, Subtopics, read_qrels, topics_as_judged
from rankdiff.read.lines import documents_on
from rankdiff.read.placement import Listing, Placement, inspect, place
from rankdiff.read.runs import Run, Runs, read_runs

__all__ = [
    "Judgments",
    "Listing",
    "Placement",
    "Run",
    "Runs",
    "Subtopics",
    "documents_on",
    "inspect",
    "place",
    "read_qrels",
    "read_runs",
    "topics_as_judged",
]
