"""True probabilities of what comes next: those that listing all words of a window gives."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from abacist.corpora import ByLength, CutOff, Grammar, Source, Uniform, Window
from abacist.errors import BadInput, BadWord
from abacist.languages import AutomatonLanguage, Language, language_named
from tests.languages.random_automata import any_automata

CASES: list[tuple[str, Source, str]] = [
    ("dyck-1", Grammar(), "2:12"),
    ("dyck-2", Grammar(), "3:6"),
    ("shuffle-2", Grammar("1/3", "1/3"), "6"),  # type: ignore[arg-type]
    ("dyck-1", CutOff(), "4:10"),
    ("dyck-2", CutOff(), "2:6"),
    ("dyck-2+end", Uniform(), "2:6"),
    ("dyck-1", Uniform(Grammar()), "4:10"),
    ("shuffle-2", Uniform(), "2:6"),
    ("shuffle-2", Uniform(nested=True), "2:6"),
    ("anbn || dyck-1", Uniform(), "1:6"),
    ("dyck-1", ByLength(((4, 2), (8, 1))), "2:10"),
    ("anbn", Uniform(), "2:10"),
    ("tomita-3", ByLength(), "2:7"),
    ("majority", ByLength(), "2:7"),
    ("reset-dyck-1", ByLength(), "1:6"),
    ("marked-palindromes", ByLength(), "1:7"),
]

Beginning = tuple[int, ...]


def listed(language: Language[Any], source: Source, window: Window) -> dict[Beginning, Decimal]:
    """What all words together weigh that have a beginning; a word with its end behind it is one, too."""
    found: dict[Beginning, Decimal] = defaultdict(Decimal)
    for length, weight in source.length_weights(language, window).items():
        for word in source.support(language).words(length):
            own = Decimal(source.word_weight(language, word, window, weight))
            ended = (*word, len(language.alphabet))
            for time in range(len(ended) + 1):
                found[ended[:time]] += own
    return found


def same_as_listed(language: Language[Any], source: Source, window: Window) -> None:
    known = listed(language, source, window)
    outcomes = range(len(language.alphabet) + 1)
    continuations = source.continuations(language, window)
    words = [begun[:-1] for begun in known if begun and begun[-1] == outcomes[-1]]
    assert words
    for word in words:
        wanted = [
            [float(known.get((*word[:time], next_), 0) / known[word[:time]]) for next_ in outcomes]
            for time in range(1, len(word) + 1)
        ]
        np.testing.assert_allclose(continuations.probabilities(word), wanted, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(("name", "source", "lengths"), CASES)
def test_they_are_those_of_listed_words(name: str, source: Source, lengths: str) -> None:
    same_as_listed(language_named(name), source, Window.parse(lengths))


@given(any_automata())
@settings(max_examples=60, deadline=None)
def test_they_are_for_any_automaton(machine: Any) -> None:
    glyphs = tuple("abcdefgh"[: machine.symbols])
    try:
        language = AutomatonLanguage(machine, glyphs)
    except BadInput:
        return  # it has no words
    window = Window(1, 5)
    if any(language.counts(window.high)[window.low :]):
        same_as_listed(language, ByLength(), window)


def test_they_sum_to_one_where_words_are_long() -> None:
    """Near the longest length everything that is open must be closed, and nothing can be opened."""
    deep = (0,) * 100 + (1,) * 100
    for source in (Grammar(), Uniform()):
        found = source.continuations(language_named("dyck-1"), Window(2, 200)).probabilities(deep)
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert (found[99:-1] == [0, 1, 0]).all()
        assert found[-1].tolist() == [0, 0, 1]


def test_what_no_word_begins_with_is_refused() -> None:
    continuations = Grammar().continuations(language_named("shuffle-2"), Window(2, 8))
    for word, place in (((0, 2, 1), 3), ((1,), 1), ((0,) * 5, 5)):
        with pytest.raises(BadWord, match=f"symbol {place} leaves the words of the source and its lengths"):
            continuations.probabilities(word)
