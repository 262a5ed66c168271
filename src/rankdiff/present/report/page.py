"""From the parts to one file: the template, the styles, the scripts and the data, each made harmless where it stands.

Words reach the page by one of two ways only: through the template, which escapes everything, or as JSON in a script
element that the browser does not run, whose texts the scripts put in place as text. A policy in the head forbids
every script but these, and every request.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from typing import Any

from rankdiff.errors import MissingExtraError
from rankdiff.present.cells import readable
from rankdiff.present.report.asked import Asked, Part
from rankdiff.present.report.cells import prose

SCRIPTS = ("dom", "tables", "axes", "ranks", "save", "strip", "topics", "tail", "charts", "main")
"""The modules of the page, each before those that import it."""

_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")
_EXPORT = re.compile(r"^export (?=(?:const|function|class)\b)", re.MULTILINE)
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def write_page(asked: Asked, parts: Sequence[Part]) -> str:
    """The page."""
    style, script = _asset("style.css"), bundle()
    environment = _environment()
    return str(
        environment.get_template("page.html").render(
            title=_title(asked),
            lead=_lead(asked),
            parts=parts,
            data={part.name: embedded(part.data) for part in parts if part.data},
            style=environment.filters["trusted"](style),
            script=environment.filters["trusted"](script),
            policy=f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}'",
        )
    )


def embedded(data: Any) -> str:
    r"""JSON for a script element, in ASCII: nothing in it can end the element or begin another.

    >>> embedded({"run": "</script><b>&"})
    '{"run":"\\u003c/script\\u003e\\u003cb\\u003e\\u0026"}'
    """
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.translate(_ESCAPES)


def bundle() -> str:
    """The modules of the page as one: without their imports and exports, as all stand in one scope."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", _asset(f"{name}.js"))) for name in SCRIPTS)


def _asset(name: str) -> str:
    return (files("rankdiff.present.report") / "page" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _environment() -> Any:
    try:
        jinja2, markupsafe = import_module("jinja2"), import_module("markupsafe")
    except ImportError as missing:
        raise MissingExtraError("reports", "report") from missing
    environment = jinja2.Environment(
        autoescape=True,
        loader=jinja2.FunctionLoader(_asset),
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: readable(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # What stands between backticks becomes code, after everything else has become harmless.
    environment.filters["prose"] = lambda text: markupsafe.Markup(
        _CODE.sub(r"<code>\1</code>", str(markupsafe.escape(prose(text))))
    )
    # For our own styles and scripts, and for what `embedded` made; nothing else may pass it.
    environment.filters["trusted"] = markupsafe.Markup
    return environment


def _title(asked: Asked) -> tuple[str, ...]:
    """The heading that was given; else the two runs, or how many there are."""
    if asked.heading:
        return (readable(asked.heading),)
    if asked.is_pair:
        baseline, candidate = asked.pair
        return (readable(candidate), "against", readable(baseline))
    return (f"{len(asked.c.systems)} runs compared",)


def _lead(asked: Asked) -> str:
    c = asked.c
    relevant = len(c.relevant(c.rules.rel).column)
    pair = f"{readable(asked.pair[1])} against {readable(asked.pair[0])} · " if asked.heading and asked.is_pair else ""
    return f"{pair}{len(c.systems):,} runs · {len(c.queries):,} topics · {relevant:,} relevant documents"
