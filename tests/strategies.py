"""Generated collections, as nested dicts and as the collection made of them."""

from __future__ import annotations

from hypothesis import strategies as st

TOPICS = [f"q{i}" for i in range(4)]
DOCUMENTS = [f"d{i}" for i in range(12)]

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, dict[str, float]]]


@st.composite
def judgments(draw: st.DrawFn, grades: tuple[int, int] = (-1, 3)) -> Grades:
    """Judgments of one to four topics, with a relevant document somewhere."""
    topics = draw(st.lists(st.sampled_from(TOPICS), min_size=1, unique=True))
    grade = st.integers(*grades)
    qrels = {
        topic: draw(st.dictionaries(st.sampled_from(DOCUMENTS), grade, min_size=1, max_size=len(DOCUMENTS)))
        for topic in topics
    }
    first = qrels[topics[0]]
    first[next(iter(first))] = draw(st.integers(1, grades[1]))
    return qrels


@st.composite
def rankings(draw: st.DrawFn, systems: tuple[int, int] = (1, 4)) -> Scores:
    """Runs of generated names, with ties in scores, missing topics, and an answer to something."""
    score = st.integers(0, 5).map(lambda value: value / 4)
    run = st.dictionaries(
        st.sampled_from(TOPICS),
        st.dictionaries(st.sampled_from([*DOCUMENTS, "x1", "x2", "x3"]), score, min_size=1),
        min_size=1,
    )
    names = draw(
        st.lists(st.text("abc", min_size=1, max_size=3), min_size=systems[0], max_size=systems[1], unique=True)
    )
    return {name: draw(run) for name in names}


@st.composite
def collections(
    draw: st.DrawFn, grades: tuple[int, int] = (-1, 3), systems: tuple[int, int] = (1, 4)
) -> tuple[Grades, Scores]:
    """Judgments and runs that have a topic in common."""
    qrels, runs = draw(judgments(grades)), draw(rankings(systems))
    first = next(iter(runs.values()))
    first.setdefault(next(iter(qrels)), {"x1": 1.0})
    return qrels, runs
