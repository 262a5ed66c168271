"""The exposure of providers beside the values of measures: a table of its own for people, further rows for programs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rankdiff.collection import Collection
from rankdiff.measures.providers import exposure_of_one, mean_exposure, provider_exposure
from rankdiff.present.evaluation import ALL
from rankdiff.results.table import Table, column

SHOWN = 20
"""Providers in a table for people."""


def with_providers(table: Table, c: Collection, providers: str, *, wide: bool, per_query: bool) -> list[Table]:
    """The table of measures, and what exposure each provider's relevant documents get.

    Wide: a second table, the worst-off of the providers first. Long: a row for each value of ``ProviderExposure``
    behind those of the measures; with ``per_query`` those of every query, too.
    """
    if wide:
        return [table, worst_off(mean_exposure(c, providers))]
    means = mean_exposure(c, providers)
    names = {name: exposure_of_one(providers=providers, of=name).name for name in means["provider"].tolist()}
    parts = [table]
    if per_query:
        single = provider_exposure(c, providers)
        parts.append(_long(single["run"], single["query"], [names[name] for name in single["provider"]], single))
    for run in c.systems:
        size = len(means)
        parts.append(_long(column([run] * size), column([ALL] * size), list(names.values()), {"exposure": means[run]}))
    columns = {name: np.concatenate([part[name] for part in parts]) for name in table.columns}
    return [replace(table, columns=columns)]


def worst_off(means: Table) -> Table:
    """The first providers of a table, and how many there are."""
    if len(means) <= SHOWN:
        return means
    columns = {name: values[:SHOWN] for name, values in means.columns.items()}
    note = f"{SHOWN} of {len(means)} providers; --format tsv, csv, json and jsonl have all"
    return replace(means, columns=columns, notes=(*means.notes, note))


def _long(run: np.ndarray, query: np.ndarray, names: list[str], values: Table | dict[str, np.ndarray]) -> Table:
    return Table({"run": run, "query": query, "measure": column(names), "value": values["exposure"]})
