"""A long word is read in one go: what lies below the top of a stack is shared, never copied."""

from __future__ import annotations

import pytest

from abacist.languages import Dyck, language_named, shuffle_k

#: Far beyond what Python's own stack holds.
DEEP = 10_000


@pytest.mark.parametrize("name", ["dyck-1", "dyck-2", "shuffle-2"])
def test_closing_a_bracket_gives_back_the_very_state_before_it(name: str) -> None:
    language = language_named(name)
    state = language.start
    for symbol in (0, 2, 0) if name != "dyck-1" else (0, 0, 0):
        state = language.step(state, symbol)
    closed = language.step(language.step(state, 0), 1)
    assert closed == state
    if isinstance(language, Dyck):
        assert closed is state
    else:
        assert all(now is before for now, before in zip(closed, state, strict=True))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dyck-1", "(" * DEEP + ")" * DEEP),
        ("dyck-2", "([" * (DEEP // 2) + "])" * (DEEP // 2)),
        ("shuffle-2", "([" * (DEEP // 2) + ")]" * (DEEP // 2)),
        ("anbn", "a" * DEEP + "b" * DEEP),
    ],
)
def test_deep_words_are_read(name: str, text: str) -> None:
    reading = language_named(name).read(text)
    assert reading.member
    assert sum(reading.steps[DEEP - 1].depths) == DEEP
    assert sum(reading.steps[-1].depths) == 0


def test_deep_states_are_compared_and_hashed() -> None:
    states = []
    for _ in range(2):
        state = shuffle_k(1).start
        for _ in range(DEEP):
            successor = shuffle_k(1).step(state, 0)
            assert successor is not None
            state = successor
        states.append(state)
    assert states[0] == states[1]
    assert len(set(states)) == 1
    assert states[0] != shuffle_k(1).start


def test_equal_states_have_equal_stacks() -> None:
    dyck = Dyck(2)

    def after(*word: int) -> object:
        state = dyck.start
        for symbol in word:
            successor = dyck.step(state, symbol)
            assert successor is not None
            state = successor
        return state

    assert after(0, 2) == after(0, 0, 1, 2)
    assert after(0, 2) != after(2, 0)
    assert after(0, 2) != after(0)
    assert after(0) != (0,)
    assert repr(after(0, 2)) == "Stack(0, 1)"
