"""Türkmen, Lease & Kutlu 2023, metrics that reward what other systems miss. Web Track 2014 and the document ranking of
the Deep Learning Track 2020 are called as in Diaz 2023."""

from __future__ import annotations

from rankdiff.studies.printed import Printed

UNPAIRED = "the paper calls its test Tukey's HSD; its code compares each pair by itself, unpaired and uncorrected"

TABLE_1 = Printed(
    "Türkmen, Lease & Kutlu 2023, Table 1 (pairs that differ at the level of .05)",
    """
    measure                TREC-5  TREC-8  web (2014)  deep-docs (2020)
    P@100                  598     3666    218         61
    RareP(alpha=0.5)@100   680     3778    213         173
    RareP@100              728     3825    213         237
    AP@100                 541     3731    211         320
    RareAP(alpha=0.5)@100  632     3915    216         352
    RareAP@100             701     4048    214         376
    """,
    rows="measure",
    columns="dataset",
    value="significant",
    where={"test": "unpaired", "level": 0.05},
    note=UNPAIRED,
)

TABLE_1_STRICT = Printed(
    "Türkmen, Lease & Kutlu 2023, Table 1 (pairs that differ at the level of .01)",
    """
    measure                TREC-5  TREC-8  web (2014)  deep-docs (2020)
    P@100                  406     2973    174         15
    RareP(alpha=0.5)@100   457     3050    168         24
    RareP@100              476     3079    168         82
    AP@100                 334     2976    169         169
    RareAP(alpha=0.5)@100  404     3209    168         209
    RareAP@100             467     3363    170         238
    """,
    rows="measure",
    columns="dataset",
    value="significant",
    where={"test": "unpaired", "level": 0.01},
    note=UNPAIRED,
)

TABLE_2 = Printed(
    "Türkmen, Lease & Kutlu 2023, Table 2",
    """
    measure                TREC-5  TREC-8  web (2014)  deep-docs (2020)
    P@100                  0.532   0.545   0.635       0.071
    RareP(alpha=0.5)@100   0.642   0.628   0.716       0.128
    RareP@100              0.709   0.684   0.768       0.179
    AP@100                 0.513   0.580   0.433       0.425
    RareAP(alpha=0.5)@100  0.578   0.623   0.517       0.444
    RareAP@100             0.633   0.656   0.585       0.466
    """,
    rows="measure",
    columns="dataset",
    value="stable",
    where={"fuzziness": "absolute"},
    note="the paper does not name its fuzziness; its code takes 0.05",
)

TABLE_3 = tuple(
    Printed(f"Türkmen, Lease & Kutlu 2023, Table 3 ({name})", text, rows="systems", columns="dataset", where=where)
    for name, where, text in (
        (
            "P@100, α = 1",
            {"measure": "RareP@100"},
            "systems  TREC-8\n2  0.970\n4  0.976\n8  0.983\n16  0.987\n32  0.992\n64  0.995",
        ),
        (
            "AP, α = 1",
            {"measure": "RareAP@100"},
            "systems  TREC-8\n2  0.970\n4  0.984\n8  0.985\n16  0.989\n32  0.993\n64  0.996",
        ),
    )
)

TABLE_4 = Printed(
    "Türkmen, Lease & Kutlu 2023, Table 4",
    """
    document       TREC-8
    FBIS3-38782    0.81
    LA020889-0003  0.62
    LA102589-0109  0.41
    LA092189-0061  0.22
    FBIS4-44815    0.08
    """,
    rows="document",
    columns="dataset",
    where={"quantity": "rarity"},
    note="the paper shows documents of topic 431",
)
