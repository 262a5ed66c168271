"""What a shell is offered to complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from rankdiff.cli import COMMANDS, rankdiff
from rankdiff.cli.completion import explained
from rankdiff.errors import UsageError
from rankdiff.measures import catalog
from rankdiff.present.explanation import explain


def offered(line: str) -> dict[str, str]:
    """What is offered for the last word of a line: the words, and whether the shell is to look for files."""
    *before, incomplete = line.split(" ")
    found = ShellComplete(rankdiff, {}, "rankdiff", "_RANKDIFF_COMPLETE").get_completions(before, incomplete)
    return {item.value: item.type for item in found}


FILES = {"": "file"}


def test_subcommands_and_where_the_short_form_may_begin_files():
    assert list(offered("")) == list(COMMANDS)
    assert offered("tre") == {"trec_eval": "plain"}
    assert offered("qrel") == {"qrel": "file"}
    assert "--version" in offered("--")


@pytest.mark.parametrize(
    "line",
    [
        *("measure ", "measure qrels ", "measure qrels run ", "measure qrels run --segments ", "compare qrels run "),
        *("report qrels run -o ", "report qrels run --titles ", "study ties ", "study ties qrels ", "trec_eval -q "),
        *("check qrels ", "prefer qrels run --reference ", "order qrels run --groups "),
    ],
)
def test_files_where_files_are_wanted(line):
    assert offered(line) == FILES


def test_the_short_form_completes_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").touch()
    assert offered("qrels.txt ") == FILES


@pytest.mark.parametrize(
    ("line", "among"),
    [
        ("measure q r -m ndcg", "nDCG"),
        ("prefer q r -p rp", "RPP"),
        ("compare q r s --primary sgnl", "sgnLP"),
        ("compare q r s --fail-if-worse a", "AP"),
        ("order q r -m a", "AP"),
        ("flip q r s -m l", "LexiRecall"),
        ("report q r --study ti", "ties"),
        ("study ti", "ties"),
        ("explain ti", "ties"),
        ("measure q r --ties f", "file"),
    ],
)
def test_names_in_any_case(line, among):
    found = offered(line)
    assert found[among] == "plain"
    asked = line.split()[-1].lower()
    assert all(name.lower().startswith(asked) for name in found)


def test_every_measure_is_offered_and_every_name_explained():
    assert set(catalog()) <= set(offered("measure q r -m "))
    names = explained(click.Context(rankdiff), click.Option(["--name"]), "")
    assert len(names) > len(catalog())
    for name in names:
        try:
            explain(name)
        except UsageError as problem:  # some have no default for a parameter
            assert f"{name} needs " in str(problem)  # noqa: PT017


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes():
    program = Path(sys.executable).with_name("rankdiff")
    script = f"""
        eval "$(_RANKDIFF_COMPLETE=bash_source {program})"
        complete -p rankdiff
        COMP_WORDS=(rankdiff explain lexir) COMP_CWORD=2
        _rankdiff_completion {program}
        echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, env=dict(os.environ))
    declared, completed = done.stdout.splitlines()
    assert declared.endswith("_rankdiff_completion rankdiff")
    assert completed == "LexiRecall LexiRecallPlace"
