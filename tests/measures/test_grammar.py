"""Names: taken apart and put together again, in our grammar, ir_measures' and trec_eval's."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Any

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankdiff.errors import UnknownNameError, UsageError
from rankdiff.grammar import Expression, Spelling, parse
from rankdiff.measures import catalog, find

numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = (
    numbers
    | st.booleans()
    | st.text(max_size=8)
    | st.none()
    | st.dictionaries(st.integers(), numbers, max_size=3)
    | st.lists(numbers, max_size=3).map(tuple)
)
keys = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True).filter(lambda word: not iskeyword(word))
expressions = st.builds(
    Expression,
    st.from_regex(r"\w{1,10}", fullmatch=True),
    st.dictionaries(keys, values, max_size=3),
    st.none() | st.integers(1) | st.floats(0, 1e6),
)


@given(expressions)
def test_what_is_printed_is_parsed_again(expression: Expression) -> None:
    assert parse(str(expression)) == expression
    assert str(parse(str(expression))) == str(expression)


@pytest.mark.parametrize(
    "text", ["", "nDCG@", "nDCG(@10", "AP(2)", "AP(rel=)", "AP(rel=x)", "AP(**{})", "a b", "nDCG@1 0"]
)
def test_what_is_no_name_is_refused_in_words(text: str) -> None:
    with pytest.raises(UsageError, match=r"is not a name like|expected key=value parameters"):
        parse(text)


def test_spellings_read_what_they_write() -> None:
    spelling = Spelling("Rprec_mult_{k:.2f}")
    assert spelling.read(spelling.write({"k": 0.2})) == {"k": 0.2}
    assert spelling.read("Rprec_mult_x") is None
    assert Spelling("map").read("map") == {}
    assert Spelling("map").read("map_cut_5") is None


SHARED = [
    "AP",
    "AP(rel=2)",
    "AP@100",
    "AP(judged_only=True)",
    "MAP",
    "nDCG",
    "nDCG@10",
    "nDCG(dcg='exp-log2')@20",
    "nDCG(gains={1:3})@10",
    "NDCG",
    "P@20",
    "P(rel=2)@5",
    "P(cutoff=10)",
    "Precision@5",
    "R@1000",
    "Recall@10",
    "RR",
    "RR@10",
    "RR(rel=2)",
    "MRR",
    "Rprec",
    "RPrec",
    "Bpref",
    "BPref(rel=2)",
    "infAP",
    "IPrec@0.1",
    "IPrec(recall=0.5)",
    "Success@5",
    "SetP",
    "SetP(relative=True)",
    "SetRelP",
    "SetR",
    "SetF",
    "SetF(beta=0.5)",
    "SetAP",
    "NumRet",
    "NumRet(rel=1)",
    "NumRel",
    "NumRelRet",
    "NumQ",
    "RBP",
    "RBP(rel=1,p=0.9)",
    "RBP(p=0.5)@10",
    "ERR",
    "ERR@20",
    "Judged@10",
    "alpha_nDCG@20",
    "α_nDCG@20",
    "alpha_DCG(alpha=0.3)@10",
    "ERR_IA@20",
    "nERR_IA@20",
    "NRBP",
    "NRBP(alpha=0.1,beta=0.2)",
    "nNRBP",
    "AP_IA",
    "MAP_IA",
    "P_IA@20",
    "StRecall(rel=2)@20",
]


@pytest.mark.parametrize("name", SHARED)
def test_names_and_parameters_are_those_of_ir_measures(name: str) -> None:
    ours, theirs = find(name), ir_measures.parse_measure(name)
    theirs.validate_params()
    ir_measures.parse_measure(ours.name).validate_params()
    known = {"cutoff": "k", "recall": "k"}
    given = {known.get(key, key): value for key, value in theirs.params.items()}
    defaults = ours.definition.defaults
    if name not in MEASURES_OF_THEIR_OWN:
        assert ours.definition.name == theirs.NAME
        assert set_by(ours.parameters, defaults) == set_by(given, defaults)


MEASURES_OF_THEIR_OWN = {"SetRelP", "NumRelRet"}
"""Names that stand for another measure with a parameter in ir_measures."""


def set_by(parameters: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in parameters.items() if value != defaults[key]}


def test_every_measure_of_ir_measures_that_we_do_not_have_is_known_to_be_missing() -> None:
    missing = set()
    for name in ir_measures.measures.registry.keys() - catalog().keys():  # ours may be published there, too
        try:
            find(name if name not in CUT else f"{name}@10")
        except UnknownNameError:
            missing.add(name)
    assert missing == {"Accuracy", "BPM", "Compat", "INST", "INSQ", "SDCG", "NERR8", "NERR9", "NERR10", "NERR11"}


CUT = {"P", "Precision", "R", "Recall", "Success", "IPrec", "alpha_DCG", "α_DCG", "ERR_IA", "P_IA"}

TREC_EVAL = {
    "map": "AP",
    "map_cut_100": "AP@100",
    "P_5": "P@5",
    "recall_1000": "R@1000",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "iprec_at_recall_0.10": "IPrec@0.1",
    "iprec_at_recall_1.00": "IPrec@1",
    "11pt_avg": "11pt_avg",
    "Rprec": "Rprec",
    "Rprec_mult_0.20": "Rprec_mult@0.2",
    "bpref": "Bpref",
    "gm_map": "gm_map",
    "gm_bpref": "gm_bpref",
    "success_1": "Success@1",
    "set_P": "SetP",
    "set_relative_P": "SetRelP",
    "set_recall": "SetR",
    "set_map": "SetAP",
    "set_F": "SetF",
    "utility": "utility",
    "relative_P_15": "relative_P@15",
    "infAP": "infAP",
    "binG": "binG",
    "G": "G",
    "ndcg_rel": "ndcg_rel",
    "Rndcg": "Rndcg",
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "num_nonrel_judged_ret": "num_nonrel_judged_ret",
    "rbp": "rbp",
    "rbp_resid": "rbp_resid",
    "unj_10": "unj@10",
    "yaap": "yaap",
    "dcg": "dcg",
    "ideal_dcg": "ideal_dcg",
}


@pytest.mark.parametrize(("theirs", "ours"), TREC_EVAL.items())
def test_trec_evals_names_are_read_and_written(theirs: str, ours: str) -> None:
    assert find(theirs).name == ours
    assert find(theirs).trec_eval == theirs
    assert find(ours) == find(theirs)


@pytest.mark.parametrize("name", ["ASL@g1-10", "alpha-nDCG@20", "strec@5", "MAP-IA", "set_F_2"])
def test_names_of_other_tools_and_papers_are_read(name: str) -> None:
    assert find(find(name).name) == find(name)


def test_no_two_measures_go_by_one_name() -> None:
    owners = defaultdict(set)
    for known in catalog().values():
        for name in (known.name, *(spelling.example for spelling in known.spellings)):
            owners[name].add(known.name)
    assert {name: sorted(measures) for name, measures in owners.items() if len(measures) > 1} == {}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nDGC@10", r"did you mean nDCG or Rndcg\?$"),
        ("ndcg_cut", "no measure is called 'ndcg_cut': did you mean"),
        ("map_cut", "did you mean map_cut_10"),
        ("AP(rle=2)", "no parameter of AP is called 'rle': did you mean rel"),
        ("RBP(q=0.5)", "no parameter of RBP is called 'q': there are rel, p, judged_only"),
        ("RPP", "no measure is called 'RPP': it is a preference between two runs"),
        ("SetP@10", "SetP takes no cutoff"),
        ("P", "P needs a cutoff, as in P@10"),
        ("IPrec", "IPrec needs a cutoff, as in IPrec@0.5"),
        ("SL2", "SL2 needs i="),
        ("P@0", "whole number of at least 1"),
        ("P@2.5", "whole number of at least 1"),
        ("P@ten", "whole number of at least 1"),
        ("IPrec@-0.1", "at least 0"),
        ("AP(rel='2')", "rel must be a number, not '2'"),
        ("SetP(relative=1)", "relative must be True or False, not 1"),
        ("nDCG(dcg=2)", "dcg must be text in quotes, not 2"),
        ("nDCG(gains=3)", "gains must be a mapping"),
    ],
)
def test_mistakes_are_answered_with_what_was_meant(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        find(name)


def test_the_page_on_definitions_that_clash_names_what_exists() -> None:
    page = Path(__file__).parents[2] / "docs" / "definitions-that-clash.md"
    rows = [line.split(" | ") for line in page.read_text().partition("Rules that hold")[0].splitlines()]
    ours = [cell for row in rows if len(row) == 4 for cell in row[2:]]
    names = [name for cell in ours for name in re.findall("`([A-Za-z1][^`]+)`", cell) if not name.startswith("log2")]
    assert len(names) > 30
    for name in names:
        assert find(name).name == name
