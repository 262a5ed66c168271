"""Diaz & Mitra 2023, Recall, Robustness, and Lexicographic Evaluation (ACM TOIS; arXiv:2302.11370v4)."""

from __future__ import annotations

from rankdiff.studies.depth_class import WithDepthClass
from rankdiff.studies.printed import Printed

TABLE_2 = Printed(
    "Diaz & Mitra 2023, Table 2",
    """
    n        tied   TSE    R@1000  Rprec  AP     nDCG   random
    1000     0.012  1.000  0.000   0.285  0.541  0.535  0.492
    10000    0.001  1.000  0.420   0.077  0.552  0.549  0.497
    100000   0.000  1.000  0.179   0.008  0.554  0.555  0.498
    1000000  0.000  1.000  0.026   0.001  0.547  0.554  0.499
    """,
    rows="n",
    where={"rankings": "random", "quantity": "share of all pairs"},
    note="the paper's figure for TSE is the share of pairs where the worst case differs",
)

TABLE_3 = Printed(
    "Diaz & Mitra 2023, Table 3 (m = 10)",
    """
    n        TSE    R      RP     LR
    1000     0.005  1.000  0.825  0.000
    10000    0.001  0.313  0.980  0.000
    100000   0.000  0.826  0.998  0.000
    1000000  0.000  0.980  1.000  0.000
    """,
    rows="n",
    where={"m": 10, "first": None},
    note="the closed form for RP at n = 10³ is .8257",
)
TABLE_4 = Printed(
    "Diaz & Mitra 2023, Table 4 (n = 10⁶)",
    """
    m   TSE    R      RP     LR
    1   0.000  0.998  1.000  0.000
    5   0.000  0.990  1.000  0.000
    10  0.000  0.981  1.000  0.000
    25  0.000  0.952  0.999  0.000
    50  0.000  0.907  0.995  0.000
    """,
    rows="m",
    where={"n": 10**6, "first": None},
    note="the closed form for R@1000 at m = 10 is .98029; Table 3 has .980 for it",
)

TABLE_6 = """
increasing in retrieval size                 yes  yes  yes  yes
decreasing in nonrelevance                   yes  yes  yes  yes
strictly decreasing in nonrelevance          no   no   no   no
increasing in relevance                      yes  yes  yes  yes
strictly increasing in relevance             no   yes  no   yes
increasing in swapping up                    yes  yes  yes  yes
strictly increasing in swapping up           no   yes  no   no
concavity in contiguous swap depth           yes  yes  yes  -
strict concavity in contiguous swap depth    no   if   no   -
suffix invariance                            no   no   no   no
prefix invariance                            no   no   no   no
boundedness                                  no   no   no   -
localization                                 no   no   no   -
completeness                                 if   if   if   -
realizability                                no   no   no   -
"""
"""Table 6: the columns are top-heavy recall-level measures (THRL), those with z(i, m) > 0, TSE, and lexirecall (LR).

``if`` is a check with a condition: strict concavity where the exposure is strictly convex, completeness where the
normalization is defined for m = 0. ``no`` is an empty cell: not every measure of the class has the property.
"""

TABLE_5 = WithDepthClass(
    "Diaz & Mitra 2023, Table 5",
    """
    dataset           requests  runs  relevant  documents
    legal (2006)      39        34    110.85    4835.07
    legal (2007)      43        68    101.023   22240.30
    core (2017)       50        75    180.04    8853.11
    core (2018)       50        72    78.96     7102.61
    deep-docs (2019)  43        38    153.42    623.77
    deep-docs (2020)  45        64    39.27     99.55
    deep-docs (2021)  57        66    189.63    98.83
    deep-pass (2019)  43        37    95.40     892.51
    deep-pass (2020)  54        59    66.78     978.01
    deep-pass (2021)  53        63    191.96    99.95
    web (2009)        50        48    129.98    925.31
    web (2010)        48        32    187.63    7013.21
    web (2011)        50        61    167.56    8325.07
    web (2012)        50        48    187.36    6719.53
    web (2013)        50        61    182.42    7174.38
    web (2014)        50        30    212.58    6313.98
    robust (2004)     249       110   69.93     913.82
    """,
    columns="quantity",
    of_dataset={
        "deep-pass (2021)": "the released judgments hold 122.45 positive lines per request; the authors had 191.96"
    },
)
