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


PROGRAM = Path(sys.executable).with_name("rankdiff")
SCRIPTS = {
    "bash": f"""
        eval "$(_RANKDIFF_COMPLETE=bash_source {PROGRAM})"
        complete -p rankdiff | grep -q _rankdiff_completion
        COMP_WORDS=(rankdiff explain lexir) COMP_CWORD=2
        _rankdiff_completion {PROGRAM}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """,
    # The functions that only work while a line is edited are replaced by what shows that they were called.
    "zsh": f"""
        function compdef {{ [[ "$*" = "_rankdiff_completion rankdiff" ]] || exit 1 }}
        function compadd {{ shift $#; print -l -- ${{completions[@]}} }}
        function _describe {{ print -l -- ${{completions_with_descriptions[@]%%:*}} }}
        eval "$(_RANKDIFF_COMPLETE=zsh_source {PROGRAM})"
        words=(rankdiff explain lexir) CURRENT=3
        _rankdiff_completion
    """,
    "fish": f"""
        _RANKDIFF_COMPLETE=fish_source {PROGRAM} | source
        complete --do-complete "rankdiff explain lexir"
    """,
}


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_shell_completes(shell: str) -> None:
    """The shell itself runs what `rankdiff` gives it to source."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed: whether it completes is not tried")
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
    options = {"zsh": ["-f"], "fish": ["--no-config"]}.get(shell, [])
    done = subprocess.run(
        [shell, *options, "-c", SCRIPTS[shell]],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PATH": path},
    )
    assert [word for word in done.stdout.split() if word != "plain"] == ["LexiRecall", "LexiRecallPlace"]
