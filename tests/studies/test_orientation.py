"""Orientation against the definition, evaluated measure by measure."""

from __future__ import annotations

import pytest

import rankdiff as rd
from rankdiff.errors import UsageError
from rankdiff.measures.recall_levels import AP, NDCG, R_PRECISION, RR, rank_biased_precision, recall_at
from rankdiff.measures.robustness import precision_orientation, recall_orientation

N = 105


@pytest.mark.parametrize("m", range(1, 16))
def test_orientations_are_those_of_the_definition(m: int) -> None:
    table = rd.studies.orientation(n=N).table
    forms = {"AP": AP, "nDCG": NDCG, "RR": RR, "Rprec": R_PRECISION, "R@1000": recall_at(1000)}
    for name, form in (forms | {"RBP": rank_biased_precision(0.8)}).items():
        for side, of in {"precision": precision_orientation, "recall": recall_orientation}.items():
            assert table.row(measure=name, m=m, orientation=side)["value"] == pytest.approx(of(form, m, N), abs=1e-12)


def test_tse_is_scaled_by_its_range_whatever_the_exposure() -> None:
    exposures = ["TSE", "TSE(exposure='ndcg')", "TSE(exposure='rbp')", "TSE(exposure='linear')"]
    table = rd.studies.orientation(exposures, n=50).table
    for m in range(1, 16):
        for side, expected in {"precision": float(m == 1), "recall": 1.0}.items():
            values = table["value"][(table["m"] == m) & (table["orientation"] == side)]
            assert values == pytest.approx([expected] * 4)


def test_figure_3_as_the_paper_tells_it() -> None:
    table = rd.studies.orientation().table
    for m in range(2, 16):
        at = {
            (name, side): table.row(measure=name, m=m, orientation=side)["value"]
            for name in ("AP", "Rprec", "R@1000", "nDCG", "RBP", "RR")
            for side in ("precision", "recall")
        }
        assert at["RR", "precision"] == max(at[name, "precision"] for name, _ in at)
        assert at["AP", "precision"] == pytest.approx(at["Rprec", "precision"], abs=1e-4)
        assert at["AP", "precision"] == pytest.approx(at["R@1000", "precision"], abs=1e-4)
        assert at["AP", "precision"] < at["nDCG", "precision"]
        assert at["AP", "recall"] == pytest.approx(max(at[name, "recall"] for name, _ in at), abs=1e-4)
        assert at["RR", "recall"] == 0


def test_lower_is_better_turns_around() -> None:
    table = rd.studies.orientation(["SL3"], n=20, most=4).table
    assert table.row(m=3, orientation="recall")["value"] == 17  # p_3 moves from rank 3 to rank 20


def test_preferences_have_no_orientation() -> None:
    with pytest.raises(UsageError, match="RPP compares two rankings"):
        rd.studies.orientation(["RPP"])
