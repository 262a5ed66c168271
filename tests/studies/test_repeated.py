"""The same seed gives the same bytes, whatever the number of threads; another seed does not."""

from __future__ import annotations

from pathlib import Path

import pytest

import rankdiff as rd
from rankdiff.collection import Collection
from rankdiff.simulate import simulate

SAMPLING = {
    "power": {"samples": 4, "permutations": 200},
    "stability": {"samples": 4},
    "scatter": {"samples": 30},
    "shallow_ties": {"samples": 8, "n": 500, "depths": [500, 100]},
}
EXACT = ("summary", "ties", "levels", "depth", "locality", "agreement")


@pytest.fixture(scope="module")
def c(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    folder: Path = tmp_path_factory.mktemp("made")
    made = simulate(folder, systems=8, topics=12, depth=40, seed=3)
    return rd.load(made.qrels, made.runs, pool=True)


@pytest.mark.parametrize("name", SAMPLING)
def test_threads_do_not_matter_and_the_seed_does(c: Collection, name: str) -> None:
    study = rd.studies.find(name)
    about = (c,) if study.needs_collection else ()
    first, again, threaded, other = (
        study(*about, seed=seed, jobs=jobs, **SAMPLING[name]).to_csv()
        for seed, jobs in ((7, 1), (7, 1), (7, 2), (8, 1))
    )
    assert first == again == threaded
    assert first != other


@pytest.mark.parametrize("name", EXACT)
def test_what_is_not_sampled_is_the_same_each_time(c: Collection, name: str) -> None:
    study = rd.studies.find(name)
    assert study(c).to_csv() == study(c).to_csv()


@pytest.mark.parametrize("name", [*EXACT, "power", "stability"])
def test_each_is_there_for_segments_and_has_a_figure(c: Collection, name: str) -> None:
    groups = {query: "even" if i % 2 == 0 else "odd" for i, query in enumerate(c.queries)}
    study = rd.studies.find(name)(c, segments=groups, **SAMPLING.get(name, {}))
    assert set(study.table["segment"]) == {"all", "even", "odd"}
    assert "mark" in str(study.figure.to_dict())
