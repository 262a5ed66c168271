"""Diaz & Mitra 2023, Recall, Robustness, and Lexicographic Evaluation (ACM TOIS; arXiv:2302.11370v4)."""

from __future__ import annotations

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
