"""The witness is the text itself, read by plain Python; the measures are written out here."""

import csv
import hashlib
import re
from collections import defaultdict
from itertools import combinations, pairwise
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankdiff.errors import UsageError
from rankdiff.simulate import Simulated, simulate

Ranking = list[tuple[str, float]]


def judgment_lines(made: Simulated) -> list[list[str]]:
    return [line.split(" ") for line in made.qrels.read_text().splitlines()]


def judged_grades(made: Simulated) -> dict[str, dict[str, int]]:
    """Topic → document → largest grade."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for topic, _, document, grade in judgment_lines(made):
        grades[topic][document] = max(int(grade), grades[topic].get(document, 0))
    return grades


def rankings(made: Simulated) -> dict[str, dict[str, Ranking]]:
    """Run → topic → documents with scores, in the order of the lines; what holds of every line is asserted."""
    runs = {}
    for path in made.runs.iterdir():
        topics: dict[str, Ranking] = defaultdict(list)
        for line in path.read_text().splitlines():
            topic, constant, document, rank, score, tag = line.split(" ")
            topics[topic].append((document, float(score)))
            assert (constant, int(rank), tag) == ("Q0", len(topics[topic]), path.stem)
            assert re.fullmatch(r"-?\d+\.\d{4,6}", score)
            assert re.fullmatch(r"[a-z]+-\d{7}", document)
        runs[path.stem] = dict(topics)
    return runs


def in_order(ranking: Ranking) -> list[str]:
    return [document for document, _ in sorted(ranking, key=lambda entry: (entry[1], entry[0]), reverse=True)]


def average_precision(found: list[int], ideal: list[int]) -> float:
    hits = np.cumsum(np.array(found) > 0)
    return sum(hits[i] / (i + 1) for i, grade in enumerate(found) if grade) / np.count_nonzero(ideal)


def ndcg10(found: list[int], ideal: list[int]) -> float:
    gained, possible = (sum(g / log2(i + 2) for i, g in enumerate(grades[:10])) for grades in (found, ideal))
    return gained / possible


def kendall(x: list[float], y: list[float]) -> float:
    return float(np.mean([np.sign((a[0] - b[0]) * (a[1] - b[1])) for a, b in combinations(zip(x, y, strict=True), 2)]))


def digest(made: Simulated) -> str:
    files = sorted([made.qrels, made.teams, made.titles, *made.runs.iterdir()])
    return hashlib.sha256(b"".join(file.name.encode() + file.read_bytes() for file in files)).hexdigest()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Simulated:
    return simulate(tmp_path_factory.mktemp("simulated"))


@pytest.fixture(scope="module")
def runs(made: Simulated) -> dict[str, dict[str, Ranking]]:
    return rankings(made)


@pytest.fixture(scope="module")
def grades(made: Simulated) -> dict[str, dict[str, int]]:
    return judged_grades(made)


def test_measures_are_those_of_a_real_collection(runs, grades):
    def mean(measure, topics):
        return np.mean(
            [
                measure(
                    [documents.get(document, 0) for document in in_order(topics.get(topic, []))],
                    sorted(documents.values(), reverse=True),
                )
                for topic, documents in grades.items()
            ]
        )

    precision = [mean(average_precision, topics) for topics in runs.values()]
    gain = [mean(ndcg10, topics) for topics in runs.values()]
    assert 0.1 < np.mean(precision) < 0.45
    assert 0.8 < kendall(precision, gain) < 0.95


def test_most_of_the_top_ten_is_judged(runs, grades):
    judged = [
        document in grades[topic]
        for topics in runs.values()
        for topic, ranking in topics.items()
        for document in in_order(ranking)[:10]
    ]
    assert 0.7 < np.mean(judged) < 0.95


def test_some_neighboring_scores_tie_and_none_rises(runs):
    steps = [a[1] - b[1] for topics in runs.values() for ranking in topics.values() for a, b in pairwise(ranking)]
    assert min(steps) == 0
    assert 0.01 < np.mean(np.array(steps) == 0) < 0.1


def test_grades_fall_in_number(grades):
    number = np.bincount([grade for documents in grades.values() for grade in documents.values()])
    assert len(number) == 4
    assert all(np.diff(number) < 0)


def test_some_relevant_documents_are_found_by_few_and_some_by_nearly_all(runs, grades):
    retrieved = {(run, topic): dict(ranking) for run, topics in runs.items() for topic, ranking in topics.items()}
    found = [
        np.mean([document in retrieved.get((run, topic), {}) for run in runs])
        for topic, documents in grades.items()
        for document, grade in documents.items()
        if grade > 0
    ]
    assert np.mean(np.array(found) < 0.25) > 0.05
    assert np.mean(np.array(found) > 0.9) > 0.05


def test_subtopics(made, grades):
    lines = judgment_lines(made)
    assert len({(topic, subtopic, document) for topic, subtopic, document, _ in lines}) == len(lines)
    assert {subtopic for _, subtopic, _, _ in lines} == {"1", "2", "3", "4"}
    relevant_under = defaultdict(int)
    for topic, _, document, grade in lines:
        relevant_under[topic, document] += int(grade) > 0
    relevant = [count for count in relevant_under.values() if count]
    assert len(relevant) == made.relevant == sum(g > 0 for documents in grades.values() for g in documents.values())
    assert 0.2 < np.mean(np.array(relevant) > 1) < 0.8


def test_three_teams_have_near_identical_runs(made, runs):
    with made.teams.open(newline="") as table:
        team = {row["run"]: row["team"] for row in csv.DictReader(table, delimiter="\t")}
    assert team.keys() == runs.keys()
    tops = {run: {t: set(in_order(ranking)[:20]) for t, ranking in topics.items()} for run, topics in runs.items()}
    within, between = defaultdict(list), []
    for a, b in combinations(runs, 2):
        shared = np.mean([len(tops[a][topic] & tops[b][topic]) / 20 for topic in tops[a].keys() & tops[b].keys()])
        (within[team[a]] if team[a] == team[b] else between).append(shared)
    twins = [name for name, overlaps in within.items() if min(overlaps) > 0.8]
    others = [overlap for name, overlaps in within.items() if name not in twins for overlap in overlaps]
    assert len(twins) == 3
    assert max(others) < 0.6
    assert max(between) < 0.5
    assert np.mean(between) < np.mean(others)


def test_one_run_lacks_topics_and_two_are_short(made, runs, grades):
    assert len(grades) == made.topics
    assert [made.topics - len(topics) for topics in runs.values() if topics.keys() != grades.keys()] == [4]
    short = [run for run, topics in runs.items() if any(len(ranking) < 100 for ranking in topics.values())]
    assert len(short) == 2
    assert made.lines == sum(len(ranking) for topics in runs.values() for ranking in topics.values())


def test_titles(made, grades):
    with made.titles.open(newline="") as table:
        assert {row["topic"] for row in csv.DictReader(table, delimiter="\t") if row["title"]} == set(grades)


def test_same_arguments_same_bytes_on_every_machine(tmp_path):
    """The digest is no expected value, it was taken once: it has to be met on every machine that runs the tests."""
    expected = "daf3d74154c3e2ea7e2fde610ab241a4caa2be676ba97a9d354754c7bd482739"
    options = {"systems": 7, "topics": 12, "depth": 30}
    first, second = (simulate(tmp_path / name, **options) for name in ("first", "second"))
    assert digest(first) == digest(second) == expected
    assert digest(simulate(tmp_path / "third", seed=8, **options)) != expected


def test_more_topics_leave_the_others_as_they_were(tmp_path):
    few, many = (simulate(tmp_path / str(topics), systems=5, depth=20, topics=topics) for topics in (3, 12))
    for file in (few.qrels, *few.runs.iterdir()):
        assert (many.qrels.parent / file.relative_to(few.qrels.parent)).read_bytes().startswith(file.read_bytes())


def test_without_subtopics_column_2_is_0_and_a_document_stands_once(tmp_path):
    lines = judgment_lines(simulate(tmp_path, systems=3, topics=3, depth=20, subtopics=0))
    assert {subtopic for _, subtopic, _, _ in lines} == {"0"}
    assert len({(topic, document) for topic, _, document, _ in lines}) == len(lines)


def test_without_a_pool_only_relevant_documents_are_judged(tmp_path):
    """As with a recommender's log: whatever a user liked is known, and nothing else."""
    made = simulate(tmp_path, systems=3, topics=50, depth=20, relevant=5, pool_depth=0, known=1.0)
    assert made.judged == made.relevant == sum(len(documents) for documents in judged_grades(made).values())
    assert 4 * 50 < made.judged < 6 * 50


@settings(max_examples=40, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "systems": st.integers(1, 9),
            "topics": st.integers(1, 12),
            "depth": st.integers(1, 40),
            "breadth": st.floats(1, 10),
            "relevant": st.integers(1, 500),
            "subtopics": st.integers(0, 3),
            "skill": st.floats(0, 10),
            "team_size": st.integers(1, 20),
            "rounded": st.floats(0, 1),
            "short": st.integers(0, 20),
            "incomplete": st.integers(0, 20),
            "seed": st.integers(0, 2**63 - 1),
        }
    )
)
def test_any_size_is_a_well_formed_collection(tmp_path_factory, options):
    made = simulate(tmp_path_factory.mktemp("any"), **options)
    runs = rankings(made)
    assert len(runs) == options["systems"]
    for topics in runs.values():
        for topic, ranking in topics.items():
            assert int(topic) - 301 in range(options["topics"])
            assert len({document for document, _ in ranking}) == len(ranking) <= options["depth"]
            assert all(a[1] >= b[1] for a, b in pairwise(ranking))
    grades = judged_grades(made)
    assert sum(len(documents) for documents in grades.values()) == made.judged
    assert sum(grade > 0 for documents in grades.values() for grade in documents.values()) == made.relevant


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"systems": 0}, "systems must be between 1 and 10000000, not 0"),
        ({"pooled": 1.5}, "pooled must be between 0 and 1, not 1.5"),
        ({"breadth": float("nan")}, "breadth must be between 1 and 10000000, not nan"),
        ({"depth": 10**6, "breadth": 20.0}, "breadth · depth must be between 1 and 10000000, not 20000000"),
        ({"seed": -1}, "seed must be between 0 and 9223372036854775807, not -1"),
        ({"known": 0.0, "pool_depth": 0}, "nothing would be judged: raise known, or both pooled and pool_depth"),
    ],
)
def test_impossible_sizes_are_refused_before_anything_is_written(tmp_path, options, message):
    with pytest.raises(UsageError) as error:
        simulate(tmp_path, **options)
    assert str(error.value) == message
    assert not any(tmp_path.iterdir())


def test_a_folder_is_written_anew_but_runs_of_others_are_not_joined(tmp_path):
    simulate(tmp_path, systems=4, topics=2, depth=5)
    again = simulate(tmp_path, systems=4, topics=1, depth=5)
    assert again.lines == sum(len(path.read_text().splitlines()) for path in again.runs.iterdir())
    with pytest.raises(UsageError, match=r"runs holds aspen-1\.run, which is no part of this collection"):
        simulate(tmp_path, systems=3, topics=1, depth=5)


def test_a_file_in_the_way_of_the_folder_is_named(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(UsageError, match=r"taken.runs cannot be made: .*; choose another folder"):
        simulate(tmp_path / "taken")
