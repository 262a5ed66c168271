"""Diaz 2023, Best-Case Retrieval Evaluation (lexiprecision)."""

from __future__ import annotations

from rankdiff.studies.printed import Printed

CLOSE = {
    "deep-pass (2021)": "the released judgments, at grade 2 and above, come close to the paper's Tables 2 and 3, and "
    "do not meet them; they hold fewer positive lines than the authors had"
}

TABLE_1 = Printed(
    "Diaz 2023, Table 1",
    """
    dataset               sgnLP  RR at level 2
    robust (2004)         85.78  83.44
    core (2017)           89.23  87.30
    core (2018)           88.01  86.58
    web (2009)            85.87  84.79
    web (2010)            87.29  85.41
    web (2011)            88.91  87.54
    web (2012)            87.22  85.45
    web (2013)            86.51  84.45
    web (2014)            88.02  85.82
    deep-docs (2019)      86.56  83.10
    deep-docs (2020)      83.73  79.34
    deep-docs (2021)      92.41  89.78
    deep-pass (2019)      90.45  88.87
    deep-pass (2020)      92.86  91.08
    deep-pass (2021)      91.97  90.14
    ml-1M (2018)          78.90  77.56
    libraryThing (2018)   66.50  66.08
    beerAdvocate (2018)   58.84  58.25
    """,
    columns="predictor",
    where={"quantity": "agreement with the masked first level"},
    scale=100,
)

TABLE_2 = Printed(
    "Diaz 2023, Table 2",
    """
    dataset               sgnLP  RR
    robust (2004)         0.39   44.22
    core (2017)           0.23   48.50
    core (2018)           1.72   31.43
    web (2009)            4.93   15.13
    web (2010)            0.61   25.85
    web (2011)            1.02   41.99
    web (2012)            0.34   34.01
    web (2013)            0.83   31.09
    web (2014)            0.64   41.93
    deep-docs (2019)      1.06   68.45
    deep-docs (2020)      2.43   73.99
    deep-docs (2021)      0.23   80.84
    deep-pass (2019)      2.63   56.89
    deep-pass (2020)      2.58   50.30
    deep-pass (2021)      1.32   47.41
    ml-1M (2018)          3.38   21.39
    libraryThing (2018)   16.48  25.85
    beerAdvocate (2018)   41.73  45.72
    """,
    where={"by": "all"},
    scale=100,
    of_dataset=CLOSE,
)

TABLE_3A = Printed(
    "Diaz 2023, Table 3a (Tukey's HSD)",
    """
    dataset               rrLP   sgnLP  RR
    robust (2004)         27.42  27.34  23.55
    core (2017)           17.41  14.67  15.03
    core (2018)           28.60  31.42  27.39
    web (2009)            23.85  28.28  24.11
    web (2010)            18.95  13.51  18.35
    web (2011)            14.70  10.22  13.83
    web (2012)            13.39  11.61  13.21
    web (2013)            5.85   5.79   6.07
    web (2014)            20.00  11.72  18.85
    deep-docs (2019)      8.25   19.20  6.97
    deep-docs (2020)      5.26   3.47   2.88
    deep-docs (2021)      6.39   11.19  4.48
    deep-pass (2019)      16.52  18.47  13.21
    deep-pass (2020)      37.46  40.91  28.35
    deep-pass (2021)      24.07  24.78  20.38
    ml-1M (2018)          81.43  90.95  80.00
    libraryThing (2018)   93.81  96.67  93.81
    beerAdvocate (2018)   92.38  96.19  90.95
    """,
    value="share",
    where={"test": "randomized-hsd", "level": 0.05},
    scale=100,
    note="the paper does not say how it makes scores of preferences; ours are win rates",
    of_dataset=CLOSE,
)

TABLE_3B = Printed(
    "Diaz 2023, Table 3b (paired test with Bonferroni correction)",
    """
    dataset               rrLP   sgnLP  RR
    robust (2004)         26.22  27.36  21.45
    core (2017)           16.22  11.35  11.53
    core (2018)           29.30  31.73  27.03
    web (2009)            23.76  25.18  23.49
    web (2010)            18.55  9.27   17.74
    web (2011)            12.30  6.94   9.73
    web (2012)            11.97  10.11  11.35
    web (2013)            4.75   4.64   4.32
    web (2014)            15.86  7.13   14.02
    deep-docs (2019)      11.66  16.36  5.69
    deep-docs (2020)      2.33   1.79   0.60
    deep-docs (2021)      3.73   9.14   3.03
    deep-pass (2019)      15.02  17.42  10.36
    deep-pass (2020)      39.04  39.45  28.00
    deep-pass (2021)      23.55  20.99  16.79
    ml-1M (2018)          90.00  92.38  90.48
    libraryThing (2018)   97.14  97.62  96.67
    beerAdvocate (2018)   94.76  96.67  94.76
    """,
    value="share",
    where={"test": "paired", "level": 0.05},
    scale=100,
    of_dataset=CLOSE,
)

RETRIEVED = Printed(
    "Diaz 2023, Section 3.6",
    """
    dataset           relevant retrieved
    robust (2004)     40.51
    deep-pass (2021)  38.74
    ml-1M (2018)      7.46
    """,
    columns="quantity",
    where={"quantity": "relevant retrieved"},
    note='the paper says "DL 2021", documents or passages, and gives standard deviations of 41.49, 21.75 and 8.57',
)
