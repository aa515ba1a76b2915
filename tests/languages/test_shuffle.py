"""Shuffling words and languages, against the paper's inductive definition."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest
from hypothesis import given

from abacist.errors import BadInput
from abacist.languages import Blocks, Dyck, Language, Shuffle, self_shuffle, shuffle, shuffle_k, shuffle_words
from tests.languages.drawing import Word, any_words
from tests.languages.oracles import (
    balanced_words,
    block_words,
    interleavings,
    shuffled,
)


def texts(words: frozenset[Word]) -> set[str]:
    return {"".join("abcdefgh"[symbol] for symbol in word) for word in words}


@given(any_words(4, longest=6), any_words(4, longest=6))
def test_shuffle_words_is_the_inductive_definition(u: Word, v: Word) -> None:
    as_text = "".join("abcdefgh"[symbol] for symbol in u), "".join("abcdefgh"[symbol] for symbol in v)
    assert texts(shuffle_words(u, v)) == interleavings(*as_text)


@pytest.mark.parametrize("length", range(9))
def test_a_shuffle_of_languages_is_the_union_over_their_words(length: int) -> None:
    language = shuffle(Blocks(2), Blocks(3).renamed("cde"))
    expected = shuffled(lambda n: block_words("ab", n), lambda n: block_words("cde", n), length)
    assert {language.alphabet.render(word) for word in language.words(length)} == expected
    nested = shuffle(Blocks(2), Dyck(2))
    expected = shuffled(lambda n: block_words("ab", n), lambda n: balanced_words(("()", "[]"), n), length)
    assert {nested.alphabet.render(word) for word in nested.words(length)} == expected


def test_the_automaton_of_a_shuffle_moves_each_part_on_its_own_symbols() -> None:
    """Both parts have several states, so each must keep its own."""
    language = shuffle(Blocks(2), Blocks(3).renamed("cde"))
    automaton = language.automaton()
    expected = shuffled(lambda n: block_words("ab", n), lambda n: block_words("cde", n), 7)
    others = {word[::-1] for word in expected} | {word.replace("a", "b") for word in expected}
    others |= {word[:-1] + "c" for word in expected} | {word[1:] + word[0] for word in expected}
    assert len(expected) == comb(7, 4)
    assert all(automaton.accepts(language.alphabet.parse(text)) for text in expected)
    assert not any(automaton.accepts(language.alphabet.parse(text)) for text in others - expected)


def test_no_fold_self_shuffle_is_the_empty_word_alone() -> None:
    nothing = self_shuffle(Dyck(1), [])
    assert [list(nothing.words(length)) for length in range(3)] == [[()], [], []]
    assert [nothing.count(length) for length in range(3)] == [1, 0, 0]
    assert () in nothing
    assert nothing.automaton().accepts(())
    assert nothing.read(()).member
    assert nothing.targets(()).shape == (0, 0)
    assert nothing.maximum_depth(()) == 0


def test_self_shuffle_renames_a_shuffle_part_by_part() -> None:
    doubled = self_shuffle(shuffle(Blocks(2), Dyck(1)), ["ab()", "xy[]"])
    assert doubled.alphabet.glyphs == tuple("ab()xy[]")
    assert doubled.alphabet.parse("xa(b[y)]") in doubled
    assert doubled.alphabet.parse("xa(b[y]") not in doubled


def test_shuffles_of_shuffles_are_flat_and_associative() -> None:
    first, second, third = Blocks(2), Dyck(1), Dyck(1).renamed("[]")
    assert shuffle(shuffle(first, second), third) == shuffle(first, shuffle(second, third))
    assert shuffle(shuffle(first, second), third).parts == (first, second, third)


@pytest.mark.parametrize(
    ("parts", "shared"),
    [((Dyck(1), Dyck(2)), "( )"), ((Blocks(2), Blocks(3)), "a b"), ((Dyck(1), Dyck(1).renamed("[)")), ")")],
)
def test_alphabets_must_be_disjoint(parts: tuple[Language[Any], ...], shared: str) -> None:
    with pytest.raises(BadInput) as error:
        Shuffle(parts)
    assert str(error.value) == f"Shuffle: alphabets must be disjoint, got {shared} more than once"


def test_a_shuffle_is_renamed_with_as_many_glyphs_as_it_has_symbols() -> None:
    with pytest.raises(BadInput, match=r"^Shuffle: 4 symbols need as many glyphs, got 3$"):
        shuffle_k(2).renamed("abc")
    assert shuffle_k(2).renamed("abcd").alphabet.glyphs == tuple("abcd")


def test_a_part_that_needs_a_stack_is_named() -> None:
    with pytest.raises(BadInput, match=r"^anbn \|\| dyck-2: dyck-2 needs a stack"):
        shuffle(Blocks(2), Dyck(2)).automaton()


@pytest.mark.parametrize(
    "language",
    [
        shuffle_k(3),
        shuffle(Dyck(2), Dyck(1, ("a", "b"))),
        shuffle(Blocks(2), Dyck(1)),
        Shuffle((Blocks(3), Dyck(1), Dyck(1, ("[", "]")))),
        Shuffle((shuffle_k(2), Blocks(2))),
    ],
    ids=lambda language: str(language.name),
)
def test_words_can_end_where_a_search_of_all_of_them_says_so(language: Shuffle) -> None:
    """The search is that of every language; lengths come in no order, and some are impossible."""
    states = {language.start}
    for _ in range(4):
        steps = (language.step(state, n) for state in states for n in range(len(language.alphabet)))
        states |= {state for state in steps if state is not None}
    kept: dict[Any, Any] = {}
    searched: dict[Any, bool] = {}
    for state in states:
        for remaining in (5, 0, 7, -1, 2, 1, 8, 3):
            found = language.can_end(state, remaining, kept)
            assert found == (remaining >= 0 and Language.can_end(language, state, remaining, searched))
