"""Uniform draws: all words of a length, or of a window, are equally likely."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from abacist.corpora import Grammar, Uniform, Window, crossing_share, sample
from abacist.corpora.uniform import LONGEST, LONGEST_SHUFFLE, division_choices, parts_of
from abacist.errors import BadInput
from abacist.languages import Dyck, language_named, shuffle_k
from tests.corpora.chi_square import PLAUSIBLE, p_value

MANY = 40_000


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("dyck-1", Window(2, 10)),
        ("dyck-2", Window(1, 6)),
        ("dyck-3", Window(4, 4)),
        ("dyck-2 || anbn", Window(6, 6)),
        ("shuffle-2", Window(2, 6)),
        ("shuffle-3", Window(2, 5)),
        ("anbn || dyck-1", Window(3, 8)),
        ("anbncn || dyck-1", Window(3, 7)),
        ("anbn", Window(2, 30)),
    ],
    ids=str,
)
def test_all_words_of_a_window_are_equally_likely(name: str, window: Window) -> None:
    language = language_named(name)
    words = [word for n in window.lengths for word in language.words(n)]
    drawn = sample(language, Uniform(), window, MANY, seed=2, distinct=False)
    assert p_value(Counter(drawn), dict.fromkeys(words, 1)) > PLAUSIBLE


def test_nested_words_of_a_shuffle_are_equally_likely_and_none_other_comes() -> None:
    language, window = shuffle_k(2), Window(2, 6)
    drawn = sample(language, Uniform(nested=True), window, MANY, seed=2, distinct=False)
    words = [word for n in window.lengths for word in Dyck(2).words(n)]
    assert p_value(Counter(drawn), dict.fromkeys(words, 1)) > PLAUSIBLE
    assert crossing_share(drawn) == 0
    drawn = sample(language, Uniform(Grammar(), nested=True), Window(2, 20), MANY, seed=2, distinct=False)
    lengths = Counter(drawn.lengths.tolist())
    weights = Grammar().length_probabilities(20)
    assert p_value(lengths, {n: weights[n] for n in range(2, 21, 2)}) > PLAUSIBLE


@pytest.mark.parametrize("name", ["dyck-1", "shuffle-2", "shuffle-6", "anbn || dyck-1"])
def test_lengths_go_by_the_number_of_words(name: str) -> None:
    language, window = language_named(name), Window(2, 40)
    counts = {n: language.count(n) for n in window.lengths if language.count(n)}
    assert Uniform().length_weights(language, window) == counts
    drawn = sample(language, Uniform(), window, MANY, seed=3, distinct=False)
    assert p_value(Counter(drawn.lengths.tolist()), counts) > PLAUSIBLE


@pytest.mark.parametrize("name", ["dyck-1", "shuffle-2", "anbn || dyck-1", "anbncn", "anbncndn"])
def test_with_a_grammar_lengths_go_by_the_grammar(name: str) -> None:
    language, window = language_named(name), Window(4, 50)
    exact = {
        n: P for n, P in enumerate(Grammar().length_probabilities(50)) if n in window and language.count(n)
    }
    drawn = sample(language, Uniform(Grammar()), window, MANY, seed=4, distinct=False)
    assert p_value(Counter(drawn.lengths.tolist()), exact) > PLAUSIBLE


def test_with_a_grammars_lengths_the_words_of_each_length_are_still_uniform() -> None:
    drawn = sample(shuffle_k(2), Uniform(Grammar()), Window(4, 6), MANY, seed=5, distinct=False)
    for length in (4, 6):
        own = Counter(word for word in drawn if len(word) == length)
        assert p_value(own, dict.fromkeys(shuffle_k(2).words(length), 1)) > PLAUSIBLE


def test_symbols_beyond_a_byte_have_room() -> None:
    """Dyck-200 has 400 symbols."""
    drawn = sample(Dyck(200), Uniform(), Window(2, 20), 3_000, seed=8)
    assert drawn.symbols.dtype == np.uint16
    assert all(word in Dyck(200) for word in drawn)
    symbols = np.bincount(drawn.symbols // 2, minlength=200)
    assert p_value(dict(enumerate((symbols // 2).tolist())), dict.fromkeys(range(200), 1)) > PLAUSIBLE


@pytest.mark.parametrize(("name", "longest"), [("dyck-1", LONGEST), ("shuffle-2", LONGEST_SHUFFLE)])
def test_tables_too_large_for_memory_are_refused(name: str, longest: int) -> None:
    parts = parts_of(language_named(name))
    with pytest.raises(BadInput, match=rf"lengths must be at most {longest:,} here, got {longest + 1:,}$"):
        division_choices(parts, longest + 1)
