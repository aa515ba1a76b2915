"""What may come next: language, automaton and brute force name the same symbols."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from abacist.languages import language_named, shuffle_k
from tests.languages.drawing import Word, shuffle_members
from tests.languages.subjects import END, ORACLES, Oracle

every_language = pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.name)


def numbers(oracle: Oracle, glyphs: set[str]) -> set[int]:
    return {(oracle.glyphs + END).index(glyph) for glyph in glyphs}


@every_language
def test_next_symbols_are_those_that_follow_in_some_word(oracle: Oracle) -> None:
    language = language_named(oracle.name)
    following = oracle.next_glyphs()
    assert language.marks_end == oracle.marks_end
    assert language.next_symbols(language.start) == numbers(oracle, following[""])
    for word, text in oracle.texts(oracle.prefixes):
        steps = language.read(word).steps
        assert (len(steps) == len(word)) == (text in following), text
        if text in following and word:
            assert steps[-1].symbol == word[-1]
            assert steps[-1].next_symbols == numbers(oracle, following[text]), text


@every_language
def test_a_set_of_next_symbols_allows_an_end_exactly_where_a_word_may_end(oracle: Oracle) -> None:
    language = language_named(oracle.name)
    for word, text in oracle.texts(oracle.prefixes):
        steps = language.read(word).steps
        if word and len(steps) == len(word):
            assert language.allows_end(steps[-1].next_symbols) == oracle.contains(text), text


@every_language
def test_the_automaton_moves_exactly_where_a_word_goes_on(oracle: Oracle) -> None:
    automaton = language_named(oracle.name).automaton()
    following = oracle.next_glyphs()
    for word, text in oracle.texts(oracle.prefixes):
        configurations = automaton.run(word).configurations
        assert (len(configurations) == len(word) + 1) == (text in following), text
        if text in following:
            expected = numbers(oracle, following[text] - {END})
            assert automaton.next_symbols(configurations[-1]) == expected, text
            assert automaton.accepting(configurations[-1]) == oracle.contains(text)


@every_language
def test_targets_are_the_sets_after_every_prefix(oracle: Oracle) -> None:
    language = language_named(oracle.name)
    following = oracle.next_glyphs()
    outputs = len(oracle.glyphs) + oracle.marks_end
    assert language.outputs == outputs
    for word, text in oracle.texts(oracle.prefixes):
        if text not in following:
            continue
        targets = language.targets(word)
        assert targets.dtype == np.uint8
        assert targets.shape == (len(word), outputs)
        for time, row in enumerate(targets):
            expected = numbers(oracle, following[text[: time + 1]])
            assert row.tolist() == [int(output in expected) for output in range(outputs)], text


@every_language
def test_a_sequence_that_leaves_the_language_has_no_targets(oracle: Oracle) -> None:
    language = language_named(oracle.name)
    following = oracle.next_glyphs()
    dead = [word for word, text in oracle.texts(min(3, oracle.prefixes)) if text not in following]
    assert dead
    for word in dead:
        with pytest.raises(ValueError, match=f"^{language.name.replace('|', '.')}: symbol"):
            language.targets(word)


@every_language
def test_always_is_what_follows_every_prefix(oracle: Oracle) -> None:
    everywhere = set.intersection(*oracle.next_glyphs().values())
    assert language_named(oracle.name).always == numbers(oracle, everywhere)


@every_language
def test_a_code_sums_the_powers_of_two_of_what_is_not_always_possible(oracle: Oracle) -> None:
    language = language_named(oracle.name)
    following = oracle.next_glyphs()
    everywhere = set.intersection(*following.values())
    rest = [glyph for glyph in oracle.glyphs + END * oracle.marks_end if glyph not in everywhere]
    for glyphs in following.values():
        expected = sum(2 ** rest.index(glyph) for glyph in glyphs - everywhere)
        assert language.code(numbers(oracle, glyphs)) == expected


@given(shuffle_members(6))
def test_shuffle_6_may_close_every_pair_that_is_open(word: Word) -> None:
    opening = set(range(0, 12, 2))
    for time, step in enumerate(shuffle_k(6).read(word).steps):
        seen = word[: time + 1]
        closing = {2 * p + 1 for p in range(6) if seen.count(2 * p) > seen.count(2 * p + 1)}
        assert step.next_symbols == opening | closing
        assert step.code == sum(2 ** (symbol // 2) for symbol in closing)
