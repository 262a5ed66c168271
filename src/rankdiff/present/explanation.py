"""What is known of a measure, in words: the declaration and the docstring, as ``rankdiff explain`` shows them."""

from __future__ import annotations

import inspect

from rankdiff.measures import Definition, catalog, find
from rankdiff.results import Table


def overview() -> Table:
    """Every measure, a row each: what it is, its range, which way is better, trec_eval's name, and where it is from."""
    definitions = list(catalog().values())
    return Table.of(
        measure=[_pattern(definition) for definition in definitions],
        meaning=[_summary(definition) for definition in definitions],
        range=[_range(definition) for definition in definitions],
        better=["higher" if definition.higher_is_better else "lower" for definition in definitions],
        trec_eval=[", ".join(_plain(name) for name in definition.trec_eval) for definition in definitions],
        source=[definition.citation for definition in definitions],
    )


def explain(name: str) -> str:
    """One measure at length.

    >>> print(explain("recip_rank"), end="")
    RR: One over the rank of the first relevant document: ``RR = 1 / p_1``, 0 where none is retrieved.
    <BLANKLINE>
    range:        0 to 1
    better:       higher
    over queries: mean
    parameters:   rel=1, k=None, judged_only=False
    trec_eval:    recip_rank
    source:       Kantor & Voorhees 2000
    """
    measure = find(name)
    definition = measure.definition
    facts = {
        "range": _range(definition),
        "better": "higher" if definition.higher_is_better else "lower",
        "over queries": definition.aggregate,
        "parameters": ", ".join(_parameters(definition)) or "none",
        "trec_eval": measure.trec_eval or ", ".join(map(_plain, definition.trec_eval)) or "has no such measure",
        "source": definition.citation,
    }
    width = max(map(len, facts)) + 2
    text = (inspect.getdoc(definition.function) or "").partition(">>>")[0].strip()
    lines = [f"{measure.name}: {text}", ""]
    lines += [f"{key + ':':<{width}}{value}" for key, value in facts.items()]
    return "\n".join(lines) + "\n"


def _summary(definition: Definition) -> str:
    first = (inspect.getdoc(definition.function) or "").partition("\n\n")[0]
    return " ".join(first.split()).rstrip(".")


def _range(definition: Definition) -> str:
    low, high = definition.range
    return f"{low:g} to {high:g}"


def _pattern(definition: Definition) -> str:
    cutoff = definition.defaults.get("k", "")
    return definition.name + ("" if cutoff == "" else "[@k]" if cutoff is None else "@k")


def _plain(template: str) -> str:
    """trec_eval's name with its fields as plain letters: ``P_k``."""
    return template.replace("{", "").partition(":")[0].replace("}", "") if "{" in template else template


def _parameters(definition: Definition) -> list[str]:
    given = definition.defaults
    return [name if value is inspect.Parameter.empty else f"{name}={value!r}" for name, value in given.items()]
