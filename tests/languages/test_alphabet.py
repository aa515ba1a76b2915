"""Writing and reading words: parse and render are inverse, and say what they cannot read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.errors import BadInput, BadWord
from abacist.languages import (
    END_GLYPH,
    Alphabet,
    Blocks,
    Dyck,
    Language,
    bracket_glyphs,
    shuffle,
    shuffle_k,
)
from tests.languages.drawing import Word, any_words

#: Up to six pairs glyphs are single characters; beyond, one glyph can begin another: (7 and (70.
PAIRS = [1, 2, 6, 7, 12, 75]


SPACE = " \t\n\u00a0\u2003"


def words_of_pairs() -> st.SearchStrategy[tuple[int, Word]]:
    return st.sampled_from(PAIRS).flatmap(lambda pairs: st.tuples(st.just(pairs), any_words(2 * pairs)))


@given(words_of_pairs())
def test_parse_undoes_render(case: tuple[int, Word]) -> None:
    pairs, word = case
    alphabet = Dyck(pairs).alphabet
    assert alphabet.parse(alphabet.render(word)) == word


@given(words_of_pairs())
def test_render_undoes_parse_for_text_as_it_is_rendered(case: tuple[int, Word]) -> None:
    pairs, word = case
    text = (" " if pairs > 6 else "").join(bracket_glyphs(pairs)[symbol] for symbol in word)
    assert Dyck(pairs).alphabet.render(Dyck(pairs).alphabet.parse(text)) == text


@given(words_of_pairs(), st.lists(st.text(SPACE, min_size=1, max_size=3), min_size=17, max_size=17))
def test_white_space_of_any_kind_may_stand_between_glyphs(case: tuple[int, Word], spaces: list[str]) -> None:
    pairs, word = case
    pieces = [bracket_glyphs(pairs)[symbol] + space for symbol, space in zip(word, spaces, strict=False)]
    assert Dyck(pairs).alphabet.parse(spaces[-1] + "".join(pieces)) == word


@pytest.mark.parametrize("language", [Blocks(2), Blocks(4), shuffle_k(9), shuffle(Blocks(2), Dyck(1))])
def test_every_symbol_is_written_as_its_glyph(language: Language[Any]) -> None:
    alphabet = language.alphabet
    assert len(alphabet) == len(alphabet.glyphs)
    for symbol, glyph in enumerate(alphabet.glyphs):
        assert alphabet.parse(glyph) == (symbol,)
        assert alphabet.render([symbol]) == glyph
        assert alphabet.render_set([symbol]) == glyph


def test_the_first_six_pairs_are_those_of_the_paper_and_more_are_numbered() -> None:
    assert "".join(bracket_glyphs(6)) == "()[]{}⟨⟩⌈⌉⌊⌋"
    assert " ".join(bracket_glyphs(12)[12:]) == "(7 )7 (8 )8 (9 )9 (10 )10 (11 )11 (12 )12"


def test_the_longest_glyph_that_fits_is_read() -> None:
    alphabet = Dyck(75).alphabet
    assert alphabet.parse("(70)70") == (138, 139)
    assert alphabet.parse("(7)7") == (12, 13)
    assert alphabet.parse("()(7()7)") == (0, 1, 12, 0, 13, 1)
    assert alphabet.render((12, 0, 1)) == "(7 ( )"


def test_less_and_greater_stand_for_angle_brackets() -> None:
    assert Dyck(4).alphabet.parse("<()>") == Dyck(4).alphabet.parse("⟨()⟩") == (6, 0, 1, 7)
    assert Dyck(4).alphabet.render((6, 7)) == "⟨⟩"


def test_a_glyph_of_the_alphabet_comes_before_its_stand_in() -> None:
    assert Alphabet(("<", "⟨")).parse("⟨<") == (1, 0)
    with pytest.raises(BadWord, match="'<' at character 2 "):
        Dyck(3).alphabet.parse("(<)>")


@given(st.text("()[]{} ", max_size=12), st.text("()[]", max_size=4), st.sampled_from("x7⌊<⟩⊣|"))
def test_an_unknown_character_is_named_with_its_position(before: str, after: str, stranger: str) -> None:
    with pytest.raises(BadWord) as error:
        Dyck(3).alphabet.parse(before + stranger + after)
    assert str(error.value) == (
        f"{stranger!r} at character {len(before) + 1} is not in the alphabet: '(' ')' '[' ']' '{{' '}}'"
    )


def test_half_a_glyph_is_unknown() -> None:
    with pytest.raises(BadWord, match="'1' at character 4 "):
        Dyck(12).alphabet.parse("()(1")
    with pytest.raises(BadWord, match=r"'\(' at character 1 is not in the alphabet: none"):
        Alphabet(()).parse("(")


@given(st.sets(st.integers(0, 4)))
def test_a_set_is_written_in_order_with_the_end_last(symbols: set[int]) -> None:
    written = Dyck(2).alphabet.render_set(symbols)
    assert written == " ".join(glyph for symbol, glyph in enumerate("()[]" + END_GLYPH) if symbol in symbols)


@pytest.mark.parametrize(
    ("glyphs", "message"),
    [
        (("a", "b", "a"), "Alphabet: glyphs must differ, got a b a"),
        (("a", ""), "Alphabet: a glyph must be visible and not ⊣, got ''"),
        (("a", "b c"), "Alphabet: a glyph must be visible and not ⊣, got 'b c'"),
        (("a", "\t"), r"Alphabet: a glyph must be visible and not ⊣, got '\t'"),
        (("a", END_GLYPH), "Alphabet: a glyph must be visible and not ⊣, got '⊣'"),
    ],
)
def test_glyphs_differ_and_can_be_seen(glyphs: tuple[str, ...], message: str) -> None:
    with pytest.raises(BadInput) as error:
        Alphabet(glyphs)
    assert str(error.value) == message


def test_shortened_words_of_glyphs_that_are_words_stay_apart() -> None:
    alphabet = Alphabet(("push", "pop"))
    assert alphabet.shortened((0, 1, 1, 0)) == "push pop pop push"
    assert alphabet.shortened((0,) * 36 + (1,) * 72) == "36×push 72×pop"
