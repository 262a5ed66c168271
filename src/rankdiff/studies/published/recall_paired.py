"""Diaz & Ferraro 2022, Offline Retrieval Evaluation Without Evaluation Metrics. Datasets are called as in Diaz 2023."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankdiff.results.table import Table
from rankdiff.studies.printed import Printed
from rankdiff.studies.segments import EVERY_TOPIC
from rankdiff.studies.tables import tabulate

TABLE_1 = Printed(
    "Diaz & Ferraro 2022, Table 1",
    """
    dataset              requests  runs  relevant  subtopics
    core (2017)          50        75    180.04    0
    core (2018)          50        72    78.96     0
    deep-docs (2019)     43        38    153.42    0
    deep-docs (2020)     45        64    39.27     0
    deep-pass (2019)     43        37    95.40     0
    deep-pass (2020)     54        59    66.78     0
    web (2009)           50        48    129.98    4.98
    web (2010)           48        32    187.63    4.17
    web (2011)           50        62    167.56    3.36
    web (2012)           50        48    187.36    3.90
    web (2013)           50        61    182.42    3.18
    web (2014)           50        30    212.58    3.12
    robust (2004)        249       110   69.93     0
    ml-1M (2018)         6005      21    18.87     0
    libraryThing (2018)  7227      21    13.15     0
    beerAdvocate (2018)  17564     21    13.66     0
    """,
    columns="quantity",
)


@dataclass(frozen=True)
class MeanOverDatasets(Printed):
    """A table of pairs of measures, each cell a mean over all datasets."""

    def beside(self, table: Table) -> Table:
        """Ours, with the paper's beside; a pair of measures stands in it whichever was named first."""
        values: dict[tuple[str, str], list[float]] = {}
        for row in table.rows():
            if row["quantity"] == self.where["quantity"] and row.get("segment", EVERY_TOPIC) == EVERY_TOPIC:
                for pair in ((row["first"], row["second"]), (row["second"], row["first"])):
                    values.setdefault(pair, []).append(row["value"])
        means = [
            {"first": first, "second": second, "value": float(np.mean(found)), **self.where}
            for (first, second), found in values.items()
        ]
        return super().beside(tabulate(means, notes=table.notes, signature=table.signature))


TABLE_2A = MeanOverDatasets(
    "Diaz & Ferraro 2022, Table 2a (Kendall's τ, mean over datasets)",
    """
    first                   RPP(weights='inverse')  RPP   RPP(weights='dcg')  AP    nDCG
    RR                      0.61                    0.45  0.49                0.49  0.50
    RPP(weights='inverse')  -                       0.79  0.85                0.82  0.80
    RPP                     -                       -     0.93                0.86  0.87
    RPP(weights='dcg')      -                       -     -                   0.88  0.88
    AP                      -                       -     -                   -     0.89
    """,
    rows="first",
    columns="second",
    where={"quantity": "tau"},
    note="the paper's mean is over its 16 datasets",
)

TABLE_2B = MeanOverDatasets(
    "Diaz & Ferraro 2022, Table 2b (Kendall's τ, mean over datasets, subtopics)",
    """
    first                     STRPP(weights='dcg')  AP_IA  STRPP(weights='inverse')  ERR_IA@20  StRecall@20
    STRPP                     0.88                  0.73   0.70                      -          -
    STRPP(weights='dcg')      -                     0.77   0.79                      -          -
    AP_IA                     -                     -      0.74                      -          -
    STRPP(weights='inverse')  -                     -      -                         -          -
    ERR_IA@20                 -                     -      -                         -          -
    """,
    rows="first",
    columns="second",
    where={"quantity": "tau"},
    note="the paper's mean is over the Web tracks 2009 to 2014; its last two columns are cut off in our copy of it",
)

TABLE_3A = Printed(
    "Diaz & Ferraro 2022, Table 3a (Tukey's HSD)",
    """
    dataset              RPP    RPP(weights='dcg')  RPP(weights='inverse')  AP     nDCG   RR
    core (2017)          49.91  49.44               40.76                   36.54  39.21  14.67
    core (2018)          52.35  49.22               42.33                   35.29  34.66  27.97
    deep-docs (2019)     42.53  40.83               30.01                   33.57  41.11  6.97
    deep-docs (2020)     18.85  19.35               17.31                   17.71  18.06  2.88
    deep-pass (2019)     42.34  42.19               36.34                   30.03  26.73  6.76
    deep-pass (2020)     45.70  47.34               45.82                   30.10  20.87  22.21
    web (2009)           32.00  33.69               35.02                   18.35  31.56  23.23
    web (2010)           43.75  39.31               28.43                   27.82  37.50  18.15
    web (2011)           45.16  43.36               34.06                   31.62  40.61  14.17
    web (2012)           41.05  36.44               23.49                   26.06  32.09  12.77
    web (2013)           48.42  44.10               22.30                   29.02  41.53  5.96
    web (2014)           48.74  48.28               36.55                   44.14  49.89  18.85
    robust (2004)        63.47  60.52               51.08                   52.89  54.53  22.84
    ml-1M (2018)         94.29  94.29               92.38                   88.57  88.57  83.81
    libraryThing (2018)  96.67  97.14               97.62                   95.24  95.71  93.33
    beerAdvocate (2018)  94.76  94.76               95.71                   93.33  94.29  91.90
    """,
    value="share",
    where={"test": "randomized-hsd", "level": 0.05},
    scale=100,
)
TABLE_3B = Printed(
    "Diaz & Ferraro 2022, Table 3b (Tukey's HSD, subtopics)",
    """
    dataset     STRPP  StRecall@20  ERR_IA@20  AP_IA
    web (2009)  29.43  28.99        24.20      17.11
    web (2010)  40.12  28.02        22.18      20.77
    web (2011)  46.11  17.93        16.45      26.12
    web (2012)  44.15  12.15        16.58      25.09
    web (2013)  49.89  4.48         5.52       24.04
    web (2014)  50.11  12.87        17.93      40.46
    """,
    value="share",
    where={"test": "randomized-hsd", "level": 0.05},
    scale=100,
)
TABLE_4A = Printed(
    "Diaz & Ferraro 2022, Table 4a (t-test with Bonferroni correction)",
    """
    dataset              RPP    RPP(weights='dcg')  RPP(weights='inverse')  AP     nDCG   RR
    core (2017)          54.13  53.66               45.26                   34.13  36.54  9.55
    core (2018)          55.59  53.99               48.63                   35.84  40.18  21.91
    deep-docs (2019)     49.64  44.81               37.27                   28.45  36.13  4.84
    deep-docs (2020)     18.01  19.15               17.36                   14.34  15.58  0.50
    deep-pass (2019)     43.99  45.05               42.34                   24.17  23.72  1.65
    deep-pass (2020)     51.49  54.59               55.93                   34.83  33.31  18.35
    web (2009)           34.22  37.06               36.70                   15.25  34.04  19.50
    web (2010)           52.22  45.16               30.04                   22.58  31.25  13.71
    web (2011)           54.42  49.60               35.64                   32.36  40.93  6.98
    web (2012)           44.59  39.98               24.47                   22.25  32.45  10.64
    web (2013)           59.24  51.26               23.01                   25.52  40.82  2.51
    web (2014)           59.31  56.09               38.16                   51.49  62.30  13.10
    robust (2004)        65.00  62.29               54.21                   44.82  49.34  16.21
    ml-1M (2018)         96.19  95.71               96.19                   91.43  94.29  85.71
    libraryThing (2018)  98.57  98.10               98.57                   94.29  96.67  92.38
    beerAdvocate (2018)  95.24  95.24               95.71                   91.43  95.71  91.90
    """,
    value="share",
    where={"test": "paired", "level": 0.05},
    scale=100,
)
TABLE_4B = Printed(
    "Diaz & Ferraro 2022, Table 4b (t-test with Bonferroni correction, subtopics)",
    """
    dataset     STRPP  StRecall@20  ERR_IA@20  AP_IA
    web (2009)  33.24  25.62        19.06      14.36
    web (2010)  49.40  16.94        14.72      11.69
    web (2011)  56.32  8.99         9.52       23.64
    web (2012)  43.71  7.98         12.06      14.45
    web (2013)  60.77  2.35         2.90       19.45
    web (2014)  63.68  9.89         12.18      46.44
    """,
    value="share",
    where={"test": "paired", "level": 0.05},
    scale=100,
)
