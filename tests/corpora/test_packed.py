"""Packed words: texts or symbols, checked before compiled code reads them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from abacist.corpora import Words, label, pack_texts
from abacist.errors import BadInput, BadWord
from abacist.languages import Dyck, language_named

ALL = ["dyck-1", "dyck-2", "shuffle-2", "anbn", "dyck-2 || anbn"]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("symbol", [-1, 6, 200, 300, 10**9])
def test_a_symbol_outside_the_alphabet_is_refused(name: str, symbol: int) -> None:
    language = language_named(name)
    told = f"^{language.name.replace('|', '.')}: symbols must be whole numbers from 0 to .*, got {symbol}$"
    with pytest.raises(BadWord, match=told):
        pack_texts(language, [(0, symbol)])
    with pytest.raises(BadWord, match=told):
        label(language, np.array([0, symbol]), np.array([0, 2]))


@pytest.mark.parametrize(
    "offsets",
    [[], [0], [0, 3], [0, 1], [1, 2], [-1, 2], [0, 2, 1, 2], [0, 3, 2], [0.0, 2.0], [[0, 2]], [2, 0]],
    ids=str,
)
def test_offsets_that_do_not_fit_are_refused(offsets: Any) -> None:
    for language in (Dyck(1), Dyck(2)):
        with pytest.raises(BadInput, match=r"^offsets must "):
            label(language, np.array([0, 1], np.uint8), np.array(offsets))


@pytest.mark.parametrize("symbols", [[0.0, 1.0], [[0, 1]], ["(", ")"]], ids=str)
def test_symbols_of_another_kind_are_refused(symbols: Any) -> None:
    with pytest.raises(BadInput, match=r"^dyck-1: symbols must be a one-dimensional array of whole numbers"):
        label(Dyck(1), np.array(symbols), np.array([0, 2]))


@pytest.mark.parametrize("words", [[3], [[[0, 1]]], [None], [[0, [1]]], [(0.5,)], ["(x)"]], ids=str)
def test_what_is_no_word_is_refused_in_one_sentence(words: Any) -> None:
    with pytest.raises(BadInput) as refusal:
        pack_texts(Dyck(1), words)
    assert "\n" not in str(refusal.value)


def test_a_single_text_is_not_a_list_of_words() -> None:
    with pytest.raises(BadInput, match=r"^words must be a list of words, such as \['\(\)'\]"):
        pack_texts(Dyck(1), "()")


@pytest.mark.parametrize("name", ALL)
def test_texts_and_symbols_are_the_same_words(name: str) -> None:
    language = language_named(name)
    words = [*language.words(2), *language.words(4)]
    texts = [language.alphabet.render(word) for word in words]
    one, other = pack_texts(language, words), pack_texts(language, texts)
    for field in ("symbols", "offsets", "targets", "counted"):
        assert np.array_equal(getattr(one, field), getattr(other, field))
        assert getattr(one, field).dtype == getattr(other, field).dtype
    assert one.symbols.dtype == np.uint8


def test_a_sentence_stays_one_line_however_much_is_given() -> None:
    many = np.arange(5_000)[::-1]
    with pytest.raises(BadInput) as refusal:
        label(Dyck(1), np.zeros(5_000, np.uint8), many)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 250


def test_no_words_and_empty_words_can_be_packed() -> None:
    assert pack_texts(Dyck(1), []).offsets.tolist() == [0]
    assert pack_texts(Dyck(1), ["", (), "()"]).offsets.tolist() == [0, 0, 0, 2]


def test_symbols_beyond_a_byte_are_kept() -> None:
    packed = pack_texts(Dyck(200), [(398, 399)])
    assert packed.symbols.tolist() == [398, 399]
    assert packed.targets[0, 399] == 1


def test_words_that_do_not_fit_together_are_refused() -> None:
    good = pack_texts(Dyck(1), ["(())"])
    with pytest.raises(BadInput, match="4 symbols need as many targets and steps"):
        Words(good.symbols, good.offsets, good.targets[:2], good.counted)
    with pytest.raises(BadInput, match="at least one part"):
        Words.joined([])
    with pytest.raises(BadInput, match="steps must be all or last, got 'some'"):
        pack_texts(Dyck(1), ["()"], "some")
