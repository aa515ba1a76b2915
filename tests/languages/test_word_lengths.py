"""The largest length of words up to some length is that of a word, and no longer word is so short."""

from __future__ import annotations

from typing import Any

import pytest

from abacist.analysis import Horizon, Search
from abacist.languages import Language, language_named, largest_length, regular

NAMES = (
    "dyck-1", "dyck-2", "shuffle-2", "anbn", "anbncn", "dyck-1 || anbn", "parity", "tomita-2", "(aa)*",
    "mod-7", "majority", "dyck-1+end",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_it_is_what_enumeration_finds(name: str) -> None:
    language = language_named(name)
    there = [n for n in range(9) if n == 0 or any(True for _ in language.words(n))]
    for most in range(9):
        assert largest_length(language, most) == max(n for n in there if n <= most)


@pytest.mark.parametrize(
    ("language", "most", "length"),
    [
        (language_named("dyck-1"), 1, 0),
        (language_named("dyck-1"), 45, 44),
        (language_named("shuffle-6"), 1_001, 1_000),
        (language_named("dyck-2"), 1_000_001, 1_000_000),
        (language_named("anbncn"), 1_000_000, 999_999),
        (language_named("parity"), 1_000_001, 1_000_001),
        (regular("(aaaaaaa)*"), 1_000_000, 999_999),
        (regular("ab|ba"), 1_000, 2),
        (regular("a?"), 0, 0),
    ],
    ids=lambda value: value.name if isinstance(value, Language) else str(value),
)
def test_long_words_take_no_longer(language: Language[Any], most: int, length: int) -> None:
    assert largest_length(language, most) == length
    assert Horizon(most, None, Search(), 64).proved_in(language) == length
    shown = str(Horizon(most, None, Search(), 64, language=language))
    assert shown == f"{f'proved to {length:,}' if length else 'nothing proved'}, no wrong word found"


def test_what_nobody_can_say_is_left_as_it_is() -> None:
    """Words of a^n b^n c^n are too far apart for the first states of an automaton of many counters."""
    language = language_named("dyck-1 || anbncn")
    assert largest_length(language, 9) == 9
    assert largest_length(language, 10_001) in (10_000, 10_001)
