"""Words that go back and forth."""

from __future__ import annotations

import pytest

from abacist.analysis.horizons.configurations import Configurations
from abacist.analysis.turning_words import back_and_forth
from abacist.errors import BadInput
from abacist.languages import language_named


@pytest.mark.parametrize("name", ["dyck-1", "shuffle-2", "dyck-2", "anbn"])
def test_they_are_words_of_the_language_and_not_too_long(name: str) -> None:
    language = language_named(name)
    words = back_and_forth(Configurations(language), 100, 41, seed=5)
    assert len(words) == 100
    assert all(word in language and len(word) <= 41 for word in words)
    assert words == back_and_forth(Configurations(language), 100, 41, seed=5)
    assert words != back_and_forth(Configurations(language), 100, 41, seed=6)


def test_in_dyck_1_they_are_alternations_at_some_depth() -> None:
    for word in back_and_forth(Configurations(language_named("dyck-1")), 200, 60, seed=1):
        text = "".join("()"[symbol] for symbol in word)
        depth = len(text) - len(text.lstrip("("))
        inner = text[depth - 1 : len(text) - depth + 1] if "()()" in text else "()"
        assert inner.replace("()", "") == ""


def test_there_is_room_for_the_shortest_words_only() -> None:
    dyck = Configurations(language_named("dyck-1"))
    assert set(back_and_forth(dyck, 20, 2, seed=0)) <= {(), (0, 1)}
    with pytest.raises(BadInput, match="count must be at least 0 and longest at least 2, got 1 and 1"):
        back_and_forth(dyck, 1, 1, seed=0)
