"""The example of the paper on atomized search length."""

from __future__ import annotations

import numpy as np
import pytest

import rankdiff as rd


def test_the_appendix() -> None:
    study = rd.studies.averaging(as_paper=True)
    (printed,) = study.printed
    ours = printed["as a plain mean"]
    # Worked by hand: w = 1/SL, mean weight = 4.0502/9; 1 + (SL − 1)·w/mean(w). The paper prints 2.9 for the sixth.
    assert ours.round(3).tolist() == [1, 1, 1, 2.111, 2.667, 2.778, 3.0, 3.222, 3.222]
    assert printed["as a plain mean (paper)"].tolist() == [1, 1, 1, 2.1, 2.7, 2.9, 3, 3.2, 3.2]
    assert study.table["value"][study.table["quantity"] == "effectively averaged"].sum() == 6
    lengths = printed["search length"]
    assert ours.mean() == pytest.approx(len(lengths) / np.sum(1 / lengths))


def test_the_order_of_the_documents_does_not_matter() -> None:

    assert rd.studies.averaging(lengths=[4, 1]).to_csv() == rd.studies.averaging(lengths=[1, 4]).to_csv()
