"""Studies in a report: the question, the figure and the table of each."""

from __future__ import annotations

from base64 import b64encode
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rankdiff.errors import MissingExtraError
from rankdiff.present.cells import readable
from rankdiff.present.report.asked import Asked, Part
from rankdiff.present.report.cells import Grid
from rankdiff.results.study import Study

MOST_ROWS = 200


def gather(asked: Asked) -> Part:
    """Every study that was given."""
    return Part("studies", "Studies", {"studies": [_view(study) for study in asked.studies]})


def _view(study: Study) -> dict[str, Any]:
    return {
        "name": study.name,
        "question": readable(study.table.title or study.name),
        "figure": _picture(study),
        "tables": [Grid.of(table, table.title or study.name, most=MOST_ROWS) for table in study.tables],
        "signature": readable(study.signature),
    }


def _picture(study: Study) -> str:
    """The figure as the address of an image: what stands in an image is never run as a script."""
    if find_spec("vl_convert") is None:
        raise MissingExtraError("figures", "report")
    drawn = import_module("vl_convert").vegalite_to_svg(study.figure.to_json())
    return f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
