"""Alex, Hall & Metzler 2022, Atomized Search Length: Beyond User Models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankdiff.results.table import Table
from rankdiff.studies.printed import Printed
from rankdiff.studies.segments import EVERY_TOPIC
from rankdiff.studies.tables import tabulate

APPENDIX_A1 = Printed(
    "Alex, Hall & Metzler 2022, Appendix A.1",
    """
    document  search length  as a plain mean
    1         1              1
    2         1              1
    3         1              1
    4         2              2.1
    5         4              2.7
    6         5              2.9
    7         10             3
    8         10000          3.2
    9         10000          3.2
    """,
    rows="document",
    columns="quantity",
    note="the sixth is 2.778 by the paper's own formula",
)

TABLE_1 = tuple(
    Printed(
        f"Alex, Hall & Metzler 2022, Table 1 ({title})",
        "measure  deep-docs (2020)  deep-pass (2020)\n" + numbers,
        rows="measure",
        columns="dataset",
        where={"quantity": quantity},
    )
    for title, quantity, numbers in (
        ("BM25", "baseline", "P@20  0.456  0.517\nASL(first=10)  14  51\nAP  0.401  0.400\nASL  39  264"),
        ("neural", "candidate", "P@20  0.594  0.706\nASL(first=10)  5  6\nAP  0.543  0.572\nASL  27  215"),
        (
            "RRIE",
            "relative reduction of error",
            "P@20  0.25  0.39\nASL(first=10)  0.69  0.90\nAP  0.24  0.29\nASL  0.32  0.19",
        ),
    )
)


@dataclass(frozen=True)
class Spread:
    """A table of ranges: mean ± standard deviation over datasets, as the paper prints them."""

    source: str
    printed: Mapping[str, tuple[str, ...]]
    columns: tuple[str, ...]

    def beside(self, table: Table) -> Table:
        """Ours over the datasets of a tidy table (a single one has no spread), the paper's beside."""
        rows = []
        whole = table["segment"] == EVERY_TOPIC if "segment" in table.columns else np.ones(len(table), bool)
        for change, papers in self.printed.items():
            row: dict[str, Any] = {"change": change}
            for name, paper in zip(self.columns, papers, strict=True):
                of = (table["change"] == change) & (table["quantity"] == name) & (table["run"] == "all") & whole
                row |= {name: _range(table["value"][of]), f"{name} (paper)": paper}
            rows.append(row)
        return tabulate(rows, title=self.source, notes=table.notes, signature=table.signature)


def _range(values: Any) -> str:
    if not len(values):
        return ""
    mean, deviation = float(np.mean(values)), float(np.std(values))
    ends = dict.fromkeys(f"{end:.3g}" for end in (mean - deviation, mean + deviation))
    return " to ".join(ends)


TABLE_2 = Spread(
    "Alex, Hall & Metzler 2022, Table 2 and §4.4 (mean less to mean plus standard deviation over 76 tracks)",
    {
        "AP → AtomizedP": ("26 to 60", "0.7 to 0.9", "0.3 to 0.6"),
        "AtomizedP → HarmonicP": ("37 to 77", "0.4 to 0.8", "0.03 to 0.4"),
        "HarmonicP → InvASL": ("29 to 78", "0.4 to 0.9", "0.1 to 0.9"),
        "AP → InvASL": ("26 to 60", "0.6 to 0.9", "0.004 to 0.06"),
        "P@20 → ASL(first=10)": ("40 to 76", "0.4 to 0.8", ""),
        "RR → ASL(first=1)": ("49 to 85", "0.3 to 0.7", ""),
    },
    ("ΔSort", "tau", "ΔValue"),
)
