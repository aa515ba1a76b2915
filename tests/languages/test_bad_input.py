"""What is given to a language is checked, and refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from abacist.errors import BadInput, BadWord
from abacist.languages import (
    Alphabet,
    Blocks,
    Dyck,
    Shuffle,
    bits_per_bracket,
    bracket_glyphs,
    catalan,
    decode,
    encode,
    encode_symbol,
    language_named,
    self_shuffle,
    shuffle,
    shuffle_k,
    shuffle_words,
    word_counts,
)

wrong: Any = "two"
nothing: Any = None


@pytest.mark.parametrize(
    "call",
    [
        lambda: Dyck(wrong),
        lambda: Dyck(2.0),  # type: ignore[arg-type]
        lambda: Dyck(2, wrong),
        lambda: Blocks(wrong),
        lambda: Shuffle(wrong),
        lambda: Shuffle((wrong,)),
        lambda: shuffle(Dyck(1), wrong),
        lambda: self_shuffle(wrong, [("(", ")")]),
        lambda: shuffle_k(wrong),
        lambda: Alphabet(wrong),
        lambda: Alphabet((nothing,)),
        lambda: Alphabet(("a",)).parse(nothing),
        lambda: bracket_glyphs(wrong),
        lambda: catalan(wrong),
        lambda: catalan(-1),
        lambda: bits_per_bracket(wrong),
        lambda: encode_symbol(2, wrong),
        lambda: encode_symbol(wrong, 2),
        lambda: encode(2, "()"),  # type: ignore[arg-type]
        lambda: decode(2, "()"),  # type: ignore[arg-type]
        lambda: shuffle_words((0,), nothing),
        lambda: language_named(nothing),
        lambda: word_counts((Dyck(1),), wrong),
        lambda: list(Dyck(1).words(wrong)),
        lambda: Dyck(1).read(nothing),
    ],
)
def test_another_type_gets_one_sentence(call: Callable[[], object]) -> None:
    with pytest.raises(BadInput) as refusal:
        call()
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["dyck-1", "dyck-2", "shuffle-2", "anbn", "anbn || dyck-1"])
@pytest.mark.parametrize("symbol", [-1, 99, 0.5, "x", None])
def test_a_symbol_outside_the_alphabet_is_named(name: str, symbol: Any) -> None:
    language = language_named(name)
    most = len(language.alphabet) - 1
    told = f"symbols must be whole numbers from 0 to {most}, got {symbol!r}"
    for use in (language.read, language.targets, language.alphabet.render, language.maximum_depth):
        with pytest.raises(BadWord) as refusal:
            use((0, symbol))
        assert str(refusal.value) == told


def test_the_end_of_a_word_is_the_last_of_a_set_and_nothing_comes_after_it() -> None:
    alphabet = Alphabet(("a", "b"))
    assert alphabet.render_set({0, 2}) == "a ⊣"
    for symbols in ({3}, {-1, 0}):
        with pytest.raises(BadWord):
            alphabet.render_set(symbols)
