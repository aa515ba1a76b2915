"""Γ: a sequence is in Dyck-n exactly if its image is in Dyck-2, for n = 1 … 9."""

from __future__ import annotations

from itertools import product
from math import ceil, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abacist.errors import BadInput, BadWord
from abacist.languages import Dyck, bits_per_bracket, decode, encode
from tests.languages.drawing import (
    Word,
    any_words,
    bracket_pairs,
    bracket_text,
    dyck_members,
    near_misses,
)
from tests.languages.oracles import balanced

NUMBERS = range(1, 10)
every_number = pytest.mark.parametrize("pairs", NUMBERS)


def bits(pairs: int) -> int:
    return max(1, ceil(log2(pairs)))


def gamma(pairs: int, word: Word) -> str:
    """Γ as the paper writes it, from texts of binary digits."""
    image = ""
    for symbol in word:
        digits = format(symbol // 2, f"0{bits(pairs)}b")
        image += (
            digits[::-1].translate({48: ")", 49: "]"}) if symbol % 2 else digits.translate({48: "(", 49: "["})
        )
    return image


def largest_depth(word: Word) -> int:
    return max(
        (sum(1 - 2 * (symbol % 2) for symbol in word[:end]) for end in range(len(word) + 1)), default=0
    )


def cases(members: bool) -> st.SearchStrategy[tuple[int, Word]]:
    """A number of pairs, and a member of that Dyck language or a sequence that is hardly ever one."""

    def words(pairs: int) -> st.SearchStrategy[Word]:
        return dyck_members(pairs) if members else near_misses(pairs) | any_words(2 * pairs)

    return st.integers(1, 9).flatmap(lambda pairs: st.tuples(st.just(pairs), words(pairs)))


@given(cases(members=True) | cases(members=False))
def test_a_sequence_is_a_member_exactly_if_its_image_is(case: tuple[int, Word]) -> None:
    pairs, word = case
    image = encode(pairs, word)
    assert (image in Dyck(2)) == (word in Dyck(pairs))
    assert (image in Dyck(2)) == balanced(bracket_text(word), bracket_pairs(pairs))


@given(cases(members=True) | cases(members=False))
def test_the_image_is_the_one_of_the_paper(case: tuple[int, Word]) -> None:
    pairs, word = case
    assert Dyck(2).alphabet.render(encode(pairs, word)) == gamma(pairs, word)


@given(cases(members=True) | cases(members=False))
def test_decoding_undoes_encoding_and_length_grows_m_times(case: tuple[int, Word]) -> None:
    pairs, word = case
    image = encode(pairs, word)
    assert decode(pairs, image) == word
    assert len(image) == bits(pairs) * len(word)


@given(cases(members=True))
def test_depth_grows_m_times(case: tuple[int, Word]) -> None:
    pairs, word = case
    assert Dyck(pairs).maximum_depth(word) == largest_depth(word)
    assert Dyck(2).maximum_depth(encode(pairs, word)) == bits(pairs) * largest_depth(word)


@pytest.mark.parametrize(("pairs", "m"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (1000, 10)])
def test_m_is_the_rounded_logarithm_and_at_least_one(pairs: int, m: int) -> None:
    assert bits_per_bracket(pairs) == m == bits(pairs)


@pytest.mark.parametrize(("pairs", "brackets"), [(1, 5), (2, 5), (3, 3), (5, 2), (9, 1)])
def test_decode_takes_images_and_refuses_all_else_in_one_sentence(pairs: int, brackets: int) -> None:
    sources = [word for n in range(brackets + 1) for word in product(range(2 * pairs), repeat=n)]
    images = {gamma(pairs, word): word for word in sources}
    for length in range(brackets * bits(pairs) + 1):
        for word in product(range(4), repeat=length):
            text = "".join("()[]"[symbol] for symbol in word)
            if text in images:
                assert decode(pairs, word) == images[text]
                continue
            with pytest.raises(BadWord) as error:
                decode(pairs, word)
            message = str(error.value)
            assert f"Dyck-{pairs}" in message
            assert "\n" not in message
            assert ". " not in message


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ((0, 0, 0), "an image of Dyck-3 has a length divisible by 2, got 3"),
        ((0, 0, 0, 3), "(] at symbols 3 to 4 is not the image of any bracket of Dyck-3"),
        ((2, 2), "[[ at symbols 1 to 2 is not the image of any bracket of Dyck-3"),
    ],
)
def test_what_is_no_image_is_shown_with_its_place(word: Word, message: str) -> None:
    with pytest.raises(BadWord) as error:
        decode(3, word)
    assert str(error.value) == message


@pytest.mark.parametrize("word", [(4, 0), (0, -1)])
def test_decode_refuses_symbols_that_dyck_2_does_not_have(word: Word) -> None:
    with pytest.raises(BadWord):
        decode(4, word)


@pytest.mark.parametrize(("pairs", "symbol"), [(3, 6), (5, 16), (1, 2), (2, -1)])
def test_encode_refuses_a_bracket_beyond_its_pairs(pairs: int, symbol: int) -> None:
    with pytest.raises(BadInput):
        encode(pairs, (symbol,))


def test_no_pairs_cannot_be_reduced() -> None:
    with pytest.raises(BadInput, match=r"^Dyck: pairs must be at least 1, got 0$"):
        bits_per_bracket(0)
