"""Numbers in messages."""

from __future__ import annotations

from abacist.wording import one_of, plural


def test_one_is_no_plural() -> None:
    assert [plural(n, "run") for n in (0, 1, 2, 10_000)] == ["0 runs", "1 run", "2 runs", "10,000 runs"]


def test_a_choice_is_said_as_people_say_it() -> None:
    assert [one_of("a"), one_of("ab"), one_of("abc")] == ["a", "a or b", "a, b or c"]
