"""A language of one's own: a counter that one symbol resets, and no automaton."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import pytest

from abacist.corpora import label, pack_texts
from abacist.errors import BadInput
from abacist.languages import Alphabet, Dyck, Language, Word, language_named, shuffle


@dataclass(frozen=True)
class Resetting(Language[int]):
    """Balanced words of + and −, where ! goes back to zero from any height."""

    glyphs: tuple[str, ...] = ("+", "-", "!")

    @property
    def name(self) -> str:
        return "resetting"

    @cached_property
    def alphabet(self) -> Alphabet:
        return Alphabet(self.glyphs)

    @property
    def start(self) -> int:
        return 0

    def step(self, state: int, symbol: int) -> int | None:
        return (state + 1, state - 1 if state else None, 0)[symbol]

    def accepts(self, state: int) -> bool:
        return state == 0

    def depths(self, state: int) -> tuple[int, ...]:
        return (state,)

    @property
    def updates(self) -> tuple[tuple[int, ...], ...]:
        return (1,), (-1,), (0,)

    def objection(self, state: int, symbol: int) -> str:
        return "- goes below zero"

    def unfinished(self, state: int) -> str:
        return "the counter is not at zero"

    def count(self, length: int) -> int:
        return sum(1 for _ in self.words(length))

    def renamed(self, glyphs: Sequence[str]) -> Resetting:
        return Resetting(tuple(glyphs))


def by_trying(language: Language[int], length: int) -> list[Word]:
    symbols = range(len(language.alphabet))
    return [word for word in product(symbols, repeat=length) if word in language]


@pytest.mark.parametrize("length", range(8))
def test_all_its_words_are_listed_in_order(length: int) -> None:
    language = Resetting()
    assert list(language.words(length)) == by_trying(language, length)


def test_so_are_those_of_a_shuffle_with_it() -> None:
    both = shuffle(Resetting(), Dyck(1))
    tried = [word for word in product(range(5), repeat=5) if word in both]
    assert list(both.words(5)) == tried


def test_long_words_are_listed_without_recursion() -> None:
    assert next(Resetting().words(3_000)) == (0,) * 2_999 + (2,)
    assert list(language_named("anbn").words(4_000)) == [(0,) * 2_000 + (1,) * 2_000]


def test_no_automaton_is_said_in_one_sentence() -> None:
    with pytest.raises(BadInput, match=r"^resetting: no automaton is known for this language$"):
        Resetting().automaton()
    with pytest.raises(BadInput, match=r"^resetting: no automaton is known"):
        shuffle(Resetting(), Dyck(1)).automaton()


def test_it_is_labelled_without_an_automaton() -> None:
    language, words = Resetting(), [(0, 0, 2), (0, 1), (1,), (0,)]
    packed = pack_texts(language, ["++!", (0, 1), "-", "+"])
    assert packed.symbols.tolist() == [symbol for word in words for symbol in word]
    labels = label(language, packed.symbols, packed.offsets)
    assert labels.left_at.tolist() == [-1, -1, 0, 1]
    whole = np.vstack([language.targets(word) for word in ((0, 0, 2), (0, 1))])
    assert np.array_equal(labels.targets[:5], whole)
