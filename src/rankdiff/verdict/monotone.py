"""Which measures and preferences never speak less for a run when one of its relevant documents moves up."""

from __future__ import annotations

OF_RANKS = frozenset(
    {
        "AP", "gm_map", "yaap", "RR", "Success", "P", "R", "relative_P", "Rprec", "Rprec_mult", "IPrec", "11pt_avg",
        "SetP", "SetRelP", "SetR", "SetAP", "SetF", "binG", "TSE", "NCP", "ISL", "TSL", "SL2", "SL3", "AverageRank",
        "RecallError", "LexiRecall", "LexiPrecision", "LexiRecallPlace", "LexiPrecisionPlace", "ASL", "AtomizedP",
        "HarmonicP", "InvASL",
    }
)  # fmt: skip
"""Measures of the ranks of the relevant documents alone, all of one grade, whose number changes none of this."""

MEASURES = OF_RANKS | {"RBP", "dcg", "nDCG", "ERR", "Bpref"}
"""Measures that never get worse when a document changes places with one of a lower grade above it: the best order has
the highest grades first, the worst has them last."""

PREFERENCES = frozenset({"RPP", "sgnLP", "sgnLR"})
"""Those of any weights over recall levels."""
