"""What is known of a measure, a preference, a study, a test or an order: the declaration and the docstring, as
``rankdiff explain`` shows them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rankdiff import measures, order, preferences, studies
from rankdiff.declaration import Declaration
from rankdiff.errors import UnknownNameError
from rankdiff.grammar import parse
from rankdiff.results import Table
from rankdiff.studies.criteria import resolve, resolve_all
from rankdiff.studies.tables import tabulate


def overview() -> Table:
    """Everything that has a name, a row each: what it is, its range, which way is better, trec_eval's name, and where
    it is from.

    >>> overview().row(name="robustness")["meaning"]
    'does a measure see the worst-off user?'
    """
    return tabulate([*_measures(), *_preferences(), *_studies(), *_methods()])


def _measures() -> Iterator[Mapping[str, str]]:
    for definition in measures.known().values():
        yield {
            "name": _pattern(definition),
            "kind": "measure",
            "meaning": _summary(definition.function),
            "range": _range(definition),
            "better": "higher" if definition.higher_is_better else "lower",
            "trec_eval": ", ".join(_plain(name) for name in definition.trec_eval),
            "source": definition.citation,
        }


def _preferences() -> Iterator[Mapping[str, str]]:
    for definition in preferences.known().values():
        yield {
            "name": definition.name,
            "kind": "preference",
            "meaning": _summary(definition.function),
            "range": _range(definition),
            "better": "above 0",
            "trec_eval": "",
            "source": definition.citation,
        }


def _studies() -> Iterator[Mapping[str, str]]:
    for study in studies.catalog().values():
        yield {
            "name": study.name,
            "kind": "study",
            "meaning": study.question,
            "range": "",
            "better": "",
            "trec_eval": "",
            "source": study.reproduces,
        }


def _methods() -> Iterator[Mapping[str, str]]:
    for kind, functions in (("test", _tests()), ("order", _orders())):
        for name, function in functions.items():
            yield {
                "name": name,
                "kind": kind,
                "meaning": _summary(function),
                "range": "p: 0 to 1" if kind == "test" else "",
                "better": "" if kind == "test" else "higher",
                "trec_eval": "",
                "source": "",
            }


def _tests() -> Mapping[str, Callable[..., Any]]:
    """The tests of `rankdiff compare` by their names."""
    from rankdiff.statistics.anova import tukey_hsd
    from rankdiff.statistics.classical import sign_test, student_t, wilcoxon
    from rankdiff.statistics.families import RunFamily
    from rankdiff.statistics.largest import randomized_hsd, shuffled_max_t, sign_flip
    from rankdiff.statistics.resampling import bootstrap, randomization

    return {
        "t": student_t,
        "wilcoxon": wilcoxon,
        "sign": sign_test,
        "randomization": randomization,
        "bootstrap": bootstrap,
        "sign-flip": sign_flip,
        "max-t": RunFamily.studentized,
        "randomized-hsd": randomized_hsd,
        "shuffled-max-t": shuffled_max_t,
        "tukey-hsd": tukey_hsd,
    }


def _orders() -> Mapping[str, Callable[..., Any]]:
    """The ways of `rankdiff order` by their names."""
    from rankdiff.results.preferences import Preferences

    return {
        "winrate": Preferences.win_rates,
        "mc4": order.mc4,
        "borda": order.borda,
        "copeland": order.copeland,
        "bradley-terry": order.bradley_terry,
    }


def explain(name: str) -> str:
    """One measure, preference, study, test or order at length.

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
    if name in studies.catalog():
        return _explain_study(studies.catalog()[name])
    if name in _tests():
        return _page(name, _tests()[name], {"kind": "test", "range": "p: 0 to 1"})
    if name in _orders():
        return _page(name, _orders()[name], {"kind": "order", "better": "higher"})
    try:
        asked = resolve(name)
    except UnknownNameError:
        known = [*measures.known(), *preferences.known(), *studies.catalog(), *_tests(), *_orders()]
        if parse(name).name in known:
            raise
        raise UnknownNameError("measure, preference, study, test or order", name, known) from None
    definition = asked.definition
    facts = {"range": _range(definition), "better": "above 0: the first run is better"}
    if isinstance(asked, measures.Measure):
        facts["better"] = "higher" if asked.higher_is_better else "lower"
        facts["over queries"] = asked.aggregate
    facts["parameters"] = _parameters(definition.defaults)
    if isinstance(asked, measures.Measure):
        facts["trec_eval"] = (
            asked.trec_eval or ", ".join(map(_plain, asked.definition.trec_eval)) or "has no such measure"
        )
    return _page(asked.name, definition.function, facts | {"source": definition.citation})


def _explain_study(study: studies.Definition) -> str:
    about = ", ".join(item.name for item in resolve_all(study.about)) if study.about else ""
    facts = {
        "question": study.question,
        "needs": "a collection" if study.needs_collection else "no data",
        **({"about": about} if about else {}),
        "options": _parameters(study.options),
        **({"samples": str(study.samples)} if study.samples else {}),
        "reproduces": study.reproduces,
    }
    return _page(study.name, study.function, facts)


def _page(name: str, function: Callable[..., Any], facts: Mapping[str, str]) -> str:
    width = max(map(len, facts)) + 2
    text = (inspect.getdoc(function) or "").partition(">>>")[0].strip()
    lines = [f"{name}: {text}", "", *(f"{key + ':':<{width}}{value}" for key, value in facts.items())]
    return "\n".join(lines) + "\n"


def _summary(function: Callable[..., Any]) -> str:
    first = (inspect.getdoc(function) or "").partition("\n\n")[0]
    return " ".join(first.split()).rstrip(".")


def _range(definition: Declaration) -> str:
    low, high = definition.range
    return f"{low:g} to {high:g}"


def _pattern(definition: Declaration) -> str:
    cutoff = definition.defaults.get("k", "")
    return definition.name + ("" if cutoff == "" else "[@k]" if cutoff is None else "@k")


def _plain(template: str) -> str:
    """trec_eval's name with its fields as plain letters: ``P_k``."""
    return template.replace("{", "").partition(":")[0].replace("}", "") if "{" in template else template


def _parameters(given: Mapping[str, Any]) -> str:
    empty = inspect.Parameter.empty
    return ", ".join(name if value is empty else f"{name}={value!r}" for name, value in given.items()) or "none"
