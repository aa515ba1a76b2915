"""Lessons go through JSON unharmed, are part of a key only where they differ, and refuse what cannot be."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from abacist.cells import CELLS
from abacist.errors import BadInput
from abacist.languages import language_named
from abacist.specs import FEEDS, Lesson, Round, Spec, Taught

lessons = st.builds(
    Lesson,
    st.sampled_from(FEEDS),
    st.integers(1, 1000), st.integers(1, 100_000), st.integers(1, 100_000),
    st.floats(0.01, 100), st.floats(1, 1e9), st.integers(1, 1_000_000),
)  # fmt: skip


@given(lessons)
def test_a_lesson_survives_json(lesson: Lesson) -> None:
    assume(lesson.feed != "random" or lesson.to <= 10_000)  # no longer words are drawn
    values = json.loads(json.dumps(lesson.as_dict()))
    assert Lesson.from_dict(values) == lesson
    spec = Spec(language_named("dyck-1"), CELLS["lstm"], epochs=1000, lesson=lesson)
    assert Spec.from_dict(json.loads(json.dumps(spec.as_dict()))) == spec
    assert spec.key_values()["lesson"] == values


def test_what_is_usual_is_not_written_down() -> None:
    """So that a further field changes no key."""
    assert Lesson().as_dict() == {"feed": "counterexamples"}
    assert Lesson(sharpen=1.25, to=90).as_dict() == {"feed": "counterexamples", "to": 90, "sharpen": 1.25}
    assert str(Lesson("stress", to=90)) == "stress, to 90"


def test_whole_numbers_have_the_keys_of_numbers() -> None:
    dyck, lstm = language_named("dyck-1"), CELLS["lstm"]
    whole = Spec(dyck, lstm, decay=1, lesson=Lesson(finish=64, sharpen=2))
    assert whole.key_text == Spec(dyck, lstm, decay=1.0, lesson=Lesson(finish=64.0, sharpen=2.0)).key_text


@given(st.integers(0, 10_000), st.integers(1, 100))
def test_rounds_divide_the_epochs(epochs: int, rounds: int) -> None:
    ends = Lesson(rounds=rounds).ends(epochs)
    sizes = [end - start for start, end in zip((0, *ends), ends, strict=False)]
    assert ends[-1] == sum(sizes) == epochs
    assert len(ends) == rounds
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"feed": "cake"}, "feed must be nothing, counterexamples, random or stress, got 'cake'"),
        ({"rounds": 0}, "rounds must be from 1 to 1,000, got 0"),
        ({"kept": 0}, "kept must be from 1 to 100,000, got 0"),
        ({"to": 0}, "to must be from 1 to 100,000, got 0"),
        ({"budget": 0}, "budget must be from 1 to 1,000,000, got 0"),
        ({"sharpen": 0.0}, "sharpen must be positive and finite, got 0.0"),
        ({"sharpen": float("nan")}, "sharpen must be positive and finite, got nan"),
        ({"finish": 0.5}, "finish must be at least 1 and finite, got 0.5"),
        ({"finish": float("inf")}, "finish must be at least 1 and finite, got inf"),
        ({"rounds": 2.5}, "rounds must be a whole number, got 2.5"),
        ({"speed": 1}, "speed is unknown: there is no such field"),
    ],
)
def test_what_cannot_be_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Lesson.from_dict(values)


def test_a_spec_refuses_a_lesson_that_does_not_fit() -> None:
    dyck = language_named("dyck-1")
    with pytest.raises(BadInput, match=r"Lesson: rounds must be at most the 5 epochs .*, got 6"):
        Spec(dyck, CELLS["lstm"], epochs=5, lesson=Lesson(rounds=6))
    with pytest.raises(BadInput, match=r"Lesson: to must be at most 10,000 for random words, got 10,001"):
        Spec(dyck, CELLS["lstm"], lesson=Lesson("random", to=10_001))
    with pytest.raises(BadInput, match="decay must be at least 0 and finite, got -1"):
        Spec(dyck, CELLS["lstm"], decay=-1)


def test_cells_without_gates_cannot_be_sharpened() -> None:
    with pytest.raises(BadInput, match="Lesson: sharpen must be 1: rnn_relu has no gates to sharpen"):
        Spec(language_named("dyck-1"), CELLS["rnn_relu"], lesson=Lesson(sharpen=1.5))


def test_what_was_taught_survives_json() -> None:
    taught = Taught((Round(10, 0, "(())", 4), Round(20, 7, None, None)), 1000, 4.0)
    assert Taught.from_dict(json.loads(json.dumps(taught.as_dict()))) == taught
    with pytest.raises(BadInput, match="Taught: a value is missing or of the wrong kind"):
        Taught.from_dict({"proved": 3})
