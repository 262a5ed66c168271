"""Alex, Hall & Metzler 2022, Atomized Search Length: Beyond User Models."""

from __future__ import annotations

from rankdiff.studies.printed import Printed

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
