"""``prefer``, ``order`` and ``compare`` on two runs that can be compared by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

# Topic 1 has a (grade 2) and b (grade 1), topic 2 has a.
QRELS = "1 0 a 2\n1 0 b 1\n1 0 c 0\n2 0 a 1\n2 0 d 0\n"
RUNS = {
    "second": "1 Q0 c 1 9 two\n1 Q0 a 2 8 two\n",
    "first": "1 Q0 a 1 9 one\n1 Q0 x 2 8 one\n1 Q0 b 3 7 one\n2 Q0 d 1 9 one\n2 Q0 a 2 8 one\n",
}

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """A folder to work in, with ``qrels`` and the files ``runs/second.run`` and ``runs/first.run``."""
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("runs").mkdir()
    for name, text in RUNS.items():
        Path("runs", f"{name}.run").write_text(text)
    return tmp_path


def records(outcome) -> list[dict[str, object]]:
    assert outcome.code == 0, outcome.err
    return [json.loads(line) for line in outcome.out.splitlines()]


@pytest.mark.parametrize("per_query", [False, True])
def test_prefer_lists_each_pair_once(command, per_query):
    found = records(
        command("prefer", "qrels", "runs", "-p", "RPP", "-p", "AP", "--format", "jsonl", *["-q"] * per_query)
    )
    single = [("1", "RPP", 1.0), ("2", "RPP", 1.0), ("1", "AP", 5 / 6 - 1 / 4), ("2", "AP", 1 / 2)]
    means = [("all", "RPP", 1.0), ("all", "AP", 2 / 3 - 1 / 8)]
    expected = [*single * per_query, *means]
    assert [tuple(record) for record in found] == [("run", "other", "query", "preference", "value")] * len(expected)
    assert [record["run"] + " " + record["other"] for record in found] == ["first second"] * len(expected)
    for record, (query, name, value) in zip(found, expected, strict=True):
        assert (record["query"], record["preference"]) == (query, name)
        assert record["value"] == pytest.approx(value)


def test_prefer_shows_people_a_table_of_runs_over_runs(command):
    lines = command("prefer", "qrels", "runs").out.splitlines()
    assert lines[0] == "RPP: each run over the run of the column"
    assert [line.split() for line in lines[2:5]] == [
        ["run", "first", "second"],
        ["first", "0.0000", "1.0000"],
        ["second", "-1.0000", "0.0000"],
    ]


@pytest.mark.parametrize(
    "options", [[], ["--by", "winrate"], ["-p", "sgnLR", "--by", "borda"], ["-m", "AP"], ["-m", "ISL"]]
)
def test_order_lists_the_systems_from_best_to_worst(command, options):
    found = records(command("order", "qrels", "runs", *options, "--format", "jsonl"))
    assert [(record["position"], record["run"]) for record in found] == [(1, "first"), (2, "second")]


def test_order_gives_programs_the_fields_of_the_object(command):
    order = json.loads(command("order", "qrels", "runs", "--by", "mc4", "--format", "json").out)
    assert order.pop("signature").startswith("rankdiff ")
    assert order == {
        "systems": ["first", "second"], "position": [1, 2], "score": [1.0, 1.0], "method": "mc4", "queries": 2,
        "tier": [1, 2],
    }  # fmt: skip
    drawn = [
        command(
            "order", "qrels", "runs", "--by", "bradley-terry", "--samples", "20", "--seed", "3", "--format", "json"
        ).out
        for _ in range(2)
    ]
    assert drawn[0] == drawn[1]
    assert len(json.loads(drawn[0])["interval"]) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "qrels", "runs/second.run", "runs/first.run"),
        ("qrels", "runs/second.run", "runs/first.run"),
        ("compare", "qrels", "runs", "--baseline", "second"),
        ("compare", "qrels", "runs", "--baseline", "runs/second.run"),
    ],
)
def test_compare_takes_the_first_run_or_the_one_named_as_baseline(command, arguments):
    comparison = json.loads(command(*arguments, "-m", "AP", "-p", "RPP", "--format", "json").out)
    assert (comparison["baseline"], comparison["candidates"]) == ("second", ["first"])
    assert [row["measure"] for row in comparison["rows"]] == ["AP", "RPP"]
    assert comparison["rows"][0]["difference"] == pytest.approx(2 / 3 - 1 / 8)
    row = comparison["rows"][1]
    assert (row["measure"], row["role"]) == ("RPP", "exploratory")
    assert row["baseline mean"] is row["candidate mean"] is None
    assert (row["difference"], row["wins"], row["ties"], row["losses"], row["queries"]) == (1.0, 2, 0, 0, 2)
    assert comparison["profiles"] == ["first is better for users at every share of the relevant documents"]


def test_compare_shows_the_profile_where_it_is_asked_for(command):
    asked = ("compare", "qrels", "runs/second.run", "runs/first.run", "-p", "RPP", "--profile")
    out = command(*asked).out
    assert "Who prefers first to second, by share of the relevant documents" in out
    assert "all users whose weight falls with the share of the relevant documents prefer first" in out
    profile = json.loads(command(*asked, "--format", "json").out)["profile"]["first"]
    assert [row["preference"] for row in profile["share"]] == pytest.approx([0.1] * 10)
    assert [(row["level"], row["preference"]) for row in profile["level"]] == [(1, 1.0), (2, 0.5)]
    assert [row["grade"] for row in profile["grade"]] == ["1", "2"]
    assert command(*asked, "--format", "csv").code == 2


def test_compare_shows_preferences_beside_the_usual_measures(command):
    out = command("qrels", "runs/second.run", "runs/first.run").out
    names = [line.split()[0] for line in out.splitlines()[3:10]]
    assert names == ["RPP", "sgnLP", "sgnLR", "ASL", "nDCG@10", "AP", "RR"]
    assert "second lacks 1 of 2 topics (2), which count as empty rankings" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["order", "qrels", "runs", "-m", "AP", "--by", "mc4"], "a measure orders by its mean"),
        (["order", "qrels", "runs", "--seed", "3"], "--seed belongs to --by bradley-terry"),
        (["order", "qrels", "runs", "--by", "mc5"], "'mc5' is not one of"),
        (["prefer", "qrels", "runs", "-p", "PRP"], "no preference is called 'PRP': did you mean RPP?"),
        (["prefer", "qrels", "runs", "-p", "STRPP"], "--subtopics"),
        (["compare", "qrels", "runs/first.run"], "nothing to compare first with"),
        (["compare", "qrels", "runs", "--baseline", "third"], "no run is called 'third'"),
        (["comparre", "qrels", "runs"], "did you mean compare?"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_was_meant(command, arguments, message):
    outcome = command(*arguments)
    assert outcome.code == 2
    assert message in outcome.err
