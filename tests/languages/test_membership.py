"""A language, its automaton and brute force name the same words."""

from __future__ import annotations

import pytest
from hypothesis import given

from abacist.errors import BadInput
from abacist.languages import Dyck, language_named, shuffle_k
from tests.languages.drawing import (
    Word,
    any_words,
    bracket_pairs,
    bracket_text,
    dyck_members,
    near_misses,
    shuffle_members,
)
from tests.languages.oracles import balanced, separately_balanced
from tests.languages.subjects import BLOCKS, DYCK, MIXED, ORACLES, SHUFFLES, Oracle

every_language = pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.name)


@every_language
def test_both_descriptions_of_brute_force_agree(oracle: Oracle) -> None:
    by_membership = {text for _, text in oracle.texts(oracle.longest) if oracle.contains(text)}
    by_construction = {text for length in range(oracle.longest + 1) for text in oracle.words(length)}
    assert by_membership == by_construction != set()


@every_language
def test_language_and_automaton_contain_what_brute_force_contains(oracle: Oracle) -> None:
    language = language_named(oracle.name)
    automaton = language.automaton()
    assert language.alphabet.glyphs == tuple(oracle.glyphs)
    for word, text in oracle.texts(oracle.longest):
        expected = oracle.contains(text)
        assert (word in language) == expected, text
        assert automaton.accepts(word) == expected, text


@given(dyck_members(5) | near_misses(5) | any_words(10))
def test_dyck_5_agrees_with_deletion(word: Word) -> None:
    expected = balanced(bracket_text(word), bracket_pairs(5))
    assert (word in Dyck(5)) == expected
    assert Dyck(5).automaton().accepts(word) == expected


@given(shuffle_members(6) | near_misses(6) | any_words(12))
def test_shuffle_6_agrees_with_projection(word: Word) -> None:
    expected = separately_balanced(bracket_text(word), bracket_pairs(6))
    assert (word in shuffle_k(6)) == expected
    assert shuffle_k(6).automaton().accepts(word) == expected


@pytest.mark.parametrize("oracle", [DYCK[1], SHUFFLES[1], BLOCKS[1], MIXED], ids=lambda oracle: oracle.name)
def test_a_number_outside_the_alphabet_is_in_no_word(oracle: Oracle) -> None:
    """It may be refused or be found not to be a member, but is never a member."""
    language = language_named(oracle.name)
    size = len(oracle.glyphs)
    for stray in ((size, size + 1), (0, size + 1), (0, 1 - size), (-size, 1), (-2, -1)):
        try:
            member = stray in language
        except (BadInput, IndexError):
            continue
        assert not member, stray


def test_a_text_is_read_as_its_symbols() -> None:
    language = Dyck(2)
    for text in ("([])", "([)]", "((", ""):
        word = language.alphabet.parse(text)
        assert (text in language) == (word in language)
        assert language.read(text) == language.read(word)
    assert language.targets("([])").tolist() == language.targets(language.alphabet.parse("([])")).tolist()
    assert language.turns("()[[]]") == language.turns(language.alphabet.parse("()[[]]"))
